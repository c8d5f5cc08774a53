//! Terms, read in one pass with a stack of its own.

use fathom_expr::{Pool, Rounding};

use crate::command::{Binding, Reader};
use crate::error::Error;
use crate::lex::Token;
use crate::ops::Operator;
use crate::sort::{Sort, check_width};
use crate::value::Value;

/// A term begun and not yet ended.
enum Frame<'s> {
    /// `(head arguments`; the arguments are the values from `first` on.
    Apply { head: Head<'s>, first: usize, start: usize },
    /// `(let ((name`: a value is awaited for the last of the names.
    Bindings { names: Vec<&'s str>, first: usize },
    /// `(let (bindings)`: the term between.
    Body { bound: usize },
    /// `(! `
    Annotated,
    /// The body of a function, read again for each call.
    Call { result: Sort, return_to: usize, bound: usize, visible: Visible },
}

enum Head<'s> {
    Operator(Operator<'s>),
    Function(Function),
}

/// A function with parameters: where its text is and what it could see.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    /// The number of its parameter list in [`Reader::parameters`].
    pub parameters: usize,
    pub body: usize,
    pub result: Sort,
    pub defined: u64,
}

/// Which bindings can be seen: older than one moment or younger than another.
#[derive(Clone, Copy, Default)]
pub(crate) struct Visible {
    pub before: u64,
    pub from: u64,
}

impl Visible {
    pub fn contains(self, moment: u64) -> bool {
        moment < self.before || moment >= self.from
    }
}

impl<'s> Reader<'s> {
    /// The term that comes next.
    pub(crate) fn term(&mut self, pool: &mut Pool) -> Result<Value, Error> {
        let mut frames: Vec<Frame<'s>> = Vec::new();
        let mut values: Vec<Value> = Vec::new();
        loop {
            let value = match self.lexer.token()? {
                Token::Open => match self.open(pool, values.len())? {
                    Opened::Frame(frame) => {
                        frames.push(frame);
                        continue;
                    }
                    Opened::Value(value) => value,
                },
                Token::Close => match self.close(pool, frames.pop(), &mut values)? {
                    Opened::Frame(frame) => {
                        frames.push(frame);
                        continue;
                    }
                    Opened::Value(value) => value,
                },
                token => self.atom(pool, token)?,
            };
            if let Some(value) = self.deliver(pool, &mut frames, &mut values, value)? {
                return Ok(value);
            }
        }
    }

    /// Hands `value` to the frame that awaits it; gives it back when none does.
    fn deliver(
        &mut self,
        pool: &Pool,
        frames: &mut Vec<Frame<'s>>,
        values: &mut Vec<Value>,
        value: Value,
    ) -> Result<Option<Value>, Error> {
        loop {
            match frames.last_mut() {
                None => return Ok(Some(value)),
                Some(Frame::Apply { .. }) => {
                    values.push(value);
                    return Ok(None);
                }
                Some(Frame::Bindings { .. }) => {
                    values.push(value);
                    self.next_binding(frames, values)?;
                    return Ok(None);
                }
                Some(&mut Frame::Body { bound }) => {
                    self.lexer.expect(Token::Close)?;
                    self.unbind(bound);
                }
                Some(Frame::Annotated) => self.attributes(&value)?,
                Some(&mut Frame::Call { result, return_to, bound, visible }) => {
                    let found = value.sort(pool);
                    if found != result {
                        let message = format!("a function to {result} gives a {found}");
                        return Err(self.lexer.error(message));
                    }
                    self.unbind(bound);
                    self.lexer.jump(return_to);
                    self.visible = visible;
                }
            }
            frames.pop();
        }
    }

    /// A term of one word.
    fn atom(&mut self, pool: &mut Pool, token: Token<'s>) -> Result<Value, Error> {
        match token {
            Token::Symbol(name) => self.named(pool, name),
            Token::Hex(digits) => self.constant(pool, 4 * digits.len(), digits, 16),
            Token::Binary(digits) => self.constant(pool, digits.len(), digits, 2),
            Token::Decimal(digits) => Ok(Value::Real(digits.into())),
            found => Err(self.lexer.unexpected(found, "a term")),
        }
    }

