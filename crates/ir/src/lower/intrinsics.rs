//! LLVM's intrinsics, by name without the type suffix.

use super::Lowered;
use super::float::format_of;
use super::function::Body;
use super::llvm::{LLVMOpcode, LLVMValueKind, Value};
use super::operand::Operand;
use super::slots::NO_SLOT;
use super::types::Scalar;
use crate::inst::{Float, Int, Op, SoftFormat, SoftOp, Special, Wide};

/// Debug intrinsics are not instructions.
pub fn is_debug(inst: Value) -> bool {
    if inst.opcode() != LLVMOpcode::LLVMCall {
        return false;
    }
    let callee = inst.callee();
    callee.kind() == LLVMValueKind::LLVMFunctionValueKind
        && callee.intrinsic_name().is_some_and(|name| name.starts_with("llvm.dbg."))
}

/// Intrinsics whose result is their first argument.
pub fn passes_on(name: &str) -> bool {
    matches!(
        name,
        "llvm.expect"
            | "llvm.expect.with.probability"
            | "llvm.threadlocal.address"
            | "llvm.annotation"
            | "llvm.ptr.annotation"
            | "llvm.launder.invariant.group"
            | "llvm.strip.invariant.group"
            | "llvm.ssa.copy"
            | "llvm.arithmetic.fence"
            | "llvm.preserve.static.offset"
            | "llvm.experimental.constrained.freeze"
    )
}

/// Intrinsics that do nothing here.
fn does_nothing(name: &str) -> bool {
    name.starts_with("llvm.lifetime.")
        || name.starts_with("llvm.invariant.")
        || name.starts_with("llvm.experimental.noalias")
        || matches!(
            name,
            "llvm.assume"
                | "llvm.donothing"
                | "llvm.prefetch"
                | "llvm.va_end"
                | "llvm.var.annotation"
                | "llvm.sideeffect"
                | "llvm.pseudoprobe"
                | "llvm.fake.use"
                | "llvm.experimental.noalias.scope.decl"
                | "llvm.codeview.annotation"
        )
}

