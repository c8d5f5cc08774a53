//! Other values for the bytes that a path leaves free: what it does next is not always the same.
//!
//! A path that was pending follows its model to its end. Without a seed that model is zeros but for
//! the bytes that some condition named, and most programs end soon on zeros. The values used here
//! are those the program itself tells apart: the members of small sets that a branch has asked
//! for in any byte.

use std::collections::HashSet;

use fathom_expr::{ExprId, Pool, Var};
use fathom_solver::{ByteSet, true_set};

use crate::engine::Engine;
use crate::search::Random;
use crate::state::{InputKind, State};

/// Bytes that are looked at for one path.
const MAX_BYTES: u32 = 4096;

/// What is known of the values that bytes may have.
pub(crate) struct Variety {
    random: Random,
    seen: HashSet<ExprId>,
    /// Values that branches tell from all others, each set once.
    sets: Vec<ByteSet>,
}

impl Default for Variety {
    fn default() -> Self {
        Self { random: Random::new(1), seen: HashSet::new(), sets: Vec::new() }
    }
}

impl Variety {
    /// Learns from a condition that some path has branched on.
    pub fn learn(&mut self, pool: &mut Pool, condition: ExprId) {
        if pool.support(condition).only().is_none() || !self.seen.insert(condition) {
            return;
        }
        let Some((_, set)) = true_set(pool, condition) else { return };
        let rest = set.complement();
        let small = if set.len() <= rest.len() { set } else { rest };
        if !small.is_empty() && !self.sets.contains(&small) {
            self.sets.push(small);
        }
    }

    /// One of the values in `domain`.
    fn value(&mut self, domain: ByteSet) -> u8 {
        let mut among = domain;
        if !self.sets.is_empty() && self.random.below(4) > 0 {
            let named = self.sets[self.random.below(self.sets.len())].intersect(&domain);
            among = if named.is_empty() { domain } else { named };
        }
        let nth = self.random.below(among.len() as usize);
        among.iter().nth(nth).expect("a domain has a value")
    }
}

impl Engine<'_> {
    /// Gives some of the bytes that are in no constraint with others another value, half of the
    /// time; the path condition allows it.
    pub(super) fn vary(&mut self, state: &mut State) {
        /// Of so many bytes at most, one is changed, or of half as many, and so on.
        const SPARSE: usize = 16;
        let random = &mut self.variety.random;
        if random.below(2) == 0 {
            return;
        }
        let one_in = SPARSE >> random.below(SPARSE.ilog2() as usize + 1);
        let inputs = state.inputs.clone();
        let mut left = MAX_BYTES;
        for input in inputs.iter() {
            let varies = matches!(
                input.kind,
                InputKind::Arg(_) | InputKind::Stdin | InputKind::File(_) | InputKind::Object
            );
            let size = if varies { input.size.min(left) } else { 0 };
            left -= size;
            let first = self.pool.input_info(input.id).first.0;
            for var in (first..first + size).map(Var) {
                if self.variety.random.below(one_in) > 0 {
                    continue;
                }
                let domain = match state.path.slice_of(var) {
                    None => ByteSet::FULL,
                    Some(slice) if slice.is_unconstrained() => slice.domain(var),
                    Some(_) => continue,
                };
                state.model.set(var, self.variety.value(domain));
            }
        }
    }
}
