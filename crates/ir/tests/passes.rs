//! The default passes delete neither an access nor a branch, and `--exact` keeps variables.

mod common;

use common::{compile_text, function, load};
use fathom_ir::Function;
use fathom_ir::inst::Op;

fn count(function: &Function, ops: &[Op]) -> usize {
    function.code.iter().filter(|inst| ops.contains(&inst.op)).count()
}

const LOADS: [Op; 5] = [Op::Load8, Op::Load32, Op::Load64, Op::Load32A, Op::Load32S];
const BRANCHES: [Op; 4] = [Op::Branch, Op::BrEqI, Op::BrSlt32I, Op::BrSgt32I];

#[test]
fn a_store_through_null_stays_behind_its_branch() {
    let program =
        load(&compile_text("null", "void f(int c) { if (c) *(int *)0 = 7; }", &[]), false);
    let f = function(&program, "f");
    assert_eq!(count(f, &[Op::Store32A]), 1);
    assert_eq!(count(f, &BRANCHES), 1);
}

#[test]
fn loads_nobody_reads_stay() {
    let text = "void f(int *p, char *q) { *p; (void)q[100]; int x = *p; }";
    let program = load(&compile_text("dead", text, &[]), false);
    assert_eq!(count(function(&program, "f"), &LOADS), 3);
}

#[test]
fn an_access_outside_a_local_array_stays() {
    let text = "int f(void) { int a[4]; a[2] = 1; return a[7]; }";
    let program = load(&compile_text("outside", text, &[]), false);
    let f = function(&program, "f");
    assert_eq!(count(f, &[Op::Alloca]), 1);
    assert_eq!(count(f, &LOADS), 1);
}

#[test]
fn a_division_nobody_reads_stays() {
    let text = "void f(int a, int b) { a / b; a % b; a << b; }";
    let program = load(&compile_text("division", text, &[]), false);
    assert_eq!(count(function(&program, "f"), &[Op::SDiv32, Op::SRem32, Op::Shl32]), 3);
}

#[test]
fn both_sides_of_a_branch_that_store_the_same_stay_apart() {
    let text = "int f(int c) { int x; if (c > 3) x = 1; else x = 2; return x; }";
    let program = load(&compile_text("sides", text, &[]), false);
    let f = function(&program, "f");
    assert_eq!(count(f, &BRANCHES), 1, "a branch, not a select");
    assert_eq!(count(f, &[Op::Select]), 0);
}

#[test]
fn undefined_constant_operations_are_bugs_where_they_stand() {
    let text = "int f(int c) { if (c) return c / 0; return c << 40; }";
    let program = load(&compile_text("constant", text, &[]), false);
    assert_eq!(count(function(&program, "f"), &[Op::Bug]), 2);
}

#[test]
fn exact_keeps_every_variable_in_memory() {
    let text = "int f(int a) { int b = a + 1; int c = b * 2; return c; }";
    let bitcode = compile_text("exact", text, &[]);
    let promoted = load(&bitcode, false);
    assert_eq!(count(function(&promoted, "f"), &[Op::Alloca]), 0);
    let exact = load(&bitcode, true);
    let f = function(&exact, "f");
    assert_eq!(count(f, &[Op::Alloca]), 3);
    let names: Vec<&str> = f.variables.iter().map(|variable| variable.name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c"]);
    assert_eq!(f.variables[0].type_name, "int");
}

#[test]
fn functions_that_call_setjmp_keep_their_variables() {
    let text = "int setjmp(int *) __attribute__((returns_twice)); \
                int f(int *b) { int x = 1; if (setjmp(b)) return x; x = 2; return x; }";
    let program = load(&compile_text("setjmp", text, &[]), false);
    let f = function(&program, "f");
    assert!(f.calls_setjmp);
    assert!(count(f, &[Op::Alloca]) >= 2);
}

#[test]
fn blocks_have_the_size_the_compiler_gave_them() {
    let text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }";
    let bitcode = compile_text("sizes", text, &[]);
    let sizes = |exact| -> Vec<u32> {
        let program = load(&bitcode, exact);
        function(&program, "f").blocks.iter().map(|block| block.n_llvm).collect()
    };
    assert_eq!(sizes(false), sizes(true));
}

#[test]
fn llvm_instructions_are_all_counted() {
    let text = "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }";
    let program = load(&compile_text("count", text, &[]), true);
    let f = function(&program, "f");
    // With n = 0 execution passes the entry, the condition and the end, not the body.
    let expected: u32 = [0, 1, 4].iter().map(|&block| f.blocks[block].n_llvm).sum();
    let mut counted = 0;
    let mut index = 0i64;
    loop {
        let inst = &f.code[index as usize];
        let step = size_of_val(inst) as i64;
        match inst.op {
            Op::BrSlt32 | Op::Jump | Op::Ret | Op::Count => counted += u32::from(inst.x),
            _ => {}
        }
        index += match inst.op {
            Op::Ret => break,
            Op::BrSlt32 => i64::from(inst.imm as i32) / step,
            Op::Jump => i64::from(inst.d as i32) / step,
            _ => 1,
        };
    }
    assert_eq!(counted, expected);
}
