//! The clock, which only the program's own instructions and sleeps move, and its alarms.

use std::time::Duration;

use fathom_engine::system::SystemContext;
use libc::{EINVAL, SIGALRM, SIGPROF, SIGVTALRM};

use crate::Linux;
use crate::errno::{Called, Errno};

pub(crate) const SECOND: i64 = 1_000_000_000;

/// How long the machine had been up when the program started.
const UPTIME: i64 = 100_000 * SECOND;

/// The clock: a nanosecond per instruction.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    /// Nanoseconds since 1970 at the start.
    start: i64,
    /// For how many nanoseconds the machine had been up then.
    up: i64,
    /// How many nanoseconds of processor time the program had used then.
    used: i64,
    pub instructions: i64,
    slept: i64,
    /// Deadline in nanoseconds of run time and interval of `ITIMER_REAL`, `_VIRTUAL`, `_PROF`.
    timers: [Option<(i64, i64)>; 3],
}

impl Clock {
    pub fn new(start: Duration) -> Self {
        let start = i64::try_from(start.as_nanos()).unwrap_or(i64::MAX);
        Self { start, up: UPTIME, used: 0, instructions: 0, slept: 0, timers: [None; 3] }
    }

    /// Nanoseconds since the program started.
    pub fn elapsed(&self) -> i64 {
        self.instructions.saturating_add(self.slept)
    }

    /// Nanoseconds since the machine started.
    pub fn uptime(&self) -> i64 {
        self.up.saturating_add(self.elapsed())
    }

    /// Seconds and nanoseconds since 1970.
    pub fn now(&self) -> (i64, i64) {
        let now = self.start.saturating_add(self.elapsed());
        (now.div_euclid(SECOND), now.rem_euclid(SECOND))
    }

    /// Nanoseconds of processor time.
    pub fn used(&self) -> i64 {
        self.used.saturating_add(self.instructions)
    }

    /// Lets a clock show `now`, and go on from there; unknown clocks are left alone.
    pub fn set(&mut self, clock: i32, now: i64) {
        let elapsed = self.elapsed();
        match clock {
            libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE => self.start = now - elapsed,
            libc::CLOCK_MONOTONIC
            | libc::CLOCK_MONOTONIC_RAW
            | libc::CLOCK_MONOTONIC_COARSE
            | libc::CLOCK_BOOTTIME => self.up = now - elapsed,
            libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => {
                self.used = now - self.instructions;
            }
            _ => {}
        }
    }

    pub fn sleep(&mut self, nanoseconds: i64) {
        self.slept = self.slept.saturating_add(nanoseconds.max(0));
    }

    /// The signals of timers that have run out.
    pub fn expired(&mut self) -> Vec<i32> {
        let now = self.elapsed();
        let mut signals = Vec::new();
        for (timer, signal) in self.timers.iter_mut().zip([SIGALRM, SIGVTALRM, SIGPROF]) {
            if let Some((deadline, interval)) = *timer
                && deadline <= now
            {
                signals.push(signal);
                *timer = (interval > 0).then(|| (now.saturating_add(interval), interval));
            }
        }
        signals
    }

    /// Whether a timer runs that goes by the clock on the wall.
    pub fn has_alarm(&self) -> bool {
        self.timers[0].is_some()
    }

    /// Sleeps until the next timer runs out; `false`: there is none.
    pub fn sleep_to_timer(&mut self) -> bool {
        let Some(next) = self.timers.iter().flatten().map(|timer| timer.0).min() else {
            return false;
        };
        self.sleep(next - self.elapsed());
        true
    }

    fn read(&self, clock: i32) -> Option<i64> {
        match clock {
            libc::CLOCK_REALTIME | libc::CLOCK_REALTIME_COARSE | libc::CLOCK_TAI => {
                Some(self.start.saturating_add(self.elapsed()))
            }
            libc::CLOCK_MONOTONIC
            | libc::CLOCK_MONOTONIC_RAW
            | libc::CLOCK_MONOTONIC_COARSE
            | libc::CLOCK_BOOTTIME => Some(self.uptime()),
            libc::CLOCK_PROCESS_CPUTIME_ID | libc::CLOCK_THREAD_CPUTIME_ID => Some(self.used()),
            _ => None,
        }
    }
}

impl Linux {
    pub(crate) fn clock_gettime(
        &mut self,
        context: &mut SystemContext<'_>,
        clock: i32,
        time: u64,
    ) -> Called {
        let now = self.world.clock.read(clock).ok_or(Errno(EINVAL))?;
        write_pair(context, time, (now.div_euclid(SECOND), now.rem_euclid(SECOND)))
    }

    pub(crate) fn clock_getres(
        &mut self,
        context: &mut SystemContext<'_>,
        clock: i32,
        time: u64,
    ) -> Called {
        self.world.clock.read(clock).ok_or(Errno(EINVAL))?;
        if time == 0 { Ok(0) } else { write_pair(context, time, (0, 1)) }
    }

    pub(crate) fn gettimeofday(
        &mut self,
        context: &mut SystemContext<'_>,
        time: u64,
        zone: u64,
    ) -> Called {
        let (seconds, nanoseconds) = self.world.clock.now();
        if zone != 0 {
            context.memory.write(zone, &[0; 8])?;
        }
        if time == 0 { Ok(0) } else { write_pair(context, time, (seconds, nanoseconds / 1000)) }
    }

