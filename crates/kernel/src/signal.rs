//! Signals the program sends itself: handlers, masks, default actions.

use std::rc::Rc;

use fathom_engine::memory::ObjectKind;
use fathom_engine::system::{Handler, Reply, SystemContext};
use libc::{EINTR, EINVAL, ESRCH, SA_NODEFER, SA_RESETHAND, SA_SIGINFO};

use crate::Linux;
use crate::errno::{Called, Early, Errno};

const DEFAULT: u64 = 0;
const IGNORE: u64 = 1;
const N_SIGNALS: i32 = 64;

/// Offset of `uc_sigmask` in a `ucontext_t`.
const UC_SIGMASK: u64 = 296;

/// What `rt_sigaction` keeps, laid out as the kernel does.
#[derive(Clone, Copy, Debug, Default)]
struct Action {
    handler: u64,
    flags: u64,
    restorer: u64,
    mask: u64,
}

/// What is kept about one signal.
#[derive(Clone, Copy, Debug, Default)]
struct Signal {
    action: Action,
    /// `si_code` while it is pending: who sent it.
    code: i32,
    /// The `siginfo_t` and `ucontext_t` given to its handler.
    info: Option<[u64; 2]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Signals {
    table: Rc<[Signal; N_SIGNALS as usize + 1]>,
    blocked: u64,
    /// What was blocked before a call that blocks others while it waits.
    saved: Option<u64>,
    pending: u64,
    /// Where `sigaltstack` puts the handlers' stack: address, flags, size.
    stack: [u64; 3],
}

impl Default for Signals {
    fn default() -> Self {
        Self {
            table: Rc::new([Signal::default(); N_SIGNALS as usize + 1]),
            blocked: 0,
            saved: None,
            pending: 0,
            stack: [0, libc::SS_DISABLE as u64, 0],
        }
    }
}

fn bit(signal: i32) -> u64 {
    1 << (signal - 1)
}

fn is_ignored_by_default(signal: i32) -> bool {
    matches!(signal, libc::SIGCHLD | libc::SIGURG | libc::SIGWINCH | libc::SIGCONT)
}

/// Signals that stop a process, which has nobody here to continue it.
fn is_stop(signal: i32) -> bool {
    matches!(signal, libc::SIGSTOP | libc::SIGTSTP | libc::SIGTTIN | libc::SIGTTOU)
}

impl Signals {
    fn of(&self, signal: i32) -> &Signal {
        &self.table[signal as usize]
    }

    fn of_mut(&mut self, signal: i32) -> &mut Signal {
        &mut Rc::make_mut(&mut self.table)[signal as usize]
    }

    /// What a parent that ignores the signal passes on.
    pub fn ignore(&mut self, signal: i32) {
        self.of_mut(signal).action.handler = IGNORE;
    }

    fn is_blocked(&self, signal: i32) -> bool {
        self.blocked & bit(signal) != 0
    }

    /// Sends a signal of the kernel's own.
    pub fn raise(&mut self, signal: i32) {
        self.send(signal, libc::SI_KERNEL);
    }

    fn send(&mut self, signal: i32, code: i32) {
        if !self.is_ignored(signal) || self.is_blocked(signal) {
            if self.pending & bit(signal) == 0 {
                self.of_mut(signal).code = code;
            }
            self.pending |= bit(signal);
        }
    }

    fn is_ignored(&self, signal: i32) -> bool {
        let handler = self.of(signal).action.handler;
        handler == IGNORE || (handler == DEFAULT && is_ignored_by_default(signal))
    }

    /// Whether a signal that came now would end a wait.
    pub fn interrupts(&self, signal: i32) -> bool {
        !self.is_ignored(signal) && self.blocked & bit(signal) == 0
    }

    /// Pending, blocked, ignored and handled ones, as `/proc` shows them.
    pub fn sets(&self) -> [u64; 4] {
        let chosen = |chosen: fn(u64) -> bool| {
            let signals = (1..=N_SIGNALS).filter(|&s| chosen(self.of(s).action.handler));
            signals.map(bit).sum()
        };
        let ignored = chosen(|handler| handler == IGNORE);
        [self.pending, self.blocked, ignored, chosen(|handler| handler > IGNORE)]
    }

    pub fn is_due(&self) -> bool {
        self.deliverable().is_some()
    }

    fn deliverable(&self) -> Option<i32> {
        let ready = self.pending & !self.blocked;
        (ready != 0).then(|| ready.trailing_zeros() as i32 + 1)
    }

    fn block(&mut self, mask: u64) {
        self.blocked = mask & !(bit(libc::SIGKILL) | bit(libc::SIGSTOP));
    }

