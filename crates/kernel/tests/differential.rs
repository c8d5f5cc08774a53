//! The same random file operations on the host and in the private layer: every result, every
//! error and the final tree must be the same. The host is the oracle.

use std::collections::BTreeMap;
use std::ffi::CString;
use std::path::{Path, PathBuf};

use fathom_engine::ledger::{Ledger, NOWHERE};
use fathom_engine::memory::{Memory, ObjectKind};
use fathom_engine::outcome::Trace;
use fathom_engine::system::{Reply, System, SystemContext};
use fathom_expr::Pool;
use fathom_kernel::{Config, Linux};

const ROUNDS: u64 = 60;
const STEPS: usize = 300;

/// Deep enough that links to `..` do not lead out of it.
const ROOT: &str = "p/q/r/s/root";

enum Arg<'a> {
    Int(i64),
    Path(&'a str),
    In(&'a [u8]),
    Out(usize),
}

/// Somewhere system calls can be made: the value, and what was written to `Out` arguments.
trait Machine {
    fn call(&mut self, number: i64, args: &[Arg<'_>]) -> (i64, Vec<u8>);
}

struct Host;

impl Machine for Host {
    fn call(&mut self, number: i64, args: &[Arg<'_>]) -> (i64, Vec<u8>) {
        let mut words = [0i64; 6];
        let mut strings = Vec::new();
        let mut output = Vec::new();
        for (word, arg) in words.iter_mut().zip(args) {
            *word = match arg {
                Arg::Int(value) => *value,
                Arg::Path(path) => {
                    strings.push(CString::new(*path).unwrap());
                    strings.last().unwrap().as_ptr() as i64
                }
                Arg::In(bytes) => bytes.as_ptr() as i64,
                Arg::Out(size) => {
                    output = vec![0u8; *size];
                    output.as_mut_ptr() as i64
                }
            };
        }
        let [a, b, c, d, e, f] = words;
        // SAFETY: every pointer leads to as much memory as the call is told.
        let value = unsafe { libc::syscall(number, a, b, c, d, e, f) };
        if value < 0 {
            return (-i64::from(std::io::Error::last_os_error().raw_os_error().unwrap()), output);
        }
        (value, output)
    }
}

struct Guest {
    memory: Memory,
    ledger: Ledger,
    linux: Linux,
}

impl Guest {
    fn new(config: Config) -> Self {
        Self {
            memory: Memory::new(8 << 20).expect("address space"),
            ledger: Ledger::default(),
            linux: Linux::new(config),
        }
    }
}

impl Machine for Guest {
    fn call(&mut self, number: i64, args: &[Arg<'_>]) -> (i64, Vec<u8>) {
        let mut words = [0u64; 6];
        let mut objects = Vec::new();
        let mut output = None;
        for (word, arg) in words.iter_mut().zip(args) {
            let bytes = match arg {
                Arg::Int(value) => {
                    *word = *value as u64;
                    continue;
                }
                Arg::Path(path) => [path.as_bytes(), b"\0"].concat(),
                Arg::In(bytes) => bytes.to_vec(),
                Arg::Out(size) => vec![0; *size],
            };
            let size = bytes.len() as u64;
            let trace = Trace::default();
            *word = self.memory.allocate(size, 16, ObjectKind::Heap, trace).unwrap();
            self.memory.write(*word, &bytes).unwrap();
            objects.push(*word);
            if let Arg::Out(_) = arg {
                output = Some((*word, size));
            }
        }
        let mut context = SystemContext {
            memory: &mut self.memory,
            ledger: &mut self.ledger,
            site: NOWHERE,
            trace: Trace::default(),
            instructions: 0,
            pool: &mut Pool::new(),
            assumptions: &mut Vec::new(),
        };
        let reply = self.linux.call(&mut context, number as u64, words).expect("no fault");
        let Reply::Value(value) = reply else { panic!("unexpected reply {reply:?}") };
        let output = match output {
            Some((at, size)) => self.memory.slice(at, size).unwrap().to_vec(),
            None => Vec::new(),
        };
        for object in objects {
            self.memory.free(object, Trace::default()).unwrap();
        }
        (value, output)
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

const PATHS: &[&str] = &[
    "f1",
    "big",
    "hard",
    "a",
    "a/b",
    "a/b/f",
    "a/../f1",
    "link",
    "dangling",
    "loop",
    "a/",
    "f1/",
    "link/",
    "tolink",
    "todir",
    "todir/",
    "todir/f",
    "./n1",
    "n1",
    "n2",
    "n3",
    "a/n1",
    "a/b/n2",
    "d1",
    "d1/",
    "d1/d2",
    "d1/f",
    "d1/d2/f",
    "nodir/x",
    "f1/x",
    "",
    ".",
    "..",
    "a/.",
    "a/..",
    "../side",
    "../root/f1",
    "dangling/",
    "n1/..",
    "d1/../a",
    "todir/..",
    "new-target",
];

fn populate(root: &Path) {
    let make = |name: &str, bytes: &[u8]| std::fs::write(root.join(name), bytes).unwrap();
    let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, root.join(name)).unwrap();
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    make("f1", b"hello, world\n");
    let big: Vec<u8> = (0..10_000u32).map(|i| (i * 7 % 251) as u8).collect();
    make("big", &big);
    make("a/b/f", b"deep");
    std::fs::hard_link(root.join("f1"), root.join("hard")).unwrap();
    link("f1", "link");
    link("new-target", "dangling");
    link("loop", "loop");
    link("link", "tolink");
    link("a/b", "todir");
}

/// One random step, done on both; the description for the message.
struct Step {
    text: String,
    results: [(i64, Vec<u8>); 2],
}

struct Pair {
    host: Host,
    guest: Guest,
    /// Open descriptors: the host's and the guest's.
    open: Vec<[i64; 2]>,
    /// Where the host and the guest start.
    roots: [String; 2],
}

impl Pair {
    fn both(&mut self, number: i64, args: &[Arg<'_>]) -> [(i64, Vec<u8>); 2] {
        [self.host.call(number, args), self.guest.call(number, args)]
    }

    /// The same on a descriptor, whose number differs.
    fn on_fd(&mut self, number: i64, fd: [i64; 2], rest: &[Arg<'_>]) -> [(i64, Vec<u8>); 2] {
        let with = |fd: i64| -> Vec<Arg<'_>> {
            let copy = |arg: &Arg<'_>| match arg {
                Arg::Int(value) => Arg::Int(*value),
                Arg::Out(size) => Arg::Out(*size),
                // SAFETY: lengthened only for the two calls below, within the borrow of `rest`.
                Arg::In(bytes) => {
                    Arg::In(unsafe { std::slice::from_raw_parts(bytes.as_ptr(), bytes.len()) })
                }
                Arg::Path(_) => unreachable!("calls on descriptors take no path"),
            };
            std::iter::once(Arg::Int(fd)).chain(rest.iter().map(copy)).collect()
        };
        [self.host.call(number, &with(fd[0])), self.guest.call(number, &with(fd[1]))]
    }

    fn step(&mut self, random: &mut Random) -> Step {
        let path = random.pick(PATHS);
        let other = random.pick(PATHS);
        let fd = match self.open.len() {
            0 => [-1, -1],
            count => self.open[random.below(count)],
        };
        let p = Arg::Path;
        let mode = random.pick(&[0o644, 0o600, 0o755, 0o444, 0o4755]);
        let size = random.pick(&[0, 1, 13, 100, 4096, 5000, 9000, 20_000]);
        match random.below(30) {
            0..=3 => self.step_open(random, path, mode),
            4 => {
                let results = self.both(libc::SYS_mkdir, &[p(path), Arg::Int(mode)]);
                Step { text: format!("mkdir {path:?} {mode:o}"), results }
            }
            5 => Step {
                text: format!("rmdir {path:?}"),
                results: self.both(libc::SYS_rmdir, &[p(path)]),
            },
            6 => Step {
                text: format!("unlink {path:?}"),
                results: self.both(libc::SYS_unlink, &[p(path)]),
            },
            7 | 8 => {
                let flags = random.pick(&[0, 0, 0, 1, 2, 3]);
                let at = libc::AT_FDCWD as i64;
                let args = [Arg::Int(at), p(path), Arg::Int(at), p(other), Arg::Int(flags)];
                Step {
                    text: format!("rename {path:?} {other:?} flags {flags}"),
                    results: self.both(libc::SYS_renameat2, &args),
                }
            }
            9 => Step {
                text: format!("link {path:?} {other:?}"),
                results: self.both(libc::SYS_link, &[p(path), p(other)]),
            },
            10 => Step {
                text: format!("symlink {path:?} {other:?}"),
                results: self.both(libc::SYS_symlink, &[p(path), p(other)]),
            },
            11 => Step {
                text: format!("readlink {path:?}"),
                results: self.both(libc::SYS_readlink, &[p(path), Arg::Out(40), Arg::Int(40)]),
            },
            12 => self.step_stat(libc::SYS_stat, path),
            13 => self.step_stat(libc::SYS_lstat, path),
            14 => {
                let want = random.pick(&[0, 1, 2, 4, 7, 8]);
                Step {
                    text: format!("access {path:?} {want}"),
                    results: self.both(libc::SYS_access, &[p(path), Arg::Int(want)]),
                }
            }
            15 if !path.contains("..") => Step {
                text: format!("chmod {path:?} {mode:o}"),
                results: self.both(libc::SYS_chmod, &[p(path), Arg::Int(mode)]),
            },
            16 => Step {
                text: format!("truncate {path:?} {size}"),
                results: self.both(libc::SYS_truncate, &[p(path), Arg::Int(size)]),
            },
            17 if random.below(3) == 0 => self.step_chdir(path),
            18 => self.step_list(path),
            19 => {
                let time = [1_000_000_000i64, 5, 1_100_000_000, 6].map(i64::to_le_bytes).concat();
                let flags = random.pick(&[0, libc::AT_SYMLINK_NOFOLLOW]) as i64;
                let args =
                    [Arg::Int(libc::AT_FDCWD as i64), p(path), Arg::In(&time), Arg::Int(flags)];
                Step {
                    text: format!("utimensat {path:?} {flags}"),
                    results: self.both(libc::SYS_utimensat, &args),
                }
            }
            _ => self.step_fd(random, fd, size),
        }
    }

    fn step_open(&mut self, random: &mut Random, path: &str, mode: i64) -> Step {
        let mut flags = random.pick(&[libc::O_RDONLY, libc::O_WRONLY, libc::O_RDWR]);
        for flag in [
            libc::O_CREAT,
            libc::O_CREAT,
            libc::O_EXCL,
            libc::O_TRUNC,
            libc::O_APPEND,
            libc::O_DIRECTORY,
            libc::O_NOFOLLOW,
            libc::O_PATH,
        ] {
            if random.below(4) == 0 {
                flags |= flag;
            }
        }
        let text = format!("open {path:?} {flags:#o} {mode:o}");
        let args = [Arg::Path(path), Arg::Int(flags.into()), Arg::Int(mode)];
        let mut results = self.both(libc::SYS_open, &args);
        if let [(host @ 0.., _), (guest @ 0.., _)] = &results {
            self.open.push([*host, *guest]);
            results = [(0, vec![]), (0, vec![])];
        }
        Step { text, results }
    }

    fn step_stat(&mut self, number: i64, path: &str) -> Step {
        let results = self.both(number, &[Arg::Path(path), Arg::Out(144)]);
        Step { text: format!("stat {path:?}"), results: results.map(stable_stat) }
    }

    fn step_chdir(&mut self, path: &str) -> Step {
        let mut results = self.both(libc::SYS_chdir, &[Arg::Path(path)]);
        if results[0].0 == 0 {
            // Not above the two roots, which differ.
            let cwd = self.both(libc::SYS_getcwd, &[Arg::Out(4096), Arg::Int(4096)]);
            let inside = |(value, bytes): (i64, Vec<u8>)| match value {
                0.. => {
                    let path = String::from_utf8_lossy(&bytes[..value as usize - 1]).into_owned();
                    let at = path.find("/root").map_or("above".to_string(), |i| path[i..].into());
                    (0, at.into_bytes())
                }
                errno => (errno, vec![]),
            };
            let above = cwd[0].0 >= 0 && inside(cwd[0].clone()).1 == b"above";
            results = cwd.map(inside);
            if above {
                let [host, guest] = self.roots.clone();
                self.host.call(libc::SYS_chdir, &[Arg::Path(&host)]);
                self.guest.call(libc::SYS_chdir, &[Arg::Path(&guest)]);
            }
        }
        Step { text: format!("chdir {path:?}"), results }
    }

    fn step_list(&mut self, path: &str) -> Step {
        let text = format!("list {path:?}");
        let host = list(&mut self.host, path);
        let guest = list(&mut self.guest, path);
        Step { text, results: [host, guest].map(|(value, names)| (value, names.join("\n").into())) }
    }

    fn step_fd(&mut self, random: &mut Random, fd: [i64; 2], size: i64) -> Step {
        let bytes = vec![random.below(256) as u8; size as usize];
        let offset = random.pick(&[0, 1, 10, 4096, 7000, 30_000, -1]);
        let int = Arg::Int;
        let (text, results) = match random.below(12) {
            0 | 1 => {
                ("read", self.on_fd(libc::SYS_read, fd, &[Arg::Out(size as usize), int(size)]))
            }
            2 | 3 => ("write", self.on_fd(libc::SYS_write, fd, &[Arg::In(&bytes), int(size)])),
            4 => (
                "pread",
                self.on_fd(
                    libc::SYS_pread64,
                    fd,
                    &[Arg::Out(size as usize), int(size), int(offset)],
                ),
            ),
            5 => (
                "pwrite",
                self.on_fd(libc::SYS_pwrite64, fd, &[Arg::In(&bytes), int(size), int(offset)]),
            ),
            6 => {
                let whence = random.pick(&[0, 1, 2, 9]);
                // Positions in a directory are the file system's business.
                let rewind = is_directory(&mut self.host, fd[0]);
                let (offset, whence) = if rewind { (0, 0) } else { (offset, whence) };
                ("lseek", self.on_fd(libc::SYS_lseek, fd, &[int(offset), int(whence)]))
            }
            7 => ("ftruncate", self.on_fd(libc::SYS_ftruncate, fd, &[int(size)])),
            8 => ("fstat", self.on_fd(libc::SYS_fstat, fd, &[Arg::Out(144)]).map(stable_stat)),
            9 => ("F_GETFL", self.on_fd(libc::SYS_fcntl, fd, &[int(libc::F_GETFL.into())])),
            10 => {
                let results = self.on_fd(libc::SYS_close, fd, &[]);
                self.open.retain(|open| *open != fd);
                ("close", results)
            }
            _ => {
                let mode = random.pick(&[0, 1, 3]);
                let args = [int(mode), int(offset), int(size)];
                ("fallocate", self.on_fd(libc::SYS_fallocate, fd, &args))
            }
        };
        Step { text: format!("{text} {fd:?} size {size} offset {offset}"), results }
    }
}

fn is_directory(host: &mut Host, fd: i64) -> bool {
    let (value, bytes) = host.call(libc::SYS_fstat, &[Arg::Int(fd), Arg::Out(144)]);
    value == 0 && u32::from_le_bytes(bytes[24..28].try_into().unwrap()) & 0o170000 == 0o040000
}

/// Keeps what does not depend on the file system: links, mode, owner and a file's size.
fn stable_stat((value, bytes): (i64, Vec<u8>)) -> (i64, Vec<u8>) {
    if value < 0 {
        return (value, vec![]);
    }
    let mode = u32::from_le_bytes(bytes[24..28].try_into().unwrap());
    let mut kept = bytes[16..36].to_vec();
    if mode & 0o170000 != 0o040000 {
        kept.extend_from_slice(&bytes[48..56]);
    }
    // The time of modification where `utimensat` has set it.
    let mtime = i64::from_le_bytes(bytes[88..96].try_into().unwrap());
    kept.push(u8::from(mtime == 1_100_000_000));
    (value, kept)
}

fn list(machine: &mut dyn Machine, path: &str) -> (i64, Vec<String>) {
    let flags = i64::from(libc::O_RDONLY | libc::O_DIRECTORY);
    let (fd, _) = machine.call(libc::SYS_open, &[Arg::Path(path), Arg::Int(flags)]);
    if fd < 0 {
        return (fd, vec![]);
    }
    let mut names = Vec::new();
    let result = loop {
        let args = [Arg::Int(fd), Arg::Out(300), Arg::Int(300)];
        let (count, bytes) = machine.call(libc::SYS_getdents64, &args);
        if count <= 0 {
            break count;
        }
        let mut at = 0;
        while at < count as usize {
            let length = u16::from_le_bytes([bytes[at + 16], bytes[at + 17]]) as usize;
            let name = bytes[at + 19..at + length].split(|&byte| byte == 0).next().unwrap();
            names.push(format!("{} {}", String::from_utf8_lossy(name), bytes[at + 18]));
            at += length;
        }
    };
    machine.call(libc::SYS_close, &[Arg::Int(fd)]);
    names.sort();
    (result, names)
}

/// Every file below `path`: metadata, and the bytes or the target.
fn tree(machine: &mut dyn Machine, path: &str, into: &mut BTreeMap<String, Vec<u8>>, root: usize) {
    for entry in list(machine, path).1 {
        let (name, kind) = entry.rsplit_once(' ').unwrap();
        let child = format!("{path}/{name}");
        if name == "." || name == ".." {
            continue;
        }
        let (_, mut facts) =
            stable_stat(machine.call(libc::SYS_lstat, &[Arg::Path(&child), Arg::Out(144)]));
        match kind {
            "4" => tree(machine, &child, into, root),
            "10" => {
                let args = [Arg::Path(&child), Arg::Out(100), Arg::Int(100)];
                facts.extend(machine.call(libc::SYS_readlink, &args).1);
            }
            _ => {
                let (fd, _) = machine.call(libc::SYS_open, &[Arg::Path(&child), Arg::Int(0)]);
                let args = [Arg::Int(fd), Arg::Out(70_000), Arg::Int(70_000)];
                facts.extend(machine.call(libc::SYS_read, &args).1);
                machine.call(libc::SYS_close, &[Arg::Int(fd)]);
            }
        }
        into.insert(child[root..].to_string(), facts);
    }
}

/// How deep the trees lie: symbolic links made at random may lead some levels up, and what is
/// done through them must not reach directories that are not ours.
const DEPTH: &str = "1/2/3/4/5/6/7/8";

fn scratch(name: &str) -> PathBuf {
    let base = scratch_base(name);
    let _ = std::fs::remove_dir_all(&base);
    base.join(DEPTH)
}

fn scratch_base(name: &str) -> PathBuf {
    std::env::temp_dir().join(format!("fathom-kernel-{}-{name}", std::process::id()))
}

fn host_snapshot(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let text = root.to_str().unwrap();
    tree(&mut Host, text, &mut files, text.len());
    files
}

fn assert_same(one: &BTreeMap<String, Vec<u8>>, two: &BTreeMap<String, Vec<u8>>, what: &str) {
    for name in one.keys().chain(two.keys()) {
        let short =
            |facts: Option<&Vec<u8>>| facts.map(|facts| facts[..facts.len().min(45)].to_vec());
        let (left, right) = (one.get(name), two.get(name));
        assert!(left == right, "{what}: {name}: {:?} {:?}", short(left), short(right));
    }
}

fn round(seed: u64, host_writes: bool) {
    let (host_top, guest_top) = (scratch("host"), scratch("guest"));
    for top in [&host_top, &guest_top] {
        std::fs::create_dir_all(top.join(ROOT)).unwrap();
        populate(&top.join(ROOT));
    }
    let roots = [&host_top, &guest_top].map(|top| top.join(ROOT).to_str().unwrap().to_string());
    let untouched = host_snapshot(&guest_top);
    std::env::set_current_dir(host_top.join(ROOT)).unwrap();
    let config = Config {
        allow_read: vec![scratch_base("guest")],
        host_writes,
        ..Config::new(guest_top.join(ROOT))
    };
    let mut pair = Pair { host: Host, guest: Guest::new(config), open: Vec::new(), roots };
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut history = Vec::new();
    for _ in 0..STEPS {
        let Step { text, results: [host, guest] } = pair.step(&mut random);
        history.push(format!("{text} -> {}", host.0));
        if host != guest {
            let tail = history[history.len().saturating_sub(history_length())..].join("\n  ");
            let first = |bytes: &[u8]| bytes[..bytes.len().min(80)].to_vec();
            panic!(
                "seed {seed}: host {} {:?}, guest {} {:?}\n  {tail}",
                host.0,
                first(&host.1),
                guest.0,
                first(&guest.1)
            );
        }
    }
    for open in std::mem::take(&mut pair.open) {
        pair.on_fd(libc::SYS_close, open, &[]);
    }
    let mut guest_files = BTreeMap::new();
    let text = guest_top.to_str().unwrap();
    tree(&mut pair.guest, text, &mut guest_files, text.len());
    let what = format!("seed {seed}, host_writes {host_writes}");
    assert_same(&host_snapshot(&host_top), &guest_files, &format!("{what}: the trees differ"));
    let on_host = if host_writes { &guest_files } else { &untouched };
    assert_same(on_host, &host_snapshot(&guest_top), &format!("{what}: on the host"));
    std::env::set_current_dir("/").unwrap();
    for name in ["host", "guest"] {
        std::fs::remove_dir_all(scratch_base(name)).unwrap();
    }
}

/// One test, as the working directory belongs to the whole process.
#[test]
fn same_as_the_host() {
    let rounds = std::env::var("FATHOM_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(ROUNDS);
    for seed in 0..rounds {
        round(seed, false);
    }
    for seed in 0..rounds / 4 {
        round(seed, true);
    }
}

/// How many steps before a difference are shown.
fn history_length() -> usize {
    std::env::var("FATHOM_HISTORY").ok().and_then(|n| n.parse().ok()).unwrap_or(25)
}
