//! Every rewrite of the expression crate, proved: small random terms as they were asked for equal
//! what the constructors made of them, for all inputs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use fathom_expr::{BinaryOp, ExprId, Pool, rewrites};
use fathom_solver::Answer;
use fathom_solver::backend::{Backend, Budget, Standard};

const N_TERMS: usize = 60_000;
const N_FLOAT_TERMS: usize = 300;
/// Rewrites that may stay unmet: those that want rarer terms than these.
const MAX_MISSING: usize = 12;
/// A pool is renewed after this many terms.
const TERMS_PER_POOL: usize = 500;

/// Random numbers, the same in every run (xorshift64*).
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 16) % limit
    }

    /// A term of `width` bits over two input bytes, not rewritten.
    fn term(&mut self, pool: &mut Pool, width: u32, depth: u32) -> ExprId {
        if depth == 0 {
            return self.leaf(pool, width);
        }
        match self.below(16) {
            0 => self.leaf(pool, width),
            1 => {
                let a = self.term(pool, width, depth - 1);
                if self.below(2) == 0 { pool.not(a) } else { pool.neg(a) }
            }
            2 | 3 => {
                let condition = self.term(pool, 1, depth - 1);
                let then = self.term(pool, width, depth - 1);
                let otherwise = self.term(pool, width, depth - 1);
                pool.ite(condition, then, otherwise)
            }
            4 | 5 => {
                let wider = width + self.below(9) as u32;
                let low = self.below(u64::from(wider - width) + 1) as u32;
                let of = self.term(pool, wider, depth - 1);
                pool.extract(of, low, width)
            }
            6 if width > 1 => {
                let narrow = 1 + self.below(u64::from(width) - 1) as u32;
                let of = self.term(pool, narrow, depth - 1);
                if self.below(2) == 0 { pool.zext(of, width) } else { pool.sext(of, width) }
            }
            7 | 8 if width > 1 => {
                let low_width = 1 + self.below(u64::from(width) - 1) as u32;
                let high = self.term(pool, width - low_width, depth - 1);
                let low = self.term(pool, low_width, depth - 1);
                pool.concat(high, low)
            }
            9 if width == 8 => {
                let index = self.term(pool, 8, depth - 1);
                let index = pool.zext(index, 64);
                let bytes: Vec<u8> = (0..20).map(|n| n * 7 % 5).collect();
                let mut array = pool.table(&bytes);
                if self.below(2) == 0 {
                    let place = self.term(pool, 4, depth - 1);
                    let place = pool.zext(place, 64);
                    let value = self.term(pool, 8, depth - 1);
                    array = pool.write(array, place, value);
                }
                pool.read(array, index)
            }
            _ => self.binary(pool, width, depth),
        }
    }

    fn binary(&mut self, pool: &mut Pool, width: u32, depth: u32) -> ExprId {
        let op = BinaryOp::ALL[self.below(BinaryOp::ALL.len() as u64) as usize];
        let operand_width = if op.is_comparison() { 1 + self.below(9) as u32 } else { width };
        if op.is_comparison() && width != 1 {
            return self.term(pool, width, depth - 1);
        }
        let a = self.term(pool, operand_width, depth - 1);
        // Rules about equal operands, and about chains with constants, need some.
        let b = match self.below(12) {
            0 => a,
            1..=3 => self.constant(pool, operand_width),
            4 => self.operand_of(pool, a).unwrap_or(a),
            _ => self.term(pool, operand_width, depth - 1),
        };
        // One operator twice in a row, and a choice between constants on the left.
        let a = match self.below(8) {
            0 if !op.is_comparison() => {
                let constant = self.constant(pool, operand_width);
                pool.binary(op, a, constant)
            }
            1 => {
                let condition = self.term(pool, 1, depth - 1);
                let (then, otherwise) =
                    (self.constant(pool, operand_width), self.constant(pool, operand_width));
                pool.ite(condition, then, otherwise)
            }
            _ => a,
        };
        pool.binary(op, a, b)
    }

    /// A term of the same width that `expr` is made of directly.
    fn operand_of(&mut self, pool: &Pool, expr: ExprId) -> Option<ExprId> {
        let operands: Vec<ExprId> =
            pool.operands(expr).filter(|&part| pool.width(part) == pool.width(expr)).collect();
        (!operands.is_empty()).then(|| operands[self.below(operands.len() as u64) as usize])
    }

    fn constant(&mut self, pool: &mut Pool, width: u32) -> ExprId {
        let value = match self.below(4) {
            0 => 0,
            1 => u64::MAX,
            2 => 1 << self.below(u64::from(width)),
            _ => self.below(1 << 20),
        };
        pool.constant(width, value)
    }

    /// A comparison or conversion of floats made from small integers.
    fn float_term(&mut self, pool: &mut Pool) -> ExprId {
        let [a, b] = [0; 2].map(|_| {
            let width = [4, 8][self.below(2) as usize];
            let mut integer = self.term(pool, width, 1);
            match self.below(4) {
                0 => integer = pool.zext(integer, 12),
                1 => integer = pool.sext(integer, 12),
                _ => {}
            }
            let float = match self.below(3) {
                0 => pool.signed_to_f(integer, 32),
                1 => pool.unsigned_to_f(integer, 32),
                _ => {
                    let bits = 8.5f32.to_bits() - (self.below(64) << 17) as u32;
                    pool.constant(32, bits.into())
                }
            };
            if self.below(2) == 0 { pool.f_convert(float, 64) } else { float }
        });
        let b = if pool.width(a) != pool.width(b) || self.below(4) == 0 { a } else { b };
        match self.below(6) {
            0 => pool.feq(a, b),
            1 => pool.flt(a, b),
            2 => pool.fle(a, b),
            3 => pool.f_to_signed(a, 32),
            4 => pool.f_to_unsigned(a, 16),
            _ => pool.fadd(a, b),
        }
    }

    fn leaf(&mut self, pool: &mut Pool, width: u32) -> ExprId {
        if self.below(5) < 2 {
            return self.constant(pool, width);
        }
        let input = pool.input("in", 2);
        let byte = pool.byte(input, self.below(2) as u32);
        if width > 8 {
            return if self.below(2) == 0 {
                pool.zext(byte, width)
            } else {
                pool.sext(byte, width)
            };
        }
        let low = self.below(u64::from(8 - width) + 1) as u32;
        pool.extract(byte, low, width)
    }
}

