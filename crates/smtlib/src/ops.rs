//! The operators of the core, bit-vector and array theories.

use std::rc::Rc;

use fathom_expr::{ExprId, Pool};

use crate::array::Array;
use crate::command::Reader;
use crate::sort::{Sort, check_width};
use crate::value::Value;

/// What is applied to arguments, other than a defined function.
#[derive(Clone, Debug)]
pub(crate) struct Operator<'s> {
    pub name: &'s str,
    /// The numbers in `(_ name 1 2)`.
    pub indices: Vec<u32>,
    /// The sort in `(as const sort)`.
    pub sort: Option<Sort>,
}

type Binary = fn(&mut Pool, ExprId, ExprId) -> ExprId;

/// What every operator on bit-vectors of one width computes.
fn binary(name: &str) -> Option<Binary> {
    Some(match name {
        "bvadd" => Pool::add,
        "bvsub" => Pool::sub,
        "bvmul" => Pool::mul,
        "bvand" => Pool::and,
        "bvor" => Pool::or,
        "bvxor" => Pool::xor,
        "bvudiv" => Pool::udiv,
        "bvurem" => Pool::urem,
        "bvsdiv" => Pool::sdiv,
        "bvsrem" => Pool::srem,
        "bvsmod" => smod,
        "bvshl" => Pool::shl,
        "bvlshr" => Pool::lshr,
        "bvashr" => Pool::ashr,
        "bvnand" => |pool, a, b| {
            let both = pool.and(a, b);
            pool.not(both)
        },
        "bvnor" => |pool, a, b| {
            let either = pool.or(a, b);
            pool.not(either)
        },
        "bvxnor" => |pool, a, b| {
            let differ = pool.xor(a, b);
            pool.not(differ)
        },
        "bvcomp" => Pool::eq,
        _ => return None,
    })
}

/// What every comparison of bit-vectors computes.
fn comparison(name: &str) -> Option<Binary> {
    Some(match name {
        "bvult" => Pool::ult,
        "bvule" => Pool::ule,
        "bvugt" => Pool::ugt,
        "bvuge" => Pool::uge,
        "bvslt" => Pool::slt,
        "bvsle" => Pool::sle,
        "bvsgt" => Pool::sgt,
        "bvsge" => Pool::sge,
        _ => return None,
    })
}

/// Whether more than two arguments are taken from the left.
fn is_left_associative(name: &str) -> bool {
    matches!(name, "bvadd" | "bvmul" | "bvand" | "bvor" | "bvxor")
}

impl Reader<'_> {
    /// `operator` applied to `args`.
    pub(crate) fn apply(
        &mut self,
        pool: &mut Pool,
        operator: &Operator<'_>,
        args: &mut [Value],
    ) -> Result<Value, String> {
        let name = operator.name;
        if let Some(op) = comparison(name) {
            let [a, b] = same_width(pool, name, args)?;
            return Ok(Value::Bool(op(pool, a, b)));
        }
        if let Some(op) = binary(name) {
            return fold_bits(pool, name, op, args).map(Value::BitVec);
        }
        if name.starts_with("fp") || name.starts_with("to_fp") {
            return self.apply_float(pool, operator, args);
        }
        match (name, &operator.indices[..]) {
            ("not" | "and" | "or" | "xor" | "=>", []) => boolean(pool, name, args),
            ("=" | "distinct", []) => compare(pool, name, args),
            ("ite", []) => ite(pool, args),
            ("select", []) => self.select(pool, args),
            ("store", []) => store(pool, args),
            ("const", []) => constant_array(pool, operator, args),
            ("-", []) if matches!(args, [Value::Real(_)]) => negative_real(args),
            _ => bits(pool, name, &operator.indices, args).map(Value::BitVec),
        }
    }

    fn select(&mut self, pool: &mut Pool, args: &[Value]) -> Result<Value, String> {
        let [array, index] = exactly("select", args)?;
        let array = array.array(pool)?;
        let index = index_of(pool, array, index)?;
        Ok(Value::BitVec(self.arrays.select(pool, array, index)))
    }
}

/// The arguments, which have to be so many.
pub(crate) fn exactly<'a, const N: usize>(
    name: &str,
    args: &'a [Value],
) -> Result<&'a [Value; N], String> {
    args.try_into().map_err(|_| format!("`{name}` takes {N} arguments, not {}", args.len()))
}

fn same_width(pool: &Pool, name: &str, args: &[Value]) -> Result<[ExprId; 2], String> {
    let [a, b] = exactly(name, args)?;
    let (a, b) = (a.bits(pool)?, b.bits(pool)?);
    check_same_width(pool, name, a, b)?;
    Ok([a, b])
}

