//! How a native run ended.

use std::fmt;
use std::time::Duration;

use crate::report::{Event, GuardReport};
use crate::sanitizer::SanitizerReport;

/// What a native run left.
#[derive(Clone, Debug)]
pub struct NativeOutcome {
    pub end: End,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    /// What the C library noted about the replay of objects.
    pub events: Vec<Event>,
    /// The fault or misuse of the allocator that ended it, in guard mode.
    pub report: Option<GuardReport>,
    /// What the sanitizers complained about, in a program that has them.
    pub sanitizer: Vec<SanitizerReport>,
    pub elapsed: Duration,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Exit(i32),
    Signal(i32),
    TimedOut,
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            End::Exit(status) => write!(f, "exit {status}"),
            End::Signal(signal) => match signal_name(*signal) {
                Some(name) => f.write_str(name),
                None => write!(f, "signal {signal}"),
            },
            End::TimedOut => f.write_str("time-out"),
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGKILL => "SIGKILL",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGTERM => "SIGTERM",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => return None,
    })
}
