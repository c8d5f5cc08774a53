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
//! code;                    // expect: bug KIND
//! code;                    // expect: unsupported TEXT
//! // expect: exit N
//! // expect: ledger TEXT   an entry of the ledger says so
//! ```

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
        match what {
            "bug" => self.expected.push(Expectation { line, what: Expected::Bug(rest) }),
            "unsupported" => {
                self.expected.push(Expectation { line, what: Expected::Unsupported(rest) });
            }
            "ledger" => self.ledger.push(rest),
            "exit" => {
                self.exit = Some(rest.parse().map_err(|_| format!("bad exit status `{rest}`"))?);
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
    fn refuses_what_it_does_not_know() {
        assert!(Directives::parse("//@ stdim: x").is_err());
        assert!(Directives::parse("// expect: bugs x").is_err());
    }

    #[test]
    fn splits_words() {
        assert_eq!(words("a 'b c' ''"), ["a", "b c", ""]);
    }
}
