//! The SMT backends, against the evaluator and against each other.

mod floats;
mod limits;
mod ops;
mod pipe;
mod sessions;
mod tables;

use std::sync::Arc;
use std::time::Duration;

use fathom_expr::{ExprId, Model, Pool, Var};
use fathom_solver::backend::{Backend, Bitwuzla, Budget, Standard};
use fathom_solver::{Answer, Failure};

/// Random numbers, the same in every run (xorshift64*).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// A value in which the special ones of a width are frequent.
    fn operand(&mut self, width: u32) -> u128 {
        let mask = u128::MAX >> (128 - width);
        let value = match self.next() % 8 {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => 1 << (width - 1),
            4 => self.wide() % u128::from(width + 2),
            _ => self.wide() >> (self.next() % u64::from(width)),
        };
        value & mask
    }
}

fn bitwuzla() -> Bitwuzla {
    Bitwuzla::new(Arc::default())
}

/// Bitwuzla alone, and with the bit-blaster before it.
fn backends() -> [Box<dyn Backend>; 2] {
    [Box::new(bitwuzla()), Box::new(Standard::new(Arc::default()))]
}

/// Far more than any query here needs that is not about limits.
fn ample() -> Budget {
    Budget::time(Duration::from_secs(60))
}

/// A symbolic value of `width` bits, made of input bytes of its own.
fn unknown(pool: &mut Pool, name: &str, width: u32) -> ExprId {
    let n_bytes = width.div_ceil(8);
    let input = pool.input(name, n_bytes);
    let mut whole = pool.byte(input, 0);
    for offset in 1..n_bytes {
        let byte = pool.byte(input, offset);
        whole = pool.concat(byte, whole);
    }
    pool.extract(whole, 0, width)
}

/// The model in which the `unknown` of that name and width is `value`.
fn assign(pool: &mut Pool, model: &mut Model, name: &str, width: u32, value: u128) {
    let n_bytes = width.div_ceil(8);
    let input = pool.input(name, n_bytes);
    let first = pool.input_info(input).first;
    for offset in 0..n_bytes {
        model.set(Var(first.0 + offset), (value >> (8 * offset)) as u8);
    }
}

/// The conditions that each input byte is what `model` says.
fn fixed(pool: &mut Pool, model: &Model) -> Vec<ExprId> {
    let bytes: Vec<(Var, u8)> = model.iter().collect();
    bytes
        .into_iter()
        .map(|(var, value)| {
            let byte = pool.var(var);
            let value = pool.constant(8, value.into());
            pool.eq(byte, value)
        })
        .collect()
}

/// Checks that with the input of `model`, `expr` can have the value the evaluator gives it, and no
/// other.
fn check_value(pool: &mut Pool, backend: &mut dyn Backend, expr: ExprId, model: &Model) {
    let value = pool.eval(expr, model);
    let constant = pool.constant_wide(pool.width(expr), value);
    let equal = pool.eq(expr, constant);
    let differs = pool.not(equal);
    let mut query = fixed(pool, model);
    query.push(equal);
    let answer = backend.solve(pool, &query, ample());
    assert!(
        matches!(&answer, Ok(Answer::Sat(found)) if pool.eval_all(query.iter().copied(), found)),
        "{} should be {value:#x} for {model:?}: {answer:?}",
        pool.display(expr),
    );
    *query.last_mut().expect("just pushed") = differs;
    let answer = backend.solve(pool, &query, ample());
    assert!(
        matches!(answer, Ok(Answer::Unsat)),
        "{} should only be {value:#x} for {model:?}: {answer:?}",
        pool.display(expr),
    );
}

/// The answer, with its model checked by the evaluator.
fn solve(
    pool: &mut Pool,
    backend: &mut dyn Backend,
    constraints: &[ExprId],
) -> Result<Answer, Failure> {
    let answer = backend.solve(pool, constraints, ample())?;
    if let Answer::Sat(model) = &answer {
        assert!(pool.eval_all(constraints.iter().copied(), model), "{model:?} is no model");
    }
    Ok(answer)
}
