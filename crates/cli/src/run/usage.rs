//! What fathom takes of the machine: processor time and memory, its solver processes included.

use std::fs;

use crate::allocator;

/// Processor time of this process and of all it started, solvers and native runs.
pub fn cpu_seconds() -> f64 {
    let running: f64 = children().map(|child| child_seconds(child).unwrap_or(0.0)).sum();
    used_seconds(libc::RUSAGE_SELF) + used_seconds(libc::RUSAGE_CHILDREN) + running
}

/// Bytes of memory that this process occupies now, or a copy of it that solves a query.
pub fn resident() -> u64 {
    let copies = children().filter(|&child| is_copy(child)).map(|child| child.to_string());
    let sizes = copies.chain(["self".to_owned()]).map(|process| {
        let statm = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
        let pages = statm.split(' ').nth(1).and_then(|pages| pages.parse::<u64>().ok());
        pages.unwrap_or(0) * 4096
    });
    sizes.max().unwrap_or(0)
}

/// Large objects of the program take memory as they are filled, not as they are allocated: many
/// have many paths, each with its own, and hold little.
pub fn fill_large_blocks_late() {
    const LARGE: i32 = 64 << 10;
    // SAFETY: sets a parameter of the allocator.
    unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
}

/// Bytes of this process's memory that hold something; the rest is kept for later.
pub fn in_use() -> u64 {
    allocator::given_out()
}

/// Physical memory of the machine, in bytes.
pub fn physical() -> u64 {
    // SAFETY: asks for constants of the system.
    let (pages, size) =
        unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    pages.max(0) as u64 * size.max(0) as u64
}

/// Peak resident size of this process in KiB.
pub fn peak_resident() -> u64 {
    usage(libc::RUSAGE_SELF).ru_maxrss as u64
}

/// Processes that the main thread started and that were not waited for.
fn children() -> impl Iterator<Item = u32> {
    let own = std::process::id();
    let list = fs::read_to_string(format!("/proc/self/task/{own}/children")).unwrap_or_default();
    let numbers: Vec<u32> = list.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    numbers.into_iter()
}

/// Whether the process runs this program.
fn is_copy(process: u32) -> bool {
    let program = |process: &str| fs::read_link(format!("/proc/{process}/exe")).ok();
    program("self").is_some_and(|own| program(&process.to_string()) == Some(own))
}

/// Processor time of a process that runs, and of those it has waited for.
fn child_seconds(process: u32) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The second field, a name in parentheses, may contain anything.
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks: u64 = fields.skip(11).take(4).filter_map(|field| field.parse::<u64>().ok()).sum();
    // SAFETY: asks for a constant of the system.
    let per_second = unsafe { libc::sysconf(libc::_SC_CLK_TCK) };
    Some(ticks as f64 / per_second as f64)
}

fn used_seconds(whose: libc::c_int) -> f64 {
    let usage = usage(whose);
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

fn usage(whose: libc::c_int) -> libc::rusage {
    // SAFETY: `usage` is plain data that getrusage fills in.
    unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(whose, &raw mut usage);
        usage
    }
}
