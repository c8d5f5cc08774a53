//! Ends a run at its limits on time and memory, whatever the engine and the solver are doing.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use super::usage;
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

/// The longest time the limits are not looked at.
const NAP: Duration = Duration::from_millis(100);
/// The shortest.
const BLINK: Duration = Duration::from_millis(2);
/// How fast fathom may fill memory, in bytes a second, from above.
const FILLING: f64 = 4e9;
/// Seconds that the end of a run takes for every byte in use: a million states that are left are
/// written down. A run ends earlier by so much, and by no more than this share of its limit.
const CLOSING: f64 = 1e-9;
const EARLY: f64 = 0.05;

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

/// The share of the limit on memory from which on pending paths should make room, and how much of
/// it must be in use and not only kept.
const SHORT: f64 = 0.75;
const IN_USE: f64 = 0.65;
/// How often, and how long, room may be made where the limit is reached.
const RELIEFS: u32 = 4;
const PATIENCE: Duration = Duration::from_secs(30);
/// The share from which on it must be made soon, and how soon: a table that doubles holds both for a
/// moment. From the second one on the run ends at once.
const EXCEEDED: f64 = 1.04;
const MOMENT: Duration = Duration::from_millis(1500);
const FAR_EXCEEDED: f64 = 1.1;

/// A thread that looks at the clock and at memory, and the flags it raises.
pub struct Watch {
    flag: Arc<AtomicBool>,
    memory_is_short: Arc<AtomicBool>,
    /// Somebody makes room when memory is short.
    relief: Arc<AtomicBool>,
    reason: Arc<AtomicU8>,
    /// When the flag was raised, or first seen raised.
    ended: Arc<OnceLock<Instant>>,
    /// Who watches goes with the last of these.
    life: Arc<()>,
}

impl Limits {
    fn are_none(&self) -> bool {
        self.time.is_none() && self.cpu.is_none() && self.memory.is_none()
    }

    fn memory_is_short(&self) -> bool {
        self.memory.is_some_and(|limit| {
            usage::resident() as f64 > SHORT * limit as f64
                && usage::in_use() as f64 > IN_USE * limit as f64
        })
    }

    /// How much memory is in use, the limit being one.
    fn memory_share(&self) -> f64 {
        self.memory.map_or(0.0, |limit| usage::resident() as f64 / limit as f64)
    }

    /// The limit that is reached, or how long none can be.
    fn look(&self, started: Instant) -> Result<Duration, Reason> {
        let mut nap = NAP.as_secs_f64();
        let mut check = |left: Option<f64>, reason: Reason| match left {
            Some(left) if left <= 0.0 => Err(reason),
            left => {
                nap = nap.min(left.unwrap_or(nap));
                Ok(())
            }
        };
        let resident = usage::resident() as f64;
        let left = |limit: f64, spent: f64| limit - (resident * CLOSING).min(EARLY * limit) - spent;
        let time = self.time.map(|limit| left(limit, started.elapsed().as_secs_f64()));
        check(time, Reason::Time)?;
        // Two processes at most are busy at a time.
        let cpu = self.cpu.map(|limit| left(limit, usage::cpu_seconds()) / 2.0);
        check(cpu, Reason::Cpu)?;
        let memory = self.memory.map(|limit| limit as f64 - resident);
        check(memory.map(|left| left / FILLING), Reason::Memory)?;
        Ok(Duration::from_secs_f64(nap).max(BLINK))
    }
}

/// The limit on memory is reached.
struct Crowded {
    since: Instant,
    /// Since when by far.
    exceeded_since: Option<Instant>,
    n_reliefs: u32,
}

impl Crowded {
    fn begin() -> Self {
        Self { since: Instant::now(), exceeded_since: None, n_reliefs: 0 }
    }

    /// Whether somebody may still make room, who `is_asked` to already, where `share` is in use.
    fn may_be_mended(&mut self, share: f64, is_asked: bool) -> bool {
        self.n_reliefs += u32::from(!is_asked);
        self.exceeded_since = match share > EXCEEDED {
            true => self.exceeded_since.or_else(|| Some(Instant::now())),
            false => None,
        };
        share <= FAR_EXCEEDED
            && self.n_reliefs <= RELIEFS
            && self.since.elapsed() < PATIENCE
            && self.exceeded_since.is_none_or(|since| since.elapsed() < MOMENT)
    }
}

impl Watch {
    /// Times count from `started` on.
    pub fn start(limits: Limits, started: Instant) -> Self {
        let watch = Self {
            flag: interrupt::flag(),
            memory_is_short: Arc::default(),
            relief: Arc::default(),
            reason: Arc::default(),
            ended: Arc::default(),
            life: Arc::default(),
        };
        if limits.are_none() {
            return watch;
        }
        let (flag, reason, ended) = (watch.flag.clone(), watch.reason.clone(), watch.ended.clone());
        let memory_is_short = watch.memory_is_short.clone();
        let relief = watch.relief.clone();
        let life = Arc::downgrade(&watch.life);
        std::thread::spawn(move || {
            let mut crowded = None;
            while !flag.load(Ordering::Relaxed) && life.strong_count() > 0 {
                let is_asked = memory_is_short.load(Ordering::Relaxed);
                if !is_asked && limits.memory_is_short() {
                    memory_is_short.store(true, Ordering::Relaxed);
                }
                match limits.look(started) {
                    Ok(nap) => {
                        crowded = None;
                        std::thread::sleep(nap);
                    }
                    Err(Reason::Memory)
                        if relief.load(Ordering::Relaxed)
                            && crowded
                                .get_or_insert_with(Crowded::begin)
                                .may_be_mended(limits.memory_share(), is_asked) =>
                    {
                        memory_is_short.store(true, Ordering::Relaxed);
                        std::thread::sleep(BLINK);
                    }
                    Err(_) if life.strong_count() == 0 => {}
                    Err(why) => {
                        // What ended the run before is why it ended.
                        let relaxed = Ordering::Relaxed;
                        let _ = reason.compare_exchange(0, why as u8, relaxed, relaxed);
                        ended.get_or_init(Instant::now);
                        flag.store(true, Ordering::Relaxed);
                    }
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

    /// From now on somebody makes room when memory is short; before, its limit ends the run.
    pub fn expect_relief(&self) {
        self.relief.store(true, Ordering::Relaxed);
    }

    /// Raised when pending paths should make room.
    pub fn memory_is_short(&self) -> Arc<AtomicBool> {
        self.memory_is_short.clone()
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
