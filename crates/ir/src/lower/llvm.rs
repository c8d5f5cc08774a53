//! LLVM's C interface with Rust types: handles are `Copy`, lists are iterators.
//!
//! A handle is valid while the [`super::load::Module`] it came from lives; all of lowering happens
//! within that time. The module has been verified, so LLVM's own preconditions hold.

use std::ffi::{CStr, c_char, c_uint, c_void};

use llvm_sys::core::*;
use llvm_sys::prelude::*;
pub use llvm_sys::{LLVMIntPredicate, LLVMLinkage, LLVMOpcode, LLVMTypeKind, LLVMValueKind};

unsafe extern "C" {
    pub fn fathom_initialize();
    pub fn fathom_parse(
        context: LLVMContextRef,
        data: *const c_char,
        length: usize,
        verify: bool,
        error: *mut *mut c_char,
    ) -> LLVMModuleRef;
    pub fn fathom_materialize(function: LLVMValueRef) -> *mut c_char;
    pub fn fathom_promote(function: LLVMValueRef);
    pub fn fathom_release(function: LLVMValueRef);
    pub fn fathom_producer(data: *const c_char, length: usize) -> *mut c_char;
    pub fn fathom_pointer_bits(module: LLVMModuleRef) -> c_uint;
    fn fathom_calls_setjmp(function: LLVMValueRef) -> bool;
    fn fathom_bits(value: LLVMValueRef, out: *mut u64, n_words: c_uint) -> bool;
    fn fathom_element(value: LLVMValueRef, index: c_uint) -> LLVMValueRef;
    fn fathom_raw_data(value: LLVMValueRef, length: *mut usize) -> *const u8;
    fn fathom_gep(
        module: LLVMModuleRef,
        value: LLVMValueRef,
        indices: *mut LLVMValueRef,
        scales: *mut u64,
        capacity: c_uint,
        count: *mut c_uint,
        offset: *mut i64,
    ) -> bool;
    fn fathom_byval(
        module: LLVMModuleRef,
        value: LLVMValueRef,
        index: c_uint,
        size: *mut u64,
        align: *mut u64,
    ) -> bool;
    fn fathom_has_address_taken(block: LLVMBasicBlockRef) -> bool;
    fn fathom_global_file(value: LLVMValueRef, line: *mut c_uint) -> LLVMMetadataRef;
    fn fathom_variables(
        function: LLVMValueRef,
        closure: *mut c_void,
        visit: extern "C" fn(
            *mut c_void,
            LLVMValueRef,
            *const c_char,
            *const c_char,
            LLVMMetadataRef,
            c_uint,
        ),
    );
    fn free(pointer: *mut c_void);
}

/// Takes over a C string that was made with `malloc`.
pub fn take_string(text: *mut c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: the shim returns null or a NUL-terminated string made with `strdup`.
    unsafe {
        let owned = CStr::from_ptr(text).to_string_lossy().into_owned();
        free(text.cast());
        Some(owned)
    }
}