fn check_same_width(pool: &Pool, name: &str, a: ExprId, b: ExprId) -> Result<(), String> {
    let (a, b) = (pool.width(a), pool.width(b));
    if a == b { Ok(()) } else { Err(format!("`{name}` of {a} and {b} bits")) }
}

fn fold_bits(pool: &mut Pool, name: &str, op: Binary, args: &[Value]) -> Result<ExprId, String> {
    if args.len() > 2 && is_left_associative(name) {
        let mut result = args[0].bits(pool)?;
        for arg in &args[1..] {
            let arg = arg.bits(pool)?;
            check_same_width(pool, name, result, arg)?;
            result = op(pool, result, arg);
        }
        return Ok(result);
    }
    let [a, b] = same_width(pool, name, args)?;
    Ok(op(pool, a, b))
}

/// The remainder with the sign of the divisor.
fn smod(pool: &mut Pool, a: ExprId, b: ExprId) -> ExprId {
    let rest = pool.srem(a, b);
    let zero = pool.constant(pool.width(a), 0);
    let is_negative = [rest, b].map(|expr| pool.slt(expr, zero));
    let signs_differ = pool.xor(is_negative[0], is_negative[1]);
    let is_rest = pool.ne(rest, zero);
    let is_wrong_side = pool.and(signs_differ, is_rest);
    let moved = pool.add(rest, b);
    pool.ite(is_wrong_side, moved, rest)
}

fn boolean(pool: &mut Pool, name: &str, args: &[Value]) -> Result<Value, String> {
    let exprs = args.iter().map(|arg| arg.bool(pool)).collect::<Result<Vec<_>, _>>()?;
    let combined = match (name, &exprs[..]) {
        ("not", &[a]) => Some(pool.not(a)),
        ("not", _) => None,
        ("and", _) => exprs.into_iter().reduce(|a, b| pool.and(a, b)),
        ("or", _) => exprs.into_iter().reduce(|a, b| pool.or(a, b)),
        ("xor", _) => exprs.into_iter().reduce(|a, b| pool.xor(a, b)),
        _ => exprs.into_iter().rev().reduce(|conclusion, premise| {
            let fails = pool.not(premise);
            pool.or(fails, conclusion)
        }),
    };
    combined.map(Value::Bool).ok_or_else(|| format!("`{name}` of {} arguments", args.len()))
}

fn compare(pool: &mut Pool, name: &str, args: &[Value]) -> Result<Value, String> {
    if args.len() < 2 {
        return Err(format!("`{name}` takes at least 2 arguments"));
    }
    let mut result = pool.bool(true);
    for (n, a) in args.iter().enumerate() {
        let others = if name == "=" {
            args[n + 1..].iter().take(1)
        } else {
            args[n + 1..].iter().take(args.len())
        };
        for b in others {
            let mut holds = equal(pool, a, b)?;
            if name == "distinct" {
                holds = pool.not(holds);
            }
            result = pool.and(result, holds);
        }
    }
    Ok(Value::Bool(result))
}

fn equal(pool: &mut Pool, a: &Value, b: &Value) -> Result<ExprId, String> {
    let (a_sort, b_sort) = (a.sort(pool), b.sort(pool));
    if a_sort != b_sort {
        return Err(format!("a {a_sort} and a {b_sort} are compared"));
    }
    match (a, b) {
        (&Value::Bool(a), &Value::Bool(b)) | (&Value::BitVec(a), &Value::BitVec(b)) => {
            Ok(pool.eq(a, b))
        }
        (&Value::Float(a), &Value::Float(b)) => Ok(crate::float::same(pool, a, b)),
        (Value::RoundingMode(a), Value::RoundingMode(b)) => Ok(pool.bool(a == b)),
        _ => Err("comparing whole arrays is not supported".to_owned()),
    }
}

fn ite(pool: &mut Pool, args: &[Value]) -> Result<Value, String> {
    let [condition, then, otherwise] = exactly("ite", args)?;
    let condition = condition.bool(pool)?;
    let (then_sort, other_sort) = (then.sort(pool), otherwise.sort(pool));
    if then_sort != other_sort {
        return Err(format!("`ite` of a {then_sort} and a {other_sort}"));
    }
    if let Some(holds) = pool.as_const(condition) {
        return Ok(if holds == 1 { then.clone() } else { otherwise.clone() });
    }
    Ok(match (then, otherwise) {
        (&Value::Bool(a), &Value::Bool(b)) => Value::Bool(pool.ite(condition, a, b)),
        (&Value::BitVec(a), &Value::BitVec(b)) => Value::BitVec(pool.ite(condition, a, b)),
        (&Value::Float(a), &Value::Float(b)) => Value::Float(pool.ite(condition, a, b)),
        (Value::Array(a), Value::Array(b)) => {
            Value::Array(Rc::new(Array::choice(condition, a, b)?))
        }
        _ => return Err("choosing a rounding mode is not supported".to_owned()),
    })
}