    fn constant(
        &self,
        pool: &mut Pool,
        width: usize,
        digits: &str,
        radix: u32,
    ) -> Result<Value, Error> {
        let width = u32::try_from(width).unwrap_or(u32::MAX);
        check_width(width).map_err(|message| self.lexer.error(message))?;
        let value = u128::from_str_radix(digits, radix).expect("the digits of at most 128 bits");
        Ok(Value::BitVec(pool.constant_wide(width, value)))
    }

    fn named(&mut self, pool: &mut Pool, name: &'s str) -> Result<Value, Error> {
        match self.lookup(name) {
            Some(Binding::Value(value)) => return Ok(value.clone()),
            Some(Binding::Function(_)) => {
                return Err(self.lexer.error(format!("`{name}` takes arguments")));
            }
            None => {}
        }
        Ok(match name {
            "true" | "false" => Value::Bool(pool.bool(name == "true")),
            "RNE" | "roundNearestTiesToEven" => Value::RoundingMode(Rounding::Even),
            "RNA" | "roundNearestTiesToAway" => Value::RoundingMode(Rounding::Away),
            "RTP" | "roundTowardPositive" => Value::RoundingMode(Rounding::Ceil),
            "RTN" | "roundTowardNegative" => Value::RoundingMode(Rounding::Floor),
            "RTZ" | "roundTowardZero" => Value::RoundingMode(Rounding::Trunc),
            _ => return Err(self.lexer.error(format!("`{name}` is not declared"))),
        })
    }

