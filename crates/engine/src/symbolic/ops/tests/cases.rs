//! The instructions under test, and the values they are tested on.

use fathom_ir::inst::{
    Big, BigWidths, Float, Indexed, Inst, Int, Op, SoftFormat, SoftOp, Special, Table, Wide, soft,
};

/// The operands stand in slots 0 and 1, 2 and 3, 4 and 5.
pub(super) const OPERAND_SLOTS: usize = 6;
const A: u32 = 0;
const B: u32 = 2;
const C: u32 = 4;
/// Results go to this slot and the next ones.
pub(super) const RESULT: u32 = 6;

/// An instruction on operands of these widths; two slots hold one of more than 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct Case {
    pub(super) inst: Inst,
    widths: [u32; 3],
}

impl Case {
    /// How many bits of `slot` its operand has.
    pub(super) fn slot_width(&self, slot: u32) -> u32 {
        let width = self.widths[slot as usize / 2];
        if slot.is_multiple_of(2) { width.min(64) } else { width.saturating_sub(64) }
    }
}

fn case(op: Op, x: u16, imm: u64, widths: [u32; 3]) -> Case {
    Case { inst: Inst { op, x, d: RESULT, a: A, b: B, imm }, widths }
}

/// xorshift64*: the same values in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 33) as usize % n
    }

    /// A value of `width` bits: often small, at a limit, or a float's corner case.
    fn value(&mut self, width: u32) -> u128 {
        let wide = u128::from(self.next()) << 64 | u128::from(self.next());
        let value = match self.below(8) {
            0 => wide % 3,
            1 => u128::MAX - wide % 3,
            2 => (1 << (width.max(1) - 1)) - 1 + wide % 3,
            3 => wide % (2 * u128::from(width.max(1))),
            4 => wide >> ((width.max(1) - 1) % 127),
            5 if width <= 32 => FLOATS[self.below(FLOATS.len())].1.into(),
            5 => FLOATS[self.below(FLOATS.len())].0.into(),
            6 if width <= 32 => ((wide % 4000) as f32 / 8.0 - 250.0).to_bits().into(),
            6 => ((wide % 4000) as f64 / 8.0 - 250.0).to_bits().into(),
            _ => wide,
        };
        value & mask(width)
    }
}

/// Corner cases, as double and as float.
const FLOATS: [(u64, u32); 18] = [
    (0, 0),
    (1 << 63, 1 << 31),
    (0x7ff0 << 48, 0x7f80_0000),
    (0xfff0 << 48, 0xff80_0000),
    (0x7ff8 << 48, 0x7fc0_0000),
    (0xfff8_0000_0000_0007, 0xffc0_0007),
    (0x7ff0_0000_0000_0001, 0x7f80_0001),
    (0xfff4 << 48, 0xffa0_0000),
    (1, 1),
    (0x800f_ffff_ffff_ffff, 0x807f_ffff),
    (0x0010 << 48, 0x0080_0000),
    (0x7fef_ffff_ffff_ffff, 0x7f7f_ffff),
    (0x3fe0 << 48, 0x3f00_0000),
    (0xbff8 << 48, 0xbfc0_0000),
    (0x41e0 << 48, 0x4f00_0000),
    (0xc1e0_0000_0020_0000, 0xcf00_0001),
    (0x43e0 << 48, 0x5f00_0000),
    (0x43ef_ffff_ffff_ffff, 0x5f7f_ffff),
];

/// Values for the operand slots of `case`. Now and then the first two are nearly inverse, so that
/// their product is about to overflow.
pub(super) fn values(case: &Case, random: &mut Random) -> Vec<[u64; OPERAND_SLOTS]> {
    let one = |random: &mut Random| {
        let mut operands = case.widths.map(|width| random.value(width));
        if random.below(4) == 0 && operands[0] != 0 {
            let mask = mask(case.widths[1]);
            operands[1] = (mask / operands[0]).wrapping_add(random.below(2) as u128) & mask;
        }
        let [[a, b], [c, d], [e, f]] = operands.map(|value| [value as u64, (value >> 64) as u64]);
        [a, b, c, d, e, f]
    };
    (0..40).map(|_| one(random)).collect()
}