fn index_of(pool: &mut Pool, array: &Array, index: &Value) -> Result<ExprId, String> {
    let index = index.bits(pool)?;
    let (width, wanted) = (pool.width(index), array.index_width());
    if width != wanted {
        return Err(format!("an index of {width} bits into an array with {wanted}-bit indices"));
    }
    Ok(pool.zext(index, 64))
}

fn store(pool: &mut Pool, args: &mut [Value]) -> Result<Value, String> {
    let [array, index, byte] = exactly("store", args)?;
    let index = index_of(pool, array.array(pool)?, index)?;
    let byte = byte.bits(pool)?;
    if pool.width(byte) != 8 {
        return Err(format!("storing {} bits in an array of bytes", pool.width(byte)));
    }
    // Taken, so that a chain of stores is made in place.
    let taken = std::mem::replace(&mut args[0], Value::BitVec(byte));
    let Value::Array(mut array) = taken else { unreachable!("it was an array above") };
    array.store(pool, index, byte);
    Ok(Value::Array(array))
}

fn constant_array(pool: &Pool, operator: &Operator<'_>, args: &[Value]) -> Result<Value, String> {
    let Some(Sort::Array(index_width)) = operator.sort else {
        return Err("`const` is of no array sort".to_owned());
    };
    let [byte] = exactly("const", args)?;
    let byte = byte.bits(pool)?;
    if pool.width(byte) != 8 {
        return Err(format!("an array of bytes filled with {} bits", pool.width(byte)));
    }
    Ok(Value::Array(Rc::new(Array::constant(index_width, byte))))
}

fn negative_real(args: &[Value]) -> Result<Value, String> {
    let [Value::Real(digits)] = args else { unreachable!("the caller looked") };
    Ok(Value::Real(format!("-{digits}").into()))
}

/// Operators on bit-vectors that change the width or take one operand.
fn bits(pool: &mut Pool, name: &str, indices: &[u32], args: &[Value]) -> Result<ExprId, String> {
    if (name, indices) == ("concat", &[]) {
        return concat(pool, args);
    }
    let is_known = matches!(
        (name, indices.len()),
        ("bvnot" | "bvneg" | "bvredor" | "bvredand", 0)
            | ("zero_extend" | "sign_extend" | "repeat" | "rotate_left" | "rotate_right", 1)
            | ("extract", 2)
    );
    if !is_known {
        return Err(match indices {
            [] => format!("`{name}` is no known function"),
            _ => format!("`{name}` with {} indices is no known function", indices.len()),
        });
    }
    let [arg] = exactly(name, args)?;
    let arg = arg.bits(pool)?;
    let width = pool.width(arg);
    match (name, indices) {
        ("bvnot", _) => Ok(pool.not(arg)),
        ("bvneg", _) => Ok(pool.neg(arg)),
        ("bvredor", _) => {
            let zero = pool.constant(width, 0);
            Ok(pool.ne(arg, zero))
        }
        ("bvredand", _) => {
            let ones = pool.constant_wide(width, u128::MAX);
            Ok(pool.eq(arg, ones))
        }
        ("extract", &[high, low]) if low <= high && high < width => {
            Ok(pool.extract(arg, low, high - low + 1))
        }
        ("extract", &[high, low]) => Err(format!("bits {high} to {low} of {width}")),
        ("zero_extend" | "sign_extend", &[by]) => {
            let to = width.saturating_add(by);
            check_width(to)?;
            Ok(if name == "zero_extend" { pool.zext(arg, to) } else { pool.sext(arg, to) })
        }
        ("repeat", &[times]) => {
            check_width(width.saturating_mul(times))?;
            Ok((1..times).fold(arg, |result, _| pool.concat(result, arg)))
        }
        (_, &[by]) => {
            let left =
                if name == "rotate_left" { by % width } else { (width - by % width) % width };
            Ok(rotate_left(pool, arg, left))
        }
        _ => unreachable!("the names were checked above"),
    }
}

fn rotate_left(pool: &mut Pool, arg: ExprId, by: u32) -> ExprId {
    if by == 0 {
        return arg;
    }
    let width = pool.width(arg);
    let high = pool.extract(arg, 0, width - by);
    let low = pool.extract(arg, width - by, by);
    pool.concat(high, low)
}

fn concat(pool: &mut Pool, args: &[Value]) -> Result<ExprId, String> {
    let [first, rest @ ..] = args else {
        return Err("`concat` of nothing".to_owned());
    };
    let mut result = first.bits(pool)?;
    for arg in rest {
        let arg = arg.bits(pool)?;
        check_width(pool.width(result) + pool.width(arg))?;
        result = pool.concat(result, arg);
    }
    Ok(result)
}