    /// Blocks `mask` for the time of a call that waits, or of the handlers that end the wait.
    fn block_while_waiting(&mut self, mask: u64) {
        self.saved = Some(self.blocked);
        self.block(mask);
    }
}

impl Linux {
    /// Turns the value of a finished call into a signal's delivery if one is due.
    pub(crate) fn deliver(
        &mut self,
        context: &mut SystemContext<'_>,
        value: i64,
    ) -> Result<Reply, Early> {
        for signal in self.world.clock.expired() {
            self.signals.raise(signal);
        }
        let mut handlers = Vec::new();
        let mut before = self.signals.saved.take().unwrap_or(self.signals.blocked);
        while let Some(signal) = self.signals.deliverable() {
            self.signals.pending &= !bit(signal);
            let action = self.signals.of(signal).action;
            match action.handler {
                IGNORE => {}
                DEFAULT if is_ignored_by_default(signal) => {}
                DEFAULT if is_stop(signal) => {
                    self.world
                        .note(format!("signal {signal} would stop the program; it is ignored"));
                }
                DEFAULT => {
                    self.finish(context)?;
                    return Ok(Reply::Killed(signal));
                }
                address => {
                    if action.flags & SA_RESETHAND as u64 != 0 {
                        self.signals.of_mut(signal).action.handler = DEFAULT;
                    }
                    let info = match action.flags & SA_SIGINFO as u64 != 0 {
                        true => Some(self.signal_info(context, signal, before)?),
                        false => None,
                    };
                    handlers.push(Handler { address, signal, info, mask: before });
                    let defers = action.flags & SA_NODEFER as u64 == 0;
                    let own = if defers { bit(signal) } else { 0 };
                    self.signals.block(self.signals.blocked | action.mask | own);
                    before = self.signals.blocked;
                }
            }
        }
        if handlers.is_empty() {
            self.signals.blocked = before;
            return Ok(Reply::Value(value));
        }
        Ok(Reply::Signal { value, handlers })
    }

    /// A handler has returned.
    pub(crate) fn rt_sigreturn(&mut self, mask: u64) -> Called {
        self.signals.block(mask);
        Ok(0)
    }

