//! Each `cases/NAME.c` or `.ll` is lowered and its bytecode compared with `cases/NAME.expected`.
//! `UPDATE_EXPECT=1 cargo test -p fathom-ir` rewrites what differs.

mod common;

use std::fmt::Write;
use std::path::Path;

#[test]
fn bytecode_is_as_expected() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let bless = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut paths: Vec<_> = std::fs::read_dir(&directory)
        .expect("tests/cases")
        .map(|entry| entry.expect("a directory entry").path())
        .filter(|path| path.extension().is_some_and(|ext| ext == "c" || ext == "ll"))
        .collect();
    paths.sort();
    let mut failures = String::new();
    for path in paths {
        let actual = lowered(&path);
        let expected_path = path.with_extension("expected");
        let expected = std::fs::read_to_string(&expected_path).unwrap_or_default();
        if actual == expected {
            continue;
        }
        if bless {
            std::fs::write(&expected_path, actual).expect("writing what is expected");
        } else {
            let _ = writeln!(failures, "{} gives:\n{actual}", path.display());
        }
    }
    assert!(failures.is_empty(), "{failures}\nto accept: UPDATE_EXPECT=1 cargo test -p fathom-ir");
}

fn lowered(path: &Path) -> String {
    let bytes = if path.extension().is_some_and(|ext| ext == "ll") {
        std::fs::read(path).expect("the case")
    } else {
        common::compile(path, &[])
    };
    let program = common::load(&bytes, false);
    program
        .functions
        .iter()
        .filter(|function| function.is_defined())
        .map(|function| fathom_ir::dump(&program, function))
        .collect::<Vec<_>>()
        .join("\n")
}
