//! Floating point: `float` and `double` by the processor, other formats in software.

use super::Lowered;
use super::function::Body;
use super::llvm::{LLVMOpcode, Value};
use super::operand::Operand;
use super::slots::NO_SLOT;
use super::types::Scalar;
use crate::inst::{Big, BigWidths, Op, SoftFormat, SoftOp, Wide, soft};

impl Body<'_, '_> {
    pub fn lower_float_arith(&mut self, inst: Value) -> Lowered<()> {
        let opcode = inst.opcode();
        if opcode == LLVMOpcode::LLVMFNeg {
            return self.for_each_lane(inst, &[inst.operand(0)], |body, scalar, d, lanes| {
                body.float_negate(scalar, d, lanes[0])
            });
        }
        self.for_each_lane(inst, &[inst.operand(0), inst.operand(1)], |body, scalar, d, lanes| {
            body.float_arith(opcode, scalar, d, lanes[0], lanes[1])
        })
    }

    pub fn float_arith(
        &mut self,
        opcode: LLVMOpcode,
        scalar: Scalar,
        d: u32,
        a: Operand,
        b: Operand,
    ) -> Lowered<()> {
        use LLVMOpcode::*;
        let (single, double, software) = match opcode {
            LLVMFAdd => (Op::FAdd32, Op::FAdd64, SoftOp::Add),
            LLVMFSub => (Op::FSub32, Op::FSub64, SoftOp::Sub),
            LLVMFMul => (Op::FMul32, Op::FMul64, SoftOp::Mul),
            LLVMFDiv => (Op::FDiv32, Op::FDiv64, SoftOp::Div),
            LLVMFRem => (Op::FRem32, Op::FRem64, SoftOp::Rem),
            _ => return Err(format!("{opcode:?} on floating point")),
        };
        let format = format_of(scalar)?;
        let (a, b) = (self.in_slot(a, scalar.slots()), self.in_slot(b, scalar.slots()));
        match format {
            SoftFormat::Single => self.emit(single, d, a, b, 0),
            SoftFormat::Double => self.emit(double, d, a, b, 0),
            _ => self.software(software, format, d, a, b, 0),
        }
        Ok(())
    }

    fn float_negate(&mut self, scalar: Scalar, d: u32, a: Operand) -> Lowered<()> {
        let a = self.in_slot(a, scalar.slots());
        match format_of(scalar)? {
            SoftFormat::Single => self.emit(Op::FNeg32, d, a, NO_SLOT, 0),
            SoftFormat::Double => self.emit(Op::FNeg64, d, a, NO_SLOT, 0),
            format => self.software(SoftOp::Neg, format, d, a, NO_SLOT, 0),
        }
        Ok(())
    }

    pub fn software(&mut self, op: SoftOp, format: SoftFormat, d: u32, a: u32, b: u32, imm: u64) {
        self.emit_x(Op::Soft, soft::pack(op, format, format), d, a, b, imm);
    }

    pub fn lower_fcmp(&mut self, inst: Value) -> Lowered<()> {
        let predicate = inst.fcmp_predicate();
        let shape = self.m.types.shape(inst.operand(0).ty())?;
        let scalar = shape.leaves.first().ok_or("a comparison of nothing")?.scalar;
        self.for_each_lane(inst, &[inst.operand(0), inst.operand(1)], |body, _, d, lanes| {
            body.float_compare(predicate, scalar, d, lanes[0], lanes[1])
        })
    }

    pub fn float_compare(
        &mut self,
        predicate: u16,
        scalar: Scalar,
        d: u32,
        a: Operand,
        b: Operand,
    ) -> Lowered<()> {
        let (a, b) = (self.in_slot(a, scalar.slots()), self.in_slot(b, scalar.slots()));
        match format_of(scalar)? {
            SoftFormat::Single => self.emit_x(Op::FCmp32, predicate, d, a, b, 0),
            SoftFormat::Double => self.emit_x(Op::FCmp64, predicate, d, a, b, 0),
            format => self.software(SoftOp::Cmp, format, d, a, b, predicate.into()),
        }
        Ok(())
    }

