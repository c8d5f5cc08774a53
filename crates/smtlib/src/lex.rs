//! Words and parentheses.

use std::fmt;

use crate::error::Error;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Token<'s> {
    Open,
    Close,
    /// Without the bars of a quoted symbol.
    Symbol(&'s str),
    /// With its colon.
    Keyword(&'s str),
    Numeral(&'s str),
    Decimal(&'s str),
    /// The digits after `#x`.
    Hex(&'s str),
    /// The digits after `#b`.
    Binary(&'s str),
    /// Between its quotes; a quote inside is still doubled.
    Text(&'s str),
}

/// Where reading stands in a script.
pub(crate) struct Lexer<'s> {
    text: &'s str,
    at: usize,
    /// Where the last token started.
    start: usize,
}

impl<'s> Lexer<'s> {
    pub fn new(text: &'s str) -> Self {
        Self { text, at: 0, start: 0 }
    }

    /// Where the last token started.
    pub fn start(&self) -> usize {
        self.start
    }

    pub fn position(&self) -> usize {
        self.at
    }

    pub fn jump(&mut self, position: usize) {
        self.at = position;
    }

    pub fn slice(&self, from: usize, to: usize) -> &'s str {
        &self.text[from..to]
    }

    /// An error at the last token.
    pub fn error(&self, message: impl Into<String>) -> Error {
        self.error_at(self.start, message)
    }

    pub fn error_at(&self, offset: usize, message: impl Into<String>) -> Error {
        Error::new(self.text, offset, message)
    }

    /// The next token, or none at the end of the script.
    pub fn next(&mut self) -> Result<Option<Token<'s>>, Error> {
        self.skip_blank();
        self.start = self.at;
        let Some(&first) = self.text.as_bytes().get(self.at) else {
            return Ok(None);
        };
        self.at += 1;
        Ok(Some(match first {
            b'(' => Token::Open,
            b')' => Token::Close,
            b'|' => Token::Symbol(self.until(b'|', "a quoted symbol")?),
            b'"' => self.string()?,
            b'#' => self.number_sign()?,
            b':' => {
                self.skip_word();
                Token::Keyword(&self.text[self.start..self.at])
            }
            b'0'..=b'9' => {
                self.skip_word();
                self.number(&self.text[self.start..self.at])?
            }
            byte if is_word_byte(byte) => {
                self.skip_word();
                Token::Symbol(&self.text[self.start..self.at])
            }
            _ => {
                let found = self.text[self.start..].chars().next().unwrap_or(' ');
                return Err(self.error(format!("`{found}` does not belong in a script")));
            }
        }))
    }

    /// The next token, which there has to be.
    pub fn token(&mut self) -> Result<Token<'s>, Error> {
        self.next()?.ok_or_else(|| self.error("the script ends in the middle of a command"))
    }

    pub fn expect(&mut self, wanted: Token<'_>) -> Result<(), Error> {
        let found = self.token()?;
        if found == wanted { Ok(()) } else { Err(self.unexpected(found, &wanted.to_string())) }
    }

    pub fn symbol(&mut self) -> Result<&'s str, Error> {
        match self.token()? {
            Token::Symbol(name) => Ok(name),
            found => Err(self.unexpected(found, "a name")),
        }
    }

    pub fn numeral(&mut self) -> Result<u32, Error> {
        match self.token()? {
            Token::Numeral(digits) => digits
                .parse()
                .map_err(|_| self.error(format!("{digits} is larger than anything here can be"))),
            found => Err(self.unexpected(found, "a number")),
        }
    }

    pub fn unexpected(&self, found: Token<'_>, wanted: &str) -> Error {
        self.error(format!("{wanted} was expected, not {found}"))
    }

    /// Skips to behind the parenthesis that closes the list in progress.
    pub fn skip_list(&mut self) -> Result<(), Error> {
        let mut depth = 1;
        while depth > 0 {
            match self.token()? {
                Token::Open => depth += 1,
                Token::Close => depth -= 1,
                _ => {}
            }
        }
        Ok(())
    }

    /// Skips one atom or list.
    pub fn skip_term(&mut self) -> Result<(), Error> {
        match self.token()? {
            Token::Open => self.skip_list(),
            Token::Close => Err(self.unexpected(Token::Close, "a term")),
            _ => Ok(()),
        }
    }

    fn skip_blank(&mut self) {
        let bytes = self.text.as_bytes();
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b';' => {
                    let rest = &bytes[self.at..];
                    self.at += rest.iter().position(|&b| b == b'\n').unwrap_or(rest.len());
                }
                _ => return,
            }
        }
    }

    fn skip_word(&mut self) {
        let bytes = self.text.as_bytes();
        while bytes.get(self.at).is_some_and(|&byte| is_word_byte(byte)) {
            self.at += 1;
        }
    }

    /// What stands before the next `end`, which is skipped too.
    fn until(&mut self, end: u8, what: &str) -> Result<&'s str, Error> {
        let from = self.at;
        let len = self.text.as_bytes()[from..].iter().position(|&byte| byte == end);
        let len = len.ok_or_else(|| self.error(format!("{what} is not closed")))?;
        self.at = from + len + 1;
        Ok(&self.text[from..from + len])
    }

    fn string(&mut self) -> Result<Token<'s>, Error> {
        let from = self.at;
        loop {
            self.until(b'"', "a string")?;
            if self.text.as_bytes().get(self.at) != Some(&b'"') {
                return Ok(Token::Text(&self.text[from..self.at - 1]));
            }
            self.at += 1;
        }
    }

    fn number_sign(&mut self) -> Result<Token<'s>, Error> {
        self.skip_word();
        let word = &self.text[self.start + 1..self.at];
        let is_made_of = |digits: &str, fits: fn(&u8) -> bool| {
            !digits.is_empty() && digits.as_bytes().iter().all(fits)
        };
        if let Some(digits) = word.strip_prefix('x')
            && is_made_of(digits, u8::is_ascii_hexdigit)
        {
            return Ok(Token::Hex(digits));
        }
        if let Some(digits) = word.strip_prefix('b')
            && is_made_of(digits, |byte| matches!(byte, b'0' | b'1'))
        {
            return Ok(Token::Binary(digits));
        }
        Err(self.error(format!("`#{word}` is no constant")))
    }

    fn number(&self, word: &'s str) -> Result<Token<'s>, Error> {
        let (whole, fraction) = word.split_once('.').unwrap_or((word, "0"));
        if !whole.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
            return Err(self.error(format!("`{word}` is neither a number nor a name")));
        }
        Ok(if word.contains('.') { Token::Decimal(word) } else { Token::Numeral(word) })
    }
}

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"~!@$%^&*_-+=<>.?/".contains(&byte)
}

impl fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("`(`"),
            Self::Close => f.write_str("`)`"),
            Self::Hex(digits) => write!(f, "`#x{digits}`"),
            Self::Binary(digits) => write!(f, "`#b{digits}`"),
            Self::Text(_) => f.write_str("a string"),
            Self::Symbol(word)
            | Self::Keyword(word)
            | Self::Numeral(word)
            | Self::Decimal(word) => {
                write!(f, "`{word}`")
            }
        }
    }
}
