//! A scratch directory, and test cases that use everything a test case can have.

#![allow(dead_code, reason = "each test file uses what it needs")]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use fathom_report::{EnvVar, InputKind, InputValue, Outcome, Site, TestCase};

/// A directory of its own, removed at the end.
pub struct Scratch(PathBuf);

impl Scratch {
    pub fn new() -> Scratch {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let name = format!(
            "fathom-report-{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    pub fn join(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

pub fn input(name: &str, kind: InputKind, bytes: &[u8]) -> InputValue {
    InputValue { name: name.into(), kind, bytes: bytes.into() }
}

pub fn site() -> Site {
    Site {
        kind: "out-of-bounds-read".into(),
        file: "src/parse.c".into(),
        line: 42,
        function: "parse".into(),
    }
}

/// Every kind of input, in the order in which KLEE would have them.
pub fn everything() -> TestCase {
    let mut test = TestCase {
        argv: vec![b"./prog".into(), b"-x".into(), b"".into(), b"A".into()],
        env: vec![
            EnvVar { name: b"LANG".into(), value: b"C".into() },
            EnvVar { name: b"HOME".into(), value: b"".into() },
        ],
        inputs: vec![
            input("arg00", InputKind::Arg { index: 2 }, b"a\xff'b"),
            input("A_data", InputKind::File { path: "A".into() }, b"file\0contents"),
            input("stdin", InputKind::Stdin, b"in\nput\0"),
            input("x", InputKind::Object, &[1, 2, 3, 4]),
            input("y", InputKind::Object, &[0; 9]),
            input("env:HOME", InputKind::Env { name: "HOME".into() }, b"/h"),
        ],
        outcome: Outcome::Bug(site()),
        new_coverage: true,
        instructions: 123_456_789_012,
        path: 77,
        stdout: Some(b"out\0".into()),
        world: None,
    };
    test.settle();
    test
}

/// A small test as runs make them by the thousand.
pub fn small(n: u32) -> TestCase {
    let mut test = TestCase {
        argv: vec![b"./prog".into(), b"".into()],
        inputs: vec![
            input("arg00", InputKind::Arg { index: 1 }, &b"abcdefgh"[..n as usize % 8]),
            input("stdin", InputKind::Stdin, &[n.to_le_bytes(), n.to_be_bytes()].concat()),
        ],
        outcome: Outcome::Exit { status: (n % 3) as i32 },
        instructions: u64::from(n) * 7,
        path: u64::from(n),
        ..TestCase::default()
    };
    test.settle();
    test
}

/// Outcomes of every kind.
pub fn outcomes() -> Vec<Outcome> {
    vec![
        Outcome::Exit { status: -1 },
        Outcome::Exit { status: i32::MAX },
        Outcome::Signal { signal: 11 },
        Outcome::Bug(site()),
        Outcome::Assumption { what: "klee_assume".into() },
        Outcome::Limit { limit: "instructions".into() },
        Outcome::Unsupported { what: "fork".into() },
        Outcome::Unknown,
    ]
}
