//! Whatever the bytes, loading gives a program or one line of explanation.

mod common;

use common::compile_text;
use fathom_ir::{Error, Options, load};

fn error(bytes: &[u8]) -> Error {
    load(bytes, &Options::default()).expect_err("this does not load")
}

#[test]
fn other_files_are_not_bitcode() {
    for bytes in [&b""[..], b"\x7fELF\x02\x01\x01", b"int main(void) { return 0; }", b"BC"] {
        assert_eq!(error(bytes), Error::NotBitcode);
    }
    assert_eq!(Error::NotBitcode.to_string(), "not LLVM bitcode");
}

#[test]
fn truncated_bitcode_is_said_to_be_so() {
    let bitcode = compile_text("truncated", "int f(int a) { return a + 1; }", &[]);
    for length in (4..bitcode.len() - 4).step_by(97) {
        let error = error(&bitcode[..length]);
        assert!(matches!(error, Error::Corrupt { .. }), "{length} bytes: {error}");
        assert_eq!(error.to_string().lines().count(), 1);
    }
}

#[test]
fn damaged_bitcode_never_ends_the_process() {
    let bitcode = compile_text("damaged", "int g[4]; int f(int a) { return g[a] + 1; }", &[]);
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..200 {
        let mut damaged = bitcode.clone();
        for _ in 0..3 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let index = 4 + (random >> 33) as usize % (damaged.len() - 4);
            damaged[index] ^= 1 << (random >> 20 & 7);
        }
        let _ = load(&damaged, &Options::default());
    }
}

#[test]
fn thirty_two_bit_targets_are_refused() {
    let bitcode = compile_text("narrow", "int f(void) { return 1; }", &["--target=i386-linux-gnu"]);
    assert_eq!(error(&bitcode), Error::WrongTarget { pointer_bits: 32 });
}

#[test]
fn a_newer_producer_is_named() {
    let error = Error::TooNew { producer: "LLVM30.1.0".into(), ours: "22.1.8".into() };
    let text = error.to_string();
    assert!(text.contains("LLVM30.1.0") && text.contains("22.1.8") && text.contains("clang 22"));
}

#[test]
fn assembly_loads_and_its_errors_name_the_line() {
    let good = b"define i32 @f() {\n  ret i32 3\n}\n";
    let data_layout = b"target datalayout = \"e-p:64:64\"\n";
    assert!(load(&[&data_layout[..], good].concat(), &Options::default()).is_ok());
    let error = error(b"define i32 @f() {\n  ret i33 3\n}\n");
    assert!(error.to_string().contains("line 2"), "{error}");
}
