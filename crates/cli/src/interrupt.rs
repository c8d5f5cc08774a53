//! Signals to fathom itself. Ctrl-C: the first asks the engine to stop and keep its results, the
//! second ends at once. A file at its size limit: an error like a full disk.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();

extern "C" fn on_signal(signal: libc::c_int) {
    if let Some(flag) = FLAG.get() {
        flag.store(true, Ordering::Relaxed);
    }
    // SAFETY: `signal` is async-signal-safe; the default action makes a second Ctrl-C final.
    unsafe { libc::signal(signal, libc::SIG_DFL) };
}

/// A flag that the first SIGINT or SIGTERM sets, and SIGHUP, the end of the terminal, unless
/// somebody has asked us not to mind that. A system call in progress is interrupted.
pub fn flag() -> Arc<AtomicBool> {
    let flag = FLAG.get_or_init(Arc::default).clone();
    // SAFETY: `action` is fully initialised and the handler only touches an atomic.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_signal as *const () as usize;
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let mut before: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &raw mut before);
            if signal != libc::SIGHUP || before.sa_sigaction != libc::SIG_IGN {
                libc::sigaction(signal, &raw const action, std::ptr::null_mut());
            }
        }
    }
    flag
}

extern "C" fn on_full_file(_signal: libc::c_int) {}

/// Makes a write beyond the limit on file sizes fail instead of ending the process. A handler, not
/// `SIG_IGN`: the programs that we start get the default again.
pub fn survive_full_files() {
    // SAFETY: `action` is fully initialised and the handler does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_full_file as *const () as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigaction(libc::SIGXFSZ, &raw const action, std::ptr::null_mut());
    }
}
