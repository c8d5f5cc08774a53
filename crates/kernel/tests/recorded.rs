//! A process in the world of a recording: its files, its descriptors and the system's answers.

mod machine;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use fathom_engine::system::System;
use fathom_expr::Pool;
use fathom_kernel::{
    Config, InputError, InputFile, Inputs, Linux, Recorded, RecordedAnswer, RecordedStream,
    RecordedUser, StreamKind,
};
use libc::{O_APPEND, O_CREAT, O_RDONLY, O_RDWR, O_WRONLY};
use machine::{Machine, errno};

/// A directory for one test, gone with it.
struct Root(PathBuf);

impl Root {
    fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        let root = Self(path);
        root.put("home/user/data.txt", "0123456789");
        root.put("etc/config", "recorded");
        root
    }

    fn put(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn recorded(&self) -> Recorded {
        let user = RecordedUser { pid: 77, parent: 76, ..RecordedUser::default() };
        Recorded { root: self.0.clone(), umask: 0o027, user, ..Recorded::default() }
    }
}

impl Drop for Root {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn start(recorded: Recorded, inputs: &Inputs) -> Machine {
    let mut pool = Pool::new();
    let config = Config::new("/home/user".into());
    let linux = Linux::recorded(config, recorded, inputs, &mut pool).expect("it can start");
    Machine::with(linux, pool)
}

fn stream(fd: i32, kind: StreamKind, flags: i32, bytes: &[u8]) -> RecordedStream {
    // SAFETY: all-zero bytes are a valid `stat`.
    let mut stat: libc::stat = unsafe { std::mem::zeroed() };
    stat.st_mode = match kind {
        StreamKind::Regular { .. } => libc::S_IFREG,
        StreamKind::Pipe => libc::S_IFIFO,
        StreamKind::Terminal | StreamKind::Device => libc::S_IFCHR,
        StreamKind::Directory => libc::S_IFDIR,
        StreamKind::Other => libc::S_IFSOCK,
    } | 0o640;
    stat.st_ino = 1000 + fd as u64;
    if kind == StreamKind::Device {
        stat.st_rdev = libc::makedev(1, 3);
    }
    let (bytes, path) = (bytes.to_vec(), PathBuf::new());
    let (close_on_exec, ends, room) = (false, Vec::new(), None);
    RecordedStream { fd, flags, close_on_exec, kind, stat, path, bytes, ends, room }
}

fn answer(number: i64, args: [u64; 3], result: i64, bytes: &[u8]) -> RecordedAnswer {
    RecordedAnswer { number: number as u64, args, result, bytes: bytes.to_vec() }
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

impl Machine {
    fn text(&mut self, fd: i64, count: u64) -> String {
        let buffer = self.buffer(&vec![0; count as usize]);
        let got = self.call(libc::SYS_read, &[fd as u64, buffer, count]);
        assert!(got >= 0, "{got}");
        String::from_utf8_lossy(self.memory.slice(buffer, got as u64).unwrap()).into_owned()
    }

    fn contents(&mut self, path: &str) -> String {
        let fd = self.open(path, O_RDONLY);
        assert!(fd >= 0, "{path}: {fd}");
        self.text(fd, 100)
    }

    fn print(&mut self, fd: u64, text: &str) {
        let buffer = self.buffer(text.as_bytes());
        assert_eq!(self.call(libc::SYS_write, &[fd, buffer, text.len() as u64]), text.len() as i64);
    }

    /// Mode and inode.
    fn fstat(&mut self, fd: u64) -> (u32, u64) {
        let stat = self.buffer(&[0; 144]);
        assert_eq!(self.call(libc::SYS_fstat, &[fd, stat]), 0);
        (self.memory.read_u32(stat + 24).unwrap(), self.memory.read_u64(stat + 8).unwrap())
    }

    fn seek(&mut self, fd: u64) -> i64 {
        self.call(libc::SYS_lseek, &[fd, 0, libc::SEEK_CUR as u64])
    }

    /// Seconds and the rest, as a call writes them.
    fn time(&mut self, number: i64, clock: Option<u64>) -> (u64, u64) {
        let time = self.buffer(&[0; 16]);
        let args = clock.map_or(vec![time, 0], |clock| vec![clock, time]);
        assert_eq!(self.call(number, &args), 0);
        (self.memory.read_u64(time).unwrap(), self.memory.read_u64(time + 8).unwrap())
    }
}

#[test]
fn only_what_was_recorded_exists() {
    let root = Root::new("only");
    std::os::unix::fs::symlink("/etc", root.0.join("home/user/absolute")).unwrap();
    std::os::unix::fs::symlink("../../../../..", root.0.join("home/user/up")).unwrap();
    let absent = HashMap::from([
        (PathBuf::from("/home/user/.profile"), libc::ENOENT),
        (PathBuf::from("/home/user/file"), libc::ENOTDIR),
    ]);
    let mut machine = start(Recorded { absent, ..root.recorded() }, &Inputs::default());
    for path in ["data.txt", "/home/user/data.txt", "./../user//data.txt"] {
        assert_eq!(machine.contents(path), "0123456789");
    }
    // Links lead nowhere else.
    for path in ["/etc/config", "absolute/config", "up/etc/config", "../../../../etc/config"] {
        assert_eq!(machine.contents(path), "recorded");
    }
    assert_eq!(machine.open("./.profile", O_RDONLY), errno(libc::ENOENT));
    assert_eq!(machine.open("file/", O_RDONLY), errno(libc::ENOTDIR));
    for (path, error) in [("file/", libc::ENOTDIR), (".profile", libc::ENOENT)] {
        let path = machine.path(path);
        assert_eq!(machine.call(libc::SYS_access, &[path, 0]), errno(error));
    }
    assert_eq!(machine.notes(), Vec::<&str>::new());
    for path in ["/etc/passwd", "/usr/bin/env", "/etc/passwd"] {
        assert_eq!(machine.open(path, O_RDONLY), errno(libc::ENOENT));
    }
    let expected = ["not in the recording: /etc/passwd", "not in the recording: /usr/bin/env"];
    assert_eq!(machine.notes(), expected);
    let buffer = machine.buffer(&[0; 64]);
    assert_eq!(machine.call(libc::SYS_getcwd, &[buffer, 64]), 11);
    assert_eq!(machine.memory.slice(buffer, 11).unwrap(), b"/home/user\0");
}

#[test]
fn a_recording_without_its_working_directory_is_refused() {
    let root = Root::new("without");
    let config = Config::new("/home/nobody".into());
    let started = Linux::recorded(config, root.recorded(), &Inputs::default(), &mut Pool::new());
    assert!(matches!(started, Err(InputError::NoPlace(path)) if path == Path::new("/home/nobody")));
}

#[test]
fn writes_stay_in_the_private_layer() {
    let root = Root::new("writes");
    let mut machine = start(root.recorded(), &Inputs::default());
    let new = machine.open("/home/user/new", O_CREAT | O_RDWR) as u64;
    machine.print(new, "text");
    assert_eq!(machine.contents("new"), "text");
    assert_eq!(machine.fstat(new).0, libc::S_IFREG | 0o640);
    let old = machine.open("data.txt", O_WRONLY | O_APPEND) as u64;
    machine.print(old, "!");
    assert_eq!(machine.contents("data.txt"), "0123456789!");
    let path = machine.path("/etc/config");
    assert_eq!(machine.call(libc::SYS_unlink, &[path]), 0);
    assert_eq!(machine.open("/etc/config", O_RDONLY), errno(libc::ENOENT));
    assert!(machine.open("/tmp/scratch", O_CREAT | O_RDWR) >= 0);
    assert_eq!(fs::read(root.0.join("home/user/data.txt")).unwrap(), b"0123456789");
    assert!(root.0.join("etc/config").exists() && !root.0.join("home/user/new").exists());
}

#[test]
fn devices_and_the_process_itself_are_there() {
    let root = Root::new("devices");
    let mut machine = start(root.recorded(), &Inputs::default());
    let null = machine.open("/dev/null", O_RDWR) as u64;
    machine.print(null, "gone");
    assert_eq!(machine.text(null as i64, 10), "");
    assert_eq!(machine.contents("/dev/zero"), "\0".repeat(100));
    assert_eq!(machine.call(libc::SYS_getpid, &[]), 77);
    assert_eq!(machine.call(libc::SYS_getppid, &[]), 76);
    assert_eq!(machine.call(libc::SYS_kill, &[77, 0]), 0);
    assert_eq!(machine.call(libc::SYS_kill, &[4242, 0]), errno(libc::ESRCH));
    assert!(machine.contents("/proc/77/stat").starts_with("77 (program) R 76 77 76"));
    assert_eq!(machine.call(libc::SYS_umask, &[0]), 0o027);
    assert_eq!(machine.open("/proc/self/mountinfo", O_RDONLY), errno(libc::ENOENT));
}

#[test]
fn closed_descriptors_are_closed_and_others_have_their_numbers() {
    let root = Root::new("closed");
    let streams = vec![
        stream(1, StreamKind::Regular { offset: 0 }, O_WRONLY, b""),
        RecordedStream {
            path: "/home/user".into(),
            ..stream(7, StreamKind::Directory, O_RDONLY, b"")
        },
    ];
    let mut machine = start(Recorded { streams, ..root.recorded() }, &Inputs::default());
    let buffer = machine.buffer(&[0; 8]);
    for fd in [0, 2, 3] {
        assert_eq!(machine.call(libc::SYS_read, &[fd, buffer, 1]), errno(libc::EBADF));
    }
    let path = machine.path("data.txt");
    assert_eq!(machine.call(libc::SYS_openat, &[7, path, 0]), 0);
    assert_eq!(machine.text(0, 4), "0123");
}

#[test]
fn children_are_as_they_were() {
    let root = Root::new("children");
    let recorded = Recorded {
        children: vec![81, 82],
        pipes: vec![b"mine, theirs".to_vec(), Vec::new()],
        answers: vec![
            answer(libc::SYS_wait4, [81, 0, 0], 81, &[0, 3, 0, 0]),
            answer(libc::SYS_wait4, [u64::MAX, 0, 0], 82, &[0, 0, 0, 0]),
        ],
        ..root.recorded()
    };
    let mut machine = start(recorded, &Inputs::default());
    let pipe = |machine: &mut Machine| {
        let fds = machine.buffer(&[0; 8]);
        assert_eq!(machine.call(libc::SYS_pipe2, &[fds, 0]), 0);
        [0, 4].map(|at| i64::from(machine.memory.read_u32(fds + at).unwrap()))
    };
    let [reads, writes] = pipe(&mut machine);
    let other = pipe(&mut machine);
    machine.print(writes as u64, "mine");
    assert_eq!(machine.text(reads, 10), "mine");
    // Nobody else writes before there is a child.
    let buffer = machine.buffer(&[0; 8]);
    let read = |machine: &mut Machine| machine.call(libc::SYS_read, &[reads as u64, buffer, 8]);
    assert_eq!(read(&mut machine), errno(libc::EAGAIN));
    assert_eq!(machine.call(libc::SYS_kill, &[81, 0]), errno(libc::ESRCH));
    assert_eq!(machine.call(libc::SYS_fork, &[]), 81);
    machine.call(libc::SYS_close, &[writes as u64]);
    assert_eq!((machine.text(reads, 4), machine.text(reads, 100)), (", th".into(), "eirs".into()));
    assert_eq!(machine.text(reads, 4), "", "the end");
    // A child reads what nobody else does, however much it is.
    let [reads, writes] = other;
    machine.call(libc::SYS_close, &[reads as u64]);
    machine.print(writes as u64, &"x".repeat(100_000));
    let status = machine.buffer(&[0; 4]);
    assert_eq!(machine.call(libc::SYS_wait4, &[81, status, 0, 0]), 81);
    assert_eq!(machine.memory.read_u32(status), Ok(3 << 8));
    assert_eq!(machine.call(libc::SYS_kill, &[81, 0]), errno(libc::ESRCH), "it is gone");
    let polled = machine.buffer(&[writes as u8, 0, 0, 0, libc::POLLOUT as u8, 0, 0, 0]);
    assert_eq!(machine.call(libc::SYS_poll, &[polled, 1, 0]), 1);
    let ready = machine.memory.read_u32(polled + 4).unwrap() >> 16;
    assert_ne!(ready & libc::POLLERR as u32, 0, "nobody reads any more");
    let thread = libc::CLONE_VM | libc::CLONE_THREAD;
    assert_eq!(machine.call(libc::SYS_clone, &[thread as u64]), errno(libc::ENOSYS));
    assert_eq!(machine.call(libc::SYS_clone, &[libc::SIGCHLD as u64]), 82);
    assert_eq!(machine.call(libc::SYS_kill, &[82, 0]), 0);
    assert_eq!(machine.call(libc::SYS_wait4, &[u64::MAX, status, 0, 0]), 82);
    // There were no more.
    assert_eq!(machine.call(libc::SYS_fork, &[]), errno(libc::ENOSYS));
    assert_eq!(machine.call(libc::SYS_wait4, &[u64::MAX, status, 0, 0]), errno(libc::ECHILD));
}

#[test]
fn standard_input_is_what_it_was() {
    let root = Root::new("stdin");
    let with = |kind, inputs: &Inputs| {
        let streams = vec![stream(0, kind, O_RDONLY, b"abcdef")];
        start(Recorded { streams, ..root.recorded() }, inputs)
    };
    let mut file = with(StreamKind::Regular { offset: 2 }, &Inputs::default());
    assert_eq!((file.seek(0), file.text(0, 3)), (2, "cde".into()));
    assert_eq!(file.call(libc::SYS_lseek, &[0, 0, libc::SEEK_SET as u64]), 0);
    assert_eq!(file.text(0, 10), "abcdef");
    assert_eq!(file.contents("/dev/stdin"), "abcdef");

    let mut pipe = with(StreamKind::Pipe, &Inputs::default());
    assert_eq!(pipe.fstat(0), (libc::S_IFIFO | 0o640, 1000));
    assert_eq!(pipe.seek(0), errno(libc::ESPIPE));
    let left = pipe.buffer(&[0; 8]);
    assert_eq!(pipe.call(libc::SYS_ioctl, &[0, libc::FIONREAD, left]), 0);
    assert_eq!(pipe.memory.read_u32(left), Ok(6));
    assert_eq!(pipe.call(libc::SYS_ioctl, &[0, libc::TIOCGWINSZ, left]), errno(libc::ENOTTY));
    assert_eq!((pipe.text(0, 4), pipe.contents("/dev/stdin")), ("abcd".into(), "ef".into()));
    assert_eq!(pipe.text(0, 4), "");

    let mut null = with(StreamKind::Device, &Inputs::default());
    assert_eq!((null.text(0, 4), null.fstat(0).0), (String::new(), libc::S_IFCHR | 0o640));

    // A symbolic beginning, the rest as it was.
    let inputs = Inputs { stdin: Some(2), ..Inputs::default() };
    for kind in [StreamKind::Pipe, StreamKind::Regular { offset: 0 }] {
        let mut machine = with(kind, &inputs);
        let buffer = machine.buffer(&[0; 8]);
        assert_eq!(machine.call(libc::SYS_read, &[0, buffer, 8]), 6);
        assert_eq!(machine.memory.symbols(buffer, 8).len(), 2);
        assert_eq!(machine.memory.bytes(buffer + 2, 4).unwrap(), b"cdef");
    }
}

/// Reads end where they ended natively, which is an end of the file in between, too; one that has
/// less room leaves the rest.
#[test]
fn streams_come_in_pieces() {
    let root = Root::new("pieces");
    let terminal = stream(0, StreamKind::Terminal, O_RDONLY, b"one\ntwo\nthree");
    let streams = vec![RecordedStream { ends: vec![4, 4, 8], ..terminal }];
    let mut machine = start(Recorded { streams, ..root.recorded() }, &Inputs::default());
    let buffer = machine.buffer(b"");
    assert_eq!(machine.call(libc::SYS_read, &[0, buffer, 0]), 0);
    let pieces: Vec<String> =
        [3, 100, 100, 100, 2, 100, 100].iter().map(|&room| machine.text(0, room)).collect();
    assert_eq!(pieces, ["one", "\n", "", "two\n", "th", "ree", ""]);
}

/// Also where a piece fills one of several vectors.
#[test]
fn pieces_in_vectors() {
    let root = Root::new("vectors");
    let pipe = stream(0, StreamKind::Pipe, O_RDONLY, b"abc");
    let streams = vec![RecordedStream { ends: vec![1], ..pipe }];
    let mut machine = start(Recorded { streams, ..root.recorded() }, &Inputs::default());
    let (first, second) = (machine.buffer(&[0]), machine.buffer(&[0; 10]));
    let vectors = machine.buffer(&words(&[first, 1, second, 10]));
    let mut read = || machine.call(libc::SYS_readv, &[0, vectors, 2]);
    assert_eq!([read(), read(), read()], [1, 2, 0]);
}

#[test]
fn limits_are_those_of_the_recording() {
    let root = Root::new("limits");
    let mut limits = vec![(libc::RLIM_INFINITY, libc::RLIM_INFINITY); 16];
    limits[libc::RLIMIT_NOFILE as usize] = (2, 5);
    limits[libc::RLIMIT_FSIZE as usize] = (6, 10);
    let recorded = Recorded { limits, ignored: vec![libc::SIGXFSZ], ..root.recorded() };
    let mut machine = start(recorded, &Inputs::default());
    let file = machine.open("new", libc::O_WRONLY | O_CREAT) as u64;
    assert_eq!(machine.open("/dev/null", O_RDONLY), 1);
    assert_eq!(machine.open("/dev/null", O_RDONLY), errno(libc::EMFILE));
    let bytes = machine.buffer(b"01234567");
    let mut write = |count| machine.call(libc::SYS_write, &[file, bytes, count]);
    assert_eq!([write(4), write(4), write(4), write(0)], [4, 2, errno(libc::EFBIG), 0]);
    assert_eq!(machine.call(libc::SYS_ftruncate, &[file, 7]), errno(libc::EFBIG));
    assert_eq!(machine.call(libc::SYS_ftruncate, &[file, 6]), 0);
    assert_eq!(machine.call(libc::SYS_fallocate, &[file, 0, 0, 7]), errno(libc::EFBIG));
    let path = machine.path("new");
    assert_eq!(machine.call(libc::SYS_truncate, &[path, 7]), errno(libc::EFBIG));
    assert_eq!(machine.call(libc::SYS_truncate, &[path, 2]), 0);
    assert_eq!(machine.call(libc::SYS_lseek, &[file, 2, libc::SEEK_SET as u64]), 2);
    machine.call(libc::SYS_close, &[1]);
    let source = machine.open("data.txt", O_RDONLY) as u64;
    let mut send = || machine.call(libc::SYS_sendfile, &[file, source, 0, 10]);
    assert_eq!([send(), send()], [4, errno(libc::EFBIG)]);
}

#[test]
fn a_terminal_answers_as_it_did() {
    let root = Root::new("terminal");
    let ioctl = |request, fd, text: &[u8]| answer(libc::SYS_ioctl, [fd, request, 0], 0, text);
    let answers = vec![
        ioctl(libc::TIOCGWINSZ, 1, &[50, 0, 132, 0, 0, 0, 0, 0]),
        ioctl(libc::TIOCGWINSZ, 1, &[51, 0, 132, 0, 0, 0, 0, 0]),
        answer(libc::SYS_ioctl, [2, libc::TIOCGWINSZ, 0], -25, b""),
    ];
    let streams = [0, 1].map(|fd| stream(fd, StreamKind::Terminal, O_RDWR, b"typed\n"));
    let streams = streams.into_iter().chain([stream(2, StreamKind::Pipe, O_WRONLY, b"")]);
    let recorded = Recorded { answers, streams: streams.collect(), ..root.recorded() };
    let mut machine = start(recorded, &Inputs::default());
    let size = machine.buffer(&[0; 64]);
    for lines in [50, 51, 51] {
        assert_eq!(machine.call(libc::SYS_ioctl, &[1, libc::TIOCGWINSZ, size]), 0);
        assert_eq!(machine.memory.read_u32(size).unwrap() & 0xffff, lines);
    }
    assert_eq!(machine.call(libc::SYS_ioctl, &[2, libc::TIOCGWINSZ, size]), errno(libc::ENOTTY));
    assert_eq!(machine.call(libc::SYS_ioctl, &[0, libc::TCGETS, size]), 0);
    assert_eq!(machine.call(libc::SYS_ioctl, &[0, libc::TCFLSH, 0]), 0);
    assert_eq!((machine.text(0, 100), machine.text(0, 100)), ("typed\n".into(), String::new()));
    machine.print(1, "to the terminal");
    machine.print(2, "to the pipe");
    assert_eq!(machine.seek(2), errno(libc::ESPIPE));
    assert_eq!(machine.linux.output(1).bytes, b"to the terminal");
    assert_eq!(machine.linux.output(2).bytes, b"to the pipe");
}

#[test]
fn a_reader_goes_when_it_went() {
    let root = Root::new("broken");
    let mut pipe = stream(1, StreamKind::Pipe, O_WRONLY, b"");
    pipe.room = Some(7);
    let recorded = Recorded { streams: vec![pipe], ..root.recorded() };
    let mut machine = start(recorded, &Inputs::default());
    // Without this the next write but one would end the program.
    let ignored = machine.buffer(&words(&[libc::SIG_IGN as u64, 0, 0, 0]));
    assert_eq!(machine.call(libc::SYS_rt_sigaction, &[libc::SIGPIPE as u64, ignored, 0, 8]), 0);
    machine.print(1, "four");
    let rest = machine.buffer(b"and five");
    assert_eq!(machine.call(libc::SYS_write, &[1, rest, 8]), 3);
    assert_eq!(machine.call(libc::SYS_write, &[1, rest, 0]), 0);
    assert_eq!(machine.call(libc::SYS_write, &[1, rest, 8]), errno(libc::EPIPE));
    assert_eq!(machine.linux.output(1).bytes, b"fourand");
}

#[test]
fn what_is_printed_to_a_file_is_kept_from_where_it_stood() {
    let root = Root::new("output");
    let mut log = stream(1, StreamKind::Regular { offset: 0 }, O_WRONLY | O_APPEND, b"");
    log.stat.st_size = 5000;
    let error = stream(2, StreamKind::Regular { offset: 30 }, O_WRONLY, b"");
    let recorded = Recorded { streams: vec![log, error], ..root.recorded() };
    let mut machine = start(recorded, &Inputs::default());
    machine.print(1, "line\n");
    machine.print(2, "oops");
    assert_eq!((machine.seek(1), machine.seek(2)), (5005, 34));
    assert_eq!(machine.linux.output(1).bytes, b"line\n");
    assert_eq!(machine.linux.output(2).bytes, b"oops");
}

#[test]
fn files_are_symbolic_in_their_beginning_and_keep_their_metadata() {
    let root = Root::new("files");
    let file = |path: &str, size, symbolic| InputFile { path: path.into(), size, symbolic };
    let files = vec![
        file("/home/user/data.txt", None, Some(3)),
        file("/etc/config", None, None),
        file("/home/user/new", Some(4), None),
    ];
    let inode = std::os::unix::fs::MetadataExt::ino(
        &fs::metadata(root.0.join("home/user/data.txt")).unwrap(),
    );
    let mut machine = start(root.recorded(), &Inputs { files, ..Inputs::default() });
    let buffer = machine.buffer(&[0; 16]);
    for (path, size, n_symbolic) in [("data.txt", 10, 3), ("../../etc/config", 8, 8), ("new", 4, 4)]
    {
        let fd = machine.open(path, O_RDONLY) as u64;
        assert_eq!(machine.call(libc::SYS_read, &[fd, buffer, 16]), size);
        assert_eq!(machine.memory.symbols(buffer, size as u64).len(), n_symbolic);
        if path == "data.txt" {
            assert_eq!(machine.memory.bytes(buffer + 3, 7).unwrap(), b"3456789");
            assert_eq!(machine.fstat(fd).1, inode);
        }
    }
    let names: Vec<_> = machine.pool.inputs().map(|(_, input)| input.name.to_string()).collect();
    assert_eq!(names, ["/home/user/data.txt", "/etc/config", "/home/user/new"]);
}

#[test]
fn answers_come_in_order_and_clocks_go_on() {
    let root = Root::new("answers");
    let clock = |clock, seconds, rest| {
        answer(libc::SYS_clock_gettime, [clock, 1, 0], 0, &words(&[seconds, rest]))
    };
    let answers = vec![
        clock(0, 1000, 5),
        clock(1, 20, 0),
        clock(0, 1001, 6),
        answer(libc::SYS_getrandom, [9, 4, 0], 4, b"dice"),
        answer(libc::SYS_getuid, [0; 3], 1234, b""),
        answer(libc::SYS_prlimit64, [0, 7, 0], 0, &words(&[99, 100])),
    ];
    let mut machine = start(Recorded { answers, ..root.recorded() }, &Inputs::default());
    let get = Some(0);
    assert_eq!(machine.time(libc::SYS_clock_gettime, get), (1000, 5));
    let forked = machine.linux.fork();
    let forked: &Linux = forked.as_any().downcast_ref().expect("the same system");
    let forked = forked.clone();
    assert_eq!(machine.time(libc::SYS_clock_gettime, get), (1001, 6));
    assert_eq!(machine.time(libc::SYS_clock_gettime, Some(1)), (20, 0));
    machine.instructions = 2_000_000_000;
    assert_eq!(machine.time(libc::SYS_clock_gettime, get), (1003, 6));
    assert_eq!(machine.time(libc::SYS_clock_gettime, Some(1)), (22, 0));
    assert_eq!(machine.time(libc::SYS_gettimeofday, None), (1003, 0));
    let buffer = machine.buffer(&[0; 16]);
    assert_eq!(machine.call(libc::SYS_getrandom, &[buffer, 4, 0]), 4);
    assert_eq!(machine.memory.slice(buffer, 4).unwrap(), b"dice");
    assert_eq!(machine.call(libc::SYS_getrandom, &[buffer, 4, 0]), 4);
    assert_ne!(machine.memory.slice(buffer, 4).unwrap(), b"dice");
    for _ in 0..3 {
        assert_eq!(machine.call(libc::SYS_getuid, &[]), 1234);
        assert_eq!(machine.call(libc::SYS_prlimit64, &[0, 7, 0, buffer]), 0);
        assert_eq!(machine.memory.read_u64(buffer), Ok(99));
    }
    // A copy goes on from where it was made.
    machine.linux = forked;
    assert_eq!(machine.time(libc::SYS_clock_gettime, get), (1001, 6));
}
