//! Gives every function its id and every global its address and initial bytes.

use llvm_sys::core::{
    LLVMGetFirstFunction, LLVMGetFirstGlobal, LLVMGetNextFunction, LLVMGetNextGlobal,
};

use super::Lowering;
use super::llvm::{LLVMLinkage, LLVMValueKind, Value};
use crate::layout::{GLOBAL_FIRST, offset_in_window, window_base, windows_for};
use crate::{FuncId, Function, Global, LocId, function_address};

/// Symbols a linker defines around arrays that are always empty here.
const EMPTY_ARRAYS: [&str; 6] = [
    "__preinit_array_start",
    "__preinit_array_end",
    "__ehdr_start",
    "__rela_iplt_start",
    "__rela_iplt_end",
    "__bss_start",
];

/// Arrays of function pointers that a linker gathers, and the symbols around them.
const FUNCTION_ARRAYS: [(&std::ffi::CStr, &str, &str); 2] = [
    (c"llvm.global_ctors", "__init_array_start", "__init_array_end"),
    (c"llvm.global_dtors", "__fini_array_start", "__fini_array_end"),
];

impl Lowering<'_> {
    /// Numbers the functions, declarations included.
    pub fn declare_functions(&mut self) -> Vec<Value> {
        let mut values = Vec::new();
        // SAFETY: the module is alive.
        let mut next = unsafe { LLVMGetFirstFunction(self.module) };
        while !next.is_null() {
            let value = Value(next);
            next = unsafe { LLVMGetNextFunction(next) };
            let name = value.name();
            if name.starts_with("llvm.") {
                continue;
            }
            let function = self.signature(value, name);
            let id = self.program.functions.push(function);
            self.functions.insert(value, id);
            if value.is_declaration() {
                self.declarations.insert(id);
            }
            values.push(value);
        }
        values
    }

    fn signature(&mut self, value: Value, name: String) -> Function {
        let ty = value.global_type();
        let mut function = Function { name, variadic: ty.is_variadic(), ..Function::default() };
        function.result_slots = self.types.shape(ty.return_type()).map_or(0, |shape| shape.slots);
        for (index, param) in value.params().into_iter().enumerate() {
            let param = self.param(value, index as u32, param.ty());
            function.param_slots += param.kind.slots();
            function.params.push(param);
        }
        function
    }

    /// Places all globals, then fills in their bytes, which may hold addresses of any of them.
    pub fn lower_globals(&mut self) {
        let mut values = Vec::new();
        // SAFETY: the module is alive.
        let mut next = unsafe { LLVMGetFirstGlobal(self.module) };
        while !next.is_null() {
            values.push((Value(next), Value(next).name()));
            next = unsafe { LLVMGetNextGlobal(next) };
        }
        let mut window = GLOBAL_FIRST;
        for (list, start, end) in FUNCTION_ARRAYS {
            self.place_function_array(&values, list, [start, end], &mut window);
        }
        self.place_empty_arrays(&values, &mut window);
        let mut placed = Vec::new();
        for (value, name) in values {
            if name.starts_with("llvm.") || self.global_addresses.contains_key(&value) {
                continue;
            }
            if value.linkage() == LLVMLinkage::LLVMExternalWeakLinkage {
                self.global_addresses.insert(value, 0);
                continue;
            }
            let global = self.place(value, name, &mut window);
            placed.push((self.program.globals.push(global), value));
        }
        for (id, value) in placed {
            let size = self.program.globals[id].size as usize;
            self.program.globals[id].init = self.initial_bytes(value, size);
        }
    }

    /// Lays out the array of a constructor list between its linker symbols, where the C library
    /// walks it.
    fn place_function_array(
        &mut self,
        values: &[(Value, String)],
        list: &std::ffi::CStr,
        symbols: [&'static str; 2],
        window: &mut u32,
    ) {
        let functions = self.constructor_list(list).into_iter();
        let init: Vec<u8> = functions.flat_map(|f| function_address(f).to_le_bytes()).collect();
        let size = init.len() as u64;
        let address = self.place_symbols(symbols[0], size, init, window);
        for (value, name) in values.iter().filter(|(value, _)| value.is_declaration()) {
            if name == symbols[0] {
                self.global_addresses.insert(*value, address);
            } else if name == symbols[1] {
                self.global_addresses.insert(*value, address + size);
            }
        }
    }

    fn place_empty_arrays(&mut self, values: &[(Value, String)], window: &mut u32) {
        let address = self.place_symbols(EMPTY_ARRAYS[0], 0, Vec::new(), window);
        for (value, name) in values {
            if value.is_declaration() && EMPTY_ARRAYS.contains(&name.as_str()) {
                self.global_addresses.insert(*value, address);
            }
        }
    }

    fn place_symbols(&mut self, name: &str, size: u64, init: Vec<u8>, window: &mut u32) -> u64 {
        let (address, next) = self.place_windows(size, 8, *window);
        *window = next;
        self.program.globals.push(Global {
            name: name.to_owned(),
            address,
            size,
            align: 8,
            constant: true,
            external: true,
            init,
            loc: LocId(0),
        });
        address
    }

    /// The address in window `window` for an object, and the first window after it.
    fn place_windows(&self, size: u64, align: u64, window: u32) -> (u64, u32) {
        let address = window_base(window) + offset_in_window(window, align);
        (address, window + windows_for(size, align))
    }

    fn place(&mut self, value: Value, name: String, window: &mut u32) -> Global {
        let ty = value.global_type();
        let size = self.types.size(ty);
        let align = value.alignment().max(self.types.align(ty));
        let (address, next) = self.place_windows(size, align, *window);
        *window = next;
        self.global_addresses.insert(value, address);
        let loc = value
            .global_file()
            .map_or(LocId(0), |(file, line)| self.debug.place(&mut self.program, file, line));
        Global {
            name,
            address,
            size,
            align,
            constant: value.is_global_constant(),
            external: value.is_declaration(),
            init: Vec::new(),
            loc,
        }
    }

    fn initial_bytes(&mut self, value: Value, size: usize) -> Vec<u8> {
        let Some(initializer) = value.initializer() else { return Vec::new() };
        if initializer.kind() == LLVMValueKind::LLVMConstantAggregateZeroValueKind {
            return Vec::new();
        }
        let mut bytes = vec![0; size];
        if let Err(reason) = self.const_bytes(initializer, &mut bytes) {
            self.program.messages.push(format!("initial value of {}: {reason}", value.name()));
        }
        let used = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
        bytes.truncate(used);
        bytes.shrink_to_fit();
        bytes
    }

    /// The functions of `llvm.global_ctors` or `llvm.global_dtors`, in ascending priority.
    fn constructor_list(&self, name: &std::ffi::CStr) -> Vec<FuncId> {
        // SAFETY: the module is alive.
        let list = Value(unsafe { llvm_sys::core::LLVMGetNamedGlobal(self.module, name.as_ptr()) });
        if list.0.is_null() {
            return Vec::new();
        }
        let Some(entries) = list.initializer() else { return Vec::new() };
        let mut functions: Vec<(u128, FuncId)> = (0..entries.n_operands())
            .filter_map(|index| {
                let entry = entries.operand(index);
                let priority = entry.element(0)?.bits()?;
                Some((priority, self.resolve_function(entry.element(1)?)?))
            })
            .collect();
        functions.sort_by_key(|&(priority, _)| priority);
        functions.into_iter().map(|(_, function)| function).collect()
    }

    /// The function a constant names, through aliases.
    pub fn resolve_function(&self, mut value: Value) -> Option<FuncId> {
        while value.kind() == LLVMValueKind::LLVMGlobalAliasValueKind {
            value = value.aliasee();
        }
        self.functions.get(&value).copied()
    }
}
