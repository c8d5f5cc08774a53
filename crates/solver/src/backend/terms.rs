//! Bitwuzla's terms: a term manager and what is built in it.

use std::ffi::CString;

use rustc_hash::FxHashMap;

use super::ffi::{self, Kind, Sort, Term};

/// A term manager; every term lives as long as it.
pub(super) struct Terms {
    raw: *mut ffi::TermManager,
    bit_vector_sorts: FxHashMap<u32, Sort>,
    roundings: [Option<Term>; 5],
    n_built: u64,
}

/// The exponent and significand (with the hidden bit) of the float format of a width.
pub(super) fn format(width: u32) -> (u64, u64) {
    match width {
        32 => (8, 24),
        64 => (11, 53),
        _ => unreachable!("there is no float format of {width} bits"),
    }
}

// SAFETY throughout: the manager is alive while `self` is, and the terms handed to it are its own.
impl Terms {
    pub(super) fn new() -> Self {
        let raw = unsafe { ffi::bitwuzla_term_manager_new() };
        Self { raw, bit_vector_sorts: FxHashMap::default(), roundings: [None; 5], n_built: 0 }
    }

    pub(super) fn raw(&self) -> *mut ffi::TermManager {
        self.raw
    }

    /// Terms asked for so far, those that were there already included.
    pub(super) fn n_built(&self) -> u64 {
        self.n_built
    }

    fn bit_vector_sort(&mut self, width: u32) -> Sort {
        let raw = self.raw;
        *self
            .bit_vector_sorts
            .entry(width)
            .or_insert_with(|| unsafe { ffi::bitwuzla_mk_bv_sort(raw, width.into()) })
    }

    /// A fresh unknown of `width` bits.
    pub(super) fn unknown(&mut self, width: u32) -> Term {
        let sort = self.bit_vector_sort(width);
        unsafe { ffi::bitwuzla_mk_const(self.raw, sort, std::ptr::null()) }
    }

    pub(super) fn boolean(&mut self, value: bool) -> Term {
        unsafe {
            if value { ffi::bitwuzla_mk_true(self.raw) } else { ffi::bitwuzla_mk_false(self.raw) }
        }
    }

    /// The bit-vector `value`, of any width, 1 included.
    pub(super) fn value(&mut self, width: u32, value: u128) -> Term {
        let sort = self.bit_vector_sort(width);
        if let Ok(value) = u64::try_from(value) {
            return unsafe { ffi::bitwuzla_mk_bv_value_uint64(self.raw, sort, value) };
        }
        let digits = CString::new(format!("{value:x}")).expect("hexadecimal digits");
        unsafe { ffi::bitwuzla_mk_bv_value(self.raw, sort, digits.as_ptr(), 16) }
    }

    pub(super) fn rounding(&mut self, mode: std::ffi::c_int) -> Term {
        let raw = self.raw;
        *self.roundings[mode as usize]
            .get_or_insert_with(|| unsafe { ffi::bitwuzla_mk_rm_value(raw, mode) })
    }

    pub(super) fn apply<const N: usize>(&mut self, kind: Kind, args: [Term; N]) -> Term {
        self.n_built += 1;
        unsafe { ffi::bitwuzla_mk_term(self.raw, kind, N as u32, args.as_ptr()) }
    }

    pub(super) fn apply_indexed<const N: usize, const M: usize>(
        &mut self,
        kind: Kind,
        args: [Term; N],
        indices: [u64; M],
    ) -> Term {
        self.n_built += 1;
        unsafe {
            let (n_args, n_indices) = (N as u32, M as u32);
            ffi::bitwuzla_mk_term_indexed(
                self.raw,
                kind,
                n_args,
                args.as_ptr(),
                n_indices,
                indices.as_ptr(),
            )
        }
    }

    pub(super) fn not(&mut self, a: Term) -> Term {
        self.apply(Kind::Not, [a])
    }

    pub(super) fn and(&mut self, a: Term, b: Term) -> Term {
        self.apply(Kind::And, [a, b])
    }

    pub(super) fn or(&mut self, a: Term, b: Term) -> Term {
        self.apply(Kind::Or, [a, b])
    }

    pub(super) fn equal(&mut self, a: Term, b: Term) -> Term {
        self.apply(Kind::Equal, [a, b])
    }

    pub(super) fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        self.apply(Kind::Ite, [condition, then, otherwise])
    }

    pub(super) fn extract(&mut self, of: Term, low: u32, width: u32) -> Term {
        let high = low + width - 1;
        self.apply_indexed(Kind::BvExtract, [of], [high.into(), low.into()])
    }

    /// Bit `bit` of the bit-vector `of`, as a Boolean.
    pub(super) fn bit(&mut self, of: Term, bit: u32) -> Term {
        let extracted = self.extract(of, bit, 1);
        self.bool_of_bit(extracted)
    }

    pub(super) fn bool_of_bit(&mut self, bit: Term) -> Term {
        let one = self.value(1, 1);
        self.equal(bit, one)
    }

    pub(super) fn bit_of_bool(&mut self, boolean: Term) -> Term {
        let (one, zero) = (self.value(1, 1), self.value(1, 0));
        self.ite(boolean, one, zero)
    }

    /// The float whose bits are `bits`.
    pub(super) fn float_of_bits(&mut self, bits: Term, width: u32) -> Term {
        let (exponent, significand) = format(width);
        self.apply_indexed(Kind::FpToFpFromBv, [bits], [exponent, significand])
    }
}

impl Drop for Terms {
    fn drop(&mut self) {
        unsafe { ffi::bitwuzla_term_manager_delete(self.raw) }
    }
}