    /// Makes a waiting call with the signals blocked that the set at `mask` says, if it is there.
    pub(crate) fn with_mask(
        &mut self,
        context: &mut SystemContext<'_>,
        mask: u64,
        call: impl FnOnce(&mut Self, &mut SystemContext<'_>) -> Called,
    ) -> Called {
        if mask == 0 {
            return call(self, context);
        }
        let set = context.memory.read_u64(mask)?;
        self.signals.block_while_waiting(set);
        let result = call(self, context);
        if !matches!(result, Err(Early::Errno(EINTR))) {
            self.signals.blocked = self.signals.saved.take().unwrap_or(self.signals.blocked);
        }
        result
    }

    fn signal_info(
        &mut self,
        context: &mut SystemContext<'_>,
        signal: i32,
        mask: u64,
    ) -> Result<[u64; 2], Early> {
        let info = match self.signals.of(signal).info {
            Some(info) => info,
            None => {
                let mut make = |size, name| {
                    let kind = ObjectKind::Engine(name);
                    context.memory.allocate(size, 16, kind, context.trace)
                };
                let made = make(128, "siginfo_t").and_then(|a| Ok([a, make(968, "ucontext_t")?]));
                let info = made.map_err(|_| Errno(libc::ENOMEM))?;
                self.signals.of_mut(signal).info = Some(info);
                info
            }
        };
        let code = self.signals.of(signal).code;
        let sent = code != libc::SI_KERNEL;
        let (pid, uid) = if sent { (self.pid() as u32, self.world.tree.user.uid) } else { (0, 0) };
        context.memory.write_u32(info[0], signal as u32)?;
        context.memory.write_u32(info[0].wrapping_add(8), code as u32)?;
        context.memory.write_u32(info[0].wrapping_add(16), pid)?;
        context.memory.write_u32(info[0].wrapping_add(20), uid)?;
        context.memory.write_u64(info[1].wrapping_add(UC_SIGMASK), mask)?;
        Ok(info)
    }

    pub(crate) fn rt_sigaction(
        &mut self,
        context: &mut SystemContext<'_>,
        signal: i32,
        new: u64,
        old: u64,
        size: u64,
    ) -> Called {
        let fixed = signal == libc::SIGKILL || signal == libc::SIGSTOP;
        if size != 8 || !(1..=N_SIGNALS).contains(&signal) || (fixed && new != 0) {
            return Err(Errno(EINVAL).into());
        }
        let previous = self.signals.of(signal).action;
        if new != 0 {
            let word = |index: u64| context.memory.read_u64(new.wrapping_add(index * 8));
            let action =
                Action { handler: word(0)?, flags: word(1)?, restorer: word(2)?, mask: word(3)? };
            self.signals.of_mut(signal).action = action;
            let ignored = action.handler == DEFAULT && is_ignored_by_default(signal);
            if action.handler == IGNORE || ignored {
                self.signals.pending &= !bit(signal);
            }
        }
        if old != 0 {
            let words = [previous.handler, previous.flags, previous.restorer, previous.mask];
            for (index, word) in words.into_iter().enumerate() {
                context.memory.write_u64(old.wrapping_add(index as u64 * 8), word)?;
            }
        }
        Ok(0)
    }

    pub(crate) fn rt_sigprocmask(
        &mut self,
        context: &mut SystemContext<'_>,
        how: i32,
        new: u64,
        old: u64,
        size: u64,
    ) -> Called {
        if size != 8 {
            return Err(Errno(EINVAL).into());
        }
        let previous = self.signals.blocked;
        if new != 0 {
            let mask = context.memory.read_u64(new)?;
            let blocked = match how {
                libc::SIG_BLOCK => previous | mask,
                libc::SIG_UNBLOCK => previous & !mask,
                libc::SIG_SETMASK => mask,
                _ => return Err(Errno(EINVAL).into()),
            };
            self.signals.block(blocked);
        }
        if old != 0 {
            context.memory.write_u64(old, previous)?;
        }
        Ok(0)
    }

    pub(crate) fn rt_sigpending(&mut self, context: &mut SystemContext<'_>, set: u64) -> Called {
        context.memory.write_u64(set, self.signals.pending & self.signals.blocked)?;
        Ok(0)
    }

    pub(crate) fn rt_sigsuspend(&mut self, context: &mut SystemContext<'_>, mask: u64) -> Called {
        let mask = context.memory.read_u64(mask)?;
        self.signals.block_while_waiting(mask);
        self.wait_for_signal()
    }

    pub(crate) fn pause(&mut self) -> Called {
        self.wait_for_signal()
    }

    /// What came of a signal to another process natively, or what must come of it.
    fn signal_other(&mut self, pid: i32, signal: i32) -> Called {
        match self.world.answers.of_kill(pid, signal) {
            Some(error @ ..0) => Err(Errno(-error as i32).into()),
            Some(result) => Ok(result),
            None if self.world.children.is_alive(pid.abs()) => Ok(0),
            None if pid == 1 => Err(Errno(libc::EPERM).into()),
            None => Err(Errno(ESRCH).into()),
        }
    }

    fn wait_for_signal(&mut self) -> Called {
        if !self.signals.is_blocked(libc::SIGCHLD) && !self.is_alarm_first() {
            self.hear_of_children();
        }
        if !self.signals.is_due() && !self.world.clock.sleep_to_timer() {
            self.world.note("waiting for a signal that nobody sends; the wait ends with EINTR");
        }
        Err(Errno(EINTR).into())
    }

    /// Takes a pending signal out of a set, waiting for timers.
    pub(crate) fn rt_sigtimedwait(
        &mut self,
        context: &mut SystemContext<'_>,
        set: u64,
        info: u64,
    ) -> Called {
        let set = context.memory.read_u64(set)?;
        if set & bit(libc::SIGCHLD) != 0 {
            self.hear_of_children();
        }
        if self.signals.pending & set == 0 && self.world.clock.sleep_to_timer() {
            for signal in self.world.clock.expired() {
                self.signals.raise(signal);
            }
        }
        let found = self.signals.pending & set;
        if found == 0 {
            return Err(Errno(libc::EAGAIN).into());
        }
        let signal = found.trailing_zeros() as i32 + 1;
        self.signals.pending &= !bit(signal);
        if info != 0 {
            context.memory.write(info, &[0; 128])?;
            context.memory.write_u32(info, signal as u32)?;
        }
        Ok(signal.into())
    }

    pub(crate) fn sigaltstack(
        &mut self,
        context: &mut SystemContext<'_>,
        new: u64,
        old: u64,
    ) -> Called {
        let previous = self.signals.stack;
        if new != 0 {
            let word = |index: u64| context.memory.read_u64(new.wrapping_add(index * 8));
            let flags = u64::from(context.memory.read_u32(new.wrapping_add(8))?);
            let stack = [word(0)?, flags, word(2)?];
            if flags & !(libc::SS_DISABLE as u64 | 1 << 31) != 0 {
                return Err(Errno(EINVAL).into());
            }
            if flags & libc::SS_DISABLE as u64 == 0 && stack[2] < 2048 {
                return Err(Errno(libc::ENOMEM).into());
            }
            self.signals.stack = stack;
        }
        if old != 0 {
            for (index, word) in previous.into_iter().enumerate() {
                context.memory.write_u64(old.wrapping_add(index as u64 * 8), word)?;
            }
        }
        Ok(0)
    }

    /// Sends a signal; `code` says by which call.
    pub(crate) fn kill(&mut self, pid: i32, signal: i32, code: i32) -> Called {
        if !(0..=N_SIGNALS).contains(&signal) {
            return Err(Errno(EINVAL).into());
        }
        match pid {
            0 => {}
            _ if pid.unsigned_abs() == self.pid().unsigned_abs() => {}
            -1 => {
                self.world.note("a signal to every process reaches only the program itself");
            }
            _ => return self.signal_other(pid, signal),
        }
        if signal != 0 {
            self.signals.send(signal, code);
        }
        Ok(0)
    }
}
