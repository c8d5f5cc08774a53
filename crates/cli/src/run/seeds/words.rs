//! Lines of arguments as a shell would split them: quotes and backslashes, and nothing else.

/// The words of every line that is not blank.
///
/// Known are `'…'`, `"…"`, `$'…'` and the backslash; everything else, `$` and `*` too, stands for
/// itself. An error says what is wrong, and in which line.
pub fn lines(text: &[u8]) -> Result<Vec<Vec<Vec<u8>>>, String> {
    let mut splitter = Splitter { text, at: 0, line: 1 };
    let mut lines = Vec::new();
    while splitter.at < text.len() {
        let line = splitter.line()?;
        if !line.is_empty() {
            lines.push(line);
        }
    }
    Ok(lines)
}

struct Splitter<'a> {
    text: &'a [u8],
    at: usize,
    line: usize,
}

impl Splitter<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = *self.text.get(self.at)?;
        self.at += 1;
        self.line += usize::from(byte == b'\n');
        Some(byte)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn eat(&mut self, wanted: u8) -> bool {
        let found = self.peek() == Some(wanted);
        if found {
            self.next();
        }
        found
    }

    /// The words up to the end of the line, which is eaten.
    fn line(&mut self) -> Result<Vec<Vec<u8>>, String> {
        let mut words = Vec::new();
        let mut word: Option<Vec<u8>> = None;
        while let Some(byte) = self.next() {
            match byte {
                b'\n' => break,
                b' ' | b'\t' => words.extend(word.take()),
                b'\r' if matches!(self.peek(), None | Some(b'\n')) => {}
                b'\\' if self.eat(b'\n') => {}
                _ => self.part(byte, word.get_or_insert_default())?,
            }
        }
        words.extend(word);
        Ok(words)
    }

    /// What begins with `byte`: a quoted part, or the byte itself.
    fn part(&mut self, byte: u8, word: &mut Vec<u8>) -> Result<(), String> {
        match byte {
            b'\'' => self.quoted(b'\'', word, |_, _| Ok(Some(b'\\'))),
            b'"' => self.quoted(b'"', word, Self::in_double_quotes),
            b'$' if self.eat(b'\'') => self.quoted(b'\'', word, Self::in_dollar_quotes),
            b'\\' => {
                let line = self.line;
                let next = self.next();
                word.push(next.ok_or_else(|| format!("line {line} ends in a backslash"))?);
                Ok(())
            }
            _ => {
                word.push(byte);
                Ok(())
            }
        }
    }

    /// Reads up to the quote `end`; `escape` says what a backslash stands for.
    fn quoted(
        &mut self,
        end: u8,
        word: &mut Vec<u8>,
        escape: impl Fn(&mut Self, usize) -> Result<Option<u8>, String>,
    ) -> Result<(), String> {
        let line = self.line;
        loop {
            match self.next() {
                None => {
                    return Err(format!("the quote {} in line {line} is not closed", end as char));
                }
                Some(byte) if byte == end => return Ok(()),
                Some(b'\\') => word.extend(escape(self, line)?),
                Some(byte) => word.push(byte),
            }
        }
    }

    fn in_double_quotes(&mut self, _line: usize) -> Result<Option<u8>, String> {
        match self.peek() {
            Some(b'\n') => {
                self.next();
                Ok(None)
            }
            Some(b'"' | b'\\' | b'$' | b'`') => Ok(self.next()),
            _ => Ok(Some(b'\\')),
        }
    }

    fn in_dollar_quotes(&mut self, line: usize) -> Result<Option<u8>, String> {
        let Some(byte) = self.next() else { return Ok(None) };
        Ok(Some(match byte {
            b'a' => 7,
            b'b' => 8,
            b'e' | b'E' => 27,
            b'f' => 12,
            b'n' => b'\n',
            b'r' => b'\r',
            b't' => b'\t',
            b'v' => 11,
            b'\\' | b'\'' | b'"' | b'?' => byte,
            b'x' if self.peek().is_some_and(|next| next.is_ascii_hexdigit()) => {
                self.digits(0, 16, 2)
            }
            b'0'..=b'7' => self.digits(byte - b'0', 8, 2),
            _ => return Err(format!(r"\{} in line {line} is not known", byte as char)),
        }))
    }

    /// At most `most` more digits of a number.
    fn digits(&mut self, first: u8, radix: u32, most: usize) -> u8 {
        let mut value = first;
        for _ in 0..most {
            let digit = self.peek().and_then(|byte| (byte as char).to_digit(radix));
            let Some(digit) = digit else { break };
            value = value.wrapping_mul(radix as u8).wrapping_add(digit as u8);
            self.next();
        }
        value
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::lines;

    fn words(text: &str) -> Vec<String> {
        let lines = lines(text.as_bytes()).unwrap();
        assert_eq!(lines.len(), 1, "{text}");
        lines[0].iter().map(|word| String::from_utf8_lossy(word).into_owned()).collect()
    }

    #[test]
    fn quotes_and_backslashes() {
        assert_eq!(words("-d : -f 1"), ["-d", ":", "-f", "1"]);
        assert_eq!(words(r#"a'b c'"d \"e\" \n"f"#), [r#"ab cd "e" \nf"#]);
        assert_eq!(words(r"'' a\ b \' '\'"), ["", "a b", "'", r"\"]);
        assert_eq!(words(r"$'a\tb\'\x41\1012' $x * |"), ["a\tb'AA2", "$x", "*", "|"]);
        assert_eq!(words("a \\\n b"), ["a", "b"]);
        assert_eq!(words("\"a\\\nb\""), ["ab"]);
    }

    #[test]
    fn each_line_is_one() {
        let text = b"-a 1\r\n\n  \n'x\ny' z\n-b";
        let found = lines(text).unwrap();
        let expected: Vec<Vec<&[u8]>> = vec![vec![b"-a", b"1"], vec![b"x\ny", b"z"], vec![b"-b"]];
        assert_eq!(found, expected);
        assert!(lines(b"").unwrap().is_empty());
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        assert_eq!(lines(b"a\n'b").unwrap_err(), "the quote ' in line 2 is not closed");
        assert_eq!(lines(b"\"b").unwrap_err(), "the quote \" in line 1 is not closed");
        assert_eq!(lines(b"b\\").unwrap_err(), "line 1 ends in a backslash");
        assert_eq!(lines(br"$'\q'").unwrap_err(), r"\q in line 1 is not known");
    }

    #[test]
    fn command_lines_of_tests_are_read_back() {
        let all: Vec<Vec<u8>> = (1..=255u8).map(|byte| vec![byte, b'0']).collect();
        let quoted: Vec<String> = all.iter().map(|word| fathom_report::shell_quote(word)).collect();
        assert_eq!(lines(quoted.join(" ").as_bytes()).unwrap(), [all]);
    }

    /// What bash makes of the words in `text`; nothing where it finds them wrong.
    fn bash(text: &str) -> Option<Vec<Vec<u8>>> {
        let script = format!("set -f; words=({text}); printf '%s\\0' \"${{words[@]}}\"");
        let output = Command::new("bash").arg("-c").arg(script).output().unwrap();
        let mut words: Vec<_> = output.stdout.split(|&byte| byte == 0).map(Vec::from).collect();
        words.pop();
        (output.status.success() && output.stderr.is_empty()).then_some(words)
    }

    #[test]
    fn bash_splits_the_same() {
        let pieces = ["a", " ", "'", "\"", "\\", "$'", "n", "x41", "1", "\t", "-", "\\\n"];
        let mut random = 1u64;
        for _ in 0..400 {
            let mut text = String::from("b");
            for _ in 0..8 {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                text += pieces[(random >> 40) as usize % pieces.len()];
            }
            match lines(text.as_bytes()) {
                Ok(lines) => assert_eq!(lines.concat(), bash(&text).unwrap(), "{text:?}"),
                Err(what) if what.ends_with("is not known") => {}
                Err(what) => assert_eq!(bash(&text), None, "{text:?}: {what}"),
            }
        }
    }
}
