//! The children of a recorded program. They are not followed: what they were to their parent is as
//! it was natively.

use std::rc::Rc;

use libc::ENOSYS;

use crate::Linux;
use crate::errno::{Called, Errno};

/// Clones share what was recorded.
#[derive(Clone, Debug, Default)]
pub(crate) struct Children {
    /// All that the native run made, in order.
    recorded: Rc<[i32]>,
    n_made: usize,
}

impl Children {
    pub fn new(recorded: Vec<i32>) -> Self {
        Self { recorded: recorded.into(), n_made: 0 }
    }

    /// Whether there are others who read from the pipes of this process, and write to them.
    pub fn any(&self) -> bool {
        self.n_made > 0
    }

    pub fn contains(&self, pid: i32) -> bool {
        self.recorded[..self.n_made].contains(&pid)
    }

    fn next(&mut self) -> Option<i32> {
        let child = *self.recorded.get(self.n_made)?;
        self.n_made += 1;
        Some(child)
    }
}

impl Linux {
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
}