impl Body<'_, '_> {
    pub fn lower_intrinsic(&mut self, inst: Value, name: &str) -> Lowered<()> {
        if does_nothing(name) {
            return Ok(());
        }
        if passes_on(name) {
            let d = self.slot_of(inst)?;
            return self.write_value(d, inst.operand(0));
        }
        let short = name.strip_prefix("llvm.").unwrap_or(name);
        let short = short.strip_prefix("experimental.constrained.").unwrap_or(short);
        if let Some(int) = int_intrinsic(short) {
            return self.lower_int_intrinsic(inst, int);
        }
        if let Some(float) = float_intrinsic(short) {
            return self.lower_float_intrinsic(inst, float);
        }
        if let Some(opcode) = constrained_arithmetic(short) {
            return self.for_each_lane(
                inst,
                &[inst.operand(0), inst.operand(1)],
                |body, scalar, d, lanes| body.float_arith(opcode, scalar, d, lanes[0], lanes[1]),
            );
        }
        if let Some(reduction) = short.strip_prefix("vector.reduce.") {
            return self.lower_reduction(inst, reduction);
        }
        match short {
            "memcpy" | "memcpy.inline" => self.lower_memory_intrinsic(inst, Op::MemCpy),
            "memmove" => self.lower_memory_intrinsic(inst, Op::MemMove),
            "memset" | "memset.inline" => self.lower_memory_intrinsic(inst, Op::MemSet),
            "va_start" => {
                let list = self.scalar_slot(inst.operand(0))?;
                self.emit(Op::VaStart, NO_SLOT, list, NO_SLOT, 0);
                Ok(())
            }
            "va_copy" => {
                let (to, from) =
                    (self.scalar_slot(inst.operand(0))?, self.scalar_slot(inst.operand(1))?);
                self.emit_x(Op::Special, Special::VaCopy as u16, to, from, NO_SLOT, 0);
                Ok(())
            }
            "stacksave" => {
                let d = self.slot_of(inst)?;
                self.emit(Op::StackSave, d, NO_SLOT, NO_SLOT, 0);
                Ok(())
            }
            "stackrestore" => {
                let mark = self.scalar_slot(inst.operand(0))?;
                self.emit(Op::StackRestore, NO_SLOT, mark, NO_SLOT, 0);
                Ok(())
            }
            "returnaddress" => self.lower_special(inst, Special::ReturnAddress, true, 0),
            "frameaddress" => self.lower_special(inst, Special::FrameAddress, true, 0),
            "readcyclecounter" | "readsteadycounter" => {
                self.lower_special(inst, Special::ReadCycleCounter, false, 0)
            }
            "get.rounding" => self.lower_special(inst, Special::GetRounding, false, 0),
            "objectsize" => {
                let min = self.m.const_scalar(inst.operand(1))? as u64;
                self.lower_special(inst, Special::ObjectSize, true, min)
            }
            "trap" | "debugtrap" => {
                self.emit_x(Op::Special, Special::Trap as u16, NO_SLOT, NO_SLOT, NO_SLOT, 0);
                Ok(())
            }
            "ubsantrap" => {
                let kind = self.m.const_scalar(inst.operand(0))? as u64;
                self.emit_x(
                    Op::Special,
                    Special::UbsanTrap as u16,
                    NO_SLOT,
                    NO_SLOT,
                    NO_SLOT,
                    kind,
                );
                Ok(())
            }
            "is.constant" => {
                let d = self.slot_of(inst)?;
                self.emit(Op::Const, d, NO_SLOT, NO_SLOT, 0);
                Ok(())
            }
            "ptrmask" => {
                let d = self.slot_of(inst)?;
                let (a, b) = (self.operand(inst.operand(0))?, self.operand(inst.operand(1))?);
                self.arith(LLVMOpcode::LLVMAnd, 64, d, a, b)
            }
            "fcmp" | "fcmps" => self.lower_constrained_compare(inst),
            "masked.load" => self.lower_masked_load(inst, false),
            "masked.gather" => self.lower_masked_load(inst, true),
            "masked.store" => self.lower_masked_store(inst, false),
            "masked.scatter" => self.lower_masked_store(inst, true),
            _ => match conversion(short) {
                Some(opcode) => self.lower_conversion(inst, opcode),
                None => Err(format!("the intrinsic {name}")),
            },
        }
    }

    fn lower_special(
        &mut self,
        inst: Value,
        special: Special,
        takes_operand: bool,
        imm: u64,
    ) -> Lowered<()> {
        let a = if takes_operand { self.scalar_slot(inst.operand(0))? } else { NO_SLOT };
        let d = self.slot_of(inst)?;
        self.emit_x(Op::Special, special as u16, d, a, NO_SLOT, imm);
        Ok(())
    }

    fn lower_memory_intrinsic(&mut self, inst: Value, op: Op) -> Lowered<()> {
        let to = self.scalar_slot(inst.operand(0))?;
        let from = self.scalar_slot(inst.operand(1))?;
        let length = self.scalar_slot(inst.operand(2))?;
        self.emit_counting(op, to, from, length, 0);
        Ok(())
    }

    // ---- integers --------------------------------------------------------------------------

    fn lower_int_intrinsic(&mut self, inst: Value, int: IntIntrinsic) -> Lowered<()> {
        let operands: Vec<Value> = (0..int.operands).map(|index| inst.operand(index)).collect();
        let shape = self.m.types.shape(operands[0].ty())?;
        let scalar = shape.leaves.first().ok_or("an intrinsic on nothing")?.scalar;
        if is_overflow(int.narrow) && shape.leaves.len() > 1 {
            return self.overflow_lanes(inst, int, &operands, scalar);
        }
        if is_overflow(int.narrow) {
            let d = self.slot_of(inst)?;
            let lanes = [self.operand(operands[0])?, self.operand(operands[1])?];
            return self.int_lane(int, scalar, scalar, d, &lanes);
        }
        self.for_each_lane(inst, &operands, |body, result, d, lanes| {
            body.int_lane(int, scalar, result, d, lanes)
        })
    }

