//! Ends a run at its limits on time and memory, whatever the engine and the solver are doing.

use std::cell::OnceCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};

use crate::interrupt;

/// Why a run ended before it was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Reason {
    Time = 1,
    Cpu,
    Memory,
    Tests,
    Instructions,
    Interrupted,
}

impl Reason {
    pub fn name(self) -> &'static str {
        match self {
            Self::Time => "max-time",
            Self::Cpu => "max-cpu",
            Self::Memory => "max-memory",
            Self::Tests => "max-tests",
            Self::Instructions => "max-instructions",
            Self::Interrupted => "interrupted",
        }
    }

    fn from_number(number: u8) -> Option<Self> {
        [Self::Time, Self::Cpu, Self::Memory, Self::Tests, Self::Instructions, Self::Interrupted]
            .into_iter()
            .find(|&reason| reason as u8 == number)
    }
}

/// How long unfinished paths may be written down after the end.
const GRACE: Duration = Duration::from_millis(500);

/// When a run has to end.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// Seconds.
    pub time: Option<f64>,
    /// Seconds of processor time.
    pub cpu: Option<f64>,
    /// Bytes of resident memory.
    pub memory: Option<u64>,
}

/// A thread that looks at the clock and at memory, and the flag it raises.
pub struct Watch {
    flag: Arc<AtomicBool>,
    reason: Arc<AtomicU8>,
    /// When the flag was first seen raised.
    ended: OnceCell<Instant>,
}

impl Watch {
    pub fn start(limits: Limits) -> Self {
        let watch =
            Self { flag: interrupt::flag(), reason: Arc::default(), ended: OnceCell::new() };
        let (flag, reason) = (watch.flag.clone(), watch.reason.clone());
        let started = Instant::now();
        let Limits { time, cpu, memory } = limits;
        if time.is_none() && cpu.is_none() && memory.is_none() {
            return watch;
        }
        std::thread::spawn(move || {
            loop {
                let left = time.map_or(0.1, |limit| limit - started.elapsed().as_secs_f64());
                std::thread::sleep(Duration::from_secs_f64(left.clamp(0.0, 0.1)));
                let late = time.is_some_and(|limit| started.elapsed().as_secs_f64() >= limit);
                let busy = cpu.is_some_and(|limit| super::cpu_seconds() >= limit);
                let large = memory.is_some_and(|limit| resident() >= limit);
                if flag.load(Ordering::Relaxed) {
                    return;
                }
                if late || busy || large {
                    let why = match (late, busy) {
                        (true, _) => Reason::Time,
                        (false, true) => Reason::Cpu,
                        (false, false) => Reason::Memory,
                    };
                    reason.store(why as u8, Ordering::Relaxed);
                    flag.store(true, Ordering::Relaxed);
                    return;
                }
            }
        });
        watch
    }

    /// The run should have ended some time ago: what is left is not written down.
    pub fn is_late(&self) -> bool {
        if !self.flag.load(Ordering::Relaxed) {
            return false;
        }
        self.ended.get_or_init(Instant::now).elapsed() > GRACE
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
