//! The children of a recorded program. They are not followed: what they were to their parent is as
//! it was natively.

use std::rc::Rc;

use fathom_engine::system::SystemContext;
use libc::{ECHILD, ENOSYS, SIGCHLD};

use crate::errno::{Called, Errno};
use crate::{Linux, World};

/// The size of `struct rusage`.
const USAGE: [u8; 144] = [0; 144];

/// Clones share what was recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children {
    /// All that the native run made, in order.
    recorded: Rc<[i32]>,
    n_made: usize,
    /// Those whose end the parent has heard of.
    reaped: Vec<i32>,
}

impl Children {
    pub fn new(recorded: Vec<i32>) -> Self {
        Self { recorded: recorded.into(), ..Self::default() }
    }

    pub fn n_made(&self) -> usize {
        self.n_made
    }

    pub fn is_alive(&self, pid: i32) -> bool {
        self.alive().any(|child| child == pid)
    }

    /// Whether there are any of those made since there were `n_made`.
    pub fn any_since(&self, n_made: usize) -> bool {
        let mut later = self.recorded[..self.n_made].iter().skip(n_made);
        later.any(|child| !self.reaped.contains(child))
    }

    fn alive(&self) -> impl Iterator<Item = i32> {
        let made = self.recorded[..self.n_made].iter().copied();
        made.filter(|child| !self.reaped.contains(child))
    }

    fn next(&mut self) -> Option<i32> {
        let child = *self.recorded.get(self.n_made)?;
        self.n_made += 1;
        Some(child)
    }

    /// Whether a recorded end is that of a child which this path has made; if so it is gone.
    pub fn reap(&mut self, pid: i32) -> bool {
        let is_alive = self.is_alive(pid);
        if is_alive {
            self.reaped.push(pid);
        }
        is_alive
    }
}

impl Linux {
    /// Whether the program has made other processes.
    pub fn has_children(&self) -> bool {
        self.world.children.n_made > 0
    }

    /// Only the parent goes on, where the native run had a child, too.
    pub(crate) fn fork(&mut self) -> Called {
        let Some(child) = self.world.children.next() else {
            self.world.note("process creation is not supported");
            return Err(Errno(ENOSYS).into());
        };
        self.world.note("a child process is not followed");
        Ok(child.into())
    }

    pub(crate) fn clone_process(&mut self, flags: u64) -> Called {
        if flags & libc::CLONE_THREAD as u64 != 0 {
            self.world.note("threads are not supported");
            return Err(Errno(ENOSYS).into());
        }
        self.fork()
    }

    /// Waits for a child of whose end the recording does not tell.
    pub(crate) fn wait4(
        &mut self,
        context: &mut SystemContext<'_>,
        pid: i32,
        status: u64,
        usage: u64,
    ) -> Called {
        let child = self.world.children.alive().find(|&child| pid <= 0 || child == pid);
        let child = child.ok_or(Errno(ECHILD))?;
        if status != 0 {
            context.memory.write_u32(status, 0)?;
        }
        self.write_usage(context, usage)?;
        self.world.children.reap(child);
        self.world.note("how a child ended is not in the recording: it is taken to have succeeded");
        Ok(child.into())
    }

    /// What children used is not recorded.
    pub(crate) fn write_usage(&mut self, context: &mut SystemContext<'_>, usage: u64) -> Called {
        if usage != 0 {
            context.memory.write(usage, &USAGE)?;
        }
        Ok(0)
    }

    pub(crate) fn waitid(&mut self) -> Called {
        if self.world.children.any_since(0) {
            self.world.note("waitid is not recorded: there seem to be no children");
        }
        Err(Errno(ECHILD).into())
    }

    /// Whether a parent that is yet to send each of its children a signal waits for an alarm to do
    /// so.
    pub(crate) fn is_alarm_first(&self) -> bool {
        let World { children, answers, clock, .. } = &self.world;
        clock.has_alarm() && children.alive().all(|child| answers.has_kill(child))
    }

    /// A parent that waits for a signal hears of a child's end.
    pub(crate) fn hear_of_children(&mut self) {
        if self.world.children.any_since(0) {
            self.signals.raise(SIGCHLD);
        }
    }
}
