//! What names a term, an input, an input byte and an array.

use std::fmt;
use std::num::NonZeroU32;

use fathom_index::{Id, id};

id!(
    /// A named array of symbolic bytes.
    InputId,
    "in"
);
id!(
    /// A constant table with a list of updates.
    ArrayId,
    "arr"
);

/// A term of a [`crate::Pool`]. `Option<ExprId>` is four bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ExprId(NonZeroU32);

impl ExprId {
    /// A number that `from_raw` turns back; never 0.
    pub fn raw(self) -> u32 {
        self.0.get()
    }

    /// `None` for 0.
    pub fn from_raw(raw: u32) -> Option<Self> {
        NonZeroU32::new(raw).map(Self)
    }
}

impl Id for ExprId {
    fn from_index(index: usize) -> Self {
        let raw = u32::try_from(index + 1).expect("more than 2^32 terms");
        Self(NonZeroU32::new(raw).expect("index + 1 is not zero"))
    }

    fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Debug for ExprId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "e{}", self.0)
    }
}

/// One symbolic input byte, numbered densely over all inputs of a pool.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Var(pub u32);

impl Id for Var {
    fn from_index(index: usize) -> Self {
        Self(u32::try_from(index).expect("more than 2^32 input bytes"))
    }

    fn index(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Debug for Var {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}