fn borrowed(pointer: *const c_char, length: usize) -> String {
    if pointer.is_null() {
        return String::new();
    }
    // SAFETY: LLVM gives the length of the string it points to.
    let bytes = unsafe { std::slice::from_raw_parts(pointer.cast::<u8>(), length) };
    String::from_utf8_lossy(bytes).into_owned()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Value(pub LLVMValueRef);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BasicBlock(pub LLVMBasicBlockRef);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Type(pub LLVMTypeRef);

/// `base + sum(index * scale) + offset`
pub struct Decomposed {
    pub indices: Vec<(Value, u64)>,
    pub offset: i64,
}

// SAFETY for every block below: see the module's documentation; each call's own precondition is
// the kind of value its caller has just matched on.
impl Value {
    fn from(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    pub fn ty(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    pub fn name(self) -> String {
        let mut length = 0;
        let name = unsafe { LLVMGetValueName2(self.0, &raw mut length) };
        borrowed(name, length)
    }

    pub fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    pub fn is_constant(self) -> bool {
        !matches!(
            self.kind(),
            LLVMValueKind::LLVMInstructionValueKind
                | LLVMValueKind::LLVMArgumentValueKind
                | LLVMValueKind::LLVMBasicBlockValueKind
                | LLVMValueKind::LLVMInlineAsmValueKind
                | LLVMValueKind::LLVMMetadataAsValueValueKind
        )
    }

    pub fn opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetInstructionOpcode(self.0) }
    }

    pub fn const_opcode(self) -> LLVMOpcode {
        unsafe { LLVMGetConstOpcode(self.0) }
    }

    pub fn operand(self, index: u32) -> Value {
        Value(unsafe { LLVMGetOperand(self.0, index) })
    }

    pub fn n_operands(self) -> u32 {
        unsafe { LLVMGetNumOperands(self.0) as u32 }
    }

    pub fn parent(self) -> BasicBlock {
        BasicBlock(unsafe { LLVMGetInstructionParent(self.0) })
    }

    pub fn users(self) -> impl Iterator<Item = Value> {
        let mut next = unsafe { LLVMGetFirstUse(self.0) };
        std::iter::from_fn(move || {
            if next.is_null() {
                return None;
            }
            let user = Value(unsafe { LLVMGetUser(next) });
            next = unsafe { LLVMGetNextUse(next) };
            Some(user)
        })
    }

    /// The only user of this value, if it is used once.
    pub fn only_user(self) -> Option<Value> {
        let mut users = self.users();
        let user = users.next()?;
        users.next().is_none().then_some(user)
    }

    /// The bits of an integer or floating-point constant, if they fit.
    pub fn bits(self) -> Option<u128> {
        let mut out = [0u64; 2];
        let known = unsafe { fathom_bits(self.0, out.as_mut_ptr(), 2) };
        known.then(|| u128::from(out[0]) | u128::from(out[1]) << 64)
    }

    /// The bits of an integer constant of any width, lowest word first.
    pub fn words(self, count: u32) -> Option<Vec<u64>> {
        let mut out = vec![0; count as usize];
        let known = unsafe { fathom_bits(self.0, out.as_mut_ptr(), count) };
        known.then_some(out)
    }

    pub fn element(self, index: u32) -> Option<Value> {
        Value::from(unsafe { fathom_element(self.0, index) })
    }

    pub fn raw_data(self) -> Option<&'static [u8]> {
        let mut length = 0;
        let data = unsafe { fathom_raw_data(self.0, &raw mut length) };
        (!data.is_null()).then(|| unsafe { std::slice::from_raw_parts(data, length) })
    }

    pub fn decompose_gep(self, module: LLVMModuleRef) -> Option<Decomposed> {
        const CAPACITY: usize = 16;
        let mut indices = [std::ptr::null_mut(); CAPACITY];
        let mut scales = [0u64; CAPACITY];
        let (mut count, mut offset) = (0, 0);
        let known = unsafe {
            fathom_gep(
                module,
                self.0,
                indices.as_mut_ptr(),
                scales.as_mut_ptr(),
                CAPACITY as c_uint,
                &raw mut count,
                &raw mut offset,
            )
        };
        known.then(|| Decomposed {
            indices: (0..count as usize).map(|i| (Value(indices[i]), scales[i])).collect(),
            offset,
        })
    }

    pub fn debug_loc(self) -> LLVMMetadataRef {
        unsafe { llvm_sys::debuginfo::LLVMInstructionGetDebugLoc(self.0) }
    }

    pub fn alignment(self) -> u64 {
        u64::from(unsafe { LLVMGetAlignment(self.0) }).max(1)
    }

    // ---- globals and functions -----------------------------------------------------------

    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    pub fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    pub fn initializer(self) -> Option<Value> {
        Value::from(unsafe { LLVMGetInitializer(self.0) })
    }

    pub fn is_global_constant(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// The type a global, an alias or a function holds, not its pointer type.
    pub fn global_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    pub fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    pub fn global_file(self) -> Option<(LLVMMetadataRef, u32)> {
        let mut line = 0;
        let file = unsafe { fathom_global_file(self.0, &raw mut line) };
        (!file.is_null()).then_some((file, line))
    }

    pub fn intrinsic_name(self) -> Option<String> {
        let id = unsafe { LLVMGetIntrinsicID(self.0) };
        if id == 0 {
            return None;
        }
        let mut length = 0;
        let name = unsafe { LLVMIntrinsicGetName(id, &raw mut length) };
        Some(borrowed(name, length))
    }

    pub fn params(self) -> Vec<Value> {
        let mut params = vec![std::ptr::null_mut(); unsafe { LLVMCountParams(self.0) } as usize];
        unsafe { LLVMGetParams(self.0, params.as_mut_ptr()) };
        params.into_iter().map(Value).collect()
    }

    pub fn blocks(self) -> Vec<BasicBlock> {
        let mut blocks =
            vec![std::ptr::null_mut(); unsafe { LLVMCountBasicBlocks(self.0) } as usize];
        unsafe { LLVMGetBasicBlocks(self.0, blocks.as_mut_ptr()) };
        blocks.into_iter().map(BasicBlock).collect()
    }

    pub fn calls_setjmp(self) -> bool {
        unsafe { fathom_calls_setjmp(self.0) }
    }

    pub fn byval(self, module: LLVMModuleRef, index: u32) -> Option<(u64, u64)> {
        let (mut size, mut align) = (0, 0);
        let is = unsafe { fathom_byval(module, self.0, index, &raw mut size, &raw mut align) };
        is.then_some((size, align))
    }

    /// Calls `visit(alloca, name, type, file, line)` for each source variable of a function.
    pub fn for_each_variable(
        self,
        mut visit: impl FnMut(Option<Value>, String, String, LLVMMetadataRef, u32),
    ) {
        type Visit<'a> = &'a mut dyn FnMut(Option<Value>, String, String, LLVMMetadataRef, u32);
        extern "C" fn trampoline(
            closure: *mut c_void,
            alloca: LLVMValueRef,
            name: *const c_char,
            type_name: *const c_char,
            file: LLVMMetadataRef,
            line: c_uint,
        ) {
            // SAFETY: `closure` is the `Visit` below, alive during the call; the strings are
            // NUL-terminated.
            unsafe {
                let visit = &mut *closure.cast::<Visit<'_>>();
                let text = |text| CStr::from_ptr(text).to_string_lossy().into_owned();
                visit(Value::from(alloca), text(name), text(type_name), file, line);
            }
        }
        let mut visit: Visit<'_> = &mut visit;
        unsafe { fathom_variables(self.0, (&raw mut visit).cast(), trampoline) };
    }

    // ---- instructions ----------------------------------------------------------------------

    pub fn successors(self) -> Vec<BasicBlock> {
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        (0..count).map(|i| BasicBlock(unsafe { LLVMGetSuccessor(self.0, i) })).collect()
    }

    /// The value that leads to successor `index` of a switch; 0 is the default.
    pub fn switch_case(self, index: u32) -> Value {
        Value(unsafe { LLVMGetSwitchCaseValue(self.0, index) })
    }

    pub fn is_conditional(self) -> bool {
        unsafe { LLVMIsConditional(self.0) != 0 }
    }

    pub fn icmp_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// Numbered as [`crate::inst::FloatPredicate`].
    pub fn fcmp_predicate(self) -> u16 {
        unsafe { LLVMGetFCmpPredicate(self.0) as u16 }
    }

    pub fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    pub fn gep_source_type(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// The text of a metadata string passed as an argument.
    pub fn metadata_text(self) -> String {
        let mut length = 0;
        let text = unsafe { LLVMGetMDString(self.0, &raw mut length) };
        borrowed(text, length as usize)
    }

    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    pub fn n_args(self) -> u32 {
        unsafe { LLVMGetNumArgOperands(self.0) }
    }

    pub fn incoming(self) -> impl Iterator<Item = (BasicBlock, Value)> {
        let count = unsafe { LLVMCountIncoming(self.0) };
        (0..count).map(move |i| unsafe {
            (BasicBlock(LLVMGetIncomingBlock(self.0, i)), Value(LLVMGetIncomingValue(self.0, i)))
        })
    }

    pub fn indices(self) -> &'static [u32] {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            std::slice::from_raw_parts(LLVMGetIndices(self.0), count)
        }
    }

    /// Lane numbers of a `shufflevector`; -1 for poison.
    pub fn shuffle_mask(self) -> Vec<i32> {
        let count = unsafe { LLVMGetNumMaskElements(self.0) };
        (0..count).map(|i| unsafe { LLVMGetMaskValue(self.0, i) }).collect()
    }

    pub fn rmw_operation(self) -> llvm_sys::LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    pub fn inline_asm_text(self) -> (String, String) {
        let (mut text_length, mut constraints_length) = (0, 0);
        unsafe {
            let text = LLVMGetInlineAsmAsmString(self.0, &raw mut text_length);
            let constraints = LLVMGetInlineAsmConstraintString(self.0, &raw mut constraints_length);
            (borrowed(text, text_length), borrowed(constraints, constraints_length))
        }
    }

    pub fn block_address(self) -> BasicBlock {
        BasicBlock(unsafe { LLVMGetBlockAddressBasicBlock(self.0) })
    }
}

