//! How LLVM types become slots: the scalars a type consists of, and where each one lives.

use std::rc::Rc;

use llvm_sys::target::{
    LLVMABIAlignmentOfType, LLVMABISizeOfType, LLVMOffsetOfElement, LLVMTargetDataRef,
};
use rustc_hash::FxHashMap;

use super::Lowered;
use super::llvm::{LLVMTypeKind, Type};
use crate::ArgKind;
use crate::inst::{BIG_WORDS, SoftFormat};

/// A value that is not made of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// 1 to [`MAX_WIDTH`] bits
    Int(u32),
    Pointer,
    Float(SoftFormat),
}

impl Scalar {
    pub fn width(self) -> u32 {
        match self {
            Self::Int(width) => width,
            Self::Pointer => 64,
            Self::Float(SoftFormat::Half | SoftFormat::BFloat) => 16,
            Self::Float(SoftFormat::Single) => 32,
            Self::Float(SoftFormat::Double) => 64,
            Self::Float(SoftFormat::X87) => 80,
            Self::Float(SoftFormat::Quad) => 128,
        }
    }

    pub fn slots(self) -> u32 {
        self.width().div_ceil(64)
    }

    /// Bytes that a load or store of it touches.
    pub fn bytes(self) -> u32 {
        self.width().div_ceil(8)
    }

    pub fn arg_kind(self) -> ArgKind {
        match self {
            Self::Int(129..) => ArgKind::Slots(self.slots()),
            Self::Int(65..) => ArgKind::Int128,
            Self::Int(_) | Self::Pointer => ArgKind::Int,
            Self::Float(SoftFormat::Single) => ArgKind::Float,
            Self::Float(SoftFormat::Double) => ArgKind::Double,
            Self::Float(SoftFormat::X87) => ArgKind::X87,
            Self::Float(_) => ArgKind::Vector { lanes: 1, lane_bytes: self.bytes() },
        }
    }
}

/// The low `width` bits (1 to 64) set.
pub fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width.clamp(1, 64))
}

/// One scalar of a type.
#[derive(Clone, Copy, Debug)]
pub struct Leaf {
    pub scalar: Scalar,
    /// Its first slot, relative to the value's.
    pub slot: u32,
    /// Where it stands in memory, relative to the value.
    pub offset: u64,
}

/// A first-class type, scalarised.
#[derive(Debug, Default)]
pub struct Shape {
    pub leaves: Vec<Leaf>,
    pub slots: u32,
    /// Vectors of `i1` and the like, whose lanes share bytes in memory.
    pub bit_packed: bool,
}

impl Shape {
    pub fn single(&self) -> Option<Scalar> {
        match self.leaves.as_slice() {
            [leaf] => Some(leaf.scalar),
            _ => None,
        }
    }

    fn append(&mut self, other: &Shape, offset: u64) {
        let slots = self.slots;
        self.leaves.extend(other.leaves.iter().map(|leaf| Leaf {
            slot: leaf.slot + slots,
            offset: leaf.offset + offset,
            ..*leaf
        }));
        self.slots += other.slots;
        self.bit_packed |= other.bit_packed;
    }
}

/// The widest integer there is; clang allows wider ones.
const MAX_WIDTH: u32 = 64 * BIG_WORDS as u32;

/// More scalars than this in one SSA value is no C program.
const MAX_LEAVES: usize = 1 << 14;

/// Shapes of types, and their layout in memory.
pub struct Types {
    data: LLVMTargetDataRef,
    shapes: FxHashMap<Type, Lowered<Rc<Shape>>>,
}

impl Types {
    pub fn new(data: LLVMTargetDataRef) -> Self {
        Self { data, shapes: FxHashMap::default() }
    }

    pub fn shape(&mut self, ty: Type) -> Lowered<Rc<Shape>> {
        if let Some(shape) = self.shapes.get(&ty) {
            return shape.clone();
        }
        let shape = self.compute(ty).map(Rc::new);
        self.shapes.insert(ty, shape.clone());
        shape
    }

