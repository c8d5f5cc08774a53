//! What a test suite says of its tests: lines such as `PASS: tests/cut/cut.pl`, as automake and
//! DejaGnu print them.

use std::collections::BTreeMap;

/// How a test can end. What is expected to fail and does is as good as a pass.
const WORDS: [&str; 6] = ["PASS", "FAIL", "SKIP", "XFAIL", "XPASS", "ERROR"];

/// The verdicts of a suite by test. A test with two verdicts has both; suites may tell of what did
/// not pass twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdicts(BTreeMap<String, Vec<&'static str>>);

impl Verdicts {
    /// Those in the output of a suite.
    pub fn parse(output: &[u8]) -> Self {
        let mut verdicts = Self::default();
        for line in String::from_utf8_lossy(output).lines() {
            let Some((word, test)) = line.split_once(": ") else { continue };
            if let Some(word) = WORDS.into_iter().find(|it| *it == word) {
                verdicts.0.entry(test.trim().to_owned()).or_default().push(word);
            }
        }
        for words in verdicts.0.values_mut() {
            words.sort_unstable();
            words.dedup();
        }
        verdicts
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// PASS / FAIL / SKIP, and the others where there are any.
    pub fn text(&self) -> String {
        let count = |word: &str| self.0.values().flatten().filter(|it| **it == word).count();
        let others = WORDS[3..].iter().map(|&word| (word, count(word))).filter(|(_, n)| *n > 0);
        let others: String = others.map(|(word, n)| format!(", {n} {word}")).collect();
        let [pass, fail, skip] = [0, 1, 2].map(|at| count(WORDS[at]));
        format!("{pass} / {fail} / {skip}{others}")
    }

    /// The tests that do not end in the same way in both.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let tests = self.0.keys().chain(other.0.keys().filter(|test| !self.0.contains_key(*test)));
        tests.filter(|test| self.0.get(*test) != other.0.get(*test)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_automake() {
        let output = b"make  check-TESTS\nPASS: tests/a.sh\nSKIP: tests/b.sh\nXFAIL: tests/c.sh\n\
                       # PASS:  1\nPASSED: no\nnote: PASS: x\nFAIL: tests/d.sh\r\nFAIL: tests/d.sh\n";
        let verdicts = Verdicts::parse(output);
        assert_eq!(verdicts.text(), "1 / 1 / 1, 1 XFAIL");
        assert!(Verdicts::parse(b"All tests passed\n").is_empty());
    }

    #[test]
    fn what_has_changed() {
        let one = Verdicts::parse(b"PASS: a\nPASS: b\nPASS: c\nFAIL: c\n");
        let other = Verdicts::parse(b"FAIL: c\nPASS: c\nFAIL: b\nPASS: a\nPASS: d\n");
        assert_eq!(one.differences(&other), ["b", "d"]);
        assert!(one.differences(&one.clone()).is_empty());
    }
}
