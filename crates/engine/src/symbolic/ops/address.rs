//! Where an access goes, and where a branch goes.

use fathom_expr::{ExprId, Pool};
use fathom_ir::inst::{Indexed, Inst, Op, Table};

use super::Get;

/// The 64-bit address of a load or a store, or the pointer that a `Gep` computes.
#[rustfmt::skip]
pub(crate) fn address(pool: &mut Pool, i: &Inst, get: &mut Get) -> ExprId {
    match i.op {
        Op::Load8 | Op::Load16 | Op::Load32 | Op::Load64 | Op::LoadSext8To32 | Op::LoadN
        | Op::Store8 | Op::Store16 | Op::Store32 | Op::Store64 | Op::StoreN => {
            let base = get(pool, i.a);
            plus(pool, base, i.imm)
        }
        Op::Store8I | Op::Store16I | Op::Store32I | Op::Store64I => {
            let base = get(pool, i.a);
            plus(pool, base, i.b as i32 as i64 as u64)
        }
        Op::Load8A | Op::Load16A | Op::Load32A | Op::Load64A
        | Op::Store8A | Op::Store16A | Op::Store32A | Op::Store64A => pool.constant(64, i.imm),
        Op::Load8X | Op::Load16X | Op::Load32X | Op::Load64X
        | Op::Store8X | Op::Store16X | Op::Store32X | Op::Store64X | Op::GepX => {
            let index = get(pool, i.b);
            indexed(pool, i, get, index)
        }
        Op::Load8S | Op::Load16S | Op::Load32S | Op::Load64S
        | Op::Store8S | Op::Store16S | Op::Store32S | Op::Store64S | Op::GepS => {
            let index = index32(pool, i, get);
            indexed(pool, i, get, index)
        }
        Op::Load8T | Op::Load16T | Op::Load32T | Op::Load64T
        | Op::Store8T | Op::Store16T | Op::Store32T | Op::Store64T | Op::GepT => {
            let index = get(pool, i.b);
            in_table(pool, i, index)
        }
        Op::Load8TS | Op::Load16TS | Op::Load32TS | Op::Load64TS
        | Op::Store8TS | Op::Store16TS | Op::Store32TS | Op::Store64TS | Op::GepTS => {
            let index = index32(pool, i, get);
            in_table(pool, i, index)
        }
        op => unreachable!("{op:?} has no address"),
    }
}

fn plus(pool: &mut Pool, base: ExprId, offset: u64) -> ExprId {
    let offset = pool.constant(64, offset);
    pool.add(base, offset)
}

/// The low 32 bits of the index, sign-extended.
fn index32(pool: &mut Pool, i: &Inst, get: &mut Get) -> ExprId {
    let index = get(pool, i.b);
    let low = pool.extract(index, 0, 32);
    pool.sext(low, 64)
}

fn indexed(pool: &mut Pool, i: &Inst, get: &mut Get, index: ExprId) -> ExprId {
    let Indexed { scale, offset } = Indexed::unpack(i.imm);
    let (base, scale) = (get(pool, i.a), pool.constant(64, scale.into()));
    let distance = pool.mul(index, scale);
    let address = pool.add(base, distance);
    plus(pool, address, offset as i64 as u64)
}

fn in_table(pool: &mut Pool, i: &Inst, index: ExprId) -> ExprId {
    let Table { base, scale } = Table::unpack(i.imm);
    let scale = pool.constant(64, scale.into());
    let distance = pool.mul(index, scale);
    plus(pool, distance, base)
}

/// Whether a two-way branch goes to its target d, as an expression of width 1.
pub(crate) fn condition(pool: &mut Pool, i: &Inst, get: &mut Get) -> ExprId {
    let left = get(pool, i.a);
    let right = match i.op {
        Op::BrEq | Op::BrUlt | Op::BrSlt32 | Op::BrSlt64 => get(pool, i.b),
        _ => pool.constant(64, i.imm),
    };
    match i.op {
        Op::Branch => pool.extract(left, 0, 1),
        Op::BrEq | Op::BrEqI => pool.eq(left, right),
        Op::BrUlt | Op::BrUltI => pool.ult(left, right),
        Op::BrUgtI => pool.ugt(left, right),
        Op::BrSlt64 | Op::BrSlt64I => pool.slt(left, right),
        Op::BrSgt64I => pool.sgt(left, right),
        Op::BrSlt32 | Op::BrSlt32I | Op::BrSgt32I => {
            let (left, right) = (pool.extract(left, 0, 32), pool.extract(right, 0, 32));
            if i.op == Op::BrSgt32I { pool.sgt(left, right) } else { pool.slt(left, right) }
        }
        op => unreachable!("{op:?} is no two-way branch"),
    }
}
