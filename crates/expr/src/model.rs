//! Values of input bytes.

use std::fmt;
use std::rc::Rc;

use crate::Var;

/// Values of input bytes, cheap to clone. A byte never set reads 0.
#[derive(Clone, Default)]
pub struct Model {
    bytes: Rc<Bytes>,
}

#[derive(Clone, Default)]
struct Bytes {
    /// 0 where not assigned.
    values: Vec<u8>,
    /// One bit per value.
    assigned: Vec<u64>,
}

impl Model {
    pub fn new() -> Self {
        Self::default()
    }

    /// The byte's value, or 0.
    #[inline]
    pub fn get(&self, var: Var) -> u8 {
        self.bytes.values.get(var.0 as usize).copied().unwrap_or(0)
    }

    pub fn assigned(&self, var: Var) -> bool {
        let word = self.bytes.assigned.get(var.0 as usize / 64).copied().unwrap_or(0);
        word >> (var.0 % 64) & 1 == 1
    }

    pub fn set(&mut self, var: Var, value: u8) {
        let bytes = Rc::make_mut(&mut self.bytes);
        bytes.grow(var.0 as usize + 1);
        bytes.values[var.0 as usize] = value;
        bytes.assigned[var.0 as usize / 64] |= 1 << (var.0 % 64);
    }

    /// Takes over every byte that `other` assigns.
    pub fn update(&mut self, other: &Model) {
        if self.is_same(other) {
            return;
        }
        if self.is_empty() {
            *self = other.clone();
            return;
        }
        let bytes = Rc::make_mut(&mut self.bytes);
        bytes.grow(other.bytes.values.len());
        for (var, value) in other.iter() {
            bytes.values[var.0 as usize] = value;
        }
        for (word, more) in bytes.assigned.iter_mut().zip(&other.bytes.assigned) {
            *word |= more;
        }
    }

    /// The assigned bytes, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Var, u8)> + '_ {
        self.bytes.assigned.iter().enumerate().flat_map(move |(n, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(n as u32 * 64 + bit)
            })
            .map(|number| (Var(number), self.bytes.values[number as usize]))
        })
    }

    /// Whether it is a copy of `other` that neither has changed since.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.bytes, &other.bytes)
    }

    /// How many bytes are assigned.
    pub fn len(&self) -> usize {
        self.bytes.assigned.iter().map(|word| word.count_ones() as usize).sum()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.assigned.iter().all(|&word| word == 0)
    }
}

impl Bytes {
    fn grow(&mut self, len: usize) {
        if self.values.len() < len {
            self.values.resize(len, 0);
            self.assigned.resize(len.div_ceil(64), 0);
        }
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Self) -> bool {
        self.is_same(other) || self.iter().eq(other.iter())
    }
}

impl Eq for Model {}

impl FromIterator<(Var, u8)> for Model {
    fn from_iter<I: IntoIterator<Item = (Var, u8)>>(bytes: I) -> Self {
        let mut model = Self::new();
        bytes.into_iter().for_each(|(var, value)| model.set(var, value));
        model
    }
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_do_not_see_later_writes() {
        let mut model: Model = [(Var(3), 7), (Var(70), 0)].into_iter().collect();
        let before = model.clone();
        model.set(Var(3), 8);
        assert_eq!((before.get(Var(3)), model.get(Var(3))), (7, 8));
        assert!(model.assigned(Var(70)) && !model.assigned(Var(69)));
        assert_eq!(model.iter().collect::<Vec<_>>(), [(Var(3), 8), (Var(70), 0)]);
    }

    #[test]
    fn update_takes_only_what_is_assigned() {
        let mut model: Model = [(Var(0), 1), (Var(1), 2)].into_iter().collect();
        model.update(&[(Var(1), 9), (Var(200), 3)].into_iter().collect());
        assert_eq!(model.iter().collect::<Vec<_>>(), [(Var(0), 1), (Var(1), 9), (Var(200), 3)]);
        assert_eq!(model.len(), 3);
    }
}
