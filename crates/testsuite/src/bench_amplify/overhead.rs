//! How much longer the path of a test takes with symbolic inputs and all checks: the distribution
//! over the tests that were followed to their end.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::json;

/// Upper ends of the classes; the last has none.
pub const ENDS: [f64; 6] = [1.5, 2.0, 3.0, 5.0, 10.0, 100.0];
/// Most that is allowed in the median.
pub const MOST: f64 = ENDS[2];

/// How many tests are in each class.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
pub struct Overheads([u64; ENDS.len() + 1]);

/// What a line of `tests.jsonl` says of it, in processor time.
#[derive(Deserialize)]
struct Test {
    failure: Option<String>,
    plain_seconds: f64,
    seconds: f64,
}

impl Overheads {
    /// Of the results in `dir`.
    pub fn read(dir: &Path) -> Result<Self, String> {
        let tests: Vec<Test> = json::lines(&dir.join("tests.jsonl"))?;
        let passed =
            |test: &&Test| test.failure.is_none() && test.plain_seconds > 0.0 && test.seconds > 0.0;
        let passed = tests.iter().filter(passed);
        Ok(Self::of(passed.map(|test| test.seconds / test.plain_seconds)))
    }

    fn of(ratios: impl Iterator<Item = f64>) -> Self {
        let mut overheads = Self::default();
        for ratio in ratios {
            overheads.0[ENDS.partition_point(|&end| end < ratio)] += 1;
        }
        overheads
    }

    pub fn add(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(sum, count)| *sum += count);
    }

    pub fn n_tests(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Tests in each class.
    pub fn counts(&self) -> &[u64] {
        &self.0
    }

    /// Tests that take at most as much as is allowed.
    pub fn within(&self) -> u64 {
        self.0.iter().zip(ENDS).filter(|(_, end)| *end <= MOST).map(|(count, _)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes() {
        let mut overheads = Overheads::of([1.0, 1.5, 1.6, 3.0, 3.1, 99.0, 5000.0].into_iter());
        assert_eq!(overheads.counts(), [2, 1, 1, 1, 0, 1, 1]);
        assert_eq!((overheads.n_tests(), overheads.within()), (7, 4));
        overheads.add(&overheads.clone());
        assert_eq!((overheads.n_tests(), overheads.within()), (14, 8));
    }
}
