//! Which slots an instruction reads and writes, as data.
//!
//! [`OPERANDS`] answers for the instructions with single-slot operands by one look into a table;
//! [`slots`] answers for all of them.

use fathom_ir::inst::{Big, BigWidths, Float, Inst, Int, Op, SoftOp, Special, Wide, soft};

/// `fp[a]` is read.
pub(crate) const READS_A: u8 = 1;
/// `fp[b]` is read.
pub(crate) const READS_B: u8 = 1 << 1;
/// `fp[d]` is read: the value of a store, the target of a copy.
pub(crate) const READS_D: u8 = 1 << 2;
/// `fp[imm]` is read.
pub(crate) const READS_IMM: u8 = 1 << 3;
/// `fp[d]` is written.
pub(crate) const WRITES_D: u8 = 1 << 4;
/// Operands of several slots, or a second opcode that says which are read: the other flags say at
/// least what is read whatever the second opcode, and [`slots`] knows the rest.
pub(crate) const COMPLEX: u8 = 1 << 5;
/// Changes where execution goes on, or ends it.
pub(crate) const CONTROL: u8 = 1 << 6;
/// Depends on memory or the stack of objects, or changes them.
pub(crate) const MEMORY: u8 = 1 << 7;

const N_OPS: usize = Op::Special as usize + 1;

/// The flags of every [`Op`], by its number.
pub(crate) static OPERANDS: [u8; N_OPS] = {
    let mut table = [0; N_OPS];
    let mut number = 0;
    while number < N_OPS {
        // SAFETY: `Op` is dense from 0, and `Special` is its last.
        table[number] = operands(unsafe { std::mem::transmute::<u16, Op>(number as u16) });
        number += 1;
    }
    table
};

