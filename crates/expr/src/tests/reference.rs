//! A second evaluator, bit by bit, that shares nothing with the real one but the float operators.

use std::collections::HashMap;

use crate::{ArrayId, ArrayView, BinaryOp, ExprId, Model, Pool, UnaryOp, View, float};

/// Lowest bit first.
type Bits = Vec<bool>;

/// The value of `expr` under `model`.
pub(super) fn evaluate(pool: &Pool, expr: ExprId, model: &Model) -> u128 {
    number(&bits_of(pool, expr, model, &mut HashMap::new()))
}

fn bits_of(pool: &Pool, expr: ExprId, model: &Model, done: &mut HashMap<ExprId, Bits>) -> Bits {
    if let Some(bits) = done.get(&expr) {
        return bits.clone();
    }
    let mut of = |e: ExprId| bits_of(pool, e, model, done);
    let bits = match pool.view(expr) {
        View::Const { width, value } => bits(value, width),
        View::Var(var) => bits(model.get(var).into(), 8),
        View::Unary(UnaryOp::Not, a) => invert(&of(a)),
        View::Unary(UnaryOp::Neg, a) => negate(&of(a)),
        View::Binary(op, a, b) => binary(op, &of(a), &of(b)),
        View::Ite(condition, a, b) => {
            if of(condition)[0] {
                of(a)
            } else {
                of(b)
            }
        }
        View::Extract { of: a, low, width } => of(a)[low as usize..(low + width) as usize].to_vec(),
        View::ZExt { of: a, width } => extend(of(a), width, false),
        View::SExt { of: a, width } => {
            let bits = of(a);
            let sign = bits[bits.len() - 1];
            extend(bits, width, sign)
        }
        View::Concat(high, low) => [of(low), of(high)].concat(),
        View::Read { array, index } => {
            let index = of(index);
            read(pool, array, &index, model, done)
        }
        View::Float(op, args) => {
            let mut values = [0; 3];
            for (slot, &arg) in values.iter_mut().zip(args.iter()) {
                *slot = number(&of(arg));
            }
            let width = pool.width(expr);
            self::bits(float::apply(op, pool.width(args[0]), width, values), width)
        }
    };
    assert_eq!(bits.len() as u32, pool.width(expr));
    done.insert(expr, bits.clone());
    bits
}

fn read(
    pool: &Pool,
    array: ArrayId,
    index: &Bits,
    model: &Model,
    done: &mut HashMap<ExprId, Bits>,
) -> Bits {
    match pool.array(array) {
        ArrayView::Table(bytes) => {
            let at = number(index);
            bits(if at < bytes.len() as u128 { bytes[at as usize].into() } else { 0 }, 8)
        }
        ArrayView::Write { base, index: at, value } => {
            if bits_of(pool, at, model, done) == *index {
                bits_of(pool, value, model, done)
            } else {
                read(pool, base, index, model, done)
            }
        }
    }
}

fn bits(value: u128, width: u32) -> Bits {
    (0..width).map(|n| value >> n & 1 == 1).collect()
}

fn number(bits: &Bits) -> u128 {
    bits.iter().rev().fold(0, |value, &bit| value << 1 | u128::from(bit))
}

fn invert(a: &Bits) -> Bits {
    a.iter().map(|bit| !bit).collect()
}

fn negate(a: &Bits) -> Bits {
    add(&invert(a), &bits(0, a.len() as u32), true)
}

fn add(a: &Bits, b: &Bits, mut carry: bool) -> Bits {
    let full_adder = |(&x, &y)| {
        let sum = x ^ y ^ carry;
        carry = x & y | carry & (x ^ y);
        sum
    };
    a.iter().zip(b).map(full_adder).collect()
}

fn extend(mut bits: Bits, width: u32, with: bool) -> Bits {
    bits.resize(width as usize, with);
    bits
}

fn less(a: &Bits, b: &Bits) -> bool {
    a.iter().zip(b).rev().find(|(x, y)| x != y).is_some_and(|(_, &y)| y)
}

fn signed_less(a: &Bits, b: &Bits) -> bool {
    let (mut a, mut b) = (a.clone(), b.clone());
    let top = a.len() - 1;
    (a[top], b[top]) = (!a[top], !b[top]);
    less(&a, &b)
}

/// Moves bits up by `by`, filling with `fill`; down if `down`.
fn shift(a: &Bits, by: &Bits, down: bool, fill: bool) -> Bits {
    let by = number(by).min(a.len() as u128) as usize;
    let filler = vec![fill; by];
    match down {
        true => [&a[by..], &filler].concat(),
        false => [&filler, &a[..a.len() - by]].concat(),
    }
}

fn multiply(a: &Bits, b: &Bits) -> Bits {
    let width = a.len() as u32;
    (0..width).filter(|&n| b[n as usize]).fold(bits(0, width), |sum, n| {
        add(&sum, &shift(a, &bits(n.into(), 8), false, false), false)
    })
}

/// Long division: quotient and remainder; by zero all ones and the dividend.
fn divide(a: &Bits, b: &Bits) -> (Bits, Bits) {
    let width = a.len();
    let mut quotient = vec![false; width];
    // One bit more, as the remainder is doubled before it is compared.
    let divisor = extend(b.clone(), width as u32 + 1, false);
    let mut remainder = vec![false; width + 1];
    for n in (0..width).rev() {
        remainder.insert(0, a[n]);
        remainder.pop();
        if !less(&remainder, &divisor) {
            remainder = add(&remainder, &invert(&divisor), true);
            quotient[n] = true;
        }
    }
    remainder.truncate(width);
    (quotient, remainder)
}

fn signed_divide(a: &Bits, b: &Bits) -> (Bits, Bits) {
    let top = a.len() - 1;
    let (a_negative, b_negative) = (a[top], b[top]);
    let absolute = |e: &Bits, negative| if negative { negate(e) } else { e.clone() };
    let (quotient, remainder) = divide(&absolute(a, a_negative), &absolute(b, b_negative));
    (absolute(&quotient, a_negative != b_negative), absolute(&remainder, a_negative))
}

fn binary(op: BinaryOp, a: &Bits, b: &Bits) -> Bits {
    let bitwise = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(&x, &y)| f(x, y)).collect();
    match op {
        BinaryOp::Add => add(a, b, false),
        BinaryOp::Sub => add(a, &invert(b), true),
        BinaryOp::Mul => multiply(a, b),
        BinaryOp::UDiv => divide(a, b).0,
        BinaryOp::URem => divide(a, b).1,
        BinaryOp::SDiv => signed_divide(a, b).0,
        BinaryOp::SRem => signed_divide(a, b).1,
        BinaryOp::And => bitwise(|x, y| x & y),
        BinaryOp::Or => bitwise(|x, y| x | y),
        BinaryOp::Xor => bitwise(|x, y| x ^ y),
        BinaryOp::Shl => shift(a, b, false, false),
        BinaryOp::LShr => shift(a, b, true, false),
        BinaryOp::AShr => shift(a, b, true, a[a.len() - 1]),
        BinaryOp::Eq => vec![a == b],
        BinaryOp::Ult => vec![less(a, b)],
        BinaryOp::Ule => vec![!less(b, a)],
        BinaryOp::Slt => vec![signed_less(a, b)],
        BinaryOp::Sle => vec![!signed_less(b, a)],
    }
}