    fn int_lane(
        &mut self,
        int: IntIntrinsic,
        scalar: Scalar,
        result: Scalar,
        d: u32,
        lanes: &[Operand],
    ) -> Lowered<()> {
        let width = scalar.width();
        if width > 128 {
            return Err(format!("{:?} on {width} bits", int.narrow));
        }
        let slots = scalar.slots();
        let mut operands = [NO_SLOT; 3];
        for (place, &lane) in operands.iter_mut().zip(lanes) {
            *place = self.in_slot(lane, slots);
        }
        let [a, b, third] = operands;
        let high = match int.narrow {
            Int::FShl | Int::FShr => third,
            Int::UCmp | Int::SCmp => result.width(),
            _ => 0,
        };
        let imm = u64::from(width) | u64::from(high) << 8;
        if width <= 64 {
            self.emit_x(Op::Int, int.narrow as u16, d, a, b, imm);
            return Ok(());
        }
        let wide = int.wide.ok_or_else(|| format!("{:?} on {width} bits", int.narrow))?;
        self.emit_x(Op::Wide, wide as u16, d, a, b, imm);
        Ok(())
    }

    /// `{ <n x iW>, <n x i1> }`: results first, then all the overflow bits.
    fn overflow_lanes(
        &mut self,
        inst: Value,
        int: IntIntrinsic,
        operands: &[Value],
        scalar: Scalar,
    ) -> Lowered<()> {
        let d = self.slot_of(inst)?;
        let (a, b) = (self.operands(operands[0])?, self.operands(operands[1])?);
        let (n, slots) = (a.len() as u32, scalar.slots());
        for (lane, (&a, &b)) in (0..).zip(a.iter().zip(&b)) {
            let both = self.temp(slots + 1);
            self.int_lane(int, scalar, scalar, both, &[a, b])?;
            self.write(d + lane * slots, Operand::Slot(both), slots);
            self.write(d + n * slots + lane, Operand::Slot(both + slots), 1);
        }
        Ok(())
    }

    // ---- floating point --------------------------------------------------------------------

    fn lower_float_intrinsic(&mut self, inst: Value, float: FloatIntrinsic) -> Lowered<()> {
        let operands: Vec<Value> = (0..float.operands).map(|index| inst.operand(index)).collect();
        let shape = self.m.types.shape(operands[0].ty())?;
        let scalar = shape.leaves.first().ok_or("an intrinsic on nothing")?.scalar;
        if float.op == Float::FrExp {
            let d = self.slot_of(inst)?;
            let a = self.operand(operands[0])?;
            return self.float_lane(float, scalar, scalar, d, &[a]);
        }
        self.for_each_lane(inst, &operands, |body, result, d, lanes| {
            body.float_lane(float, scalar, result, d, lanes)
        })
    }

    fn float_lane(
        &mut self,
        float: FloatIntrinsic,
        scalar: Scalar,
        result: Scalar,
        d: u32,
        lanes: &[Operand],
    ) -> Lowered<()> {
        let format = format_of(scalar)?;
        let hardware = matches!(format, SoftFormat::Single | SoftFormat::Double);
        let mut operands = [NO_SLOT; 3];
        for (index, (place, &lane)) in operands.iter_mut().zip(lanes).enumerate() {
            // The second operand of ldexp, powi and is.fpclass is an integer.
            let integer =
                index == 1 && matches!(float.op, Float::LdExp | Float::PowI | Float::IsFpClass);
            *place = self.in_slot(lane, if integer { 1 } else { scalar.slots() });
        }
        let [a, b, third] = operands;
        if hardware {
            let high = match float.op {
                Float::Fma | Float::MulAdd => third,
                Float::ToSSat | Float::ToUSat | Float::LRint | Float::LRound => result.width(),
                _ => 0,
            };
            let imm = u64::from(scalar.width()) | u64::from(high) << 8;
            self.emit_x(Op::Float, float.op as u16, d, a, b, imm);
            return Ok(());
        }
        if float.op == Float::MulAdd {
            return self.soft_multiply_add(scalar, d, operands);
        }
        let op = float.soft.ok_or_else(|| format!("{:?} on {format:?}", float.op))?;
        let imm = if op == SoftOp::Fma { u64::from(third) << 8 } else { 0 };
        self.software(op, format, d, a, b, imm);
        Ok(())
    }

