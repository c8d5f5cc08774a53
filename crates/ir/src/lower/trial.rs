//! Reads bitcode of unknown origin in a process of its own first: on damaged bytes LLVM may crash,
//! hang or end the process, and what it does depends on the contents of the heap.

use std::any::Any;
use std::ffi::{CStr, c_char};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{PoisonError, RwLock, RwLockReadGuard};

use llvm_sys::error_handling::LLVMInstallFatalErrorHandler;

use super::load::{Error, unreadable};

/// Processor time for any module, and what each MiB of one adds: ten times what it takes.
const SECONDS: u64 = 5;
const SECONDS_PER_MIB: u64 = 3;
/// A child that waits for something uses no processor time; on a busy machine others use it.
const WALL_PER_CPU_TIME: u64 = 6;

/// Held for reading where this process uses LLVM, for writing while it forks: a lock of LLVM that
/// another thread holds at that moment would stay locked in the child.
static FORKING: RwLock<()> = RwLock::new(());

/// No child is started while the result lives.
pub fn no_fork() -> RwLockReadGuard<'static, ()> {
    FORKING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Does `work` on `bytes` in a child process and returns its error. If the child does not end by
/// itself, that is the error. This process is as it was before.
pub fn run(bytes: &[u8], work: impl FnOnce() -> Result<(), Error>) -> Result<(), Error> {
    let seconds = SECONDS + bytes.len() as u64 / (1 << 20) * SECONDS_PER_MIB;
    let (child, mut reports) = start(bytes, seconds, work)
        .map_err(|error| Error::NoProcess { reason: error.to_string() })?;
    let mut report = Vec::new();
    let read = reports.read_to_end(&mut report);
    let status = wait(child);
    match read.ok().and_then(|_| decode(&report)) {
        Some(result) => result,
        None => Err(unreadable(bytes, cause(status))),
    }
}

/// Starts the child; its report can be read from the file.
fn start(
    bytes: &[u8],
    seconds: u64,
    work: impl FnOnce() -> Result<(), Error>,
) -> io::Result<(libc::pid_t, File)> {
    // Besides, no other child may inherit this one's pipe: reading ends when nobody writes.
    let _guard = FORKING.write().unwrap_or_else(PoisonError::into_inner);
    let mut ends = [0; 2];
    // SAFETY: there is room for two descriptors, which nobody else owns.
    let (reading, writing) = unsafe {
        if libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) != 0 {
            return Err(io::Error::last_os_error());
        }
        (OwnedFd::from_raw_fd(ends[0]), OwnedFd::from_raw_fd(ends[1]))
    };
    // SAFETY: the child has this thread only; it uses the allocator, which the C library keeps
    // usable, and LLVM, which no other thread is in.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        0 => in_child(bytes, seconds, &File::from(writing), work),
        child => Ok((child, File::from(reading))),
    }
}

fn in_child(
    bytes: &[u8],
    seconds: u64,
    report: &File,
    work: impl FnOnce() -> Result<(), Error>,
) -> ! {
    confine(seconds);
    REPORT.store(report.as_raw_fd(), Ordering::Relaxed);
    // SAFETY: the handler does not return.
    unsafe { LLVMInstallFatalErrorHandler(Some(on_fatal_error)) };
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(unreadable(bytes, format!("no sense in it: {}", text(&*panic))))
    });
    finish(&result)
}

