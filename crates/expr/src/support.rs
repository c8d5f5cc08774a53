//! Sets of input bytes, each stored once.

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

use crate::Var;

/// An interned set; 0 is the empty set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct SupportId(u32);

/// All sets seen so far, sorted, in one vector.
pub(crate) struct Supports {
    vars: Vec<Var>,
    /// Where each set starts and ends in `vars`.
    spans: Vec<(usize, usize)>,
    by_content: HashTable<SupportId>,
    unions: FxHashMap<(SupportId, SupportId), SupportId>,
    scratch: Vec<Var>,
}

impl Supports {
    pub fn new() -> Self {
        let mut supports = Self {
            vars: Vec::new(),
            spans: Vec::new(),
            by_content: HashTable::new(),
            unions: FxHashMap::default(),
            scratch: Vec::new(),
        };
        let empty = supports.intern();
        debug_assert!(empty == SupportId::default());
        supports
    }

    pub fn get(&self, id: SupportId) -> &[Var] {
        let (start, end) = self.spans[id.0 as usize];
        &self.vars[start..end]
    }

    pub fn single(&mut self, var: Var) -> SupportId {
        self.scratch.clear();
        self.scratch.push(var);
        self.intern()
    }

    pub fn union(&mut self, a: SupportId, b: SupportId) -> SupportId {
        let empty = SupportId::default();
        if a == b || b == empty {
            return a;
        }
        if a == empty {
            return b;
        }
        let key = (a.min(b), a.max(b));
        if let Some(&known) = self.unions.get(&key) {
            return known;
        }
        self.merge(a, b);
        let id = self.intern();
        self.unions.insert(key, id);
        id
    }

    /// Leaves the sorted union in `scratch`.
    fn merge(&mut self, a: SupportId, b: SupportId) {
        let mut merged = std::mem::take(&mut self.scratch);
        merged.clear();
        let (mut a, mut b) = (self.get(a), self.get(b));
        while let (Some(&x), Some(&y)) = (a.first(), b.first()) {
            merged.push(x.min(y));
            a = &a[usize::from(x <= y)..];
            b = &b[usize::from(y <= x)..];
        }
        merged.extend_from_slice(a);
        merged.extend_from_slice(b);
        self.scratch = merged;
    }

    /// The id of the set in `scratch`.
    fn intern(&mut self) -> SupportId {
        let hash = |vars: &[Var]| FxBuildHasher.hash_one(vars);
        let Self { vars, spans, by_content, scratch, .. } = self;
        let slice = |id: &SupportId, vars: &[Var], spans: &[(usize, usize)]| {
            let (start, end) = spans[id.0 as usize];
            hash(&vars[start..end])
        };
        let found = by_content.find(hash(scratch), |id| {
            let (start, end) = spans[id.0 as usize];
            vars[start..end] == scratch[..]
        });
        if let Some(&id) = found {
            return id;
        }
        let id = SupportId(u32::try_from(spans.len()).expect("more than 2^32 support sets"));
        spans.push((vars.len(), vars.len() + scratch.len()));
        vars.extend_from_slice(scratch);
        by_content.insert_unique(hash(scratch), id, |id| slice(id, vars, spans));
        id
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_sets_share_an_id() {
        let mut supports = Supports::new();
        let [a, b, c] = [5, 1, 3].map(|n| supports.single(Var(n)));
        let ab = supports.union(a, b);
        let bc = supports.union(b, c);
        let left = supports.union(ab, c);
        let right = supports.union(a, bc);
        assert!(left == right);
        assert_eq!(supports.get(left), [Var(1), Var(3), Var(5)]);
        assert!(supports.union(left, a) == left);
    }
}
