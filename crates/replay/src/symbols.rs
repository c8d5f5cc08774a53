//! From addresses in a native program to functions and lines.

use std::fs;
use std::path::Path;

use addr2line::Loader;

use crate::report::GuardReport;
use crate::unwind::Unwinder;

/// A function on the native stack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    pub function: String,
    /// Empty where the program has no debug information for it.
    pub file: String,
    /// 0 where unknown.
    pub line: u32,
}

impl Frame {
    /// Is this the C library's own code, or fathom's?
    pub fn is_library(&self) -> bool {
        let file = self.file.strip_prefix("./").unwrap_or(&self.file);
        file.starts_with("musl/") || file.starts_with("runtime/")
    }
}

/// What is known about a program's addresses; nothing where it was stripped or cannot be read.
pub(crate) struct Symbols {
    loader: Option<Loader>,
    unwinder: Unwinder,
}

impl Symbols {
    pub fn read(program: &Path) -> Symbols {
        let bytes = fs::read(program).unwrap_or_default();
        Symbols { loader: Loader::new(program).ok(), unwinder: Unwinder::new(&bytes) }
    }

    /// The stack of a report, `stack` being the bytes from its stack pointer on.
    pub fn frames(&self, report: &GuardReport, stack: &[u8]) -> Vec<Frame> {
        let addresses = self.unwinder.addresses(report, stack);
        let probe = |(n, address): (usize, &u64)| {
            // A return address may be the next statement's.
            self.frames_at(if n == 0 { *address } else { address - 1 })
        };
        addresses.iter().enumerate().flat_map(probe).collect()
    }

    /// The function at an address, and those that it is inlined into.
    pub fn frames_at(&self, address: u64) -> Vec<Frame> {
        let Some(loader) = &self.loader else { return Vec::new() };
        let mut frames = Vec::new();
        if let Ok(mut found) = loader.find_frames(address) {
            while let Ok(Some(frame)) = found.next() {
                let name = frame.function.as_ref().and_then(|name| name.raw_name().ok());
                let location = frame.location.as_ref();
                frames.push(Frame {
                    function: name.unwrap_or_default().into_owned(),
                    file: location.and_then(|at| at.file).unwrap_or_default().into(),
                    line: location.and_then(|at| at.line).unwrap_or(0),
                });
            }
        }
        // Line tables without functions, and assembly, leave the name to the symbol table.
        let symbol = loader.find_symbol(address).unwrap_or_default();
        match frames.last_mut() {
            Some(outermost) if outermost.function.is_empty() => outermost.function = symbol.into(),
            Some(_) => {}
            None if symbol.is_empty() => {}
            None => frames.push(Frame { function: symbol.into(), ..Frame::default() }),
        }
        frames
    }
}