/// Makes the child silent, mortal and without a core dump.
fn confine(seconds: u64) {
    // If it takes all memory, it is the one to be killed.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    // SAFETY: plain system calls on valid arguments. One that fails only leaves a limit out.
    unsafe {
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        for standard in 0..3 {
            libc::dup2(null, standard);
        }
        let no_core = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &raw const no_core);
        // The hard limit kills without saying why.
        let time = libc::rlimit { rlim_cur: seconds, rlim_max: seconds + 5 };
        libc::setrlimit(libc::RLIMIT_CPU, &raw const time);
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
        for signal in [libc::SIGALRM, libc::SIGXCPU, libc::SIGINT, libc::SIGTERM] {
            libc::signal(signal, libc::SIG_DFL);
        }
        libc::alarm((seconds * WALL_PER_CPU_TIME) as libc::c_uint);
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

/// Where the child reports.
static REPORT: AtomicI32 = AtomicI32::new(-1);

/// LLVM cannot go on and would end the process: a damaged module, to the user.
extern "C" fn on_fatal_error(reason: *const c_char) {
    // SAFETY: LLVM gives a C string.
    let reason = unsafe { CStr::from_ptr(reason) }.to_string_lossy().into_owned();
    finish(&Err(Error::Corrupt { reason }))
}

/// Reports and ends the child.
fn finish(result: &Result<(), Error>) -> ! {
    // SAFETY: the descriptor stays open as long as the child lives, and `_exit` runs nothing that
    // belongs to the parent.
    unsafe {
        let mut report =
            std::mem::ManuallyDrop::new(File::from_raw_fd(REPORT.load(Ordering::Relaxed)));
        let _ = report.write_all(&encode(result));
        libc::_exit(0)
    }
}

fn text(panic: &(dyn Any + Send)) -> &str {
    let owned = || panic.downcast_ref::<String>().map(String::as_str);
    panic.downcast_ref::<&str>().copied().or_else(owned).unwrap_or("no reason given")
}

/// How the child ended, if that can still be known.
fn wait(child: libc::pid_t) -> Option<libc::c_int> {
    let mut status = 0;
    loop {
        // SAFETY: the child is ours and there is room for its status.
        match unsafe { libc::waitpid(child, &raw mut status, 0) } {
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::Interrupted => {}
            -1 => return None,
            _ => return Some(status),
        }
    }
}

/// Why a child ended that did not report.
fn cause(status: Option<libc::c_int>) -> String {
    match status {
        Some(status) if libc::WIFSIGNALED(status) => match libc::WTERMSIG(status) {
            libc::SIGXCPU | libc::SIGALRM => "reading it takes too long".into(),
            signal => format!("reading it crashes LLVM (signal {signal})"),
        },
        _ => "LLVM gives up reading it".into(),
    }
}

/// Every field ends with a zero byte, so that a report cut off in the middle is seen to be so.
fn encode(result: &Result<(), Error>) -> Vec<u8> {
    let bits;
    let fields: &[&str] = match result {
        Ok(()) => &["ok"],
        Err(Error::NotBitcode) => &["not bitcode"],
        Err(Error::Corrupt { reason }) => &["corrupt", reason],
        Err(Error::TooNew { producer, ours }) => &["too new", producer, ours],
        Err(Error::WrongTarget { pointer_bits }) => {
            bits = pointer_bits.to_string();
            &["wrong target", &bits]
        }
        Err(Error::BadAssembly { reason }) => &["bad assembly", reason],
        Err(Error::NoProcess { reason }) => &["no process", reason],
    };
    fields.iter().flat_map(|field| field.bytes().filter(|&byte| byte != 0).chain([0])).collect()
}

fn decode(report: &[u8]) -> Option<Result<(), Error>> {
    let report = String::from_utf8_lossy(report.strip_suffix(&[0])?);
    let fields: Vec<&str> = report.split('\0').collect();
    Some(match fields[..] {
        ["ok"] => Ok(()),
        ["not bitcode"] => Err(Error::NotBitcode),
        ["corrupt", reason] => Err(Error::Corrupt { reason: reason.into() }),
        ["too new", producer, ours] => {
            Err(Error::TooNew { producer: producer.into(), ours: ours.into() })
        }
        ["wrong target", bits] => Err(Error::WrongTarget { pointer_bits: bits.parse().ok()? }),
        ["bad assembly", reason] => Err(Error::BadAssembly { reason: reason.into() }),
        ["no process", reason] => Err(Error::NoProcess { reason: reason.into() }),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(work: impl FnOnce() -> Result<(), Error>) -> String {
        match run(b"BC\xc0\xde", work) {
            Err(Error::Corrupt { reason }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn however_the_child_ends_there_is_a_reason() {
        let raise = |signal| {
            // SAFETY: ends the child. Rust's own handler lets the first SIGSEGV pass.
            (0..2).for_each(|_| assert_eq!(unsafe { libc::raise(signal) }, 0));
            Ok(())
        };
        assert_eq!(reason(|| raise(libc::SIGSEGV)), "reading it crashes LLVM (signal 11)");
        assert_eq!(reason(|| raise(libc::SIGKILL)), "reading it crashes LLVM (signal 9)");
        assert_eq!(reason(|| std::process::abort()), "reading it crashes LLVM (signal 6)");
        assert_eq!(reason(|| raise(libc::SIGXCPU)), "reading it takes too long");
        assert_eq!(reason(|| raise(libc::SIGALRM)), "reading it takes too long");
        assert_eq!(reason(|| std::process::exit(1)), "LLVM gives up reading it");
        assert_eq!(reason(|| panic!("an odd type")), "no sense in it: an odd type");
        let fatal = || {
            on_fatal_error(c"bad record".as_ptr());
            Ok(())
        };
        assert_eq!(reason(fatal), "bad record");
    }

    #[test]
    fn results_arrive_as_they_are() {
        let text = String::from("line 1: two words\nand a second line");
        for error in [
            Error::NotBitcode,
            Error::Corrupt { reason: text.clone() },
            Error::TooNew { producer: "LLVM99".into(), ours: String::new() },
            Error::WrongTarget { pointer_bits: 16 },
            Error::BadAssembly { reason: text.clone() },
            Error::NoProcess { reason: text },
        ] {
            assert_eq!(run(b"", || Err(error.clone())), Err(error));
        }
        assert_eq!(run(b"", || Ok(())), Ok(()));
        assert_eq!(decode(b"corrupt\0half a rea"), None);
    }
}
