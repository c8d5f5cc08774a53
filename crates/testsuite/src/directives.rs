//! What a test program says about itself: `//@ key: value` lines and `// expect: …` comments.
//!
//! ```text
//! //@ cc: FLAGS            more compiler flags
//! //@ run: OPTIONS         options of `fathom run`
//! //@ args: A B            the program's arguments
//! //@ stdin: text\n        its standard input, with C escapes
//! //@ stdin-file: NAME     a file beside the test as standard input
//! //@ env: NAME=VALUE      one more environment variable
//! //@ file: NAME text\n    a file in the working directory
//! //@ native: skip|guard   do not run natively | must die in guard mode
//! code;                    // expect: bug KIND...
//! code;                    // expect: unsupported TEXT
//! // expect: exit N
//! // expect: ledger TEXT   an entry of the ledger says so
//! ```
//!
//! A run with symbolic input must be exhaustive unless it is said not to be. More about it:
//!
//! ```text
//! // expect: exits 0 1     the exit statuses of all paths that exit
//! // expect: paths N       complete paths; a bug that others survive is none
//! // expect: tests N       test cases
//! // expect: covered       every line of the program's own code
//! // expect: not exhaustive
//! // expect: input NAME=7  some bug has this input: an integer, or "text" with C escapes
//! ```

use std::collections::BTreeSet;

#[derive(Default)]
pub struct Directives {
    pub cc: Vec<String>,
    pub run: Vec<String>,
    pub args: Vec<String>,
    pub stdin: Vec<u8>,
    pub stdin_file: Option<String>,
    pub env: Vec<(String, String)>,
    pub files: Vec<(String, Vec<u8>)>,
    pub native: Native,
    pub expected: Vec<Expectation>,
    pub exit: Option<i32>,
    pub ledger: Vec<String>,
    pub explored: Explored,
}

/// What a run with symbolic input comes to.
#[derive(Default, PartialEq, Eq, Debug)]
pub struct Explored {
    pub exits: Option<BTreeSet<i32>>,
    pub paths: Option<u64>,
    pub tests: Option<u64>,
    pub covered: bool,
    pub not_exhaustive: bool,
    pub inputs: Vec<(String, Value)>,
}

/// The value of an input.
#[derive(PartialEq, Eq, Debug, Clone)]
pub enum Value {
    Bytes(Vec<u8>),
    /// Little-endian, of whatever size the input is.
    Integer(i128),
}

impl Value {
    fn parse(text: &str) -> Result<Self, String> {
        match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
            Some(text) => Ok(Self::Bytes(unescape(text))),
            None => text.parse().map(Self::Integer).map_err(|_| format!("bad value `{text}`")),
        }
    }

    pub fn is(&self, bytes: &[u8]) -> bool {
        match self {
            Self::Bytes(expected) => expected == bytes,
            Self::Integer(expected) => {
                let fill = if *expected < 0 { 0xff } else { 0 };
                let (low, rest) = bytes.split_at(bytes.len().min(16));
                let expected = expected.to_le_bytes();
                let all_fill = |rest: &[u8]| rest.iter().all(|byte| *byte == fill);
                low == &expected[..low.len()] && all_fill(&expected[low.len()..]) && all_fill(rest)
            }
        }
    }
}

#[derive(Default, PartialEq, Eq, Clone, Copy)]
pub enum Native {
    #[default]
    Compare,
    Skip,
    Guard,
}

#[derive(PartialEq, Eq, Debug, Clone)]
pub struct Expectation {
    pub line: u32,
    pub what: Expected,
}

#[derive(PartialEq, Eq, Debug, Clone)]
pub enum Expected {
    Bug(String),
    Unsupported(String),
}

impl Directives {
    pub fn parse(source: &str) -> Result<Self, String> {
        let mut directives = Self::default();
        for (line, text) in (1..).zip(source.lines()) {
            let parsed = if let Some(rest) = text.strip_prefix("//@") {
                directives.parse_directive(rest.trim())
            } else if let Some((_, rest)) = text.split_once("// expect:") {
                directives.parse_expectation(line, rest.trim())
            } else {
                Ok(())
            };
            parsed.map_err(|message| format!("line {line}: {message}"))?;
        }
        Ok(directives)
    }