#[rustfmt::skip]
const fn operands(op: Op) -> u8 {
    const UNARY: u8 = READS_A | WRITES_D;
    const BINARY: u8 = READS_A | READS_B | WRITES_D;
    match op {
        Op::Const => WRITES_D,
        Op::Move => UNARY,
        Op::MoveN => UNARY | COMPLEX,
        Op::Select => BINARY | READS_IMM,

        Op::Add32 | Op::Add64 | Op::Sub32 | Op::Sub64 | Op::Mul32 | Op::Mul64
        | Op::UDiv | Op::URem | Op::SDiv32 | Op::SDiv64 | Op::SRem32 | Op::SRem64
        | Op::And | Op::Or | Op::Xor
        | Op::Shl32 | Op::Shl64 | Op::LShr32 | Op::LShr64 | Op::AShr32 | Op::AShr64
        | Op::ShlW | Op::LShrW | Op::AShrW
        | Op::Eq | Op::Ne | Op::Ult | Op::Ule | Op::Slt32 | Op::Sle32 | Op::Slt64 | Op::Sle64
        | Op::GepX | Op::GepS
        | Op::FAdd32 | Op::FAdd64 | Op::FSub32 | Op::FSub64 | Op::FMul32 | Op::FMul64
        | Op::FDiv32 | Op::FDiv64 | Op::FRem32 | Op::FRem64 | Op::FCmp32 | Op::FCmp64 => BINARY,

        Op::Add32I | Op::Add64I | Op::Sub32I | Op::Sub64I | Op::Mul32I | Op::Mul64I
        | Op::UDivI | Op::URemI | Op::SDiv32I | Op::SDiv64I | Op::SRem32I | Op::SRem64I
        | Op::AndI | Op::OrI | Op::XorI
        | Op::Shl32I | Op::Shl64I | Op::LShrI | Op::AShr32I | Op::AShr64I
        | Op::EqI | Op::NeI | Op::UltI | Op::UleI | Op::UgtI | Op::UgeI
        | Op::Slt32I | Op::Sle32I | Op::Sgt32I | Op::Sge32I
        | Op::Slt64I | Op::Sle64I | Op::Sgt64I | Op::Sge64I
        | Op::Sext | Op::Sext8To32 | Op::Sext16To32 | Op::Sext8To64 | Op::Sext16To64
        | Op::Sext32To64
        | Op::FNeg32 | Op::FNeg64 | Op::F32To64 | Op::F64To32
        | Op::F32ToS | Op::F64ToS | Op::F32ToU | Op::F64ToU
        | Op::SToF32 | Op::SToF64 | Op::UToF32 | Op::UToF64 => UNARY,

        Op::GepT | Op::GepTS => READS_B | WRITES_D,

        Op::Load8 | Op::Load16 | Op::Load32 | Op::Load64 | Op::LoadSext8To32 => UNARY | MEMORY,
        Op::Load8X | Op::Load16X | Op::Load32X | Op::Load64X
        | Op::Load8S | Op::Load16S | Op::Load32S | Op::Load64S => BINARY | MEMORY,
        Op::Load8A | Op::Load16A | Op::Load32A | Op::Load64A => WRITES_D | MEMORY,
        Op::Load8T | Op::Load16T | Op::Load32T | Op::Load64T
        | Op::Load8TS | Op::Load16TS | Op::Load32TS | Op::Load64TS => READS_B | WRITES_D | MEMORY,
        Op::LoadN => UNARY | MEMORY | COMPLEX,

        Op::Store8 | Op::Store16 | Op::Store32 | Op::Store64 => READS_A | READS_D | MEMORY,
        Op::Store8X | Op::Store16X | Op::Store32X | Op::Store64X
        | Op::Store8S | Op::Store16S | Op::Store32S | Op::Store64S => {
            READS_A | READS_B | READS_D | MEMORY
        }
        Op::Store8T | Op::Store16T | Op::Store32T | Op::Store64T
        | Op::Store8TS | Op::Store16TS | Op::Store32TS | Op::Store64TS => {
            READS_B | READS_D | MEMORY
        }
        Op::Store8A | Op::Store16A | Op::Store32A | Op::Store64A => READS_D | MEMORY,
        Op::Store8I | Op::Store16I | Op::Store32I | Op::Store64I => READS_A | MEMORY,
        Op::StoreN => READS_A | READS_D | MEMORY | COMPLEX,

        Op::Alloca | Op::StackSave => WRITES_D | MEMORY,
        Op::AllocaDyn => READS_B | WRITES_D | MEMORY,
        Op::StackRestore => READS_A | MEMORY,
        Op::MemCpy | Op::MemMove | Op::MemSet => READS_A | READS_B | READS_D | MEMORY | COMPLEX,
        Op::VaStart => READS_A | MEMORY | COMPLEX,

        Op::Branch | Op::Switch | Op::IndirectBr => READS_A | CONTROL,
        Op::BrEq | Op::BrUlt | Op::BrSlt32 | Op::BrSlt64 => READS_A | READS_B | CONTROL,
        Op::BrEqI | Op::BrUltI | Op::BrUgtI
        | Op::BrSlt32I | Op::BrSgt32I | Op::BrSlt64I | Op::BrSgt64I => READS_A | CONTROL,
        Op::Call | Op::CallExternal => CONTROL | COMPLEX,
        Op::CallIndirect => READS_A | CONTROL | COMPLEX,
        Op::Ret => READS_A | CONTROL | COMPLEX,
        Op::RetN => READS_A | CONTROL | COMPLEX,
        Op::RetVoid | Op::RetI => CONTROL | COMPLEX,
        Op::Jump | Op::Unreachable | Op::Unsupported | Op::Bug | Op::Halt | Op::Cover => CONTROL,
        Op::Fault => READS_A | CONTROL,
        Op::Count => 0,

        Op::Soft | Op::Int | Op::Wide | Op::Big | Op::Float => UNARY | COMPLEX,
        Op::Special => COMPLEX,
    }
}

/// `n` consecutive slots of the frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) first: u32,
    pub(crate) n: u32,
}

impl Run {
    const NONE: Self = Self { first: 0, n: 0 };

    pub(crate) fn slots(self) -> std::ops::Range<u32> {
        self.first..self.first + self.n
    }
}

/// The slots that an instruction reads and writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slots {
    /// Empty runs mean nothing.
    pub(crate) sources: [Run; 3],
    pub(crate) result: Run,
}

