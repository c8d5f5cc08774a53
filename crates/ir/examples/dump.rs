//! Prints the bytecode of some functions: `cargo run --example dump -- prog.bc main …`

fn main() {
    let mut args = std::env::args().skip(1);
    let path = args.next().expect("usage: dump FILE.bc [FUNCTION]…");
    let bitcode = std::fs::read(&path).expect("readable bitcode");
    let program = fathom_ir::load(&bitcode, &fathom_ir::Options::default()).expect("loads");
    let wanted: Vec<String> = args.collect();
    for function in program.functions.iter().filter(|function| function.is_defined()) {
        if wanted.is_empty() || wanted.contains(&function.name) {
            println!("{}", fathom_ir::dump(&program, function));
        }
    }
}
