//! The instructions of the lowered program, and what each one means.
//!
//! # Conventions
//!
//! A frame is a run of 64-bit *slots*; `d`, `a` and `b` are slot numbers relative to the frame
//! unless an opcode says otherwise. `fp[n]` below is slot `n` of the running frame.
//!
//! * An integer of at most 64 bits lives in one slot, **zero-extended**: the bits above its width
//!   are 0. Whoever writes a slot keeps that. `zext` is therefore free.
//! * An integer of 65 to 128 bits, an `x86_fp80` and an `fp128` take two consecutive slots, low
//!   half first, zero-extended.
//! * An integer of more than 128 bits takes one slot for every 64 bits, lowest first, the last one
//!   zero-extended.
//! * `half`, `bfloat`, `float` and `double` live as their bit pattern, zero-extended.
//! * Pointers are 64-bit integers (see [`crate::layout`]).
//! * Vectors, structs and arrays as SSA values are scalarised: each lane or leaf field takes its
//!   own slots, in order, padding left out.
//! * Branch targets are byte distances from the branching instruction to the target (`i32`,
//!   stored in a `u32`), so the interpreter adds them to its instruction pointer.
//! * `x` of every instruction marked *counts* is the number of LLVM instructions executed since
//!   the previous counting instruction on any way here, this one included. Instructions that
//!   have no LLVM counterpart (moves for phis, constants) count nothing.
//!
//! `I` variants take their right operand from `imm`. "mask(w)" keeps the low `w` bits.

/// One bytecode instruction. Fixed size, so a function is one flat vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Inst {
    pub op: Op,
    pub x: u16,
    pub d: u32,
    pub a: u32,
    pub b: u32,
    pub imm: u64,
}

const _: () = assert!(size_of::<Inst>() == 24);

impl Inst {
    pub const fn new(op: Op) -> Self {
        Self { op, x: 0, d: 0, a: 0, b: 0, imm: 0 }
    }
}

/// `imm` of the indexed address forms: `base + index * scale + offset`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indexed {
    pub scale: u32,
    pub offset: i32,
}

impl Indexed {
    pub const fn pack(self) -> u64 {
        (self.scale as u64) << 32 | (self.offset as u32 as u64)
    }

    pub const fn unpack(imm: u64) -> Self {
        Self { scale: (imm >> 32) as u32, offset: imm as u32 as i32 }
    }
}

/// `imm` of the forms that index a table at a fixed address: `base + index * scale`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Table {
    pub base: u64,
    pub scale: u16,
}

impl Table {
    const BASE_BITS: u32 = 48;

    /// `None` if the address or the scale is too large.
    pub const fn pack(self) -> Option<u64> {
        if self.base >> Self::BASE_BITS != 0 {
            return None;
        }
        Some((self.scale as u64) << Self::BASE_BITS | self.base)
    }

    pub const fn unpack(imm: u64) -> Self {
        let base = imm & ((1 << Self::BASE_BITS) - 1);
        Self { base, scale: (imm >> Self::BASE_BITS) as u16 }
    }
}

