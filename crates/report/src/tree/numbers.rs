//! A number for each state that was heard of.

use rustc_hash::FxHashMap;

const PAGE: u32 = 1 << 10;

/// Numbers other than 0 by state. States are numbered in runs, so those that were heard of share
/// pages, and few pages are looked up; wherever a number is, it costs no more than one.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    pages: FxHashMap<u32, Box<[u32; PAGE as usize]>>,
}

impl Numbers {
    pub fn get(&self, state: u32) -> Option<u32> {
        let page = self.pages.get(&(state / PAGE))?;
        Some(page[(state % PAGE) as usize]).filter(|&number| number != 0)
    }

    /// The number of `state`, 0 if it has none yet.
    pub fn entry(&mut self, state: u32) -> &mut u32 {
        let page = self.pages.entry(state / PAGE).or_insert_with(|| Box::new([0; PAGE as usize]));
        &mut page[(state % PAGE) as usize]
    }
}

/// The numbers that states have in the tree of all, by those they had: from 1 on, in the order in
/// which they were heard of.
#[derive(Debug, Default)]
pub struct StateNumbers {
    numbers: Numbers,
    len: u32,
}

impl StateNumbers {
    pub fn contains(&self, state: u32) -> bool {
        self.numbers.get(state).is_some()
    }

    /// The number of `state`: a new one if it is heard of for the first time.
    pub fn number(&mut self, state: u32) -> u32 {
        let number = self.numbers.entry(state);
        if *number == 0 {
            self.len += 1;
            *number = self.len;
        }
        *number
    }

    /// The number of the next state that is heard of.
    pub fn next(&self) -> u32 {
        self.len + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_far_apart_are_numbered_as_they_come() {
        let mut numbers = StateNumbers::default();
        let states = [7, u32::MAX, 0, 1 << 31, 8];
        for (state, number) in states.into_iter().zip(1..) {
            assert_eq!(numbers.next(), number);
            assert!(!numbers.contains(state));
            assert_eq!(numbers.number(state), number);
        }
        for (state, number) in states.into_iter().zip(1..) {
            assert!(numbers.contains(state));
            assert_eq!(numbers.number(state), number);
        }
        assert_eq!(numbers.next(), 6);
    }
}
