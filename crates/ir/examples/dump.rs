//! Prints the bytecode of a bitcode file, or of one function of it: `dump FILE [FUNCTION]`.

use std::process::ExitCode;
use std::time::Instant;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let Some(path) = arguments.next() else {
        eprintln!("usage: dump FILE [FUNCTION | --time]");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let start = Instant::now();
    let program = match fathom_ir::load(&bytes, &fathom_ir::Options::default()) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::from(2);
        }
    };
    let only = arguments.next();
    if only.as_deref() == Some("--time") {
        let n: usize = program.functions.iter().map(|function| function.code.len()).sum();
        println!("{} functions, {n} instructions, {:?}", program.functions.len(), start.elapsed());
        let mut messages = program.messages.clone();
        messages.sort();
        messages.dedup();
        println!("{messages:#?}");
        return ExitCode::SUCCESS;
    }
    for function in program.functions.iter().filter(|function| function.is_defined()) {
        if only.as_ref().is_none_or(|name| *name == function.name) {
            println!("{}", fathom_ir::dump(&program, function));
        }
    }
    ExitCode::SUCCESS
}