/// The operation of an [`Inst`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum Op {
    // ---- data movement -------------------------------------------------------------------
    /// fp[d] = imm
    Const,
    /// fp[d] = fp[a]
    Move,
    /// fp[d..d+b] = fp[a..a+b] (may overlap, like memmove)
    MoveN,
    /// fp[d] = fp[a] & 1 != 0 ? fp[b] : fp[imm]; the condition is an i1
    Select,

    // ---- integer arithmetic --------------------------------------------------------------
    // 32: both operands and the result are 32 bits wide. 64: likewise. Other widths are lowered
    // to the 64-bit form followed by `AndI` with the mask (and preceded by `Sext` for signed
    // operations); see `ShlW` and friends for shifts.
    Add32, Add32I, Add64, Add64I,
    Sub32, Sub32I, Sub64, Sub64I,
    Mul32, Mul32I, Mul64, Mul64I,
    /// Unsigned division of zero-extended operands, right for every width up to 64. Stops with
    /// `division-by-zero`.
    UDiv, UDivI, URem, URemI,
    /// Signed division. Stops with `division-by-zero`, and with `signed-overflow` on MIN / -1.
    SDiv32, SDiv32I, SDiv64, SDiv64I,
    SRem32, SRem32I, SRem64, SRem64I,
    And, AndI, Or, OrI, Xor, XorI,
    /// Shifts by a slot. Stop with `shift-overflow` if the amount is not less than the width.
    Shl32, Shl64, LShr32, LShr64, AShr32, AShr64,
    /// Shifts by a constant that the lowering has checked to be less than the width.
    Shl32I, Shl64I, LShrI, AShr32I, AShr64I,
    /// Shifts at width x (any width up to 64) by slot b; checked, result masked.
    ShlW, LShrW, AShrW,

    // ---- comparisons: fp[d] = 0 or 1 -------------------------------------------------------
    /// Right for every width up to 64, operands being zero-extended.
    Eq, EqI, Ne, NeI, Ult, UltI, Ule, UleI, UgtI, UgeI,
    Slt32, Slt32I, Sle32, Sle32I, Sgt32I, Sge32I,
    Slt64, Slt64I, Sle64, Sle64I, Sgt64I, Sge64I,

    // ---- casts ---------------------------------------------------------------------------
    /// Sign-extends the low x bits of fp[a] and keeps the bits of the mask imm.
    Sext,
    /// The common ones: 8, 16 to 32 bits, 8, 16, 32 to 64 bits.
    Sext8To32, Sext16To32, Sext8To64, Sext16To64, Sext32To64,

    // ---- memory --------------------------------------------------------------------------
    // Every access is checked. Results are zero-extended.
    /// fp[d] = load(fp[a] + imm)
    Load8, Load16, Load32, Load64,
    /// fp[d] = load(fp[a] + fp[b] * scale + offset), `imm` an [`Indexed`]; X: the index is a
    /// 64-bit slot; S: the low 32 bits of the index slot are sign-extended first.
    Load8X, Load16X, Load32X, Load64X,
    Load8S, Load16S, Load32S, Load64S,
    /// fp[d] = load(imm): an address known when lowering
    Load8A, Load16A, Load32A, Load64A,
    /// fp[d] = load(base + fp[b] * scale), `imm` a [`Table`]; T: the index is a 64-bit slot; TS:
    /// its low 32 bits are sign-extended first.
    Load8T, Load16T, Load32T, Load64T,
    Load8TS, Load16TS, Load32TS, Load64TS,
    /// Load of a byte and its sign extension to 32 bits in one: fp[d] = sext(load8(fp[a] + imm))
    LoadSext8To32,
    /// Load of x bytes (1 to 8 * [`BIG_WORDS`]) from fp[a] + imm into fp[d..], one slot for 8 bytes
    LoadN,
    /// store(fp[a] + imm, fp[d]): d is the *value*
    Store8, Store16, Store32, Store64,
    /// store(fp[a] + fp[b] * scale + offset, fp[d]), as for loads
    Store8X, Store16X, Store32X, Store64X,
    Store8S, Store16S, Store32S, Store64S,
    /// store(base + fp[b] * scale, fp[d]), `imm` a [`Table`], as for loads
    Store8T, Store16T, Store32T, Store64T,
    Store8TS, Store16TS, Store32TS, Store64TS,
    /// store(imm, fp[d])
    Store8A, Store16A, Store32A, Store64A,
    /// store(fp[a] + (b as i32), imm): the constant `imm` is stored
    Store8I, Store16I, Store32I, Store64I,
    /// Store of x bytes (1 to 8 * [`BIG_WORDS`]) of fp[d..] to fp[a] + imm
    StoreN,
    /// fp[d] = fp[a] + fp[b] * scale + offset, `imm` an [`Indexed`] (X: 64-bit index; S: the low
    /// 32 bits of the index, sign-extended)
    GepX, GepS,
    /// fp[d] = base + fp[b] * scale, `imm` a [`Table`] (T: 64-bit index; TS: sign-extended 32 bits)
    GepT, GepTS,
    /// fp[d] = address of a new stack object of `imm` bytes, alignment `1 << x`. It lives until
    /// the frame returns. `a` is the debug variable (index into the function's `variables`) or
    /// `u32::MAX`.
    Alloca,
    /// The same with fp[b] * imm bytes.
    AllocaDyn,
    /// fp[d] = a mark of the frame's stack objects; StackRestore frees those made since mark fp[a]
    StackSave, StackRestore,
    /// memcpy(fp[d], fp[a], fp[b]); stops with `overlapping-copy` where the ranges overlap
    /// without being equal. *counts*, as do the next two
    MemCpy,
    /// memmove(fp[d], fp[a], fp[b])
    MemMove,
    /// memset(fp[d], fp[a] & 0xff, fp[b])
    MemSet,

    // ---- control flow: all *count* -----------------------------------------------------------
    /// Go to the target d.
    Jump,
    /// Go to d if fp[a] & 1 != 0, else to b.
    Branch,
    /// Fused compare and branch: go to d if the comparison of fp[a] and fp[b] holds, else to
    /// the target in the low 32 bits of imm.
    BrEq, BrUlt, BrSlt32, BrSlt64,
    /// With a constant: compare fp[a] and imm; go to d if it holds, else to b. 32-bit constants
    /// are zero-extended in imm.
    BrEqI, BrUltI, BrUgtI, BrSlt32I, BrSgt32I, BrSlt64I, BrSgt64I,
    /// Look fp[a] up in `Function::switches[imm]`.
    Switch,
    /// Go to the block whose address is fp[a], one of `Function::block_addresses`.
    IndirectBr,
    /// Call function `FuncId(a)`, which has a body. The arguments stand in slots b.. of this
    /// frame, which become slots 0.. of the callee's; the result goes to fp[d..]. `imm` is the
    /// `CallSiteId`.
    Call,
    /// Call `FuncId(a)`, which has no body: an engine intrinsic, or undefined.
    CallExternal,
    /// Call through the pointer fp[a].
    CallIndirect,
    RetVoid,
    /// Return fp[a].
    Ret,
    /// Return imm.
    RetI,
    /// Return fp[a..a+b].
    RetN,
    /// Stops with `unreachable`.
    Unreachable,
    /// Stops with `Unsupported` and the text `Program::messages[imm]`.
    Unsupported,
    /// Stops with the bug `StaticBug` numbered imm, known when lowering.
    Bug,
    /// Adds x to the instruction count and goes on; where x would overflow elsewhere.
    Count,
    /// The entry function has returned. Only the engine makes it; counts nothing.
    Halt,
    /// Stands where block `imm` begins, until it is executed. Only the engine makes it.
    Cover,
    /// A fault put in on purpose, with the number d: a division by fp[a] - imm. Stops with
    /// `injected-division-by-zero`.
    Fault,

    // ---- varargs -------------------------------------------------------------------------
    /// Fill in the va_list (System V x86-64, 24 bytes) at fp[a] from this frame's variadic arguments.
    VaStart,

    // ---- floating point --------------------------------------------------------------------
    FAdd32, FAdd64, FSub32, FSub64, FMul32, FMul64, FDiv32, FDiv64, FRem32, FRem64,
    FNeg32, FNeg64,
    /// fp[d] = compare by predicate x ([`FloatPredicate`] as u16)
    FCmp32, FCmp64,
    F32To64, F64To32,
    /// To an integer of x bits (at most 64), as the processor does it when out of range.
    F32ToS, F64ToS, F32ToU, F64ToU,
    /// From an integer of x bits (at most 64).
    SToF32, SToF64, UToF32, UToF64,
    /// Software formats: x packs a [`SoftOp`] and [`SoftFormat`]s; see [`soft`].
    Soft,

    // ---- the rest, by a second opcode in x -------------------------------------------------
    /// x is an [`Int`] operation on fp[a], fp[b] (and fp[imm >> 8] where it takes three), at
    /// the width in imm & 0xff.
    Int,
    /// x is a [`Wide`] operation on two-slot integers; the width is imm & 0xff (65 to 128).
    Wide,
    /// x is a [`Big`] operation on integers of more than 128 bits; imm packs [`BigWidths`].
    Big,
    /// x is a [`Float`] operation; imm & 0xff is 32 or 64; a third operand is fp[imm >> 8].
    Float,
    /// x is a [`Special`] operation.
    Special,
}

