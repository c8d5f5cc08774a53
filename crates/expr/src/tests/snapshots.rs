//! What terms simplify to. `UPDATE_EXPECT=1 cargo test -p fathom-expr` rewrites the outputs.

use expect_test::{Expect, expect};

use super::reader::read;
use crate::Pool;

#[track_caller]
fn check(input: &str, expected: Expect) {
    let mut pool = Pool::new();
    let expr = read(&mut pool, input);
    let printed = pool.display(expr).to_string();
    expected.assert_eq(&printed);
    assert_eq!(read(&mut pool, &printed), expr, "the printed term reads back");
}

/// The engine keeps narrow values zero-extended in 64-bit slots.
#[test]
fn slots() {
    check("(extract 0 8 (add (zext 64 in[0]) (zext 64 in[1])))", expect!["(add in[0] in[1])"]);
    check(
        "(zext 64 (extract 0 32 (sub (zext 64 in[0]) (zext 64 in[1]))))",
        expect!["(zext 64 (sub (zext 32 in[0]) (zext 32 in[1])))"],
    );
    check("(eq (zext 64 in[0]) 0x41:64)", expect!["(eq in[0] 0x41:8)"]);
    check("(eq (zext 64 in[0]) 0x141:64)", expect!["false"]);
    check("(ult (zext 64 in[0]) 0x41:64)", expect!["(ult in[0] 0x41:8)"]);
    check("(ult (zext 64 in[0]) 0x100:64)", expect!["true"]);
    check("(sle (sext 64 in[0]) 0x41:64)", expect!["(slt in[0] 0x42:8)"]);
    check("(slt (zext 32 in[0]) (zext 32 in[1]))", expect!["(ult in[0] in[1])"]);
    check("(and (zext 64 in[0]) 0xff:64)", expect!["(zext 64 in[0])"]);
    check("(and (concat in[1] in[0]) 0xff:16)", expect!["(zext 16 in[0])"]);
    check(
        "(and (concat in[1] in[0]) 0xfff0:16)",
        expect!["(concat in[1] (concat (extract 4 4 in[0]) 0:4))"],
    );
    check("(lshr (concat in[1] in[0]) 8:16)", expect!["(zext 16 in[1])"]);
    check("(shl (zext 32 in[0]) 8:32)", expect!["(zext 32 (concat in[0] 0:8))"]);
    check("(ashr (shl (zext 32 in[0]) 0x18:32) 0x18:32)", expect!["(sext 32 in[0])"]);
    check("(zext 64 (zext 32 in[0]))", expect!["(zext 64 in[0])"]);
    check("(sext 64 (sext 16 in[0]))", expect!["(sext 64 in[0])"]);
    check("(eq (zext 32 (eq in[0] 5:8)) 0:32)", expect!["(not (eq in[0] 5:8))"]);
    check("(ne (zext 8 (ult in[0] 5:8)) 0:8)", expect!["(ult in[0] 5:8)"]);
}

#[test]
fn bytes_are_put_together() {
    check("(or (zext 16 in[0]) (shl (zext 16 in[1]) 8:16))", expect!["(concat in[1] in[0])"]);
    check("(add (mul (zext 16 in[1]) 0x100:16) (zext 16 in[0]))", expect!["(concat in[1] in[0])"]);
    check(
        "(concat (extract 8 8 (mul (zext 16 in[0]) (zext 16 in[1])))
                 (extract 0 8 (mul (zext 16 in[0]) (zext 16 in[1]))))",
        expect!["(mul (zext 16 in[0]) (zext 16 in[1]))"],
    );
    check(
        "(concat (extract 8 8 (sext 16 in[0])) (extract 0 8 (sext 16 in[0])))",
        expect!["(sext 16 in[0])"],
    );
    check(
        "(eq (concat in[1] in[0]) 0x4142:16)",
        expect!["(and (eq in[1] 0x41:8) (eq in[0] 0x42:8))"],
    );
    check("(eq (concat in[1] in[0]) (concat in[1] in[2]))", expect!["(eq in[0] in[2])"]);
}

#[test]
fn sums() {
    check("(add (add in[0] 3:8) 4:8)", expect!["(add in[0] 7:8)"]);
    check("(sub (add in[0] 3:8) 4:8)", expect!["(add in[0] 0xff:8)"]);
    check("(eq (add in[0] 3:8) 4:8)", expect!["(eq in[0] 1:8)"]);
    check("(eq (sub in[0] in[1]) 0:8)", expect!["(eq in[0] in[1])"]);
    check("(sub (add in[0] in[1]) in[1])", expect!["in[0]"]);
    check("(mul (mul in[0] 3:8) 5:8)", expect!["(mul in[0] 0xf:8)"]);
    check("(eq (mul in[0] 3:8) 6:8)", expect!["(eq in[0] 2:8)"]);
    check("(sdiv (zext 32 in[0]) 0xa:32)", expect!["(zext 32 (udiv in[0] 0xa:8))"]);
    check("(urem (zext 32 in[0]) 8:32)", expect!["(zext 32 (extract 0 3 in[0]))"]);
}