    pub(crate) fn time(&mut self, context: &mut SystemContext<'_>, address: u64) -> Called {
        let (seconds, _) = self.world.clock.now();
        if address != 0 {
            context.memory.write_u64(address, seconds as u64)?;
        }
        Ok(seconds)
    }

    /// Setting the clock is the administrator's.
    pub(crate) fn settime(&mut self) -> Called {
        Err(Errno(libc::EPERM).into())
    }

    pub(crate) fn nanosleep(
        &mut self,
        context: &mut SystemContext<'_>,
        clock: i32,
        absolute: bool,
        request: u64,
        remaining: u64,
    ) -> Called {
        let seconds = context.memory.read_u64(request)? as i64;
        let nanoseconds = context.memory.read_u64(request.wrapping_add(8))? as i64;
        if seconds < 0 || !(0..SECOND).contains(&nanoseconds) {
            return Err(Errno(EINVAL).into());
        }
        let now = self.world.clock.read(clock).ok_or(Errno(EINVAL))?;
        let wanted = seconds.saturating_mul(SECOND).saturating_add(nanoseconds);
        let length = if absolute { wanted.saturating_sub(now) } else { wanted };
        let before = self.world.clock.elapsed();
        let interrupts = self.signals.interrupts(SIGALRM);
        let alarm = self.world.clock.timers[0].filter(|_| interrupts).map(|timer| timer.0);
        if let Some(deadline) = alarm.filter(|&deadline| deadline < before.saturating_add(length)) {
            self.world.clock.sleep(deadline - before);
            if remaining != 0 && !absolute {
                let left = length - (deadline - before).max(0);
                write_pair(context, remaining, (left / SECOND, left % SECOND))?;
            }
            return Err(Errno(libc::EINTR).into());
        }
        self.world.clock.sleep(length);
        Ok(0)
    }

    pub(crate) fn times(&mut self, context: &mut SystemContext<'_>, address: u64) -> Called {
        let tick = SECOND / 100;
        if address != 0 {
            let mut bytes = [0; 32];
            let user = self.world.clock.used() / tick;
            bytes[..8].copy_from_slice(&user.to_le_bytes());
            context.memory.write(address, &bytes)?;
        }
        Ok(self.world.clock.uptime() / tick)
    }

    pub(crate) fn getrusage(
        &mut self,
        context: &mut SystemContext<'_>,
        who: i32,
        address: u64,
    ) -> Called {
        if !(-1..=1).contains(&who) {
            return Err(Errno(EINVAL).into());
        }
        let mut bytes = [0; 144];
        if who != libc::RUSAGE_CHILDREN {
            let used = self.world.clock.used();
            bytes[..8].copy_from_slice(&(used / SECOND).to_le_bytes());
            bytes[8..16].copy_from_slice(&(used % SECOND / 1000).to_le_bytes());
            let kilobytes = (context.memory.live_bytes().1 / 1024) as i64;
            bytes[32..40].copy_from_slice(&kilobytes.to_le_bytes());
        }
        context.memory.write(address, &bytes)?;
        Ok(0)
    }

    // ---- timers --------------------------------------------------------------------------

    pub(crate) fn alarm(&mut self, seconds: u64) -> Called {
        let now = self.world.clock.elapsed();
        let old = self.world.clock.timers[0].map_or(0, |timer| timer.0 - now);
        let length = i64::from(seconds as u32) * SECOND;
        self.world.clock.timers[0] = (length > 0).then(|| (now.saturating_add(length), 0));
        Ok(if old > 0 { (old + SECOND - 1) / SECOND } else { 0 })
    }

    pub(crate) fn getitimer(
        &mut self,
        context: &mut SystemContext<'_>,
        which: i32,
        address: u64,
    ) -> Called {
        let now = self.world.clock.elapsed();
        let timer =
            usize::try_from(which).ok().and_then(|which| self.world.clock.timers.get(which));
        let (left, interval) = timer
            .ok_or(Errno(EINVAL))?
            .map_or((0, 0), |(deadline, interval)| ((deadline - now).max(1000), interval));
        write_pair(context, address, (interval / SECOND, interval % SECOND / 1000))?;
        write_pair(context, address.wrapping_add(16), (left / SECOND, left % SECOND / 1000))
    }

    pub(crate) fn setitimer(
        &mut self,
        context: &mut SystemContext<'_>,
        which: i32,
        new: u64,
        old: u64,
    ) -> Called {
        if !(0..3).contains(&which) {
            return Err(Errno(EINVAL).into());
        }
        let length = |at: u64| -> Result<i64, crate::errno::Early> {
            let seconds = context.memory.read_u64(at)? as i64;
            let microseconds = context.memory.read_u64(at.wrapping_add(8))? as i64;
            if seconds < 0 || !(0..1_000_000).contains(&microseconds) {
                return Err(Errno(EINVAL).into());
            }
            Ok(seconds.saturating_mul(SECOND).saturating_add(microseconds * 1000))
        };
        let (interval, value) = (length(new)?, length(new.wrapping_add(16))?);
        if old != 0 {
            self.getitimer(context, which, old)?;
        }
        let deadline = self.world.clock.elapsed().saturating_add(value);
        self.world.clock.timers[which as usize] = (value > 0).then_some((deadline, interval));
        Ok(0)
    }
}

fn write_pair(context: &mut SystemContext<'_>, address: u64, pair: (i64, i64)) -> Called {
    context.memory.write_u64(address, pair.0 as u64)?;
    context.memory.write_u64(address.wrapping_add(8), pair.1 as u64)?;
    Ok(0)
}