fn mask(width: u32) -> u128 {
    u128::MAX.checked_shr(128 - width).unwrap_or(0)
}

const IMMEDIATES: [u64; 9] =
    [0, 1, 2, 10, 0x80, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0x7f_ffff_ffff];

/// Every instruction that [`super::evaluate`] has an expression for.
pub(super) fn pure() -> Vec<Case> {
    let mut cases = vec![
        case(Op::Const, 0, 0x1234_5678_9abc_def0, [0; 3]),
        case(Op::Move, 0, 0, [64, 0, 0]),
        case(Op::Select, 0, C.into(), [1, 64, 64]),
    ];
    arithmetic(&mut cases);
    casts(&mut cases);
    floats(&mut cases);
    for width in [1, 2, 3, 7, 8, 16, 24, 31, 32, 33, 48, 63, 64] {
        ints(&mut cases, width);
    }
    for width in [65, 72, 96, 100, 127, 128] {
        wides(&mut cases, width);
    }
    for width in [32, 64] {
        float_intrinsics(&mut cases, width);
    }
    cases
}

#[rustfmt::skip]
fn arithmetic(cases: &mut Vec<Case>) {
    for op in [
        Op::Add32, Op::Sub32, Op::Mul32, Op::SDiv32, Op::SRem32, Op::Shl32, Op::LShr32,
        Op::AShr32, Op::Slt32, Op::Sle32,
    ] {
        cases.push(case(op, 0, 0, [32, 32, 0]));
    }
    for op in [
        Op::Add64, Op::Sub64, Op::Mul64, Op::UDiv, Op::URem, Op::SDiv64, Op::SRem64, Op::And,
        Op::Or, Op::Xor, Op::Shl64, Op::LShr64, Op::AShr64, Op::Eq, Op::Ne, Op::Ult, Op::Ule,
        Op::Slt64, Op::Sle64,
    ] {
        cases.push(case(op, 0, 0, [64, 64, 0]));
    }
    for op in [Op::UDiv, Op::URem, Op::Eq, Op::Ult] {
        cases.push(case(op, 0, 0, [8, 8, 0]));
        cases.push(case(op, 0, 0, [32, 17, 0]));
    }
    for imm in IMMEDIATES {
        for op in [
            Op::Add32I, Op::Sub32I, Op::Mul32I, Op::SDiv32I, Op::SRem32I, Op::Slt32I, Op::Sle32I,
            Op::Sgt32I, Op::Sge32I,
        ] {
            cases.push(case(op, 0, imm & 0xffff_ffff, [32, 0, 0]));
        }
        for op in [
            Op::Add64I, Op::Sub64I, Op::Mul64I, Op::UDivI, Op::URemI, Op::SDiv64I, Op::SRem64I,
            Op::AndI, Op::OrI, Op::XorI, Op::EqI, Op::NeI, Op::UltI, Op::UleI, Op::UgtI, Op::UgeI,
            Op::Slt64I, Op::Sle64I, Op::Sgt64I, Op::Sge64I,
        ] {
            cases.push(case(op, 0, imm, [64, 0, 0]));
            cases.push(case(op, 0, imm.wrapping_neg(), [64, 0, 0]));
            cases.push(case(op, 0, imm, [8, 0, 0]));
        }
    }
    for amount in [0, 1, 8, 31] {
        for op in [Op::Shl32I, Op::AShr32I] {
            cases.push(case(op, 0, amount, [32, 0, 0]));
        }
        for op in [Op::Shl64I, Op::LShrI, Op::AShr64I] {
            cases.push(case(op, 0, amount, [64, 0, 0]));
            cases.push(case(op, 0, 2 * amount, [64, 0, 0]));
        }
        cases.push(case(Op::LShrI, 0, amount, [32, 0, 0]));
    }
    for width in [1, 2, 3, 8, 16, 24, 33, 48, 63, 64] {
        for op in [Op::ShlW, Op::LShrW, Op::AShrW] {
            cases.push(case(op, width, 0, [width.into(), width.into(), 0]));
        }
    }
}

