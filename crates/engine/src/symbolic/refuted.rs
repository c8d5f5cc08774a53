//! What the running state was found unable to satisfy.

use fathom_expr::ExprId;

/// Conditions that are impossible on the path of the running state, some of them: the sides of
/// decisions that it left, and what was asked about in vain. Programs look at the same bytes in the
/// same way again and again. A path only grows, so they stay impossible.
pub(crate) struct Refuted {
    /// By the lowest bits of its number, a condition, and how many states had run when it was found.
    entries: Box<[(u32, u32)]>,
    n_states: u32,
    /// How often a condition was found here.
    pub n_found: u64,
}

const LEN: usize = 1 << 12;

impl Default for Refuted {
    fn default() -> Self {
        Self { entries: vec![(0, 0); LEN].into(), n_states: 1, n_found: 0 }
    }
}

impl Refuted {
    /// Another state runs now.
    pub fn forget(&mut self) {
        self.n_states = self.n_states.checked_add(1).unwrap_or_else(|| {
            self.entries.fill((0, 0));
            1
        });
    }

    pub fn find(&mut self, condition: ExprId) -> bool {
        let raw = condition.raw();
        let is_known = self.entries[raw as usize % LEN] == (raw, self.n_states);
        self.n_found += u64::from(is_known);
        is_known
    }

    pub fn insert(&mut self, condition: ExprId) {
        let raw = condition.raw();
        self.entries[raw as usize % LEN] = (raw, self.n_states);
    }
}

#[cfg(test)]
mod tests {
    use fathom_expr::Pool;

    use super::*;

    #[test]
    fn what_one_state_cannot_satisfy_another_may() {
        let mut pool = Pool::new();
        let input = pool.input("x", 1);
        let byte = pool.byte(input, 0);
        let zero = pool.constant(8, 0);
        let [is_zero, is_less] = [pool.eq(byte, zero), pool.ult(zero, byte)];
        let mut refuted = Refuted::default();
        refuted.insert(is_zero);
        assert!(refuted.find(is_zero) && !refuted.find(is_less));
        refuted.forget();
        assert!(!refuted.find(is_zero));
        assert_eq!(refuted.n_found, 1);
    }
}
