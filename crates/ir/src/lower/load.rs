//! Bitcode bytes to an LLVM module, or one clear line saying why not.

use std::fmt;
use std::sync::Once;

use llvm_sys::core::{LLVMContextCreate, LLVMContextDispose, LLVMDisposeModule, LLVMGetVersion};
use llvm_sys::prelude::{LLVMContextRef, LLVMModuleRef};

use super::llvm::{
    Value, fathom_initialize, fathom_materialize, fathom_parse, fathom_pointer_bits,
    fathom_producer, fathom_promote, fathom_release, take_string,
};

/// Why a program could not be loaded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    NotBitcode,
    Corrupt {
        reason: String,
    },
    /// Made by a newer LLVM than ours.
    TooNew {
        producer: String,
        ours: String,
    },
    /// Pointers are not 64 bits wide.
    WrongTarget {
        pointer_bits: u32,
    },
    /// LLVM assembly that does not parse.
    BadAssembly {
        reason: String,
    },
    /// The operating system gives no process to read the bitcode in.
    NoProcess {
        reason: String,
    },
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotBitcode => write!(f, "not LLVM bitcode"),
            Self::Corrupt { reason } => {
                write!(f, "truncated or corrupt LLVM bitcode: {}", first_line(reason))
            }
            Self::TooNew { producer, ours } => write!(
                f,
                "bitcode made by {producer}, which is newer than the LLVM {ours} that reads it; \
                 compile with clang {} or older",
                ours.split('.').next().unwrap_or(ours)
            ),
            Self::WrongTarget { pointer_bits } => write!(
                f,
                "bitcode for a target with {pointer_bits}-bit pointers; only x86_64-linux is supported"
            ),
            Self::BadAssembly { reason } => {
                write!(f, "LLVM assembly does not parse: {}", first_line(reason))
            }
            Self::NoProcess { reason } => {
                write!(f, "no process to read the bitcode in: {}", first_line(reason))
            }
        }
    }
}

impl std::error::Error for Error {}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or("no reason given")
}

/// A parsed module with the context that owns it. Bodies come one by one.
pub struct Module<'b> {
    context: LLVMContextRef,
    pub raw: LLVMModuleRef,
    bytes: &'b [u8],
}

impl Module<'_> {
    /// Brings in the body of `function`.
    pub fn materialize(&self, function: Value) -> Result<(), Error> {
        // SAFETY: the function belongs to this module, whose bytes are still there.
        match take_string(unsafe { fathom_materialize(function.0) }) {
            None => Ok(()),
            Some(reason) => Err(explain(self.bytes, reason)),
        }
    }

    /// Runs the default passes on a body. Its blocks stay the same ones.
    pub fn promote(&self, function: Value) {
        // SAFETY: the function belongs to this module and has its body.
        unsafe { fathom_promote(function.0) }
    }

    /// Gives the memory of a lowered body back.
    pub fn release(&self, function: Value) {
        // SAFETY: the function belongs to this module, and nothing keeps its instructions.
        unsafe { fathom_release(function.0) }
    }
}

impl Drop for Module<'_> {
    fn drop(&mut self) {
        // SAFETY: both were made by `parse` and nothing else disposes of them.
        unsafe {
            LLVMDisposeModule(self.raw);
            LLVMContextDispose(self.context);
        }
    }
}

/// Prepares LLVM, the first time it is called.
pub fn initialize() {
    static ONCE: Once = Once::new();
    // SAFETY: called once, and before any other use of LLVM.
    ONCE.call_once(|| unsafe { fathom_initialize() });
}

/// Parses bitcode, wrapped bitcode or assembly; `verify` has LLVM check all of it.
pub fn parse(bytes: &[u8], verify: bool) -> Result<Module<'_>, Error> {
    if !is_bitcode(bytes) && !looks_like_assembly(bytes) {
        return Err(Error::NotBitcode);
    }
    let mut error = std::ptr::null_mut();
    // SAFETY: the bytes outlive the module, and the shim reports every failure through `error`.
    let (context, raw) = unsafe {
        let context = LLVMContextCreate();
        (context, fathom_parse(context, bytes.as_ptr().cast(), bytes.len(), verify, &raw mut error))
    };
    if raw.is_null() {
        // The context is leaked on purpose: taking apart what is damaged may crash.
        let reason = take_string(error).unwrap_or_default();
        return Err(match is_bitcode(bytes) {
            true => explain(bytes, reason),
            false => unreadable(bytes, reason),
        });
    }
    let module = Module { context, raw, bytes };
    // SAFETY: the module is valid.
    match unsafe { fathom_pointer_bits(raw) } {
        64 => Ok(module),
        pointer_bits => Err(Error::WrongTarget { pointer_bits }),
    }
}

/// The version of the LLVM that reads bitcode, such as "22.1.8".
pub fn llvm_version() -> String {
    let (mut major, mut minor, mut patch) = (0, 0, 0);
    // SAFETY: three valid places to write to.
    unsafe { LLVMGetVersion(&raw mut major, &raw mut minor, &raw mut patch) };
    format!("{major}.{minor}.{patch}")
}

fn is_bitcode(bytes: &[u8]) -> bool {
    bytes.starts_with(b"BC\xc0\xde") || bytes.starts_with(b"\xde\xc0\x17\x0b")
}

fn looks_like_assembly(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    !head.contains(&0)
        && ["define ", "declare ", "target ", "; ModuleID", "source_filename"]
            .iter()
            .any(|word| head.windows(word.len()).any(|window| window == word.as_bytes()))
}

/// The error for bytes that cannot be read, bitcode or assembly.
pub fn unreadable(bytes: &[u8], reason: String) -> Error {
    match is_bitcode(bytes) {
        true => Error::Corrupt { reason },
        false => Error::BadAssembly { reason },
    }
}

/// Tells bitcode of a newer LLVM from damaged bitcode.
fn explain(bytes: &[u8], reason: String) -> Error {
    // SAFETY: the shim copies the bytes.
    let producer = take_string(unsafe { fathom_producer(bytes.as_ptr().cast(), bytes.len()) });
    let ours = llvm_version();
    match producer {
        Some(producer) if major_version(&producer) > major_version(&ours) => {
            Error::TooNew { producer, ours }
        }
        _ => Error::Corrupt { reason },
    }
}

/// 22 of "LLVM22.1.8" or "LLVM22.1.2-rust-1.95.0-stable".
fn major_version(producer: &str) -> Option<u32> {
    let digits = producer.trim_start_matches(|c: char| !c.is_ascii_digit());
    digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