/// Integer intrinsics on one slot at the width in `imm & 0xff`; results masked to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum Int {
    CtPop, CtLz, CtTz, BSwap, BitReverse, Abs,
    /// fshl(a, b, third), fshr(a, b, third): the amount is taken modulo the width
    FShl, FShr,
    SMin, SMax, UMin, UMax,
    SAddSat, UAddSat, SSubSat, USubSat, SShlSat, UShlSat,
    /// The `*.with.overflow` family: fp[d] = result, fp[d+1] = overflow bit
    SAddOv, UAddOv, SSubOv, USubOv, SMulOv, UMulOv,
    /// ucmp, scmp: -1, 0 or 1 in the *result* width, which is (imm >> 8) bits
    UCmp, SCmp,
    /// Signed division and remainder at any width (checked like SDiv32)
    SDiv, SRem,
}

/// Operations on two-slot integers of 65 to 128 bits (`imm & 0xff`), slots a, a+1 and b, b+1,
/// result in d, d+1 (comparisons: in d). Results are masked to the width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum Wide {
    Add, Sub, Mul, UDiv, SDiv, URem, SRem, And, Or, Xor,
    /// The amount is a two-slot value too; checked.
    Shl, LShr, AShr,
    Eq, Ne, Ult, Ule, Slt, Sle,
    /// From the one-slot value fp[a] of (imm >> 8) bits
    ZextFrom, SextFrom,
    /// To a one-slot value of (imm >> 8) bits; to another two-slot width: use `Mask`/`SextWide`
    TruncTo,
    /// fp[d..d+2] = fp[a..a+2] masked to the width (trunc between wide widths)
    Mask,
    /// Sign-extends a two-slot value of (imm >> 8) bits to the width
    SextWide,
    CtPop, CtLz, CtTz, BSwap, BitReverse, Abs,
    SMin, SMax, UMin, UMax,
    /// fshl, fshr: third operand in slots imm >> 8, +1
    FShl, FShr,
    SAddSat, UAddSat, SSubSat, USubSat,
    /// Results in d, d+1, overflow bit in d+2
    SAddOv, UAddOv, SSubOv, USubOv, SMulOv, UMulOv,
    /// Between two-slot integers and float (imm >> 8 = 32) or double (imm >> 8 = 64)
    FpToS, FpToU, SToFp, UToFp,
}

