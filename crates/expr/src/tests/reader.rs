//! Reads the S-expressions that `Pool::display` prints.

use super::recipe::FLOAT_OPS;
use crate::print::{binary_name, float_name};
use crate::{ArrayId, BinaryOp, ExprId, Pool};

/// The term that `text` says, built with the constructors. `in[n]` is a byte of an input of 32.
pub(super) fn read(pool: &mut Pool, text: &str) -> ExprId {
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    let mut reader = Reader { pool, tokens: spaced.split_whitespace().collect(), at: 0 };
    let expr = reader.expr();
    assert_eq!(reader.at, reader.tokens.len(), "text after the term");
    expr
}

struct Reader<'a> {
    pool: &'a mut Pool,
    tokens: Vec<&'a str>,
    at: usize,
}

impl<'a> Reader<'a> {
    fn next(&mut self) -> &'a str {
        self.at += 1;
        self.tokens[self.at - 1]
    }

    fn number(&mut self) -> u32 {
        self.next().parse().expect("a number")
    }

    fn expr(&mut self) -> ExprId {
        match self.next() {
            "(" => {
                let name = self.next();
                let expr = self.application(name);
                assert_eq!(self.next(), ")", "after {name}");
                expr
            }
            "true" => self.pool.bool(true),
            "false" => self.pool.bool(false),
            atom => self.atom(atom),
        }
    }

    fn atom(&mut self, atom: &str) -> ExprId {
        if let Some((name, offset)) = atom.split_once('[') {
            let input = self.pool.input(name, 32);
            let offset = offset.trim_end_matches(']').parse().expect("an offset");
            return self.pool.byte(input, offset);
        }
        let (value, width) = atom.split_once(':').expect("value:width");
        let value = match value.strip_prefix("0x") {
            Some(digits) => u128::from_str_radix(digits, 16),
            None => value.parse(),
        };
        let width = width.parse().expect("a width");
        self.pool.constant_wide(width, value.expect("a value"))
    }

    fn exprs<const N: usize>(&mut self) -> [ExprId; N] {
        [(); N].map(|()| self.expr())
    }

    fn application(&mut self, name: &str) -> ExprId {
        if let Some(op) = BinaryOp::ALL.into_iter().find(|&op| binary_name(op) == name) {
            let [a, b] = self.exprs();
            return self.pool.binary(op, a, b);
        }
        if let Some(op) = FLOAT_OPS.into_iter().find(|&op| float_name(op) == name) {
            let width = self.number();
            let args: Vec<ExprId> = (0..op.arity()).map(|_| self.expr()).collect();
            return self.pool.float(op, width, &args);
        }
        match name {
            "not" => {
                let a = self.expr();
                self.pool.not(a)
            }
            "neg" => {
                let a = self.expr();
                self.pool.neg(a)
            }
            "ne" => {
                let [a, b] = self.exprs();
                self.pool.ne(a, b)
            }
            "ite" => {
                let [condition, a, b] = self.exprs();
                self.pool.ite(condition, a, b)
            }
            "concat" => {
                let [high, low] = self.exprs();
                self.pool.concat(high, low)
            }
            "extract" => {
                let (low, width, a) = (self.number(), self.number(), self.expr());
                self.pool.extract(a, low, width)
            }
            "zext" => {
                let (width, a) = (self.number(), self.expr());
                self.pool.zext(a, width)
            }
            "sext" => {
                let (width, a) = (self.number(), self.expr());
                self.pool.sext(a, width)
            }
            "read" => {
                let (array, index) = (self.array(), self.expr());
                self.pool.read(array, index)
            }
            _ => panic!("unknown operator {name}"),
        }
    }

    fn array(&mut self) -> ArrayId {
        let token = self.next();
        if token == "(" {
            assert_eq!(self.next(), "write");
            let array = self.array();
            let [index, value] = self.exprs();
            assert_eq!(self.next(), ")");
            return self.pool.write(array, index, value);
        }
        let digits = token.strip_prefix('#').expect("a table");
        let byte = |n: usize| u8::from_str_radix(&digits[n..n + 2], 16).expect("hex digits");
        let bytes: Vec<u8> = (0..digits.len()).step_by(2).map(byte).collect();
        self.pool.table(&bytes)
    }
}
