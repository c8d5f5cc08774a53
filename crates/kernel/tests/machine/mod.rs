//! A process without a program: system calls are made by the test.

// Each test file uses a part of it.
#![allow(dead_code)]

use fathom_engine::ledger::{Ledger, NOWHERE};
use fathom_engine::memory::{Memory, ObjectKind};
use fathom_engine::outcome::{FaultKind, Trace};
use fathom_engine::system::{Reply, System, SystemContext};
use fathom_expr::{ExprId, Pool};
use fathom_kernel::{Config, Linux};
use libc::c_long;

/// In the crate's own directory.
pub fn config() -> Config {
    Config::new(env!("CARGO_MANIFEST_DIR").into())
}

/// Memory and a kernel, and calls made from nowhere.
pub struct Machine {
    pub memory: Memory,
    pub ledger: Ledger,
    pub linux: Linux,
    pub instructions: u64,
    pub pool: Pool,
    pub assumptions: Vec<ExprId>,
}

impl Machine {
    pub fn new() -> Self {
        Self::with(Linux::new(config()), Pool::new())
    }

    /// One whose kernel has symbolic inputs, made in `pool`.
    pub fn with(linux: Linux, pool: Pool) -> Self {
        Self {
            memory: Memory::new(8 << 20).expect("address space"),
            ledger: Ledger::default(),
            linux,
            instructions: 0,
            pool,
            assumptions: Vec::new(),
        }
    }

    pub fn reply(&mut self, number: c_long, args: &[u64]) -> Result<Reply, FaultKind> {
        let mut words = [0; 6];
        words[..args.len()].copy_from_slice(args);
        let mut context = SystemContext {
            memory: &mut self.memory,
            ledger: &mut self.ledger,
            site: NOWHERE,
            trace: Trace::default(),
            instructions: self.instructions,
            pool: &mut self.pool,
            assumptions: &mut self.assumptions,
        };
        self.linux.call(&mut context, number as u64, words).map_err(|fault| fault.kind)
    }

    pub fn call(&mut self, number: c_long, args: &[u64]) -> i64 {
        match self.reply(number, args) {
            Ok(Reply::Value(value)) => value,
            other => panic!("system call {number}: {other:?}"),
        }
    }

    pub fn buffer(&mut self, bytes: &[u8]) -> u64 {
        let size = bytes.len() as u64;
        let at = self.memory.allocate(size, 16, ObjectKind::Heap, Trace::default()).unwrap();
        self.memory.write(at, bytes).unwrap();
        at
    }

    pub fn path(&mut self, path: &str) -> u64 {
        self.buffer(&[path.as_bytes(), b"\0"].concat())
    }

    pub fn open(&mut self, path: &str, flags: i32) -> i64 {
        let path = self.path(path);
        self.call(libc::SYS_open, &[path, flags as u64, 0o644])
    }

    pub fn notes(&self) -> Vec<&str> {
        self.ledger.entries().iter().map(|entry| entry.what.as_str()).collect()
    }
}

pub fn errno(errno: i32) -> i64 {
    -i64::from(errno)
}
