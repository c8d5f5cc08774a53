//! Which fields of an instruction are slots it reads, slots it writes, or branch targets.

use crate::inst::{Float, Inst, Int, Op, SoftOp, Special, Wide, soft};

/// A field that may hold a slot or a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    D,
    A,
    B,
    Imm,
    /// `imm >> 8`
    Third,
    /// the low half of `imm`
    ImmLow,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Def,
    Use,
    Target,
}

impl Field {
    pub fn get(self, inst: &Inst) -> u32 {
        match self {
            Self::D => inst.d,
            Self::A => inst.a,
            Self::B => inst.b,
            Self::Imm | Self::ImmLow => inst.imm as u32,
            Self::Third => (inst.imm >> 8) as u32,
        }
    }

    pub fn set(self, inst: &mut Inst, value: u32) {
        match self {
            Self::D => inst.d = value,
            Self::A => inst.a = value,
            Self::B => inst.b = value,
            Self::Imm | Self::ImmLow => inst.imm = value.into(),
            Self::Third => inst.imm = inst.imm & 0xff | u64::from(value) << 8,
        }
    }
}

type Roles = &'static [(Field, Role)];

use Field::{A, B, D, Imm, ImmLow, Third};
use Role::{Def, Target, Use};

const NONE: Roles = &[];
const READ_A: Roles = &[(A, Use)];
const READ_DA: Roles = &[(D, Use), (A, Use)];
const READ_DAB: Roles = &[(D, Use), (A, Use), (B, Use)];
const WRITE: Roles = &[(D, Def)];
const UNARY: Roles = &[(D, Def), (A, Use)];
const BINARY: Roles = &[(D, Def), (A, Use), (B, Use)];
const TERNARY: Roles = &[(D, Def), (A, Use), (B, Use), (Third, Use)];

/// The roles of the fields of `inst`. A field that holds [`super::slots::NO_SLOT`] has none.
#[rustfmt::skip]
pub fn roles(inst: &Inst) -> Roles {
    use Op::*;
    match inst.op {
        Const | Load8A | Load16A | Load32A | Load64A | Alloca | StackSave | Call | CallExternal =>
            WRITE,
        Move | MoveN | Add32I | Add64I | Sub32I | Sub64I | Mul32I | Mul64I | UDivI | URemI
        | SDiv32I | SDiv64I | SRem32I | SRem64I | AndI | OrI | XorI | Shl32I | Shl64I | LShrI
        | AShr32I | AShr64I | EqI | NeI | UltI | UleI | UgtI | UgeI | Slt32I | Sle32I | Sgt32I
        | Sge32I | Slt64I | Sle64I | Sgt64I | Sge64I | Sext | Sext8To32 | Sext16To32 | Sext8To64
        | Sext16To64 | Sext32To64 | Load8 | Load16 | Load32 | Load64 | LoadSext8To32 | LoadN
        | CallIndirect | FNeg32 | FNeg64 | F32To64 | F64To32 | F32ToS | F64ToS | F32ToU | F64ToU
        | SToF32 | SToF64 | UToF32 | UToF64 => UNARY,
        Add32 | Add64 | Sub32 | Sub64 | Mul32 | Mul64 | UDiv | URem | SDiv32 | SDiv64 | SRem32
        | SRem64 | And | Or | Xor | Shl32 | Shl64 | LShr32 | LShr64 | AShr32 | AShr64 | ShlW
        | LShrW | AShrW | Eq | Ne | Ult | Ule | Slt32 | Sle32 | Slt64 | Sle64 | Load8X | Load16X
        | Load32X | Load64X | Load8S | Load16S | Load32S | Load64S | GepX | GepS | FAdd32 | FAdd64
        | FSub32 | FSub64 | FMul32 | FMul64 | FDiv32 | FDiv64 | FRem32 | FRem64 | FCmp32
        | FCmp64 => BINARY,
        Select => &[(D, Def), (A, Use), (B, Use), (Imm, Use)],
        AllocaDyn | Load8T | Load16T | Load32T | Load64T | Load8TS | Load16TS | Load32TS | Load64TS
        | GepT | GepTS => &[(D, Def), (B, Use)],
        Store8T | Store16T | Store32T | Store64T | Store8TS | Store16TS | Store32TS | Store64TS =>
            &[(D, Use), (B, Use)],
        Store8 | Store16 | Store32 | Store64 | StoreN => READ_DA,
        Store8X | Store16X | Store32X | Store64X | Store8S | Store16S | Store32S | Store64S
        | MemCpy | MemMove | MemSet => READ_DAB,
        Store8A | Store16A | Store32A | Store64A => &[(D, Use)],
        Store8I | Store16I | Store32I | Store64I | StackRestore | Switch | IndirectBr | Ret | RetN
        | VaStart | Fault => READ_A,
        Jump => &[(D, Target)],
        Branch | BrEqI | BrUltI | BrUgtI | BrSlt32I | BrSgt32I | BrSlt64I | BrSgt64I =>
            &[(A, Use), (D, Target), (B, Target)],
        BrEq | BrUlt | BrSlt32 | BrSlt64 =>
            &[(A, Use), (B, Use), (D, Target), (ImmLow, Target)],
        RetVoid | RetI | Unreachable | Unsupported | Bug | Count | Halt | Cover => NONE,
        Soft => if soft::unpack(inst.x).0 == SoftOp::Fma { TERNARY } else { BINARY },
        Int => if has_third_int(inst.x) { TERNARY } else { BINARY },
        Wide => if has_third_wide(inst.x) { TERNARY } else { BINARY },
        Big => BINARY,
        Float => if has_third_float(inst.x) { TERNARY } else { BINARY },
        Special => special_roles(inst.x),
    }
}

