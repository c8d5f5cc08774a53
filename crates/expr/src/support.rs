//! Sets of input bytes, each stored once.

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

use crate::Var;

/// An interned set; 0 is the empty set.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub(crate) struct SupportId(u32);

/// Bytes one after the other.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Span {
    first: u32,
    /// The one behind the last.
    end: u32,
}

/// A set of input bytes. Most are few spans, even where the bytes are many: a checksum depends on
/// all that was read before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Support<'a> {
    /// Sorted, with gaps between them.
    spans: &'a [Span],
}

impl<'a> Support<'a> {
    pub fn is_empty(self) -> bool {
        self.spans.is_empty()
    }

    pub fn len(self) -> usize {
        self.spans.iter().map(|span| (span.end - span.first) as usize).sum()
    }

    /// The lowest one.
    pub fn first(self) -> Option<Var> {
        self.spans.first().map(|span| Var(span.first))
    }

    /// The byte, if there is exactly one.
    pub fn only(self) -> Option<Var> {
        match self.spans {
            &[Span { first, end }] if first + 1 == end => Some(Var(first)),
            _ => None,
        }
    }

    pub fn contains(self, var: Var) -> bool {
        let behind = self.spans.partition_point(|span| span.end <= var.0);
        self.spans.get(behind).is_some_and(|span| span.first <= var.0)
    }

    /// The bytes in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Var> + 'a {
        self.spans.iter().flat_map(|span| (span.first..span.end).map(Var))
    }
}

/// All sets seen so far, their spans in one vector.
pub(crate) struct Supports {
    spans: Vec<Span>,
    /// Where each set starts and ends in `spans`.
    places: Vec<(usize, usize)>,
    by_content: HashTable<SupportId>,
    unions: FxHashMap<(SupportId, SupportId), SupportId>,
    scratch: Vec<Span>,
}

impl Supports {
    pub fn new() -> Self {
        let mut supports = Self {
            spans: Vec::new(),
            places: Vec::new(),
            by_content: HashTable::new(),
            unions: FxHashMap::default(),
            scratch: Vec::new(),
        };
        let empty = supports.intern();
        debug_assert!(empty == SupportId::default());
        supports
    }

    pub fn get(&self, id: SupportId) -> Support<'_> {
        let (start, end) = self.places[id.0 as usize];
        Support { spans: &self.spans[start..end] }
    }

    pub fn single(&mut self, var: Var) -> SupportId {
        self.scratch.clear();
        self.scratch.push(Span { first: var.0, end: var.0 + 1 });
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

    /// Leaves the union in `scratch`.
    fn merge(&mut self, a: SupportId, b: SupportId) {
        let mut merged = std::mem::take(&mut self.scratch);
        merged.clear();
        let (mut a, mut b) = (self.get(a).spans, self.get(b).spans);
        loop {
            let from_a = match (a.first(), b.first()) {
                (Some(x), Some(y)) => x.first <= y.first,
                (x, None) if x.is_none() => break,
                (x, _) => x.is_some(),
            };
            let next = if from_a { &mut a } else { &mut b };
            let span = next[0];
            *next = &next[1..];
            match merged.last_mut() {
                Some(last) if last.end >= span.first => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        self.scratch = merged;
    }

    /// The id of the set in `scratch`.
    fn intern(&mut self) -> SupportId {
        let hash = |spans: &[Span]| FxBuildHasher.hash_one(spans);
        let Self { spans, places, by_content, scratch, .. } = self;
        let found = by_content.find(hash(scratch), |id| {
            let (start, end) = places[id.0 as usize];
            spans[start..end] == scratch[..]
        });
        if let Some(&id) = found {
            return id;
        }
        let id = SupportId(u32::try_from(places.len()).expect("more than 2^32 support sets"));
        places.push((spans.len(), spans.len() + scratch.len()));
        spans.extend_from_slice(scratch);
        by_content.insert_unique(hash(scratch), id, |id| {
            let (start, end) = places[id.0 as usize];
            hash(&spans[start..end])
        });
        id
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

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
        let vars: Vec<Var> = supports.get(left).iter().collect();
        assert_eq!(vars, [Var(1), Var(3), Var(5)]);
        assert!(supports.union(left, a) == left);
    }

    #[test]
    fn neighbours_are_one_span() {
        let mut supports = Supports::new();
        let sets = (0..100_000).map(|n| supports.single(Var(n))).collect::<Vec<_>>();
        let all = sets.into_iter().fold(SupportId::default(), |all, one| supports.union(all, one));
        assert_eq!(supports.get(all).len(), 100_000);
        assert_eq!(supports.get(all).spans.len(), 1);
    }

    proptest! {
        #[test]
        fn unions_are_those_of_sets(sets in prop::collection::vec(prop::collection::vec(0u32..40, 0..12), 1..8)) {
            let mut supports = Supports::new();
            let mut all = SupportId::default();
            let mut expected = BTreeSet::new();
            for set in sets {
                let mut id = SupportId::default();
                for &var in &set {
                    let single = supports.single(Var(var));
                    id = supports.union(single, id);
                }
                all = supports.union(all, id);
                expected.extend(set.into_iter().map(Var));
            }
            let support = supports.get(all);
            prop_assert_eq!(support.len(), expected.len());
            prop_assert_eq!(support.first(), expected.first().copied());
            prop_assert_eq!(support.only(), expected.first().copied().filter(|_| expected.len() == 1));
            for var in 0..41 {
                prop_assert_eq!(support.contains(Var(var)), expected.contains(&Var(var)));
            }
            prop_assert!(support.iter().eq(expected));
        }
    }
}
