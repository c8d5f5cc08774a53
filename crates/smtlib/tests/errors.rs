//! What is wrong with a script is said in a sentence, with its place.

use fathom_expr::Pool;
use fathom_smtlib::Reader;

#[track_caller]
fn check(text: &str, expected: &str) {
    let mut pool = Pool::new();
    let mut reader = Reader::new(text);
    let error = loop {
        match reader.next(&mut pool) {
            Ok(Some(_)) => {}
            Ok(None) => panic!("the script was read"),
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), expected);
}

#[test]
fn unknown_names() {
    check("(assert (= x x))", "1:12: `x` is not declared");
    check("(assert\n  (bvfoo #x00))", "2:3: `bvfoo` is no known function");
    check("(frobnicate)", "1:2: `frobnicate` is not supported");
    check("(declare-fun x () Int)", "1:19: `Int` is no known sort");
    check("(assert (forall ((x Bool)) x))", "1:10: `forall` is not supported");
}

#[test]
fn sorts_that_do_not_fit() {
    check("(assert (= #x00 #b0))", "1:9: a (_ BitVec 8) and a (_ BitVec 1) are compared");
    check("(assert (bvadd #x00 #x0))", "1:9: `bvadd` of 8 and 4 bits");
    check("(assert (not #x00))", "1:9: a Bool was expected, not a (_ BitVec 8)");
    check("(assert ((_ extract 8 0) #x00))", "1:9: bits 8 to 0 of 8");
    check("(assert (bvult #x00))", "1:9: `bvult` takes 2 arguments, not 1");
    check(
        "(define-fun f ((a Bool)) Bool a)\n(assert (f #x00))",
        "2:9: the arguments do not fit the function",
    );
}

#[test]
fn limits() {
    check(
        "(declare-fun x () (_ BitVec 200))",
        "1:19: bit-vectors of 200 bits are not supported, only up to 128",
    );
    check(
        "(declare-fun a () (Array (_ BitVec 32) (_ BitVec 32)))",
        "1:19: arrays of (_ BitVec 32) by (_ BitVec 32) are not supported: \
         only arrays of bytes by at most 64 bits",
    );
    check("(assert (= (_ bv256 8) #x00))", "1:15: 256 does not fit 8 bits");
    check("(pop 1)", "1:6: there are not so many levels to pop");
}

#[test]
fn broken_text() {
    check("(assert (= #x00 #x00)", "1:22: the script ends in the middle of a command");
    check("(assert (= #xzz #x00))", "1:12: `#xzz` is no constant");
    check("(declare-fun |x () Bool)", "1:14: a quoted symbol is not closed");
    check("check-sat", "1:1: a command was expected, not `check-sat`");
    check("(assert true) )", "1:15: a command was expected, not `)`");
    check("(echo é)", "1:7: `é` does not belong in a script");
}
