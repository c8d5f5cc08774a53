//! The source of randomness, the same in every run.

use std::rc::Rc;

use fathom_expr::ExprId;

use crate::World;
use crate::symbols::Symbols;

/// A pseudo-random generator (splitmix64), whose first bytes may be symbolic, or recorded.
#[derive(Clone, Debug)]
pub(crate) struct Random {
    state: u64,
    symbolic: Rc<[ExprId]>,
    n_used: usize,
    recorded: Rc<[u8]>,
    n_given: usize,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Self {
            state: seed,
            symbolic: Rc::default(),
            n_used: 0,
            recorded: Rc::default(),
            n_given: 0,
        }
    }

    /// Makes the first bytes these.
    pub fn make_symbolic(&mut self, symbolic: Rc<[ExprId]>) {
        self.symbolic = symbolic;
    }

    /// What the native run read from the devices.
    pub fn expect(&mut self, recorded: Vec<u8>) {
        self.recorded = recorded.into();
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    fn fill(&mut self, buffer: &mut [u8], symbols: &mut Symbols) {
        for chunk in buffer.chunks_mut(8) {
            let bytes = self.next().to_le_bytes();
            chunk.copy_from_slice(&bytes[..chunk.len()]);
        }
        let known = &self.recorded[self.n_given..];
        let n_known = known.len().min(buffer.len());
        buffer[..n_known].copy_from_slice(&known[..n_known]);
        self.n_given += n_known;
        let left = &self.symbolic[self.n_used..];
        for (offset, &expr) in left.iter().take(buffer.len()).enumerate() {
            symbols.push(offset as u64, expr);
        }
        self.n_used += left.len().min(buffer.len());
    }
}

impl World {
    pub(crate) fn fill_random(&mut self, buffer: &mut [u8], symbols: &mut Symbols) {
        self.random.fill(buffer, symbols);
        let n_symbolic = symbols.as_slice().len();
        if !self.random.symbolic.is_empty() && n_symbolic < buffer.len() {
            let length = self.random.symbolic.len();
            self.note(format!("random bytes after the first {length} are not symbolic"));
        }
    }
}