    fn soft_multiply_add(&mut self, scalar: Scalar, d: u32, operands: [u32; 3]) -> Lowered<()> {
        let [a, b, c] = operands.map(Operand::Slot);
        let product = self.temp(scalar.slots());
        self.float_arith(LLVMOpcode::LLVMFMul, scalar, product, a, b)?;
        self.float_arith(LLVMOpcode::LLVMFAdd, scalar, d, Operand::Slot(product), c)
    }

    /// A two-operand floating-point intrinsic on one lane.
    pub fn float_binary(
        &mut self,
        op: Float,
        scalar: Scalar,
        d: u32,
        a: Operand,
        b: Operand,
    ) -> Lowered<()> {
        let soft = match op {
            Float::MinNum => Some(SoftOp::MinNum),
            Float::MaxNum => Some(SoftOp::MaxNum),
            _ => None,
        };
        self.float_lane(FloatIntrinsic { op, soft, operands: 2 }, scalar, scalar, d, &[a, b])
    }

    /// A comparison whose predicate is a metadata string.
    fn lower_constrained_compare(&mut self, inst: Value) -> Lowered<()> {
        const NAMES: [&str; 16] = [
            "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord", "uno", "ueq", "ugt", "uge",
            "ult", "ule", "une", "true",
        ];
        let text = inst.operand(2).metadata_text();
        let predicate = NAMES.iter().position(|name| *name == text);
        let predicate = predicate.ok_or_else(|| format!("the comparison {text:?}"))? as u16;
        let shape = self.m.types.shape(inst.operand(0).ty())?;
        let scalar = shape.leaves.first().ok_or("a comparison of nothing")?.scalar;
        self.for_each_lane(inst, &[inst.operand(0), inst.operand(1)], |body, _, d, lanes| {
            body.float_compare(predicate, scalar, d, lanes[0], lanes[1])
        })
    }

    /// The constrained forms of casts.
    fn lower_conversion(&mut self, inst: Value, opcode: LLVMOpcode) -> Lowered<()> {
        use LLVMOpcode::*;
        let shape = self.m.types.shape(inst.operand(0).ty())?;
        let from = shape.leaves.first().ok_or("a cast of nothing")?.scalar;
        self.for_each_lane(inst, &[inst.operand(0)], |body, to, d, lanes| {
            let a = body.in_slot(lanes[0], from.slots());
            match opcode {
                LLVMFPToSI => body.float_to_int(d, a, from, to.width(), true),
                LLVMFPToUI => body.float_to_int(d, a, from, to.width(), false),
                LLVMSIToFP => body.int_to_float(d, a, from.width(), to, true),
                LLVMUIToFP => body.int_to_float(d, a, from.width(), to, false),
                _ => body.convert_float(d, a, from, to),
            }
        })
    }

    // ---- reductions ------------------------------------------------------------------------

    fn lower_reduction(&mut self, inst: Value, name: &str) -> Lowered<()> {
        // fadd and fmul start from their first operand.
        let ordered = matches!(name, "fadd" | "fmul");
        let vector = inst.operand(u32::from(ordered));
        let mut lanes = self.operands(vector)?;
        if ordered {
            lanes.insert(0, self.operand(inst.operand(0))?);
        }
        let scalar = self.m.types.scalar(inst.ty())?;
        let d = self.slot_of(inst)?;
        let mut result = lanes[0];
        for &lane in &lanes[1..] {
            let next = self.temp(scalar.slots());
            self.reduce_step(name, scalar, next, result, lane)?;
            result = Operand::Slot(next);
        }
        self.write(d, result, scalar.slots());
        Ok(())
    }