#[rustfmt::skip]
fn casts(cases: &mut Vec<Case>) {
    for (op, from) in [
        (Op::Sext8To32, 8), (Op::Sext16To32, 16), (Op::Sext8To64, 8), (Op::Sext16To64, 16),
        (Op::Sext32To64, 32),
    ] {
        cases.push(case(op, 0, 0, [from, 0, 0]));
    }
    for (from, to) in [(1, 8), (1, 64), (5, 13), (24, 32), (33, 63), (48, 64)] {
        cases.push(case(Op::Sext, from, u64::MAX >> (64 - to), [from.into(), 0, 0]));
    }
    for imm in indexed() {
        cases.push(case(Op::GepX, 0, imm, [64, 64, 0]));
        cases.push(case(Op::GepS, 0, imm, [64, 32, 0]));
        cases.push(case(Op::GepS, 0, imm, [64, 64, 0]));
    }
    for imm in tables() {
        cases.push(case(Op::GepT, 0, imm, [0, 64, 0]));
        cases.push(case(Op::GepTS, 0, imm, [0, 32, 0]));
        cases.push(case(Op::GepTS, 0, imm, [0, 64, 0]));
    }
}

fn indexed() -> [u64; 4] {
    [(1, 0), (8, -16), (12, 40), (u32::MAX, i32::MIN)]
        .map(|(scale, offset)| Indexed { scale, offset }.pack())
}

fn tables() -> [u64; 3] {
    [(0x1000, 1), (0x7fff_1234, 24), (0xffff_ffff_ffff, u16::MAX)]
        .map(|(base, scale)| Table { base, scale }.pack().expect("a base of 48 bits"))
}

#[rustfmt::skip]
fn floats(cases: &mut Vec<Case>) {
    for (single, double) in [
        (Op::FAdd32, Op::FAdd64), (Op::FSub32, Op::FSub64), (Op::FMul32, Op::FMul64),
        (Op::FDiv32, Op::FDiv64), (Op::FRem32, Op::FRem64),
    ] {
        cases.push(case(single, 0, 0, [32, 32, 0]));
        cases.push(case(double, 0, 0, [64, 64, 0]));
    }
    for predicate in 0..16 {
        cases.push(case(Op::FCmp32, predicate, 0, [32, 32, 0]));
        cases.push(case(Op::FCmp64, predicate, 0, [64, 64, 0]));
    }
    for (op, from) in [(Op::FNeg32, 32), (Op::F32To64, 32), (Op::FNeg64, 64), (Op::F64To32, 64)] {
        cases.push(case(op, 0, 0, [from, 0, 0]));
    }
    for width in [1, 8, 16, 17, 32, 33, 48, 64] {
        for (op, from) in [
            (Op::F32ToS, 32), (Op::F32ToU, 32), (Op::F64ToS, 64), (Op::F64ToU, 64),
        ] {
            cases.push(case(op, width, 0, [from, 0, 0]));
        }
        for op in [Op::SToF32, Op::SToF64, Op::UToF32, Op::UToF64] {
            cases.push(case(op, width, 0, [width.into(), 0, 0]));
        }
    }
}

#[rustfmt::skip]
fn ints(cases: &mut Vec<Case>, width: u32) {
    let third = u64::from(C) << 8 | u64::from(width);
    for op in [Int::CtPop, Int::CtLz, Int::CtTz, Int::BitReverse, Int::Abs] {
        cases.push(case(Op::Int, op as u16, width.into(), [width, 0, 0]));
    }
    if width.is_multiple_of(8) {
        cases.push(case(Op::Int, Int::BSwap as u16, width.into(), [width, 0, 0]));
    }
    for op in [Int::FShl, Int::FShr] {
        cases.push(case(Op::Int, op as u16, third, [width; 3]));
    }
    for op in [
        Int::SMin, Int::SMax, Int::UMin, Int::UMax, Int::SAddSat, Int::UAddSat, Int::SSubSat,
        Int::USubSat, Int::SShlSat, Int::UShlSat, Int::SAddOv, Int::UAddOv, Int::SSubOv,
        Int::USubOv, Int::SMulOv, Int::UMulOv, Int::SDiv, Int::SRem,
    ] {
        cases.push(case(Op::Int, op as u16, width.into(), [width, width, 0]));
    }
    for op in [Int::UCmp, Int::SCmp] {
        for to in [2u64, 8, 32, 64] {
            cases.push(case(Op::Int, op as u16, to << 8 | u64::from(width), [width, width, 0]));
        }
    }
}

