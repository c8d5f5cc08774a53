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

extern "C" fn on_any_signal(_signal: libc::c_int) {
    if let Some(flag) = FLAG.get() {
        flag.store(true, Ordering::Relaxed);
    }
}

/// A flag that the first SIGINT or SIGTERM sets, and SIGHUP, the end of the terminal, unless
/// somebody has asked us not to mind that. A system call in progress is interrupted.
pub fn flag() -> Arc<AtomicBool> {
    let listening = || {
        listen(on_signal);
        Arc::default()
    };
    FLAG.get_or_init(listening).clone()
}

/// For a process that works for another one: Ctrl-C reaches it from the terminal and once more from
/// there, and each time only sets the flag. It ends with the other one.
pub fn serve() {
    listen(on_any_signal);
    // SAFETY: a plain call without pointers.
    unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
}

fn listen(handler: extern "C" fn(libc::c_int)) {
    // SAFETY: `action` is fully initialised and the handlers only touch an atomic and themselves.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler as *const () as usize;
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let mut before: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &raw mut before);
            if signal != libc::SIGHUP || before.sa_sigaction != libc::SIG_IGN {
                libc::sigaction(signal, &raw const action, std::ptr::null_mut());
            }
        }
    }
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
