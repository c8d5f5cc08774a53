//! Prints how long a fork of the kernel takes, and the first system call after one.

use std::time::Instant;

use fathom_engine::ledger::{Ledger, NOWHERE};
use fathom_engine::memory::{Memory, ObjectKind};
use fathom_engine::outcome::Trace;
use fathom_engine::system::{System, SystemContext};
use fathom_expr::Pool;
use fathom_kernel::{Config, Inputs, Linux};

const ROUNDS: u32 = 200_000;

fn main() {
    let mut pool = Pool::new();
    let inputs = Inputs { stdin: Some(64), ..Inputs::default() };
    let config = Config::new(std::env::current_dir().expect("a working directory"));
    let mut linux = Linux::symbolic(config, &inputs, &mut pool).expect("inputs can be made");
    let mut memory = Memory::new(8 << 20).expect("address space");
    let buffer = memory.allocate(4096, 16, ObjectKind::Heap, Trace::default()).expect("memory");
    let mut call = |linux: &mut dyn System, number: i64, args: [u64; 6]| {
        let mut context = SystemContext {
            memory: &mut memory,
            ledger: &mut Ledger::default(),
            site: NOWHERE,
            trace: Trace::default(),
            instructions: 0,
            pool: &mut pool,
            assumptions: &mut Vec::new(),
        };
        linux.call(&mut context, number as u64, args).expect("no fault")
    };
    call(&mut linux, libc::SYS_write, [1, buffer, 100, 0, 0, 0]);

    let time = |what: &str, mut round: Box<dyn FnMut() + '_>| {
        let started = Instant::now();
        (0..ROUNDS).for_each(|_| round());
        println!("{what:<32}{:>8.0} ns", started.elapsed().as_secs_f64() * 1e9 / f64::from(ROUNDS));
    };
    time("fork and drop", Box::new(|| drop(std::hint::black_box(linux.fork()))));
    let calls = [
        ("getpid", libc::SYS_getpid, [0; 6]),
        ("lseek 0", libc::SYS_lseek, [0; 6]),
        ("read 16 symbolic bytes", libc::SYS_pread64, [0, buffer, 16, 0, 0, 0]),
        ("write 16 symbolic bytes", libc::SYS_write, [1, buffer, 16, 0, 0, 0]),
    ];
    for (what, number, args) in calls {
        let fork_and_call = || drop(call(&mut *linux.fork(), number, args));
        time(&format!("fork, {what}"), Box::new(fork_and_call));
        let mut own = linux.clone();
        let call = || drop(call(&mut own, number, args));
        time(&format!("{what} again"), Box::new(call));
    }
}
