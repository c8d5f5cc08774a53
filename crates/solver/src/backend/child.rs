//! A query in a process of its own, for solvers that do not look at the clock.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::os::fd::{AsRawFd, FromRawFd};
use std::panic::{self, AssertUnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long the flag and the clock are not looked at.
const POLL: Duration = Duration::from_millis(10);
/// Memory a child may take in addition to what it shares.
const MAX_MEMORY: u64 = 4 << 30;

/// How a query ended.
pub(super) enum Verdict {
    /// With one byte for each input byte asked for.
    Sat(Vec<u8>),
    Unsat,
    Timeout,
    Unknown,
}

impl Verdict {
    fn to_bytes(&self) -> Vec<u8> {
        match self {
            Self::Sat(bytes) => [b"s", bytes.as_slice()].concat(),
            Self::Unsat => b"u".to_vec(),
            Self::Timeout => b"t".to_vec(),
            Self::Unknown => b"?".to_vec(),
        }
    }

    /// `message` is all that a child wrote: nothing if it died.
    fn from_bytes(message: &[u8]) -> Self {
        match message.split_first() {
            Some((b's', bytes)) => Self::Sat(bytes.to_vec()),
            Some((b'u', _)) => Self::Unsat,
            Some((b't', _)) => Self::Timeout,
            _ => Self::Unknown,
        }
    }
}

/// What `query` returns in a copy of this process, which is killed at the deadline or when the flag
/// goes up.
pub(super) fn run(
    deadline: Option<Instant>,
    interrupt: &AtomicBool,
    query: impl FnOnce() -> Verdict,
) -> Verdict {
    let Some((reader, writer)) = pipe() else { return Verdict::Unknown };
    // SAFETY: the child runs the solver, which starts no threads and uses no locks but the
    // allocator's, and then ends without unwinding.
    match unsafe { libc::fork() } {
        -1 => Verdict::Unknown,
        0 => {
            drop(reader);
            be_child(writer, query)
        }
        child => {
            drop(writer);
            let verdict = listen(reader, deadline, interrupt);
            // SAFETY: `child` is ours and not yet waited for.
            unsafe {
                libc::kill(child, libc::SIGKILL);
                libc::waitpid(child, std::ptr::null_mut(), 0);
            }
            verdict
        }
    }
}

fn pipe() -> Option<(File, File)> {
    let mut ends = [0; 2];
    // SAFETY: the two descriptors are new and owned by the files.
    unsafe {
        (libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) == 0)
            .then(|| (File::from_raw_fd(ends[0]), File::from_raw_fd(ends[1])))
    }
}

/// Runs `query`, reports it through `writer` and ends.
fn be_child(mut writer: File, query: impl FnOnce() -> Verdict) -> ! {
    // SAFETY: plain system calls on this process.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let nowhere = libc::open(c"/dev/null".as_ptr(), libc::O_WRONLY);
        libc::dup2(nowhere, libc::STDERR_FILENO);
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        let memory = address_space() + MAX_MEMORY;
        let limit = libc::rlimit { rlim_cur: memory, rlim_max: memory };
        libc::setrlimit(libc::RLIMIT_AS, &limit);
    }
    // A panic must not unwind into the copy of the caller.
    let verdict = panic::catch_unwind(AssertUnwindSafe(query)).unwrap_or(Verdict::Unknown);
    let code = writer.write_all(&verdict.to_bytes()).is_err().into();
    // SAFETY: ends the process at once; the parent's buffers and handlers stay the parent's.
    unsafe { libc::_exit(code) }
}

/// The size of this process's address space.
fn address_space() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: u64 = pages.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(0);
    pages * 4096
}

/// What the child reports before the deadline.
fn listen(mut reader: File, deadline: Option<Instant>, interrupt: &AtomicBool) -> Verdict {
    let mut message = Vec::new();
    loop {
        let now = Instant::now();
        if interrupt.load(Ordering::Relaxed) || deadline.is_some_and(|deadline| now >= deadline) {
            return Verdict::Timeout;
        }
        let wait = deadline.map_or(POLL, |deadline| POLL.min(deadline - now));
        let mut poll = libc::pollfd { fd: reader.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: one descriptor, which is open.
        let n_ready = unsafe { libc::poll(&mut poll, 1, wait.as_millis() as i32 + 1) };
        if n_ready <= 0 {
            continue;
        }
        let mut chunk = [0; 4096];
        match reader.read(&mut chunk) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Ok(0) | Err(_) => return Verdict::from_bytes(&message),
            Ok(n) => message.extend_from_slice(&chunk[..n]),
        }
    }
}
