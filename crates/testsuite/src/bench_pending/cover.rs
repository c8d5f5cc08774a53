//! Which basic blocks a run covered, so that runs can be united.

use std::path::Path;

use fathom_report::FunctionCover;

use crate::json;

/// A bit and a number of instructions for every block of the program's own code.
#[derive(Clone, Default)]
pub struct Cover {
    instructions: Vec<u32>,
    covered: Vec<bool>,
}

impl Cover {
    pub fn read(path: &Path) -> Result<Self, String> {
        let functions: Vec<FunctionCover> = json::lines(path)?;
        let mut cover = Self { instructions: Vec::new(), covered: Vec::new() };
        for function in functions {
            cover.instructions.extend(function.instructions);
            cover.covered.extend(function.covered.iter().map(|&covered| covered != 0));
        }
        match cover.instructions.len() == cover.covered.len() {
            true => Ok(cover),
            false => Err(format!("{}: blocks without a bit", path.display())),
        }
    }

    /// `bits` is what [`Self::bits`] gave.
    pub fn from_bits(instructions: Vec<u32>, bits: &str) -> Option<Self> {
        let digits: Option<Vec<u32>> = bits.chars().map(|digit| digit.to_digit(16)).collect();
        let digits = digits.filter(|digits| digits.len() == instructions.len().div_ceil(4))?;
        let covered = (0..instructions.len()).map(|idx| digits[idx / 4] >> (idx % 4) & 1 == 1);
        Some(Self { covered: covered.collect(), instructions })
    }

    /// A bit for every block, four of them a hexadecimal digit.
    pub fn bits(&self) -> String {
        let digit = |four: &[bool]| {
            let value = four.iter().rev().fold(0, |value, &bit| 2 * value + u32::from(bit));
            char::from_digit(value, 16).expect("four bits")
        };
        self.covered.chunks(4).map(digit).collect()
    }

    /// Of every block.
    pub fn instructions(&self) -> &[u32] {
        &self.instructions
    }

    /// What either covered. Both must be of the same bitcode.
    pub fn union(&self, other: &Self) -> Self {
        assert_eq!(self.instructions, other.instructions, "covers of different programs");
        let either = self.covered.iter().zip(&other.covered).map(|(one, two)| *one || *two);
        Self { instructions: self.instructions.clone(), covered: either.collect() }
    }

    /// LLVM instructions covered.
    pub fn count(&self) -> u64 {
        let blocks = self.instructions.iter().zip(&self.covered);
        blocks.filter(|(_, covered)| **covered).map(|(n, _)| u64::from(*n)).sum()
    }

    pub fn total(&self) -> u64 {
        self.instructions.iter().map(|&n| u64::from(n)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_union_counts_shared_blocks_once() {
        let cover =
            |covered: [bool; 3]| Cover { instructions: vec![5, 7, 11], covered: covered.to_vec() };
        let (one, two) = (cover([true, true, false]), cover([false, true, true]));
        assert_eq!((one.count(), two.count(), one.total()), (12, 18, 23));
        assert_eq!(one.union(&two).count(), 23);
    }

    #[test]
    fn bits_are_read_as_they_are_written() {
        let instructions = vec![5, 7, 11, 2, 3];
        let covered = vec![true, false, false, true, true];
        let cover = Cover { instructions: instructions.clone(), covered: covered.clone() };
        assert_eq!(cover.bits(), "91");
        let again = Cover::from_bits(instructions.clone(), "91").expect("a bit each");
        assert_eq!(again.covered, covered);
        assert!(Cover::from_bits(instructions, "911").is_none());
    }
}