/// The rewrites that make some of `n_terms` terms what they are; each is proved to be right.
fn prove(n_terms: usize, mut term: impl FnMut(&mut Pool) -> ExprId) -> BTreeSet<&'static str> {
    let mut proved = BTreeSet::new();
    let budget = Budget::time(Duration::from_secs(20));
    for _ in 0..n_terms.div_ceil(TERMS_PER_POOL) {
        let mut pool = Pool::new();
        let mut backend = Standard::new(Arc::default());
        pool.trace_rewrites();
        for _ in 0..n_terms.min(TERMS_PER_POOL) {
            let raw = pool.without_rewriting(&mut term);
            let simple = pool.simplify(raw);
            let rules = pool.take_rewrites();
            if rules.is_empty() {
                continue;
            }
            let differs = pool.without_rewriting(|pool| pool.ne(raw, simple));
            match backend.solve(&mut pool, &[differs], budget) {
                Ok(Answer::Unsat) => proved.extend(rules.keys().copied()),
                answer => panic!(
                    "{} is not {}: {answer:?} ({rules:?})",
                    pool.display(raw),
                    pool.display(simple),
                ),
            }
        }
    }
    proved
}

#[test]
fn rewritten_terms_equal_what_was_asked_for() {
    let mut random = Random(41);
    let mut proved = prove(N_TERMS, |pool| {
        let width = [1, 2, 4, 8][random.below(4) as usize];
        let depth = 1 + random.below(3) as u32;
        random.term(pool, width, depth)
    });
    proved.extend(prove(N_FLOAT_TERMS, |pool| random.float_term(pool)));
    let missing: Vec<_> =
        rewrites::names().into_iter().filter(|name| !proved.contains(name)).collect();
    println!("{} rewrites proved; not met: {missing:?}", proved.len());
    assert!(missing.len() <= MAX_MISSING, "rewrites that no term met: {missing:?}");
}