    /// What a parenthesis opens.
    fn open(&mut self, pool: &mut Pool, first: usize) -> Result<Opened<'s>, Error> {
        let start = self.lexer.start();
        let head = match self.lexer.token()? {
            Token::Symbol("let") => return self.open_let(first).map(Opened::Frame),
            Token::Symbol("!") => return Ok(Opened::Frame(Frame::Annotated)),
            Token::Symbol("_") => return self.indexed_constant(pool).map(Opened::Value),
            Token::Symbol(name @ ("forall" | "exists" | "match" | "lambda")) => {
                return Err(self.lexer.error(format!("`{name}` is not supported")));
            }
            Token::Symbol(name) => match self.lookup(name) {
                Some(&Binding::Function(function)) => Head::Function(function),
                Some(Binding::Value(_)) => {
                    return Err(self.lexer.error(format!("`{name}` takes no arguments")));
                }
                None => Head::Operator(Operator { name, indices: Vec::new(), sort: None }),
            },
            Token::Open => Head::Operator(self.qualified_operator()?),
            found => return Err(self.lexer.unexpected(found, "a function")),
        };
        Ok(Opened::Frame(Frame::Apply { head, first, start }))
    }

    /// `(_ name 1 2)` or `(as const sort)` in the place of a function, from behind its parenthesis.
    fn qualified_operator(&mut self) -> Result<Operator<'s>, Error> {
        match self.lexer.symbol()? {
            "_" => {
                let name = self.lexer.symbol()?;
                let indices = self.numerals()?;
                Ok(Operator { name, indices, sort: None })
            }
            "as" => {
                let name = self.lexer.symbol()?;
                let sort = Some(self.sort()?);
                self.lexer.expect(Token::Close)?;
                Ok(Operator { name, indices: Vec::new(), sort })
            }
            name => Err(self.lexer.error(format!("`({name} …)` is no function"))),
        }
    }

    /// Numbers up to the closing parenthesis.
    fn numerals(&mut self) -> Result<Vec<u32>, Error> {
        let mut numerals = Vec::new();
        loop {
            match self.lexer.token()? {
                Token::Close => return Ok(numerals),
                Token::Numeral(digits) => numerals.push(digits.parse().map_err(|_| {
                    self.lexer.error(format!("{digits} is larger than anything here can be"))
                })?),
                found => return Err(self.lexer.unexpected(found, "a number")),
            }
        }
    }

    /// `(_ bv10 32)`, `(_ +oo 8 24)` and their like, from behind the underscore.
    fn indexed_constant(&mut self, pool: &mut Pool) -> Result<Value, Error> {
        let name = self.lexer.symbol()?;
        let start = self.lexer.start();
        let indices = self.numerals()?;
        let digits = name.strip_prefix("bv").and_then(|digits| digits.parse::<u128>().ok());
        let constant = match (digits, &indices[..]) {
            (Some(value), &[width]) => check_width(width).and_then(|()| {
                let constant = pool.constant_wide(width, value);
                match pool.as_const_wide(constant) == Some(value) {
                    true => Ok(Value::BitVec(constant)),
                    false => Err(format!("{value} does not fit {width} bits")),
                }
            }),
            (_, &[exponent, significand]) => {
                crate::float::special(pool, name, exponent, significand)
            }
            _ => Err(format!("`(_ {name} …)` is no known constant")),
        };
        constant.map_err(|message| self.lexer.error_at(start, message))
    }

    fn open_let(&mut self, first: usize) -> Result<Frame<'s>, Error> {
        self.lexer.expect(Token::Open)?;
        self.lexer.expect(Token::Open)?;
        Ok(Frame::Bindings { names: vec![self.lexer.symbol()?], first })
    }

    /// After the value of a binding: the name of the next, or all of them come into force.
    fn next_binding(
        &mut self,
        frames: &mut [Frame<'s>],
        values: &mut Vec<Value>,
    ) -> Result<(), Error> {
        self.lexer.expect(Token::Close)?;
        let Some(frame) = frames.last_mut() else { unreachable!("a let is in progress") };
        let Frame::Bindings { names, first } = frame else { unreachable!("a let is in progress") };
        match self.lexer.token()? {
            Token::Open => names.push(self.lexer.symbol()?),
            Token::Close => {
                let bound = self.n_bound();
                for (name, value) in std::mem::take(names).into_iter().zip(values.drain(*first..)) {
                    self.bind(name, Binding::Value(value));
                }
                *frame = Frame::Body { bound };
            }
            found => return Err(self.lexer.unexpected(found, "`(` or `)`")),
        }
        Ok(())
    }

    /// What follows an annotated term; a name given to it is good for the rest of the script.
    fn attributes(&mut self, value: &Value) -> Result<(), Error> {
        loop {
            match self.lexer.token()? {
                Token::Close => return Ok(()),
                Token::Keyword(":named") => {
                    let name = self.lexer.symbol()?;
                    self.named_terms.push((name, value.clone()));
                }
                Token::Open => self.lexer.skip_list()?,
                _ => {}
            }
        }
    }

    /// Ends the innermost term, or starts with the body of the function that it calls.
    fn close(
        &mut self,
        pool: &mut Pool,
        frame: Option<Frame<'s>>,
        values: &mut Vec<Value>,
    ) -> Result<Opened<'s>, Error> {
        let Some(Frame::Apply { head, first, start }) = frame else {
            return Err(self.lexer.unexpected(Token::Close, "a term"));
        };
        match head {
            Head::Operator(operator) => {
                let applied = self.apply(pool, &operator, &mut values[first..]);
                values.truncate(first);
                applied.map(Opened::Value).map_err(|message| self.lexer.error_at(start, message))
            }
            Head::Function(function) => {
                let args: Vec<Value> = values.drain(first..).collect();
                self.call(pool, function, args, start).map(Opened::Frame)
            }
        }
    }

    fn call(
        &mut self,
        pool: &Pool,
        function: Function,
        args: Vec<Value>,
        start: usize,
    ) -> Result<Frame<'s>, Error> {
        let parameters = self.parameters[function.parameters].clone();
        let sorts: Vec<Sort> = args.iter().map(|arg| arg.sort(pool)).collect();
        if sorts.len() != parameters.len() || parameters.iter().zip(&sorts).any(|(p, s)| p.1 != *s)
        {
            return Err(self.lexer.error_at(start, "the arguments do not fit the function"));
        }
        let bound = self.n_bound();
        let visible = Visible { before: function.defined, from: self.moment };
        for ((name, _), arg) in parameters.iter().zip(args) {
            self.bind(name, Binding::Value(arg));
        }
        let return_to = self.lexer.position();
        self.lexer.jump(function.body);
        let visible = std::mem::replace(&mut self.visible, visible);
        Ok(Frame::Call { result: function.result, return_to, bound, visible })
    }
}

enum Opened<'s> {
    Frame(Frame<'s>),
    Value(Value),
}
