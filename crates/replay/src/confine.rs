//! Shutting a program into a directory: a new root, in a user namespace where we are not root.

use std::ffi::CString;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use libc::{CLONE_NEWNS, CLONE_NEWUSER, MS_BIND, MS_PRIVATE, MS_REC, c_int, makedev};

/// By which means the machine lets us change the root directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Confinement {
    /// At once: we are root.
    Root,
    /// In a user namespace of the program's own.
    UserNamespace,
    /// Not at all: the program sees the machine's files.
    None,
}

/// Devices that programs expect, with their numbers.
const DEVICES: &[(&str, u32, u32)] = &[
    ("null", 1, 3),
    ("zero", 1, 5),
    ("full", 1, 7),
    ("random", 1, 8),
    ("urandom", 1, 9),
    ("tty", 5, 0),
];

/// Asked once, by trying.
pub(crate) fn confinement() -> Confinement {
    static FOUND: OnceLock<Confinement> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let maps = maps();
        // SAFETY: a C string.
        let change_root = || done(unsafe { libc::chroot(c"/".as_ptr()) });
        let possible = |means: Confinement| {
            succeeds_in_child(|| means.gain(&maps).and_then(|_| change_root()))
        };
        [Confinement::Root, Confinement::UserNamespace]
            .into_iter()
            .find(|&means| possible(means))
            .unwrap_or(Confinement::None)
    })
}

/// Runs system calls in a process of their own.
fn succeeds_in_child(calls: impl Fn() -> io::Result<()>) -> bool {
    // SAFETY: the child makes system calls only, and ends.
    unsafe {
        let pid = libc::fork();
        if pid == 0 {
            libc::_exit(c_int::from(calls().is_err()));
        }
        let mut status = -1;
        pid > 0 && libc::waitpid(pid, &mut status, 0) == pid && status == 0
    }
}

/// All that is needed between fork and exec, where nothing can be allocated.
pub(crate) struct Entry {
    root: CString,
    /// As seen from the root that the program gets.
    cwd: CString,
    umask: u32,
    closed: Vec<c_int>,
    devices: Vec<Device>,
    maps: Maps,
}

/// Files that say who the program is in a user namespace, and what they are to say: who we are.
type Maps = [(CString, String); 3];

fn maps() -> Maps {
    // SAFETY: plain calls.
    let (uid, gid) = unsafe { (libc::geteuid(), libc::getegid()) };
    let map = |file: &str, text: String| (c_path(&Path::new("/proc/self").join(file)), text);
    [
        map("setgroups", "deny".into()),
        map("uid_map", format!("{uid} {uid} 1")),
        map("gid_map", format!("{gid} {gid} 1")),
    ]
}

struct Device {
    host: CString,
    inside: CString,
    number: u64,
}

impl Entry {
    pub fn new(root: &Path, cwd: &Path, umask: u32, closed: Vec<c_int>) -> Entry {
        let device = |&(name, major, minor): &(&str, u32, u32)| Device {
            host: c_path(&Path::new("/dev").join(name)),
            inside: c_path(&root.join("dev").join(name)),
            number: makedev(major, minor),
        };
        // What a test gives to the program there is no terminal of ours.
        let is_missing =
            |(name, ..): &&(&str, u32, u32)| *name != "tty" || !root.join("dev/tty").is_file();
        Entry {
            root: c_path(root),
            cwd: c_path(cwd),
            umask,
            closed,
            devices: DEVICES.iter().filter(is_missing).map(device).collect(),
            maps: maps(),
        }
    }

    /// Lets a command do all this before it starts.
    pub fn prepare(self, command: &mut Command) {
        let means = confinement();
        // SAFETY: system calls on data that was made before.
        unsafe { command.pre_exec(move || self.enter(means)) };
    }

    fn enter(&self, means: Confinement) -> io::Result<()> {
        let may_mount = means.gain(&self.maps)?;
        // SAFETY: C strings and numbers.
        unsafe {
            if means != Confinement::None {
                self.devices.iter().for_each(|device| device.make(may_mount));
                done(libc::chroot(self.root.as_ptr()))?;
            }
            done(libc::chdir(self.cwd.as_ptr()))?;
            libc::umask(self.umask);
            // A process group of its own, and no terminal that it could ask.
            libc::setsid();
            for &fd in &self.closed {
                libc::close(fd);
            }
        }
        Ok(())
    }
}

impl Confinement {
    /// Gets the right to change the root directory. The value: whether mounts are possible, which
    /// nobody else sees.
    fn gain(self, maps: &Maps) -> io::Result<bool> {
        // SAFETY: C strings and numbers.
        unsafe {
            let is_own = match self {
                Confinement::None => false,
                Confinement::Root => libc::unshare(CLONE_NEWNS) == 0,
                Confinement::UserNamespace => {
                    done(libc::unshare(CLONE_NEWUSER | CLONE_NEWNS))?;
                    maps.iter().try_for_each(|(file, text)| write(file, text))?;
                    true
                }
            };
            let (none, flags) = (std::ptr::null(), MS_REC | MS_PRIVATE);
            Ok(is_own && libc::mount(none, c"/".as_ptr(), none, flags, none.cast()) == 0)
        }
    }
}

impl Device {
    /// Makes a device of our own, or lets the machine's show where that is not permitted, or where
    /// devices do not work there; else there is none.
    ///
    /// # Safety
    /// Between fork and exec only.
    unsafe fn make(&self, may_mount: bool) {
        let (host, inside) = (self.host.as_ptr(), self.inside.as_ptr());
        // SAFETY: C strings and numbers.
        unsafe {
            libc::unlink(inside);
            let made = libc::mknod(inside, libc::S_IFCHR | 0o666, self.number) == 0;
            if made && libc::chmod(inside, 0o666) == 0 && self.works() {
                return;
            }
            libc::unlink(inside);
            if may_mount {
                libc::close(libc::open(inside, libc::O_CREAT | libc::O_CLOEXEC, 0o666));
                let none = std::ptr::null();
                if libc::mount(host, inside, none, MS_BIND, none.cast()) != 0 {
                    libc::unlink(inside);
                }
            }
        }
    }

    /// Whether it can be opened; a terminal that we do not have works, too.
    fn works(&self) -> bool {
        let flags = libc::O_RDONLY | libc::O_NONBLOCK | libc::O_NOCTTY | libc::O_CLOEXEC;
        // SAFETY: a C string and numbers.
        unsafe {
            let fd = libc::open(self.inside.as_ptr(), flags);
            let refused = fd < 0 && *libc::__errno_location() == libc::EACCES;
            libc::close(fd);
            !refused
        }
    }
}

/// Makes sure that the directory of the devices is in the tree: what a link leads to would be the
/// machine's.
pub(crate) fn make_device_directory(root: &Path) -> io::Result<()> {
    let directory = root.join("dev");
    if directory.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) {
        return Ok(());
    }
    let _ = std::fs::remove_file(&directory);
    std::fs::create_dir(&directory)
}

fn done(result: c_int) -> io::Result<()> {
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Writes to a file of the system, without allocating.
fn write(path: &CString, text: &str) -> io::Result<()> {
    // SAFETY: a C string, and bytes of the length given.
    unsafe {
        let fd = libc::open(path.as_ptr(), libc::O_WRONLY | libc::O_CLOEXEC);
        let count = libc::write(fd, text.as_ptr().cast(), text.len());
        let result = if count == text.len() as isize { Ok(()) } else { done(-1) };
        libc::close(fd);
        result
    }
}

fn c_path(path: &Path) -> CString {
    CString::new(path.as_os_str().as_bytes()).expect("a path has no NUL")
}