/// Slots of the widest integer there is: 4096 bits.
pub const BIG_WORDS: usize = 64;

/// `imm` of [`Op::Big`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BigWidths {
    /// Of the integer of more than 128 bits.
    pub width: u32,
    /// What a conversion comes from or goes to; otherwise 0.
    pub other: u32,
}

impl BigWidths {
    pub const fn pack(self) -> u64 {
        self.width as u64 | (self.other as u64) << 16
    }

    pub const fn unpack(imm: u64) -> Self {
        Self { width: (imm & 0xffff) as u32, other: (imm >> 16 & 0xffff) as u32 }
    }
}

/// Operations on integers of more than 128 bits, in slots a.. and b.., result in d..
/// (comparisons: in d). Results are masked to the width. Widening by zeros and truncation are
/// moves, and have no operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum Big {
    And, Or, Xor, Add, Sub, Mul, UDiv, SDiv, URem, SRem,
    /// The amount is as wide; checked.
    Shl, LShr, AShr,
    Eq, Ne, Ult, Ule, Slt, Sle,
    /// From an integer of `other` bits, which may take any number of slots
    Sext,
    /// To and from float (`other` = 32) or double (`other` = 64)
    SToFp, UToFp, FpToInt,
}

/// Float and double intrinsics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum Float {
    Abs, CopySign, Sqrt, Floor, Ceil, Trunc, Rint, NearbyInt, Round, RoundEven,
    MinNum, MaxNum, Minimum, Maximum, Fma,
    /// a*b+c rounded twice, as -O0 code does on a machine without FMA
    MulAdd,
    /// Functions that clang may emit as intrinsics; computed by the host's libm.
    Sin, Cos, Tan, Exp, Exp2, Exp10, Log, Log2, Log10, Pow, PowI,
    /// is.fpclass with the mask in fp[b]
    IsFpClass,
    /// ldexp(a, b as i32); frexp: fp[d] = fraction, fp[d+1] = exponent as i32
    LdExp, FrExp,
    LRint, LRound,
    /// fptosi.sat / fptoui.sat to (imm >> 8) bits
    ToSSat, ToUSat,
}

