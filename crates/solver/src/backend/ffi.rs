//! The part of the C interfaces of Bitwuzla 0.9.1 and of CaDiCaL that is used here.

use std::ffi::{c_char, c_int, c_void};

/// Declares types that only their library can look into.
macro_rules! opaque {
    ($($name:ident)*) => {$(
        #[repr(C)]
        pub(super) struct $name {
            private: [u8; 0],
        }
    )*};
}

opaque!(Options TermManager Solver RawTerm RawSort CaDiCaL);

pub(super) type Term = *mut RawTerm;
pub(super) type Sort = *mut RawSort;

pub(super) const SAT: c_int = 10;
pub(super) const UNSAT: c_int = 20;

pub(super) const OPTION_PRODUCE_MODELS: c_int = 1;
pub(super) const OPTION_PREPROCESS: c_int = 44;
pub(super) const OPTION_PP_NORMALIZE: c_int = 49;

/// Rounding modes.
pub(super) const RNE: c_int = 0;
pub(super) const RNA: c_int = 1;
pub(super) const RTN: c_int = 2;
pub(super) const RTP: c_int = 3;
pub(super) const RTZ: c_int = 4;

/// What a term does; the numbers are those of `BitwuzlaKind`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub(super) enum Kind {
    And = 4,
    Equal = 6,
    Not = 9,
    Or = 10,
    Xor = 11,
    Ite = 12,
    BvAdd = 19,
    BvAnd = 20,
    BvAshr = 21,
    BvConcat = 23,
    BvMul = 26,
    BvNeg = 28,
    BvNot = 31,
    BvOr = 32,
    BvSdiv = 40,
    BvShl = 43,
    BvShr = 44,
    BvSle = 45,
    BvSlt = 46,
    BvSrem = 49,
    BvSub = 51,
    BvUdiv = 53,
    BvUle = 56,
    BvUlt = 57,
    BvUrem = 59,
    BvXor = 62,
    BvExtract = 63,
    BvSignExtend = 67,
    BvZeroExtend = 68,
    FpAbs = 69,
    FpAdd = 70,
    FpDiv = 71,
    FpEqual = 72,
    FpFma = 73,
    FpIsNan = 78,
    FpIsNeg = 79,
    FpIsZero = 83,
    FpLeq = 84,
    FpLt = 85,
    FpMul = 88,
    FpNeg = 89,
    FpRem = 90,
    FpRti = 91,
    FpSqrt = 92,
    FpSub = 93,
    FpToFpFromBv = 94,
    FpToFpFromFp = 95,
    FpToFpFromSbv = 96,
    FpToFpFromUbv = 97,
    FpToSbv = 98,
}

unsafe extern "C" {
    pub(super) fn bitwuzla_options_new() -> *mut Options;
    pub(super) fn bitwuzla_options_delete(options: *mut Options);
    pub(super) fn bitwuzla_set_option(options: *mut Options, option: c_int, value: u64);

    pub(super) fn bitwuzla_new(terms: *mut TermManager, options: *const Options) -> *mut Solver;
    pub(super) fn bitwuzla_delete(solver: *mut Solver);
    pub(super) fn bitwuzla_set_termination_callback(
        solver: *mut Solver,
        callback: Option<unsafe extern "C" fn(*mut c_void) -> i32>,
        state: *mut c_void,
    );
    pub(super) fn bitwuzla_assert(solver: *mut Solver, term: Term);
    pub(super) fn bitwuzla_check_sat_assuming(
        solver: *mut Solver,
        n_terms: u32,
        terms: *const Term,
    ) -> c_int;
    pub(super) fn bitwuzla_get_value(solver: *mut Solver, term: Term) -> Term;

    pub(super) fn bitwuzla_term_manager_new() -> *mut TermManager;
    pub(super) fn bitwuzla_term_manager_delete(terms: *mut TermManager);
    pub(super) fn bitwuzla_mk_bv_sort(terms: *mut TermManager, width: u64) -> Sort;
    pub(super) fn bitwuzla_mk_true(terms: *mut TermManager) -> Term;
    pub(super) fn bitwuzla_mk_false(terms: *mut TermManager) -> Term;
    pub(super) fn bitwuzla_mk_bv_value(
        terms: *mut TermManager,
        sort: Sort,
        digits: *const c_char,
        base: u8,
    ) -> Term;
    pub(super) fn bitwuzla_mk_bv_value_uint64(
        terms: *mut TermManager,
        sort: Sort,
        value: u64,
    ) -> Term;
    pub(super) fn bitwuzla_mk_rm_value(terms: *mut TermManager, rounding: c_int) -> Term;
    pub(super) fn bitwuzla_mk_const(
        terms: *mut TermManager,
        sort: Sort,
        symbol: *const c_char,
    ) -> Term;
    pub(super) fn bitwuzla_mk_term(
        terms: *mut TermManager,
        kind: Kind,
        n_args: u32,
        args: *const Term,
    ) -> Term;
    pub(super) fn bitwuzla_mk_term_indexed(
        terms: *mut TermManager,
        kind: Kind,
        n_args: u32,
        args: *const Term,
        n_indices: u32,
        indices: *const u64,
    ) -> Term;
    pub(super) fn bitwuzla_term_value_get_str_fmt(term: Term, base: u8) -> *const c_char;

    pub(super) fn ccadical_init() -> *mut CaDiCaL;
    pub(super) fn ccadical_release(solver: *mut CaDiCaL);
    pub(super) fn ccadical_set_option(solver: *mut CaDiCaL, name: *const c_char, value: c_int);
    pub(super) fn ccadical_set_terminate(
        solver: *mut CaDiCaL,
        state: *mut c_void,
        callback: Option<unsafe extern "C" fn(*mut c_void) -> i32>,
    );
    pub(super) fn ccadical_add(solver: *mut CaDiCaL, lit: c_int);
    pub(super) fn ccadical_assume(solver: *mut CaDiCaL, lit: c_int);
    pub(super) fn ccadical_solve(solver: *mut CaDiCaL) -> c_int;
    pub(super) fn ccadical_val(solver: *mut CaDiCaL, lit: c_int) -> c_int;
}