impl Slots {
    pub(crate) fn reads(&self) -> impl Iterator<Item = u32> {
        self.sources.into_iter().flat_map(Run::slots)
    }
}

/// Every slot that `i` reads or writes in its own frame. The arguments and the result of a call
/// and the place a return writes to are not in the instruction, and not here.
pub(crate) fn slots(i: &Inst) -> Slots {
    let run = |first: u32, n: u32| Run { first, n };
    match i.op {
        Op::MoveN => of([run(i.a, i.b)], run(i.d, i.b)),
        Op::LoadN => of([run(i.a, 1)], run(i.d, u32::from(i.x).div_ceil(8))),
        Op::StoreN => of([run(i.a, 1), run(i.d, u32::from(i.x).div_ceil(8))], Run::NONE),
        Op::RetN => of([run(i.a, i.b)], Run::NONE),
        Op::Int => int(i),
        Op::Wide => wide(i),
        Op::Big => big(i),
        Op::Soft => software_float(i),
        Op::Float => float(i),
        Op::Special => special(i),
        _ => {
            let flags = OPERANDS[i.op as usize];
            let read = |flag: u8, slot: u32| run(slot, u32::from(flags & flag != 0));
            // `Select` alone reads `imm`, and a store alone reads `d`.
            let third =
                if flags & READS_IMM != 0 { run(i.imm as u32, 1) } else { read(READS_D, i.d) };
            of([read(READS_A, i.a), read(READS_B, i.b), third], read(WRITES_D, i.d))
        }
    }
}

fn of<const N: usize>(runs: [Run; N], result: Run) -> Slots {
    let mut sources = [Run::NONE; 3];
    sources[..N].copy_from_slice(&runs);
    Slots { sources, result }
}

/// The second opcode of an [`Op::Int`].
pub(crate) fn int_op(i: &Inst) -> Int {
    // SAFETY: lowering stores an `Int` in x.
    unsafe { std::mem::transmute::<u16, Int>(i.x) }
}

/// The second opcode of an [`Op::Wide`].
pub(crate) fn wide_op(i: &Inst) -> Wide {
    // SAFETY: lowering stores a `Wide` in x.
    unsafe { std::mem::transmute::<u16, Wide>(i.x) }
}

/// The second opcode of an [`Op::Float`].
pub(crate) fn float_op(i: &Inst) -> Float {
    // SAFETY: lowering stores a `Float` in x.
    unsafe { std::mem::transmute::<u16, Float>(i.x) }
}

/// The third operand, where there is one: its slot is above the width.
pub(crate) fn third(i: &Inst) -> u32 {
    (i.imm >> 8) as u32
}

fn int(i: &Inst) -> Slots {
    let (a, b) = (Run { first: i.a, n: 1 }, Run { first: i.b, n: 1 });
    let result = |n| Run { first: i.d, n };
    match int_op(i) {
        Int::CtPop | Int::CtLz | Int::CtTz | Int::BSwap | Int::BitReverse | Int::Abs => {
            of([a], result(1))
        }
        Int::FShl | Int::FShr => of([a, b, Run { first: third(i), n: 1 }], result(1)),
        Int::SAddOv | Int::UAddOv | Int::SSubOv | Int::USubOv | Int::SMulOv | Int::UMulOv => {
            of([a, b], result(2))
        }
        _ => of([a, b], result(1)),
    }
}

fn wide(i: &Inst) -> Slots {
    let (one, a) = (Run { first: i.a, n: 1 }, Run { first: i.a, n: 2 });
    let b = Run { first: i.b, n: 2 };
    let result = |n| Run { first: i.d, n };
    match wide_op(i) {
        Wide::ZextFrom | Wide::SextFrom | Wide::FpToS | Wide::FpToU => of([one], result(2)),
        Wide::TruncTo | Wide::SToFp | Wide::UToFp => of([a], result(1)),
        Wide::Mask
        | Wide::SextWide
        | Wide::CtPop
        | Wide::CtLz
        | Wide::CtTz
        | Wide::BSwap
        | Wide::BitReverse
        | Wide::Abs => of([a], result(2)),
        Wide::Eq | Wide::Ne | Wide::Ult | Wide::Ule | Wide::Slt | Wide::Sle => {
            of([a, b], result(1))
        }
        Wide::FShl | Wide::FShr => of([a, b, Run { first: third(i), n: 2 }], result(2)),
        Wide::SAddOv | Wide::UAddOv | Wide::SSubOv | Wide::USubOv | Wide::SMulOv | Wide::UMulOv => {
            of([a, b], result(3))
        }
        _ => of([a, b], result(2)),
    }
}