/// Operations that touch the frame, the engine or several objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum Special {
    /// fp[d] = a plausible return address (level fp[a]) / frame address; 0 above level 0
    ReturnAddress, FrameAddress,
    /// fp[d] = cycle counter: deterministic, the instruction count
    ReadCycleCounter,
    /// llvm.trap and llvm.debugtrap: stops with `abort`
    Trap,
    /// llvm.ubsantrap with the kind in imm: stops with the UBSan bug of that kind
    UbsanTrap,
    /// llvm.get.rounding: 1 (to nearest)
    GetRounding,
    /// fp[d] = size of the object fp[a] points into, from fp[a] on, or (imm) -1/0 when unknown:
    /// llvm.objectsize with imm = 1 when the "min" answer (0) is wanted
    ObjectSize,
    /// va_copy(fp[d] <- fp[a]): 24 bytes; va_end has no instruction
    VaCopy,
}

/// LLVM's floating-point predicates, numbered as LLVM does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum FloatPredicate {
    False, Oeq, Ogt, Oge, Olt, Ole, One, Ord, Uno, Ueq, Ugt, Uge, Ult, Ule, Une, True,
}

/// A bug that lowering sees in the code itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum StaticBug {
    ShiftOverflow,
    DivisionByZero,
}

/// Floating-point formats executed in software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
pub enum SoftFormat {
    Half,
    BFloat,
    Single,
    Double,
    X87,
    Quad,
}

impl SoftFormat {
    /// How many slots a value of this format takes.
    pub const fn slots(self) -> u32 {
        match self {
            Self::X87 | Self::Quad => 2,
            _ => 1,
        }
    }
}

/// Operations in software formats. Operands a, b; result d; a third operand is at imm >> 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u16)]
#[rustfmt::skip]
pub enum SoftOp {
    Add, Sub, Mul, Div, Rem, Neg, Abs, CopySign, Fma,
    /// Predicate in imm & 0xff
    Cmp,
    /// Convert from the second format to the first
    Convert,
    /// To and from integers of imm & 0xff bits (one slot up to 64, else two)
    ToS, ToU, FromS, FromU,
    Floor, Ceil, Trunc, Rint, Round, RoundEven, Sqrt, MinNum, MaxNum, IsFpClass,
}

/// Packing of `x` for [`Op::Soft`]: the operation, its format, and the source format of `Convert`.
pub mod soft {
    use super::{SoftFormat, SoftOp};

    pub const fn pack(op: SoftOp, format: SoftFormat, from: SoftFormat) -> u16 {
        (op as u16) << 8 | (format as u16) << 4 | from as u16
    }

    pub const fn unpack(x: u16) -> (SoftOp, SoftFormat, SoftFormat) {
        // SAFETY: `x` was made by `pack`, and both enums are dense from 0.
        unsafe {
            (
                std::mem::transmute::<u16, SoftOp>(x >> 8),
                std::mem::transmute::<u16, SoftFormat>(x >> 4 & 0xf),
                std::mem::transmute::<u16, SoftFormat>(x & 0xf),
            )
        }
    }
}