    pub fn convert_float(&mut self, d: u32, a: u32, from: Scalar, to: Scalar) -> Lowered<()> {
        match (format_of(from)?, format_of(to)?) {
            (SoftFormat::Single, SoftFormat::Double) => self.emit(Op::F32To64, d, a, NO_SLOT, 0),
            (SoftFormat::Double, SoftFormat::Single) => self.emit(Op::F64To32, d, a, NO_SLOT, 0),
            (from, to) => {
                self.emit_x(Op::Soft, soft::pack(SoftOp::Convert, to, from), d, a, NO_SLOT, 0);
            }
        }
        Ok(())
    }

    pub fn float_to_int(
        &mut self,
        d: u32,
        a: u32,
        from: Scalar,
        width: u32,
        signed: bool,
    ) -> Lowered<()> {
        let pick = |yes, no| if signed { yes } else { no };
        match format_of(from)? {
            SoftFormat::Single if width <= 64 => {
                self.emit_x(pick(Op::F32ToS, Op::F32ToU), width as u16, d, a, NO_SLOT, 0);
            }
            SoftFormat::Double if width <= 64 => {
                self.emit_x(pick(Op::F64ToS, Op::F64ToU), width as u16, d, a, NO_SLOT, 0);
            }
            SoftFormat::Single | SoftFormat::Double if width > 128 => {
                let imm = BigWidths { width, other: from.width() }.pack();
                self.emit_x(Op::Big, Big::FpToInt as u16, d, a, NO_SLOT, imm);
            }
            format if width > 128 => return Err(format!("{format:?} to {width} bits")),
            SoftFormat::Single | SoftFormat::Double => {
                let wide = if signed { Wide::FpToS } else { Wide::FpToU };
                let imm = u64::from(width) | u64::from(from.width()) << 8;
                self.emit_x(Op::Wide, wide as u16, d, a, NO_SLOT, imm);
            }
            format => {
                let op = if signed { SoftOp::ToS } else { SoftOp::ToU };
                self.software(op, format, d, a, NO_SLOT, width.into());
            }
        }
        Ok(())
    }

    pub fn int_to_float(
        &mut self,
        d: u32,
        a: u32,
        width: u32,
        to: Scalar,
        signed: bool,
    ) -> Lowered<()> {
        let pick = |yes, no| if signed { yes } else { no };
        match format_of(to)? {
            SoftFormat::Single if width <= 64 => {
                self.emit_x(pick(Op::SToF32, Op::UToF32), width as u16, d, a, NO_SLOT, 0);
            }
            SoftFormat::Double if width <= 64 => {
                self.emit_x(pick(Op::SToF64, Op::UToF64), width as u16, d, a, NO_SLOT, 0);
            }
            SoftFormat::Single | SoftFormat::Double if width > 128 => {
                let big = if signed { Big::SToFp } else { Big::UToFp };
                let imm = BigWidths { width, other: to.width() }.pack();
                self.emit_x(Op::Big, big as u16, d, a, NO_SLOT, imm);
            }
            format if width > 128 => return Err(format!("{width} bits to {format:?}")),
            SoftFormat::Single | SoftFormat::Double => {
                let wide = if signed { Wide::SToFp } else { Wide::UToFp };
                let imm = u64::from(width) | u64::from(to.width()) << 8;
                self.emit_x(Op::Wide, wide as u16, d, a, NO_SLOT, imm);
            }
            format => {
                let op = if signed { SoftOp::FromS } else { SoftOp::FromU };
                self.software(op, format, d, a, NO_SLOT, width.into());
            }
        }
        Ok(())
    }
}

pub fn format_of(scalar: Scalar) -> Lowered<SoftFormat> {
    match scalar {
        Scalar::Float(format) => Ok(format),
        _ => Err("floating-point arithmetic on an integer".to_owned()),
    }
}