#[rustfmt::skip]
fn wides(cases: &mut Vec<Case>, width: u32) {
    let imm = |extra: u32| u64::from(extra) << 8 | u64::from(width);
    for op in [
        Wide::Add, Wide::Sub, Wide::Mul, Wide::UDiv, Wide::SDiv, Wide::URem, Wide::SRem,
        Wide::And, Wide::Or, Wide::Xor, Wide::Shl, Wide::LShr, Wide::AShr, Wide::Eq, Wide::Ne,
        Wide::Ult, Wide::Ule, Wide::Slt, Wide::Sle, Wide::SMin, Wide::SMax, Wide::UMin,
        Wide::UMax, Wide::SAddSat, Wide::UAddSat, Wide::SSubSat, Wide::USubSat, Wide::SAddOv,
        Wide::UAddOv, Wide::SSubOv, Wide::USubOv, Wide::SMulOv, Wide::UMulOv,
    ] {
        cases.push(case(Op::Wide, op as u16, imm(0), [width, width, 0]));
    }
    for op in [Wide::CtPop, Wide::CtLz, Wide::CtTz, Wide::BitReverse, Wide::Abs] {
        cases.push(case(Op::Wide, op as u16, imm(0), [width, 0, 0]));
    }
    if width.is_multiple_of(8) {
        cases.push(case(Op::Wide, Wide::BSwap as u16, imm(0), [width, 0, 0]));
    }
    for op in [Wide::FShl, Wide::FShr] {
        cases.push(case(Op::Wide, op as u16, imm(C), [width; 3]));
    }
    for op in [Wide::ZextFrom, Wide::SextFrom] {
        for from in [1, 8, 33, 64] {
            cases.push(case(Op::Wide, op as u16, imm(from), [from, 0, 0]));
        }
    }
    for to in [1, 8, 32, 63, 64] {
        cases.push(case(Op::Wide, Wide::TruncTo as u16, imm(to), [width, 0, 0]));
    }
    cases.push(case(Op::Wide, Wide::Mask as u16, imm(0), [128, 0, 0]));
    for from in [65, 70, width] {
        if from <= width {
            cases.push(case(Op::Wide, Wide::SextWide as u16, imm(from), [from, 0, 0]));
        }
    }
    for float in [32, 64] {
        for op in [Wide::FpToS, Wide::FpToU] {
            cases.push(case(Op::Wide, op as u16, imm(float), [float, 0, 0]));
        }
        for op in [Wide::SToFp, Wide::UToFp] {
            cases.push(case(Op::Wide, op as u16, imm(float), [width, 0, 0]));
        }
    }
}

#[rustfmt::skip]
fn float_intrinsics(cases: &mut Vec<Case>, width: u32) {
    let imm = |extra: u32| u64::from(extra) << 8 | u64::from(width);
    for op in [
        Float::Abs, Float::Sqrt, Float::Floor, Float::Ceil, Float::Trunc, Float::Rint,
        Float::NearbyInt, Float::Round, Float::RoundEven, Float::FrExp, Float::LRint,
        Float::LRound,
    ] {
        cases.push(case(Op::Float, op as u16, imm(0), [width, 0, 0]));
    }
    for op in [
        Float::CopySign, Float::MinNum, Float::MaxNum, Float::Minimum, Float::Maximum,
    ] {
        // Corner cases often meet only in more values than one case has.
        for _ in 0..8 {
            cases.push(case(Op::Float, op as u16, imm(0), [width, width, 0]));
        }
    }
    for op in [Float::Fma, Float::MulAdd] {
        cases.push(case(Op::Float, op as u16, imm(C), [width; 3]));
    }
    for _ in 0..8 {
        cases.push(case(Op::Float, Float::IsFpClass as u16, imm(0), [width, 10, 0]));
    }
    for to in [1, 8, 16, 17, 32, 33, 63, 64] {
        for op in [Float::ToSSat, Float::ToUSat] {
            cases.push(case(Op::Float, op as u16, imm(to), [width, 0, 0]));
        }
    }
}

/// ldexp, which has an expression where the exponent is constant.
pub(super) fn scaling() -> [Case; 2] {
    [32, 64].map(|width| case(Op::Float, Float::LdExp as u16, width.into(), [width, 32, 0]))
}

