//! One independent part of a path condition: bytes tied together by constraints, with their domains.

use std::hash::{Hash, Hasher};
use std::rc::Rc;

use fathom_expr::{ExprId, Var};

use crate::byteset::ByteSet;

/// Bytes, what each may be, and the constraints between them.
///
/// Constraints on a single byte are not kept: they are the byte's domain.
/// Two slices with the same domains and constraints are the same query, however they came about.
#[derive(Clone)]
pub struct Slice {
    bytes: Vec<SliceByte>,
    constraints: Vec<ExprId>,
    hash: u64,
}

/// An input byte and the values that the constraints on it alone leave it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct SliceByte {
    pub var: Var,
    pub domain: ByteSet,
}

impl Slice {
    pub(crate) fn of_byte(var: Var, domain: ByteSet) -> Self {
        let byte = SliceByte { var, domain };
        Self { hash: byte.hash(), bytes: vec![byte], constraints: Vec::new() }
    }

    /// By ascending variable.
    pub fn bytes(&self) -> &[SliceByte] {
        &self.bytes
    }

    /// Constraints over two bytes or more, by ascending id.
    pub fn constraints(&self) -> &[ExprId] {
        &self.constraints
    }

    /// Whether the domains say everything.
    pub fn is_unconstrained(&self) -> bool {
        self.constraints.is_empty()
    }

    /// What `var`, a byte of this slice, may be.
    pub fn domain(&self, var: Var) -> ByteSet {
        self.bytes[self.position(var)].domain
    }

    /// Where `var`, a byte of this slice, stands in [`Slice::bytes`].
    pub(crate) fn position(&self, var: Var) -> usize {
        self.bytes.binary_search_by_key(&var, |byte| byte.var).expect("a byte of the slice")
    }

    pub(crate) fn set_domain(&mut self, var: Var, domain: ByteSet) {
        let position = self.position(var);
        let byte = &mut self.bytes[position];
        self.hash = self.hash.wrapping_sub(byte.hash());
        byte.domain = domain;
        self.hash = self.hash.wrapping_add(byte.hash());
    }

    /// Takes in `others`, no two of which share a byte with each other or with this slice.
    pub(crate) fn absorb(&mut self, others: &[Rc<Self>]) {
        if others.is_empty() {
            return;
        }
        for other in others {
            self.bytes.extend_from_slice(&other.bytes);
            self.constraints.extend_from_slice(&other.constraints);
            self.hash = self.hash.wrapping_add(other.hash);
        }
        self.bytes.sort_unstable_by_key(|byte| byte.var);
        self.constraints.sort_unstable();
    }

    pub(crate) fn insert(&mut self, constraint: ExprId) {
        if let Err(position) = self.constraints.binary_search(&constraint) {
            self.constraints.insert(position, constraint);
            self.hash = self.hash.wrapping_add(mix(u64::from(constraint.raw()) | 1 << 40));
        }
    }
}

impl PartialEq for Slice {
    fn eq(&self, other: &Self) -> bool {
        self.hash == other.hash
            && self.constraints == other.constraints
            && self.bytes == other.bytes
    }
}

impl Eq for Slice {}

impl Hash for Slice {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.hash);
    }
}

impl SliceByte {
    fn hash(&self) -> u64 {
        let var = mix(u64::from(self.var.0));
        self.domain.words().iter().fold(var, |hash, word| mix(hash.rotate_left(23) ^ word))
    }
}

/// The finaliser of splitmix64: sums of its results make an order-independent hash.
fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
