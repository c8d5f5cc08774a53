//! The commands of a script, one after the other.

use std::rc::Rc;

use fathom_expr::{ExprId, Model, Pool};
use rustc_hash::FxHashMap;

use crate::array::Arrays;
use crate::error::Error;
use crate::lex::{Lexer, Token};
use crate::sort::Sort;
use crate::term::{Function, Visible};
use crate::unspecified::Unspecified;
use crate::value::Value;

/// What a script asks for. Declarations and definitions are the reader's own business.
#[derive(Debug)]
pub enum Command {
    Assert(ExprId),
    CheckSat,
    /// The assertions together with these conditions.
    CheckSatAssuming(Vec<ExprId>),
    Push(u32),
    Pop(u32),
    /// Forget all assertions and levels.
    Reset,
    GetModel,
    GetValue(Vec<Asked>),
    Echo(String),
    Exit,
}

/// A term whose value is asked for.
#[derive(Debug)]
pub struct Asked {
    /// As it stands in the script.
    pub text: String,
    pub value: Value,
}

/// What a name means.
pub(crate) enum Binding {
    Value(Value),
    Function(Function),
}

/// Reads one script.
pub struct Reader<'s> {
    pub(crate) lexer: Lexer<'s>,
    command_start: usize,
    pub(crate) arrays: Arrays,
    pub(crate) unspecified: Unspecified,
    pub(crate) sorts: FxHashMap<&'s str, Sort>,
    /// Parameter lists of functions.
    pub(crate) parameters: Vec<Rc<[(&'s str, Sort)]>>,
    /// Names given to terms inside the command in progress.
    pub(crate) named_terms: Vec<(&'s str, Value)>,
    pub(crate) visible: Visible,
    /// How many bindings there ever were.
    pub(crate) moment: u64,
    /// What each name means, the innermost last.
    bindings: FxHashMap<&'s str, Vec<(u64, Binding)>>,
    /// The names in the order they were bound.
    bound: Vec<&'s str>,
    /// The declared constants in the order of their declarations.
    pub(crate) declared: Vec<(&'s str, Sort, Value)>,
    /// How many names were bound and constants declared at each level.
    levels: Vec<(usize, usize)>,
}

impl<'s> Reader<'s> {
    pub fn new(text: &'s str) -> Self {
        Self {
            lexer: Lexer::new(text),
            command_start: 0,
            arrays: Arrays::default(),
            unspecified: Unspecified::default(),
            sorts: FxHashMap::default(),
            parameters: Vec::new(),
            named_terms: Vec::new(),
            visible: Visible::default(),
            moment: 0,
            bindings: FxHashMap::default(),
            bound: Vec::new(),
            declared: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// The next command that is not the reader's own business, or none at the end.
    pub fn next(&mut self, pool: &mut Pool) -> Result<Option<Command>, Error> {
        while let Some(token) = self.lexer.next()? {
            if token != Token::Open {
                return Err(self.lexer.unexpected(token, "a command"));
            }
            self.command_start = self.lexer.start();
            if let Some(command) = self.command(pool)? {
                return Ok(Some(command));
            }
        }
        Ok(None)
    }

    /// An error about the command read last.
    pub fn error(&self, message: &str) -> Error {
        self.lexer.error_at(self.command_start, message)
    }

    /// Conditions to be added to every question: what arrays and unspecified results are, as far
    /// as they were read.
    pub fn axioms(&self) -> impl Iterator<Item = ExprId> {
        self.arrays.axioms().iter().chain(self.unspecified.axioms()).copied()
    }

    /// Gives bytes of declared arrays that were read after the question a fitting value.
    pub fn complete(&self, pool: &Pool, model: &mut Model) {
        self.arrays.complete(pool, model);
    }

    fn command(&mut self, pool: &mut Pool) -> Result<Option<Command>, Error> {
        let name = self.lexer.symbol()?;
        let start = self.lexer.start();
        let command = match name {
            "set-logic" | "set-option" | "set-info" => {
                self.lexer.skip_list()?;
                return Ok(None);
            }
            "declare-fun" | "declare-const" => self.declare(pool, name == "declare-fun")?,
            "define-fun" | "define-const" => self.define(pool, name == "define-fun")?,
            "define-sort" => self.define_sort()?,
            "assert" => Some(Command::Assert(self.condition(pool)?)),
            "check-sat" => Some(Command::CheckSat),
            "check-sat-assuming" => Some(Command::CheckSatAssuming(self.conditions(pool)?)),
            "get-model" => Some(Command::GetModel),
            "get-value" => Some(Command::GetValue(self.asked(pool)?)),
            "push" => Some(self.push()?),
            "pop" => Some(self.pop()?),
            "reset" | "reset-assertions" => Some(self.reset()),
            "echo" => Some(self.echo()?),
            "exit" => Some(Command::Exit),
            _ => {
                return Err(self.lexer.error_at(start, format!("`{name}` is not supported")));
            }
        };
        self.lexer.expect(Token::Close)?;
        for (name, value) in std::mem::take(&mut self.named_terms) {
            self.bind(name, Binding::Value(value));
        }
        Ok(command)
    }

    fn declare(&mut self, pool: &mut Pool, is_function: bool) -> Result<Option<Command>, Error> {
        let name = self.lexer.symbol()?;
        let start = self.lexer.start();
        if is_function {
            self.lexer.expect(Token::Open)?;
            if self.lexer.token()? != Token::Close {
                return Err(self.lexer.error("functions that are not defined are not supported"));
            }
        }
        let sort = self.sort()?;
        let value = match sort {
            Sort::Bool => {
                let byte = input(pool, name, 8);
                Value::Bool(pool.extract(byte, 0, 1))
            }
            Sort::BitVec(width) => Value::BitVec(input(pool, name, width)),
            Sort::Float(width) => Value::Float(input(pool, name, width)),
            Sort::Array(index) => Value::Array(Rc::new(self.arrays.declare(name, index))),
            Sort::RoundingMode | Sort::Real => {
                let message = format!("a {sort} that is not constant is not supported");
                return Err(self.lexer.error_at(start, message));
            }
        };
        self.declared.push((name, sort, value.clone()));
        self.bind(name, Binding::Value(value));
        Ok(None)
    }

    fn define(&mut self, pool: &mut Pool, is_function: bool) -> Result<Option<Command>, Error> {
        let name = self.lexer.symbol()?;
        let parameters = if is_function { self.parameter_list()? } else { Vec::new() };
        let result = self.sort()?;
        if parameters.is_empty() {
            let start = self.lexer.position();
            let value = self.term(pool)?;
            let found = value.sort(pool);
            if found != result {
                let message = format!("`{name}` is defined as a {result}, but is a {found}");
                return Err(self.lexer.error_at(start, message));
            }
            self.bind(name, Binding::Value(value));
            return Ok(None);
        }
        let body = self.lexer.position();
        self.lexer.skip_term()?;
        let parameters_idx = self.parameters.len();
        self.parameters.push(parameters.into());
        let function = Function { parameters: parameters_idx, body, result, defined: self.moment };
        self.bind(name, Binding::Function(function));
        Ok(None)
    }

    fn parameter_list(&mut self) -> Result<Vec<(&'s str, Sort)>, Error> {
        self.lexer.expect(Token::Open)?;
        let mut parameters = Vec::new();
        loop {
            match self.lexer.token()? {
                Token::Close => return Ok(parameters),
                Token::Open => {
                    parameters.push((self.lexer.symbol()?, self.sort()?));
                    self.lexer.expect(Token::Close)?;
                }
                found => return Err(self.lexer.unexpected(found, "a parameter")),
            }
        }
    }

    fn define_sort(&mut self) -> Result<Option<Command>, Error> {
        let name = self.lexer.symbol()?;
        self.lexer.expect(Token::Open)?;
        if self.lexer.token()? != Token::Close {
            return Err(self.lexer.error("sorts with parameters are not supported"));
        }
        let sort = self.sort()?;
        self.sorts.insert(name, sort);
        Ok(None)
    }

    fn condition(&mut self, pool: &mut Pool) -> Result<ExprId, Error> {
        let start = self.lexer.position();
        let value = self.term(pool)?;
        value.bool(pool).map_err(|message| self.lexer.error_at(start, message))
    }

    fn conditions(&mut self, pool: &mut Pool) -> Result<Vec<ExprId>, Error> {
        let mut conditions = Vec::new();
        for asked in self.asked(pool)? {
            let condition = asked.value.bool(pool);
            conditions.push(condition.map_err(|message| self.lexer.error(message))?);
        }
        Ok(conditions)
    }

    /// The terms of a list, with their texts.
    fn asked(&mut self, pool: &mut Pool) -> Result<Vec<Asked>, Error> {
        self.lexer.expect(Token::Open)?;
        let mut asked = Vec::new();
        loop {
            let before = self.lexer.position();
            if self.lexer.token()? == Token::Close {
                return Ok(asked);
            }
            let start = self.lexer.start();
            self.lexer.jump(before);
            let value = self.term(pool)?;
            let text = self.lexer.slice(start, self.lexer.position()).to_owned();
            asked.push(Asked { text, value });
        }
    }

    /// The number of levels, 1 if none is given.
    fn n_levels(&mut self) -> Result<u32, Error> {
        let before = self.lexer.position();
        if self.lexer.token()? == Token::Close {
            self.lexer.jump(before);
            return Ok(1);
        }
        self.lexer.jump(before);
        self.lexer.numeral()
    }

    fn push(&mut self) -> Result<Command, Error> {
        let n_levels = self.n_levels()?;
        let level = (self.bound.len(), self.declared.len());
        self.levels.extend((0..n_levels).map(|_| level));
        Ok(Command::Push(n_levels))
    }

    fn pop(&mut self) -> Result<Command, Error> {
        let n_levels = self.n_levels()?;
        let Some(left) = self.levels.len().checked_sub(n_levels as usize) else {
            return Err(self.lexer.error("there are not so many levels to pop"));
        };
        if let Some(&(bound, declared)) = self.levels.get(left) {
            self.unbind(bound);
            self.declared.truncate(declared);
            self.levels.truncate(left);
        }
        Ok(Command::Pop(n_levels))
    }

    fn reset(&mut self) -> Command {
        self.unbind(0);
        self.declared.clear();
        self.levels.clear();
        Command::Reset
    }

    fn echo(&mut self) -> Result<Command, Error> {
        match self.lexer.token()? {
            Token::Text(text) => Ok(Command::Echo(text.replace("\"\"", "\""))),
            found => Err(self.lexer.unexpected(found, "a string")),
        }
    }
}

/// Names.
impl<'s> Reader<'s> {
    pub(crate) fn bind(&mut self, name: &'s str, binding: Binding) {
        self.bindings.entry(name).or_default().push((self.moment, binding));
        self.bound.push(name);
        self.moment += 1;
    }

    pub(crate) fn n_bound(&self) -> usize {
        self.bound.len()
    }

    /// Undoes all bindings but the first `left`.
    pub(crate) fn unbind(&mut self, left: usize) {
        for name in self.bound.drain(left..) {
            self.bindings.get_mut(name).and_then(Vec::pop).expect("a bound name has a meaning");
        }
    }

    pub(crate) fn lookup(&self, name: &str) -> Option<&Binding> {
        let meanings = self.bindings.get(name)?;
        let seen = meanings.iter().rev().find(|(moment, _)| self.visible.contains(*moment));
        seen.map(|(_, binding)| binding)
    }
}

/// An input of `width` bits: whole bytes, lowest first, the top bits cut.
pub(crate) fn input(pool: &mut Pool, name: &str, width: u32) -> ExprId {
    let n_bytes = width.div_ceil(8);
    let input = pool.input(name, n_bytes);
    let mut whole = pool.byte(input, 0);
    for offset in 1..n_bytes {
        let byte = pool.byte(input, offset);
        whole = pool.concat(byte, whole);
    }
    pool.extract(whole, 0, width)
}