fn big(i: &Inst) -> Slots {
    // SAFETY: lowering stores a `Big` in x.
    let op = unsafe { std::mem::transmute::<u16, Big>(i.x) };
    let BigWidths { width, other } = BigWidths::unpack(i.imm);
    let run = |first, width: u32| Run { first, n: width.div_ceil(64) };
    match op {
        Big::Sext | Big::FpToInt => of([run(i.a, other)], run(i.d, width)),
        Big::SToFp | Big::UToFp => of([run(i.a, width)], run(i.d, 64)),
        Big::Eq | Big::Ne | Big::Ult | Big::Ule | Big::Slt | Big::Sle => {
            of([run(i.a, width), run(i.b, width)], run(i.d, 64))
        }
        _ => of([run(i.a, width), run(i.b, width)], run(i.d, width)),
    }
}

fn software_float(i: &Inst) -> Slots {
    let (op, format, from) = soft::unpack(i.x);
    let bits = (i.imm & 0xff) as u32;
    let run = |first, n| Run { first, n };
    let (a, b) = (run(i.a, format.slots()), run(i.b, format.slots()));
    let result = run(i.d, format.slots());
    match op {
        SoftOp::Convert => of([run(i.a, from.slots())], result),
        SoftOp::FromS | SoftOp::FromU => of([run(i.a, bits.div_ceil(64))], result),
        SoftOp::ToS | SoftOp::ToU => of([a], run(i.d, bits.div_ceil(64))),
        SoftOp::Cmp => of([a, b], run(i.d, 1)),
        SoftOp::IsFpClass => of([a, run(i.b, 1)], run(i.d, 1)),
        SoftOp::Fma => of([a, b, run(third(i), format.slots())], result),
        SoftOp::Neg
        | SoftOp::Abs
        | SoftOp::Floor
        | SoftOp::Ceil
        | SoftOp::Trunc
        | SoftOp::Rint
        | SoftOp::Round
        | SoftOp::RoundEven
        | SoftOp::Sqrt => of([a], result),
        SoftOp::Add
        | SoftOp::Sub
        | SoftOp::Mul
        | SoftOp::Div
        | SoftOp::Rem
        | SoftOp::CopySign
        | SoftOp::MinNum
        | SoftOp::MaxNum => of([a, b], result),
    }
}

fn float(i: &Inst) -> Slots {
    let run = |first, n| Run { first, n };
    let (a, b, result) = (run(i.a, 1), run(i.b, 1), run(i.d, 1));
    match float_op(i) {
        Float::CopySign
        | Float::MinNum
        | Float::MaxNum
        | Float::Minimum
        | Float::Maximum
        | Float::Pow
        | Float::PowI
        | Float::IsFpClass
        | Float::LdExp => of([a, b], result),
        Float::Fma | Float::MulAdd => of([a, b, run(third(i), 1)], result),
        Float::FrExp => of([a], run(i.d, 2)),
        _ => of([a], result),
    }
}

fn special(i: &Inst) -> Slots {
    // SAFETY: lowering stores a `Special` in x.
    let op = unsafe { std::mem::transmute::<u16, Special>(i.x) };
    let (a, d) = (Run { first: i.a, n: 1 }, Run { first: i.d, n: 1 });
    match op {
        Special::ReturnAddress
        | Special::FrameAddress
        | Special::ReadCycleCounter
        | Special::GetRounding => of([], d),
        Special::Trap | Special::UbsanTrap => of([], Run::NONE),
        Special::ObjectSize => of([a], d),
        Special::VaCopy => of([d, a], Run::NONE),
    }
}
