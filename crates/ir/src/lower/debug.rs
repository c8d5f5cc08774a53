//! Source locations, each one stored once.

use std::path::Path;

use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMMetadataRef;
use rustc_hash::FxHashMap;

use super::Lowering;
use super::llvm::Value;
use crate::{File, FileId, LocId, Location, Program};

/// Locations already seen, by LLVM's node and by place.
#[derive(Default)]
pub struct Debug {
    nodes: FxHashMap<LLVMMetadataRef, LocId>,
    files: FxHashMap<LLVMMetadataRef, FileId>,
    paths: FxHashMap<String, FileId>,
    places: FxHashMap<Location, LocId>,
}

impl Debug {
    /// The location of a line of a file (a `DIFile`).
    pub fn place(&mut self, program: &mut Program, file: LLVMMetadataRef, line: u32) -> LocId {
        self.place_at(program, file, line, 0)
    }

    fn place_at(
        &mut self,
        program: &mut Program,
        file: LLVMMetadataRef,
        line: u32,
        column: u32,
    ) -> LocId {
        if file.is_null() {
            return LocId(0);
        }
        let file = self.file(program, file);
        let location = Location { file, line, column };
        *self.places.entry(location).or_insert_with(|| program.locations.push(location))
    }

    fn file(&mut self, program: &mut Program, node: LLVMMetadataRef) -> FileId {
        if let Some(&file) = self.files.get(&node) {
            return file;
        }
        let path = file_path(node);
        let file =
            *self.paths.entry(path.clone()).or_insert_with(|| program.files.push(File::new(path)));
        self.files.insert(node, file);
        file
    }

    /// The location of a `DILocation`.
    fn of_node(&mut self, program: &mut Program, node: LLVMMetadataRef) -> LocId {
        if node.is_null() {
            return LocId(0);
        }
        if let Some(&loc) = self.nodes.get(&node) {
            return loc;
        }
        // SAFETY: `node` is a `DILocation` of the living module.
        let (file, line, column) = unsafe {
            let scope = LLVMDILocationGetScope(node);
            (LLVMDIScopeGetFile(scope), LLVMDILocationGetLine(node), LLVMDILocationGetColumn(node))
        };
        let loc = if line == 0 { LocId(0) } else { self.place_at(program, file, line, column) };
        self.nodes.insert(node, loc);
        loc
    }
}

impl Lowering<'_> {
    pub fn loc(&mut self, inst: Value) -> LocId {
        self.debug.of_node(&mut self.program, inst.debug_loc())
    }

    pub fn function_loc(&mut self, function: Value) -> LocId {
        // SAFETY: a function of the living module; the subprogram is checked for null.
        unsafe {
            let subprogram = LLVMGetSubprogram(function.0);
            if subprogram.is_null() {
                return LocId(0);
            }
            let (file, line) =
                (LLVMDIScopeGetFile(subprogram), LLVMDISubprogramGetLine(subprogram));
            self.debug.place(&mut self.program, file, line)
        }
    }
}

/// A relative name is kept if it leads to a file from here, else its directory goes in front.
fn file_path(node: LLVMMetadataRef) -> String {
    // SAFETY: `node` is a `DIFile` of the living module; LLVM gives pointer and length.
    let text = |get: unsafe extern "C" fn(LLVMMetadataRef, *mut u32) -> *const std::ffi::c_char| unsafe {
        let mut length = 0;
        let pointer = get(node, &raw mut length).cast::<u8>();
        if pointer.is_null() {
            return String::new();
        }
        String::from_utf8_lossy(std::slice::from_raw_parts(pointer, length as usize)).into_owned()
    };
    let name = text(LLVMDIFileGetFilename);
    if Path::new(&name).is_absolute() || Path::new(&name).exists() {
        return name;
    }
    let directory = text(LLVMDIFileGetDirectory);
    match directory.as_str() {
        "" | "." => name,
        _ => format!("{directory}/{name}"),
    }
}