    fn parse_directive(&mut self, text: &str) -> Result<(), String> {
        let (key, value) = text.split_once(':').ok_or("a directive is `//@ key: value`")?;
        let value = value.trim();
        match key.trim() {
            "cc" => self.cc.extend(words(value)),
            "run" => self.run.extend(words(value)),
            "args" => self.args.extend(words(value)),
            "stdin" => self.stdin.extend(unescape(value)),
            "stdin-file" => self.stdin_file = Some(value.to_string()),
            "env" => {
                let (name, value) = value.split_once('=').ok_or("env is NAME=VALUE")?;
                self.env.push((name.to_string(), value.to_string()));
            }
            "file" => {
                let (name, text) = value.split_once(' ').unwrap_or((value, ""));
                self.files.push((name.to_string(), unescape(text)));
            }
            "native" => {
                self.native = match value {
                    "skip" => Native::Skip,
                    "guard" => Native::Guard,
                    _ => return Err(format!("unknown native mode `{value}`")),
                }
            }
            key => return Err(format!("unknown directive `{key}`")),
        }
        Ok(())
    }

    fn parse_expectation(&mut self, line: u32, text: &str) -> Result<(), String> {
        let (what, rest) = text.split_once(' ').unwrap_or((text, ""));
        let rest = rest.trim().to_string();
        let number = || rest.parse().map_err(|_| format!("bad number `{rest}`"));
        match what {
            "bug" => {
                let bug = |kind| Expectation { line, what: Expected::Bug(kind) };
                self.expected.extend(words(&rest).into_iter().map(bug));
            }
            "unsupported" => {
                self.expected.push(Expectation { line, what: Expected::Unsupported(rest) });
            }
            "ledger" => self.ledger.push(rest),
            "exit" => self.exit = Some(number()? as i32),
            "exits" => {
                let status =
                    |word: String| word.parse().map_err(|_| format!("bad exit status `{word}`"));
                let statuses: Result<_, String> = words(&rest).into_iter().map(status).collect();
                self.explored.exits = Some(statuses?);
            }
            "paths" => self.explored.paths = Some(number()?),
            "tests" => self.explored.tests = Some(number()?),
            "covered" => self.explored.covered = true,
            "not" if rest == "exhaustive" => self.explored.not_exhaustive = true,
            "input" => {
                let (name, value) = rest.split_once('=').ok_or("an input is NAME=VALUE")?;
                self.explored.inputs.push((name.to_string(), Value::parse(value)?));
            }
            _ => return Err(format!("unknown expectation `{text}`")),
        }
        Ok(())
    }
}

/// Splits at blanks; single quotes keep a word with blanks together, `''` is an empty one.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quoted = false;
    for letter in text.chars() {
        match letter {
            '\'' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' | '\t' | '\n' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    words
}

/// Resolves `\n`, `\t`, `\r`, `\0`, `\\` and `\xHH`.
fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(b'r') => bytes.push(b'\r'),
            Some(b'0') => bytes.push(0),
            Some(b'x') => {
                let digits: String = rest.by_ref().take(2).map(char::from).collect();
                bytes.push(u8::from_str_radix(&digits, 16).unwrap_or(b'?'));
            }
            Some(other) => bytes.push(other),
            None => bytes.push(b'\\'),
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_directives_and_expectations() {
        let source = "//@ cc: -O1 -DX='a b'\n//@ stdin: a\\n\\x41\n*p = 1; // expect: bug null-dereference\n// expect: exit 3\n";
        let directives = Directives::parse(source).unwrap();
        assert_eq!(directives.cc, ["-O1", "-DX=a b"]);
        assert_eq!(directives.stdin, b"a\nA");
        let bug = Expected::Bug("null-dereference".to_string());
        assert_eq!(directives.expected, [Expectation { line: 3, what: bug }]);
        assert_eq!(directives.exit, Some(3));
    }

    #[test]
    fn reads_what_a_symbolic_run_comes_to() {
        let source = "// expect: exits 0 7\n// expect: paths 3\n// expect: input x=-2\n// expect: input s=\"a\\n\"\n// expect: not exhaustive\n";
        let explored = Directives::parse(source).unwrap().explored;
        assert_eq!(explored.exits, Some(BTreeSet::from([0, 7])));
        assert_eq!((explored.paths, explored.not_exhaustive), (Some(3), true));
        let (x, s) = (Value::Integer(-2), Value::Bytes(b"a\n".to_vec()));
        assert_eq!(explored.inputs, [("x".to_string(), x), ("s".to_string(), s)]);
    }

    #[test]
    fn compares_integers_of_any_size() {
        assert!(Value::Integer(-2).is(&[0xfe, 0xff]));
        assert!(Value::Integer(258).is(&[2, 1, 0, 0]));
        assert!(!Value::Integer(258).is(&[2]));
        assert!(!Value::Integer(-2).is(&[0xfe, 0]));
    }

    #[test]
    fn refuses_what_it_does_not_know() {
        assert!(Directives::parse("//@ stdim: x").is_err());
        assert!(Directives::parse("// expect: bugs x").is_err());
    }

    #[test]
    fn splits_words() {
        assert_eq!(words("a 'b c' ''"), ["a", "b c", ""]);
    }
}