    fn reduce_step(
        &mut self,
        name: &str,
        scalar: Scalar,
        d: u32,
        a: Operand,
        b: Operand,
    ) -> Lowered<()> {
        use LLVMOpcode::*;
        let width = scalar.width();
        let minmax = |int| IntIntrinsic { narrow: int, wide: None, operands: 2 };
        match name {
            "add" => self.arith(LLVMAdd, width, d, a, b),
            "mul" => self.arith(LLVMMul, width, d, a, b),
            "and" => self.arith(LLVMAnd, width, d, a, b),
            "or" => self.arith(LLVMOr, width, d, a, b),
            "xor" => self.arith(LLVMXor, width, d, a, b),
            "smin" => self.int_lane(minmax(Int::SMin), scalar, scalar, d, &[a, b]),
            "smax" => self.int_lane(minmax(Int::SMax), scalar, scalar, d, &[a, b]),
            "umin" => self.int_lane(minmax(Int::UMin), scalar, scalar, d, &[a, b]),
            "umax" => self.int_lane(minmax(Int::UMax), scalar, scalar, d, &[a, b]),
            "fadd" => self.float_arith(LLVMFAdd, scalar, d, a, b),
            "fmul" => self.float_arith(LLVMFMul, scalar, d, a, b),
            "fmin" => self.float_binary(Float::MinNum, scalar, d, a, b),
            "fmax" => self.float_binary(Float::MaxNum, scalar, d, a, b),
            "fminimum" => self.float_binary(Float::Minimum, scalar, d, a, b),
            "fmaximum" => self.float_binary(Float::Maximum, scalar, d, a, b),
            _ => Err(format!("the intrinsic llvm.vector.reduce.{name}")),
        }
    }
}

#[derive(Clone, Copy)]
struct IntIntrinsic {
    narrow: Int,
    /// The operation on more than 64 bits.
    wide: Option<Wide>,
    operands: u32,
}

fn is_overflow(int: Int) -> bool {
    use Int::*;
    matches!(int, SAddOv | UAddOv | SSubOv | USubOv | SMulOv | UMulOv)
}

#[rustfmt::skip]
fn int_intrinsic(name: &str) -> Option<IntIntrinsic> {
    let (narrow, wide, operands) = match name {
        "ctpop" => (Int::CtPop, Some(Wide::CtPop), 1),
        "ctlz" => (Int::CtLz, Some(Wide::CtLz), 1),
        "cttz" => (Int::CtTz, Some(Wide::CtTz), 1),
        "bswap" => (Int::BSwap, Some(Wide::BSwap), 1),
        "bitreverse" => (Int::BitReverse, Some(Wide::BitReverse), 1),
        "abs" => (Int::Abs, Some(Wide::Abs), 1),
        "fshl" => (Int::FShl, Some(Wide::FShl), 3),
        "fshr" => (Int::FShr, Some(Wide::FShr), 3),
        "smin" => (Int::SMin, Some(Wide::SMin), 2),
        "smax" => (Int::SMax, Some(Wide::SMax), 2),
        "umin" => (Int::UMin, Some(Wide::UMin), 2),
        "umax" => (Int::UMax, Some(Wide::UMax), 2),
        "sadd.sat" => (Int::SAddSat, Some(Wide::SAddSat), 2),
        "uadd.sat" => (Int::UAddSat, Some(Wide::UAddSat), 2),
        "ssub.sat" => (Int::SSubSat, Some(Wide::SSubSat), 2),
        "usub.sat" => (Int::USubSat, Some(Wide::USubSat), 2),
        "sshl.sat" => (Int::SShlSat, None, 2),
        "ushl.sat" => (Int::UShlSat, None, 2),
        "sadd.with.overflow" => (Int::SAddOv, Some(Wide::SAddOv), 2),
        "uadd.with.overflow" => (Int::UAddOv, Some(Wide::UAddOv), 2),
        "ssub.with.overflow" => (Int::SSubOv, Some(Wide::SSubOv), 2),
        "usub.with.overflow" => (Int::USubOv, Some(Wide::USubOv), 2),
        "smul.with.overflow" => (Int::SMulOv, Some(Wide::SMulOv), 2),
        "umul.with.overflow" => (Int::UMulOv, Some(Wide::UMulOv), 2),
        "ucmp" => (Int::UCmp, None, 2),
        "scmp" => (Int::SCmp, None, 2),
        _ => return None,
    };
    Some(IntIntrinsic { narrow, wide, operands })
}