impl BasicBlock {
    pub fn instructions(self) -> impl Iterator<Item = Value> {
        let mut next = unsafe { LLVMGetFirstInstruction(self.0) };
        std::iter::from_fn(move || {
            let inst = Value::from(next)?;
            next = unsafe { LLVMGetNextInstruction(next) };
            Some(inst)
        })
    }

    pub fn phis(self) -> impl Iterator<Item = Value> {
        self.instructions().take_while(|inst| inst.opcode() == LLVMOpcode::LLVMPHI)
    }

    pub fn terminator(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    pub fn has_address_taken(self) -> bool {
        unsafe { fathom_has_address_taken(self.0) }
    }
}

impl Type {
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub fn int_width(self) -> u32 {
        unsafe { LLVMGetIntTypeWidth(self.0) }
    }

    pub fn array_length(self) -> u64 {
        unsafe { LLVMGetArrayLength2(self.0) }
    }

    pub fn vector_length(self) -> u32 {
        unsafe { LLVMGetVectorSize(self.0) }
    }

    pub fn element_type(self) -> Type {
        Type(unsafe { LLVMGetElementType(self.0) })
    }

    pub fn n_fields(self) -> u32 {
        unsafe { LLVMCountStructElementTypes(self.0) }
    }

    pub fn field(self, index: u32) -> Type {
        Type(unsafe { LLVMStructGetTypeAtIndex(self.0, index) })
    }

    pub fn return_type(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }
}
