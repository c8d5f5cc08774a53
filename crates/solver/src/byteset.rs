//! A set of byte values: the domain of one input byte.

use std::fmt;

/// A subset of 0..=255.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ByteSet([u64; 4]);

impl ByteSet {
    pub const EMPTY: Self = Self([0; 4]);
    pub const FULL: Self = Self([u64::MAX; 4]);

    pub fn from_words(words: [u64; 4]) -> Self {
        Self(words)
    }

    pub fn words(&self) -> &[u64; 4] {
        &self.0
    }

    /// The values for which `keep` holds.
    pub fn filter(mut keep: impl FnMut(u8) -> bool) -> Self {
        let mut words = [0; 4];
        for value in 0..=255u8 {
            words[usize::from(value >> 6)] |= u64::from(keep(value)) << (value & 63);
        }
        Self(words)
    }

    pub fn contains(&self, value: u8) -> bool {
        self.0[usize::from(value >> 6)] >> (value & 63) & 1 != 0
    }

    pub fn insert(&mut self, value: u8) {
        self.0[usize::from(value >> 6)] |= 1 << (value & 63);
    }

    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    pub fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }

    pub fn is_full(&self) -> bool {
        *self == Self::FULL
    }

    pub fn intersect(&self, other: &Self) -> Self {
        let [a, b, c, d] = self.0;
        let [e, f, g, h] = other.0;
        Self([a & e, b & f, c & g, d & h])
    }

    pub fn complement(&self) -> Self {
        Self(self.0.map(|word| !word))
    }

    pub fn min(&self) -> Option<u8> {
        self.next_from(0)
    }

    pub fn max(&self) -> Option<u8> {
        let word_idx = (0..4).rev().find(|&i| self.0[i] != 0)?;
        Some((word_idx as u32 * 64 + 63 - self.0[word_idx].leading_zeros()) as u8)
    }

    /// The smallest member that is at least `value`.
    pub fn next_from(&self, value: u8) -> Option<u8> {
        let first = usize::from(value >> 6);
        let masked = self.0[first] & (u64::MAX << (value & 63));
        if masked != 0 {
            return Some((first as u32 * 64 + masked.trailing_zeros()) as u8);
        }
        let word_idx = (first + 1..4).find(|&i| self.0[i] != 0)?;
        Some((word_idx as u32 * 64 + self.0[word_idx].trailing_zeros()) as u8)
    }

    /// `value` if it is a member, otherwise the smallest member.
    pub fn nearest(&self, value: u8) -> Option<u8> {
        if self.contains(value) { Some(value) } else { self.min() }
    }

    /// Members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = u8> + use<> {
        let set = *self;
        let mut next = set.min();
        std::iter::from_fn(move || {
            let value = next?;
            next = value.checked_add(1).and_then(|from| set.next_from(from));
            Some(value)
        })
    }

    /// Maximal runs `(first, last)` of consecutive members, ascending.
    pub fn runs(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let set = *self;
        let gaps = set.complement();
        let mut next = set.min();
        std::iter::from_fn(move || {
            let first = next?;
            let gap = gaps.next_from(first);
            next = gap.and_then(|gap| set.next_from(gap));
            Some((first, gap.map_or(255, |gap| gap - 1)))
        })
    }
}

impl fmt::Debug for ByteSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.runs()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_runs_and_ends() {
        let set = ByteSet::filter(|v| (3..=5).contains(&v) || v == 64 || v >= 200);
        assert_eq!(set.runs().collect::<Vec<_>>(), [(3, 5), (64, 64), (200, 255)]);
        assert_eq!(set.len(), 3 + 1 + 56);
        assert_eq!((set.min(), set.max()), (Some(3), Some(255)));
        assert_eq!(set.iter().count() as u32, set.len());
        assert!(set.iter().all(|v| set.contains(v) && !set.complement().contains(v)));
        assert_eq!(set.next_from(65), Some(200));
        assert_eq!(ByteSet::EMPTY.iter().count() + ByteSet::EMPTY.runs().count(), 0);
        assert_eq!(ByteSet::FULL.runs().collect::<Vec<_>>(), [(0, 255)]);
    }
}