#[derive(Clone, Copy)]
struct FloatIntrinsic {
    op: Float,
    soft: Option<SoftOp>,
    operands: u32,
}

#[rustfmt::skip]
fn float_intrinsic(name: &str) -> Option<FloatIntrinsic> {
    let (op, soft, operands) = match name {
        "fabs" => (Float::Abs, Some(SoftOp::Abs), 1),
        "copysign" => (Float::CopySign, Some(SoftOp::CopySign), 2),
        "sqrt" => (Float::Sqrt, Some(SoftOp::Sqrt), 1),
        "floor" => (Float::Floor, Some(SoftOp::Floor), 1),
        "ceil" => (Float::Ceil, Some(SoftOp::Ceil), 1),
        "trunc" => (Float::Trunc, Some(SoftOp::Trunc), 1),
        "rint" => (Float::Rint, Some(SoftOp::Rint), 1),
        "nearbyint" => (Float::NearbyInt, Some(SoftOp::Rint), 1),
        "round" => (Float::Round, Some(SoftOp::Round), 1),
        "roundeven" => (Float::RoundEven, Some(SoftOp::RoundEven), 1),
        "minnum" | "minimumnum" => (Float::MinNum, Some(SoftOp::MinNum), 2),
        "maxnum" | "maximumnum" => (Float::MaxNum, Some(SoftOp::MaxNum), 2),
        "minimum" => (Float::Minimum, None, 2),
        "maximum" => (Float::Maximum, None, 2),
        "fma" => (Float::Fma, Some(SoftOp::Fma), 3),
        "fmuladd" => (Float::MulAdd, None, 3),
        "sin" => (Float::Sin, None, 1),
        "cos" => (Float::Cos, None, 1),
        "tan" => (Float::Tan, None, 1),
        "exp" => (Float::Exp, None, 1),
        "exp2" => (Float::Exp2, None, 1),
        "exp10" => (Float::Exp10, None, 1),
        "log" => (Float::Log, None, 1),
        "log2" => (Float::Log2, None, 1),
        "log10" => (Float::Log10, None, 1),
        "pow" => (Float::Pow, None, 2),
        "powi" => (Float::PowI, None, 2),
        "is.fpclass" => (Float::IsFpClass, Some(SoftOp::IsFpClass), 2),
        "ldexp" => (Float::LdExp, None, 2),
        "frexp" => (Float::FrExp, None, 1),
        "lrint" | "llrint" => (Float::LRint, None, 1),
        "lround" | "llround" => (Float::LRound, None, 1),
        "fptosi.sat" => (Float::ToSSat, None, 1),
        "fptoui.sat" => (Float::ToUSat, None, 1),
        _ => return None,
    };
    Some(FloatIntrinsic { op, soft, operands })
}

/// `llvm.experimental.constrained.fadd` and its like.
fn constrained_arithmetic(name: &str) -> Option<LLVMOpcode> {
    use LLVMOpcode::*;
    Some(match name {
        "fadd" => LLVMFAdd,
        "fsub" => LLVMFSub,
        "fmul" => LLVMFMul,
        "fdiv" => LLVMFDiv,
        "frem" => LLVMFRem,
        _ => return None,
    })
}

fn conversion(name: &str) -> Option<LLVMOpcode> {
    use LLVMOpcode::*;
    Some(match name {
        "fptosi" => LLVMFPToSI,
        "fptoui" => LLVMFPToUI,
        "sitofp" => LLVMSIToFP,
        "uitofp" => LLVMUIToFP,
        "fptrunc" => LLVMFPTrunc,
        "fpext" => LLVMFPExt,
        _ => return None,
    })
}
