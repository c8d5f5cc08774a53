//! Lowers LLVM bitcode to a [`Program`]. Nothing outside this module knows LLVM.
//!
//! `load` parses; `globals` and `constants` turn every constant into numbers; `function` walks a
//! body and leaves each instruction to the file named for its construct; these write bytecode
//! over virtual slots, which `slots` maps to frame slots at the end.

mod aggregate;
mod arith;
mod atomic;
mod call;
mod cast;
mod coalesce;
mod compare;
mod constants;
mod control;
mod debug;
mod float;
mod function;
mod globals;
mod intrinsics;
mod llvm;
mod load;
mod memory;
mod operand;
mod roles;
mod slots;
mod trial;
mod types;
mod vector;

pub use load::{Error, llvm_version};
pub(crate) use roles::{Role, ends_block, roles};

use llvm_sys::prelude::LLVMModuleRef;
use llvm_sys::target::LLVMGetModuleDataLayout;
use rustc_hash::FxHashMap;

use crate::{FileId, FuncId, Location, Program};

/// How to load a program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Run no passes, so that every source variable stays in memory at every statement.
    pub exact: bool,
    /// The bytes are as our own compiler and linker wrote them. Any others are read twice, first
    /// in a process that may crash, and verified, which needs all of them in memory at once.
    pub trusted: bool,
}

/// Parses and lowers bitcode (or LLVM assembly). LLVM's memory is gone when this returns.
pub fn load(bitcode: &[u8], options: &Options) -> Result<Program, Error> {
    load::initialize();
    if !options.trusted {
        trial::run(bitcode, || lower(bitcode, options).map(drop))?;
    }
    let _reading = trial::no_fork();
    lower(bitcode, options)
}

fn lower(bitcode: &[u8], options: &Options) -> Result<Program, Error> {
    let module = load::parse(bitcode, !options.trusted)?;
    let mut lowering = Lowering::new(&module);
    let functions = lowering.declare_functions();
    lowering.lower_globals();
    for function in functions {
        if !function.is_declaration() {
            module.materialize(function)?;
            let sizes = function::sizes_of_blocks(function);
            if !options.exact {
                module.promote(function);
            }
            lowering.lower_function(function, &sizes);
            module.release(function);
        }
    }
    Ok(lowering.program)
}

/// The result of lowering a piece; the error names the construct that is not supported.
type Lowered<T> = Result<T, String>;

/// A module being lowered.
struct Lowering<'m> {
    module: LLVMModuleRef,
    types: types::Types,
    functions: FxHashMap<llvm::Value, FuncId>,
    /// Functions without a body.
    declarations: rustc_hash::FxHashSet<FuncId>,
    global_addresses: FxHashMap<llvm::Value, u64>,
    labels: FxHashMap<llvm::BasicBlock, u64>,
    debug: debug::Debug,
    program: Program,
    owner: std::marker::PhantomData<&'m load::Module<'m>>,
}

impl<'m> Lowering<'m> {
    fn new(module: &'m load::Module<'_>) -> Self {
        let mut program = Program::default();
        program.locations.push(Location { file: FileId(0), line: 0, column: 0 });
        Self {
            module: module.raw,
            // SAFETY: the module outlives `self`.
            types: types::Types::new(unsafe { LLVMGetModuleDataLayout(module.raw) }),
            functions: FxHashMap::default(),
            declarations: Default::default(),
            global_addresses: FxHashMap::default(),
            labels: FxHashMap::default(),
            debug: debug::Debug::default(),
            program,
            owner: std::marker::PhantomData,
        }
    }
}