#[test]
fn comparisons() {
    check("(not (ult in[0] 5:8))", expect!["(ult 4:8 in[0])"]);
    check("(not (eq in[0] 5:8))", expect!["(not (eq in[0] 5:8))"]);
    check("(ule in[0] 5:8)", expect!["(ult in[0] 6:8)"]);
    check("(ult in[0] 1:8)", expect!["(eq in[0] 0:8)"]);
    check("(not (ule in[0] in[1]))", expect!["(ult in[1] in[0])"]);
    check("(slt in[0] 0:8)", expect!["(extract 7 1 in[0])"]);
    check("(slt (sext 32 in[0]) 0x100:32)", expect!["true"]);
    check("(and (ult in[0] 5:8) (ult in[0] 3:8))", expect!["(ult in[0] 3:8)"]);
    check("(and (eq in[0] 5:8) (eq in[0] 3:8))", expect!["false"]);
}

#[test]
fn choices() {
    check("(eq (ite (ult in[0] 5:8) 1:32 2:32) 1:32)", expect!["(ult in[0] 5:8)"]);
    check("(eq (ite (ult in[0] 5:8) 1:32 2:32) 3:32)", expect!["false"]);
    check("(ult (ite (ult in[0] 5:8) 1:32 2:32) 2:32)", expect!["(ult in[0] 5:8)"]);
    check("(ite (ult in[0] 5:8) 1:32 0:32)", expect!["(zext 32 (ult in[0] 5:8))"]);
    check(
        "(ite (not (eq in[0] in[1])) in[0] in[1])",
        expect!["(ite (eq in[0] in[1]) in[1] in[0])"],
    );
    check(
        "(ite (eq in[0] 0:8) (zext 32 in[1]) (zext 32 in[2]))",
        expect!["(zext 32 (ite (eq in[0] 0:8) in[1] in[2]))"],
    );
    check(
        "(extract 0 8 (ite (eq in[0] 0:8) 0x1234:16 0x5678:16))",
        expect!["(ite (eq in[0] 0:8) 0x34:8 0x78:8)"],
    );
}

#[test]
fn reads() {
    check("(read #0a0b0c 1:64)", expect!["0xb:8"]);
    check("(read #0a0b0c 7:64)", expect!["0:8"]);
    check("(read #0a0b0c0d0e (zext 64 in[0]))", expect!["(read #0a0b0c0d0e (zext 64 in[0]))"]);
    check(
        "(read #0a0b0c0d0e (zext 64 (extract 0 1 in[0])))",
        expect!["(ite (extract 0 1 in[0]) 0xb:8 0xa:8)"],
    );
    check(
        "(read #0a0b0c0d (zext 64 (and in[0] 2:8)))",
        expect!["(ite (extract 1 1 in[0]) 0xc:8 0xa:8)"],
    );
    check("(read (write #0a0b0c0d0e 1:64 in[1]) 1:64)", expect!["in[1]"]);
    check(
        "(read (write #0a0b0c0d0e (zext 64 in[0]) in[1]) 2:64)",
        expect!["(ite (eq in[0] 2:8) in[1] 0xc:8)"],
    );
    check(
        "(read (write #0a0b0c0d0e 0x100:64 in[1]) (zext 64 in[0]))",
        expect!["(read #0a0b0c0d0e (zext 64 in[0]))"],
    );
}

#[test]
fn floats() {
    check(
        "(feq 1 (signed-to-f 64 (concat in[1] in[0])) (signed-to-f 64 0x10:16))",
        expect!["(feq 1 (signed-to-f 64 (concat in[1] in[0])) 0x4030000000000000:64)"],
    );
    check(
        "(flt 1 (signed-to-f 64 (concat in[1] in[0])) (signed-to-f 64 (concat in[3] in[2])))",
        expect!["(slt (concat in[1] in[0]) (concat in[3] in[2]))"],
    );
    check("(f-to-signed 32 (signed-to-f 64 (sext 32 in[0])))", expect!["(sext 32 in[0])"]);
    check("(fadd 32 0x7f800001:32 0:32)", expect!["0x7fc00001:32"]);
}