fn has_third_int(x: u16) -> bool {
    x == Int::FShl as u16 || x == Int::FShr as u16
}

fn has_third_wide(x: u16) -> bool {
    x == Wide::FShl as u16 || x == Wide::FShr as u16
}

fn has_third_float(x: u16) -> bool {
    x == Float::Fma as u16 || x == Float::MulAdd as u16
}

fn special_roles(x: u16) -> Roles {
    if x == Special::VaCopy as u16 {
        READ_DA
    } else if x == Special::Trap as u16 || x == Special::UbsanTrap as u16 {
        NONE
    } else {
        UNARY
    }
}

/// Does control never simply go on to the next instruction?
#[rustfmt::skip]
pub fn ends_block(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Jump | Branch | BrEq | BrUlt | BrSlt32 | BrSlt64 | BrEqI | BrUltI | BrUgtI | BrSlt32I
        | BrSgt32I | BrSlt64I | BrSgt64I | Switch | IndirectBr | RetVoid | Ret | RetI | RetN
        | Unreachable | Unsupported | Bug | Halt | Cover
    )
}

/// May the instruction be dropped where nothing reads its result? Never where it may stop the
/// program or touch memory.
#[rustfmt::skip]
pub fn is_pure(inst: &Inst) -> bool {
    use Op::*;
    matches!(
        inst.op,
        Const | Move | MoveN | Select | Add32 | Add32I | Add64 | Add64I | Sub32 | Sub32I | Sub64
        | Sub64I | Mul32 | Mul32I | Mul64 | Mul64I | And | AndI | Or | OrI | Xor | XorI | Shl32I
        | Shl64I | LShrI | AShr32I | AShr64I | Eq | EqI | Ne | NeI | Ult | UltI | Ule | UleI
        | UgtI | UgeI | Slt32 | Slt32I | Sle32 | Sle32I | Sgt32I | Sge32I | Slt64 | Slt64I
        | Sle64 | Sle64I | Sgt64I | Sge64I | Sext | Sext8To32 | Sext16To32 | Sext8To64
        | Sext16To64 | Sext32To64 | GepX | GepS | GepT | GepTS
    )
}