    pub fn scalar(&mut self, ty: Type) -> Lowered<Scalar> {
        self.shape(ty)?.single().ok_or_else(|| "an aggregate where a scalar is expected".to_owned())
    }

    fn compute(&mut self, ty: Type) -> Lowered<Shape> {
        match ty.kind() {
            LLVMTypeKind::LLVMVoidTypeKind => Ok(Shape::default()),
            LLVMTypeKind::LLVMStructTypeKind => self.structure(ty),
            LLVMTypeKind::LLVMArrayTypeKind => {
                let element = ty.element_type();
                let stride = self.size(element);
                self.repeat(element, ty.array_length(), stride)
            }
            LLVMTypeKind::LLVMVectorTypeKind => self.vector(ty),
            _ => {
                let scalar = scalar_type(ty)?;
                let leaf = Leaf { scalar, slot: 0, offset: 0 };
                Ok(Shape { leaves: vec![leaf], slots: scalar.slots(), bit_packed: false })
            }
        }
    }

    fn structure(&mut self, ty: Type) -> Lowered<Shape> {
        let mut shape = Shape::default();
        for index in 0..ty.n_fields() {
            let field = self.shape(ty.field(index))?;
            shape.append(&field, self.field_offset(ty, index));
        }
        Ok(shape)
    }

    fn vector(&mut self, ty: Type) -> Lowered<Shape> {
        let element = ty.element_type();
        let width = scalar_type(element)?.width();
        let mut shape =
            self.repeat(element, u64::from(ty.vector_length()), u64::from(width / 8))?;
        shape.bit_packed |= width % 8 != 0;
        Ok(shape)
    }

    fn repeat(&mut self, element: Type, count: u64, stride: u64) -> Lowered<Shape> {
        let element = self.shape(element)?;
        let count = usize::try_from(count).unwrap_or(usize::MAX);
        if element.leaves.len().saturating_mul(count) > MAX_LEAVES {
            return Err(format!("a value of {count} elements outside memory"));
        }
        let mut shape = Shape::default();
        for index in 0..count as u64 {
            shape.append(&element, index * stride);
        }
        Ok(shape)
    }

    /// Bytes from one array element of this type to the next.
    pub fn size(&self, ty: Type) -> u64 {
        // SAFETY: the module that owns the layout and the type is alive.
        if ty.is_sized() { unsafe { LLVMABISizeOfType(self.data, ty.0) } } else { 0 }
    }

    pub fn align(&self, ty: Type) -> u64 {
        // SAFETY: as above.
        if ty.is_sized() {
            u64::from(unsafe { LLVMABIAlignmentOfType(self.data, ty.0) })
        } else {
            1
        }
    }

    pub fn field_offset(&self, ty: Type, index: u32) -> u64 {
        // SAFETY: as above.
        unsafe { LLVMOffsetOfElement(self.data, ty.0, index) }
    }
}

fn scalar_type(ty: Type) -> Lowered<Scalar> {
    Ok(match ty.kind() {
        LLVMTypeKind::LLVMIntegerTypeKind => match ty.int_width() {
            width @ 1..=MAX_WIDTH => Scalar::Int(width),
            width => return Err(format!("an integer of {width} bits")),
        },
        LLVMTypeKind::LLVMPointerTypeKind => Scalar::Pointer,
        LLVMTypeKind::LLVMHalfTypeKind => Scalar::Float(SoftFormat::Half),
        LLVMTypeKind::LLVMBFloatTypeKind => Scalar::Float(SoftFormat::BFloat),
        LLVMTypeKind::LLVMFloatTypeKind => Scalar::Float(SoftFormat::Single),
        LLVMTypeKind::LLVMDoubleTypeKind => Scalar::Float(SoftFormat::Double),
        LLVMTypeKind::LLVMX86_FP80TypeKind => Scalar::Float(SoftFormat::X87),
        LLVMTypeKind::LLVMFP128TypeKind => Scalar::Float(SoftFormat::Quad),
        kind => return Err(format!("the type {kind:?}")),
    })
}