/// Loads and stores; nearly no address is anyone's.
#[rustfmt::skip]
pub(super) fn accesses() -> Vec<Case> {
    let mut cases = Vec::new();
    for op in [
        Op::Load8, Op::Load16, Op::Load32, Op::Load64, Op::LoadSext8To32, Op::Store8, Op::Store16,
        Op::Store32, Op::Store64,
    ] {
        for imm in [0, 24, -8i64 as u64] {
            cases.push(case(op, 0, imm, [64, 0, 0]));
        }
    }
    for op in [Op::LoadN, Op::StoreN] {
        cases.push(case(op, 16, 24, [64, 0, 0]));
        cases.push(case(op, 24, -8i64 as u64, [64, 0, 0]));
    }
    for op in [Op::Store8I, Op::Store16I, Op::Store32I, Op::Store64I] {
        for offset in [0, 24, -8i32 as u32] {
            let mut case = case(op, 0, 7, [64, 0, 0]);
            case.inst.b = offset;
            cases.push(case);
        }
    }
    for op in [
        Op::Load8A, Op::Load16A, Op::Load32A, Op::Load64A, Op::Store8A, Op::Store16A,
        Op::Store32A, Op::Store64A,
    ] {
        cases.push(case(op, 0, 0x40, [0; 3]));
    }
    for imm in indexed() {
        for op in [
            Op::Load8X, Op::Load16X, Op::Load32X, Op::Load64X, Op::Store8X, Op::Store16X,
            Op::Store32X, Op::Store64X, Op::Load8S, Op::Load16S, Op::Load32S, Op::Load64S,
            Op::Store8S, Op::Store16S, Op::Store32S, Op::Store64S,
        ] {
            cases.push(case(op, 0, imm, [64, 64, 0]));
        }
    }
    for imm in tables() {
        for op in [
            Op::Load8T, Op::Load16T, Op::Load32T, Op::Load64T, Op::Store8T, Op::Store16T,
            Op::Store32T, Op::Store64T, Op::Load8TS, Op::Load16TS, Op::Load32TS, Op::Load64TS,
            Op::Store8TS, Op::Store16TS, Op::Store32TS, Op::Store64TS,
        ] {
            cases.push(case(op, 0, imm, [0, 64, 0]));
        }
    }
    cases
}

#[rustfmt::skip]
pub(super) fn branches() -> Vec<Case> {
    let mut cases = vec![
        case(Op::Branch, 1, 0, [1, 0, 0]),
        case(Op::BrEq, 1, 0, [2, 2, 0]),
        case(Op::BrEq, 1, 0, [64, 64, 0]),
        case(Op::BrUlt, 1, 0, [64, 64, 0]),
        case(Op::BrSlt32, 1, 0, [32, 32, 0]),
        case(Op::BrSlt64, 1, 0, [64, 64, 0]),
    ];
    for imm in IMMEDIATES {
        for op in [Op::BrEqI, Op::BrUltI, Op::BrUgtI, Op::BrSlt64I, Op::BrSgt64I] {
            cases.push(case(op, 1, imm, [64, 0, 0]));
            cases.push(case(op, 1, imm.wrapping_neg(), [64, 0, 0]));
            cases.push(case(op, 1, imm, [8, 0, 0]));
        }
        for op in [Op::BrSlt32I, Op::BrSgt32I] {
            cases.push(case(op, 1, imm & 0xffff_ffff, [32, 0, 0]));
        }
    }
    cases
}

pub(super) fn unsupported() -> Vec<Inst> {
    let inst = |op, x, imm| Inst { op, x, d: RESULT, a: A, b: B, imm };
    let widths = BigWidths { width: 256, other: 0 }.pack();
    let long_double = soft::pack(SoftOp::Add, SoftFormat::X87, SoftFormat::X87);
    vec![
        inst(Op::Big, Big::Add as u16, widths),
        inst(Op::Soft, long_double, 0),
        inst(Op::Float, Float::Sin as u16, 64),
        inst(Op::Float, Float::Pow as u16, 32),
        inst(Op::Special, Special::ObjectSize as u16, 1),
    ]
}
