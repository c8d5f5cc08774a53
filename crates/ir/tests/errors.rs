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
    let bitcode = compile_text("damaged", DAMAGED_SOURCE, &[]);
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..2000 {
        let damaged = damage(&bitcode, round, &mut random);
        if let Err(error) = load(&damaged, &Options { exact: round % 2 == 0, trusted: false }) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
}

#[test]
fn damaged_assembly_never_ends_the_process() {
    let assembly = compile_text("assembly", DAMAGED_SOURCE, &["-S"]);
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    for round in 0..200 {
        let damaged = damage(&assembly, round, &mut random);
        if let Err(error) = load(&damaged, &Options::default()) {
            assert_eq!(error.to_string().lines().count(), 1, "{error}");
        }
    }
}

const DAMAGED_SOURCE: &str = "
    struct list { struct list *next; int value; } *head;
    static double table[4] = { 1.5, 2, 3 };
    int g[4];
    void *allocate(unsigned long);
    int sum(void) {
        int total = 0;
        for (struct list *at = head; at; at = at->next) total += at->value;
        return total;
    }
    struct list *add(int value) {
        struct list *item = allocate(sizeof *item);
        item->next = head, item->value = g[value & 3] + (int)table[value & 3];
        return head = item;
    }
    int pick(int n) {
        switch (n) { case 1: return sum(); case 7: return g[2]; default: return add(n)->value; }
    }
";

/// xorshift64
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }
}

/// One of five kinds of damage that leave the first four bytes alone.
fn damage(whole: &[u8], round: usize, random: &mut Random) -> Vec<u8> {
    const MAGIC: usize = 4;
    let mut bytes = whole.to_vec();
    let mut place = |room: usize| MAGIC + random.below(whole.len() - MAGIC - room);
    match round % 5 {
        0 | 1 => (0..1 << (round / 5 % 8)).for_each(|bit| bytes[place(0)] ^= 1 << (bit % 8)),
        2 => bytes.truncate(place(0)),
        3 => {
            let length = 4 << (round / 5 % 6);
            let (from, to) = (place(length), place(length));
            (0..length).for_each(|i| bytes.swap(from + i, to + i));
        }
        _ => {
            let length = 4 << (round / 5 % 6);
            let at = place(length);
            bytes[at..at + length].fill([0, 0xff, 0x55][round % 3]);
        }
    }
    bytes
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
