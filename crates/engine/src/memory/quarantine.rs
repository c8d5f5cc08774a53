//! Freed addresses wait here before they are used again.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// How many freed objects of one window, and of each larger number of windows, are kept apart
/// before their windows are used again. Their bytes are given back at once: only the record and
/// the addresses wait.
const LEAST: usize = 1 << 16;
const LEAST_LARGE: usize = 1 << 8;

const CHUNK: usize = 64;

/// A queue of windows; full chunks are shared between copies.
#[derive(Clone, Default)]
struct Queue {
    full: VecDeque<Rc<[u32; CHUNK]>>,
    newest: Vec<u32>,
    /// How many of the oldest chunk have left.
    left: usize,
}

impl Queue {
    fn len(&self) -> usize {
        self.full.len() * CHUNK + self.newest.len() - self.left
    }

    fn push(&mut self, window: u32) {
        self.newest.push(window);
        if let Ok(chunk) = <[u32; CHUNK]>::try_from(self.newest.as_slice()) {
            self.full.push_back(Rc::new(chunk));
            self.newest.clear();
        }
    }

    /// The oldest; the queue must hold more than a chunk.
    fn pop(&mut self) -> Option<u32> {
        let window = self.full.front()?[self.left];
        self.left += 1;
        if self.left == CHUNK {
            self.full.pop_front();
            self.left = 0;
        }
        Some(window)
    }
}

/// The windows of freed objects by how many they are, oldest first.
#[derive(Clone, Default)]
pub(super) struct Quarantine {
    single: Queue,
    large: BTreeMap<u32, Queue>,
}

impl Quarantine {
    pub fn admit(&mut self, first: u32, n_windows: u32) {
        match n_windows {
            1 => self.single.push(first),
            _ => self.large.entry(n_windows).or_default().push(first),
        }
    }

    /// The first of `n_windows` windows that have waited long enough.
    pub fn release(&mut self, n_windows: u32) -> Option<u32> {
        let (queue, least) = match n_windows {
            1 => (&mut self.single, LEAST),
            _ => (self.large.get_mut(&n_windows)?, LEAST_LARGE),
        };
        if queue.len() > least { queue.pop() } else { None }
    }
}
