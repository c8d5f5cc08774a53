//! Compiles test inputs the way `fathom cc` does.

use std::path::Path;
use std::process::Command;

use fathom_ir::{Function, Options, Program};

/// The bitcode of a C file.
pub fn compile(path: &Path, extra: &[&str]) -> Vec<u8> {
    let clang = std::env::var("FATHOM_CLANG").unwrap_or_else(|_| "clang-22".to_owned());
    let output = Command::new(clang)
        .args(["--target=x86_64-linux-gnu", "-O0", "-g", "-Xclang", "-disable-O0-optnone"])
        .args(["-fno-builtin", "-fno-delete-null-pointer-checks", "-ffreestanding"])
        .args(["-emit-llvm", "-w", "-c", "-o", "-"])
        .args(extra)
        .arg(path)
        .output()
        .expect("clang-22 runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

/// The bitcode of C text.
#[allow(dead_code)]
pub fn compile_text(name: &str, text: &str, extra: &[&str]) -> Vec<u8> {
    let directory = std::env::temp_dir().join(format!("fathom-ir-{}", std::process::id()));
    std::fs::create_dir_all(&directory).expect("a temporary directory");
    let path = directory.join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a temporary file");
    let bitcode = compile(&path, extra);
    let _ = std::fs::remove_file(path);
    bitcode
}

#[allow(dead_code)]
pub fn load(bitcode: &[u8], exact: bool) -> Program {
    fathom_ir::load(bitcode, &Options { exact, trusted: false })
        .unwrap_or_else(|error| panic!("{error}"))
}

#[allow(dead_code)]
pub fn function<'p>(program: &'p Program, name: &str) -> &'p Function {
    &program.functions[program.function_named(name).expect("the function is there")]
}
