//! Ends a run at its limits on time and memory, whatever the engine and the solver are doing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use crate::interrupt;

/// Why a run ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    Time = 1,
    Memory,
    Tests,
    Instructions,
    Interrupted,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "max-time",
            Self::Memory => "max-memory",
            Self::Tests => "max-tests",
            Self::Instructions => "max-instructions",
            Self::Interrupted => "interrupted",
        }
    }

    fn from_number(number: u8) -> Option<Self> {
        [Self::Time, Self::Memory, Self::Tests, Self::Instructions, Self::Interrupted]
            .into_iter()
            .find(|&reason| reason as u8 == number)
    }
}

/// A thread that looks at the clock and at memory, and the flag it raises.
pub struct Watch {
    flag: Arc<AtomicBool>,
    reason: Arc<AtomicU8>,
}

impl Watch {
    /// `max_time` in seconds, `max_memory` in bytes of resident memory.
    pub fn start(max_time: Option<f64>, max_memory: Option<u64>) -> Self {
        let watch = Self { flag: interrupt::flag(), reason: Arc::default() };
        let (flag, reason) = (watch.flag.clone(), watch.reason.clone());
        let started = Instant::now();
        if max_time.is_none() && max_memory.is_none() {
            return watch;
        }
        std::thread::spawn(move || {
            loop {
                let wait = match max_time {
                    Some(limit) => (limit - started.elapsed().as_secs_f64()).clamp(0.0, 0.1),
                    None => 0.1,
                };
                std::thread::sleep(Duration::from_secs_f64(wait));
                let late = max_time.is_some_and(|limit| started.elapsed().as_secs_f64() >= limit);
                let large = max_memory.is_some_and(|limit| resident() >= limit);
                if flag.load(Ordering::Relaxed) {
                    return;
                }
                if late || large {
                    let why = if late { Reason::Time } else { Reason::Memory };
                    reason.store(why as u8, Ordering::Relaxed);
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        watch
    }

    /// Raised when the run has to end.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.flag.clone()
    }

    /// Notes why the run ends.
    pub fn stop(&self, reason: Reason) {
        self.reason.store(reason as u8, Ordering::Relaxed);
    }

    pub fn reason(&self) -> Option<Reason> {
        let noted = Reason::from_number(self.reason.load(Ordering::Relaxed));
        noted.or(self.flag.load(Ordering::Relaxed).then_some(Reason::Interrupted))
    }
}

/// Bytes of memory this process occupies now.
fn resident() -> u64 {
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
    pages.unwrap_or(0) * 4096
}
