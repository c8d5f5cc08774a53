//! Runs independent test cases on a few threads and counts them.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

const THREADS: usize = 2;

/// Runs every case; prints failures as they come. Returns how many passed and failed.
pub fn run_all<T: Sync>(
    cases: &[T],
    name: impl Fn(&T) -> String + Sync,
    check: impl Fn(&T) -> Result<(), String> + Sync,
) -> Tally {
    let next = AtomicUsize::new(0);
    let tally = Mutex::new(Tally::default());
    let status_line = std::io::stderr().is_terminal();
    let work = || {
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let result = check(case);
            let mut tally = tally.lock().expect("no case panics while counting");
            match result {
                Ok(()) => tally.passed += 1,
                Err(message) => {
                    tally.failed += 1;
                    println!(
                        "FAILED {}\n  {}",
                        name(case),
                        message.trim_end().replace('\n', "\n  ")
                    );
                }
            }
            if status_line {
                eprint!("\r{} of {}\x1b[K", tally.passed + tally.failed, cases.len());
                let _ = std::io::stderr().flush();
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(work);
        }
    });
    if status_line {
        eprint!("\r\x1b[K");
    }
    tally.into_inner().expect("no case panics while counting")
}

#[derive(Default, Clone, Copy)]
pub struct Tally {
    pub passed: usize,
    pub failed: usize,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// The summary line; true when all is well.
    pub fn finish(self) -> bool {
        println!("{} passed, {} failed", self.passed, self.failed);
        self.failed == 0
    }
}
