//! The lowered program: functions, globals and what is known of their source.

use fathom_index::{IndexVec, id};

use crate::inst::Inst;

id!(FuncId, "f");
id!(GlobalId, "g");
id!(CallSiteId, "c");
id!(
    /// A place in the source. 0 is "unknown".
    #[derive(Default)]
    LocId,
    "l"
);
id!(FileId, "file");

/// A whole program, ready to execute. Nothing of LLVM is left in it.
#[derive(Debug, Default)]
pub struct Program {
    pub functions: IndexVec<FuncId, Function>,
    pub globals: IndexVec<GlobalId, Global>,
    /// Entry 0 is unknown.
    pub locations: IndexVec<LocId, Location>,
    pub files: IndexVec<FileId, File>,
    pub call_sites: IndexVec<CallSiteId, CallSite>,
    /// Texts of `Op::Unsupported`.
    pub messages: Vec<String>,
    /// Faults that were put in on purpose.
    pub n_faults: u32,
}

impl Program {
    pub fn function_named(&self, name: &str) -> Option<FuncId> {
        self.functions
            .iter_enumerated()
            .find(|(_, function)| function.name == name)
            .map(|(id, _)| id)
    }

    /// The function whose address is `address`, if it is one.
    pub fn function_at(&self, address: u64) -> Option<FuncId> {
        use crate::layout::{CODE_BASE, CODE_STEP};
        let distance = address.checked_sub(CODE_BASE)?;
        let index = u32::try_from(distance / CODE_STEP).ok()?;
        (distance % CODE_STEP == 0 && (index as usize) < self.functions.len())
            .then_some(FuncId(index))
    }

    /// Is this a place in the program's own sources, not in the C library's?
    pub fn is_own(&self, loc: LocId) -> bool {
        let location = self.locations.get(loc).filter(|_| loc.0 != 0);
        location.is_some_and(|location| !self.files[location.file].library)
    }

    /// "file:line", or "?" where it is not known.
    pub fn describe(&self, loc: LocId) -> String {
        match self.locations.get(loc) {
            Some(location) if loc.0 != 0 => {
                format!("{}:{}", self.files[location.file].path, location.line)
            }
            _ => "?".to_owned(),
        }
    }
}

/// The address of a function: what `&f` evaluates to.
pub fn function_address(function: FuncId) -> u64 {
    crate::layout::CODE_BASE + crate::layout::CODE_STEP * u64::from(function.0)
}

#[derive(Debug, Default)]
pub struct Function {
    pub name: String,
    /// Empty when the function is only declared.
    pub code: Vec<Inst>,
    /// The source location of each instruction of `code`.
    pub locs: Vec<LocId>,
    /// Where the function is declared.
    pub loc: LocId,
    /// Fixed parameters, in order.
    pub params: Vec<Param>,
    /// Slots the fixed parameters take, from slot 0.
    pub param_slots: u32,
    pub variadic: bool,
    /// Slots of a frame, parameters included. A callee's frame begins here.
    pub frame_slots: u32,
    /// Slots of the result; 0 for void.
    pub result_slots: u32,
    pub switches: Vec<Switch>,
    /// Address and position (instruction index) of each block whose address is taken.
    pub block_addresses: Vec<(u64, u32)>,
    /// Instruction index at which each basic block begins, ascending, with the number of LLVM
    /// instructions in it.
    pub blocks: Vec<Block>,
    /// Pairs of blocks: where the first is executed to its end, so is the second, although it is
    /// not entered (it is a terminator that the first has a copy of).
    pub passed: Vec<(u32, u32)>,
    /// Source variables, for reports.
    pub variables: Vec<Variable>,
    /// Does not return twice, is not variadic, …: true if some call in it may (setjmp).
    pub calls_setjmp: bool,
}

impl Function {
    pub fn is_defined(&self) -> bool {
        !self.code.is_empty()
    }
}

#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub start: u32,
    /// LLVM instructions as the compiler made them, before any pass of ours: what coverage counts.
    pub n_llvm: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Param {
    pub kind: ArgKind,
    /// `byval`: the callee gets its own copy of this many bytes.
    pub byval: Option<u64>,
}

/// How an argument is passed: its slots, and its place in the System V x86-64 convention, which
/// `va_arg` code relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArgKind {
    /// An integer or pointer of up to 64 bits: a general register, one slot.
    Int,
    /// A 128-bit integer: two general registers, two slots.
    Int128,
    /// float or double: a vector register, one slot. The flag is true for 32 bits.
    Float,
    Double,
    /// x86_fp80: on the stack (16 bytes), two slots.
    X87,
    /// What else goes into a vector register: vectors, half and quad. Each lane has its own slots.
    Vector {
        lanes: u32,
        lane_bytes: u32,
    },
    /// A pointer to memory passed by value on the stack; `byval` says how much.
    ByVal {
        size: u64,
        align: u64,
    },
    /// Anything else (vectors, aggregates): this many slots; not readable through `va_arg`.
    Slots(u32),
}

impl ArgKind {
    pub fn slots(self) -> u32 {
        match self {
            Self::Int | Self::Float | Self::Double | Self::ByVal { .. } => 1,
            Self::Int128 | Self::X87 => 2,
            Self::Vector { lanes, lane_bytes } => lanes * lane_bytes.div_ceil(8),
            Self::Slots(n) => n,
        }
    }
}

/// What a call passes and expects, as the caller sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallSite {
    pub args: Vec<ArgKind>,
    /// Slots of all arguments together.
    pub arg_slots: u32,
    pub result_slots: u32,
}

#[derive(Debug)]
pub struct Switch {
    pub default: i32,
    pub kind: SwitchKind,
}

/// Targets are byte distances from the switch instruction, as everywhere.
#[derive(Debug)]
pub enum SwitchKind {
    /// `targets[value - base]`
    Dense { base: u64, targets: Vec<i32> },
    /// Sorted by value.
    Sparse { values: Vec<u64>, targets: Vec<i32> },
}

impl Switch {
    /// The distance to go for `value`.
    #[inline]
    pub fn target(&self, value: u64) -> i32 {
        let target = match &self.kind {
            SwitchKind::Dense { base, targets } => {
                targets.get(value.wrapping_sub(*base) as usize).copied()
            }
            SwitchKind::Sparse { values, targets } => {
                values.binary_search(&value).ok().map(|found| targets[found])
            }
        };
        target.unwrap_or(self.default)
    }
}

#[derive(Debug)]
pub struct Global {
    pub name: String,
    pub address: u64,
    pub size: u64,
    pub align: u64,
    pub constant: bool,
    /// Not defined in the program (an extern nobody provides); its size is a guess.
    pub external: bool,
    /// Initial bytes, addresses already resolved. Shorter than `size`: the rest is 0.
    pub init: Vec<u8>,
    pub loc: LocId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub file: FileId,
    pub line: u32,
    pub column: u32,
}

#[derive(Debug)]
pub struct File {
    pub path: String,
    /// Part of the C library that every program is linked with.
    pub library: bool,
}

impl File {
    pub fn new(path: String) -> Self {
        let library = path.starts_with("musl/") || path.starts_with("runtime/");
        Self { path, library }
    }
}

/// A local variable or parameter of the source.
#[derive(Debug)]
pub struct Variable {
    pub name: String,
    pub loc: LocId,
    /// The type as C would write it, as far as debug information tells.
    pub type_name: String,
}
