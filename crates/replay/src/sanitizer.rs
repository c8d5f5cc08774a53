//! What the sanitizers of a program made with `fathom-cc --asan` wrote down, and whether it shows a
//! predicted bug.

use std::fs;
use std::path::Path;

use crate::symbols::Symbols;
use crate::verdict::{is_at, same_file};
use crate::{Access, Frame, PredictedBug, Verdict};

/// Addresses below this are never mapped.
const NULL_END: u64 = 1 << 16;

/// One complaint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SanitizerReport {
    /// As the sanitizer has it: `heap-buffer-overflow on address …`, `signed integer overflow: …`.
    pub message: String,
    pub access: Access,
    /// The faulting address, where it says one.
    pub address: u64,
    /// Innermost first. A complaint about undefined behaviour has one: its own place.
    pub frames: Vec<Frame>,
    pub is_address_error: bool,
}

/// The variables that make the sanitizers write to files that start with `log`.
pub(crate) fn variables(log: &Path, memory: u64) -> [(&'static str, String); 2] {
    let log = log.display();
    let megabytes = memory >> 20;
    let common = format!("log_path='{log}':symbolize=0:handle_abort=0");
    let address = format!(
        "{common}:detect_leaks=0:allocator_may_return_null=1:hard_rss_limit_mb={megabytes}:\
         detect_stack_use_after_return=1:handle_sigfpe=1:handle_sigill=0"
    );
    [("ASAN_OPTIONS", address), ("UBSAN_OPTIONS", format!("{common}:halt_on_error=0"))]
}

/// All complaints in the files that start with `log`.
pub(crate) fn read(log: &Path, program: &Path, symbols: &Symbols) -> Vec<SanitizerReport> {
    let prefix = log.file_name().unwrap_or_default().to_string_lossy().into_owned() + ".";
    let files = log.parent().map(fs::read_dir).into_iter().flatten().flatten().flatten();
    let mut paths: Vec<_> = files
        .map(|file| file.path())
        .filter(|path| path.file_name().unwrap_or_default().to_string_lossy().starts_with(&prefix))
        .collect();
    paths.sort();
    let texts = paths.iter().map(|path| fs::read(path).unwrap_or_default());
    texts.flat_map(|text| parse(&String::from_utf8_lossy(&text), program, symbols)).collect()
}

fn parse(text: &str, program: &Path, symbols: &Symbols) -> Vec<SanitizerReport> {
    let mut reports: Vec<SanitizerReport> = Vec::new();
    // Only the first stack of a complaint says where it happened.
    let mut in_stack = false;
    for line in text.lines() {
        if let Some((_, message)) = line.split_once("ERROR: AddressSanitizer: ") {
            reports.push(address_error(message));
            in_stack = true;
        } else if let Some((place, message)) = line.split_once(": runtime error: ") {
            reports.push(undefined_behaviour(place, message));
            in_stack = false;
        } else if let Some(report) = reports.last_mut() {
            match line.trim_start() {
                frame if in_stack && frame.starts_with('#') => {
                    let inner = report.frames.is_empty();
                    report.frames.extend(frames(frame, program, symbols, inner));
                }
                "" => in_stack = in_stack && report.frames.is_empty(),
                detail if report.access == Access::None => report.access = access(detail),
                _ => {}
            }
        }
    }
    reports
}

fn address_error(message: &str) -> SanitizerReport {
    let hex = message.split("address 0x").nth(1).unwrap_or_default();
    let hex: String = hex.chars().take_while(char::is_ascii_hexdigit).collect();
    SanitizerReport {
        message: message.to_owned(),
        access: Access::None,
        address: u64::from_str_radix(&hex, 16).unwrap_or(u64::MAX),
        frames: Vec::new(),
        is_address_error: true,
    }
}

/// `place` is `file:line:column`.
fn undefined_behaviour(place: &str, message: &str) -> SanitizerReport {
    let mut parts = place.rsplitn(3, ':');
    let (_column, line, file) = (parts.next(), parts.next(), parts.next());
    let frame = Frame {
        function: String::new(),
        file: file.unwrap_or_default().to_owned(),
        line: line.and_then(|line| line.parse().ok()).unwrap_or(0),
    };
    SanitizerReport {
        message: message.to_owned(),
        access: Access::None,
        address: u64::MAX,
        frames: vec![frame],
        is_address_error: false,
    }
}

fn access(detail: &str) -> Access {
    if detail.starts_with("READ of size") || detail.contains("caused by a READ") {
        Access::Read
    } else if detail.starts_with("WRITE of size") || detail.contains("caused by a WRITE") {
        Access::Write
    } else {
        Access::None
    }
}

/// The frames of `#1 0x… (/path/program+0x1234) (BuildId: …)`; none if it is in a library.
fn frames(line: &str, program: &Path, symbols: &Symbols, is_innermost: bool) -> Vec<Frame> {
    let place = format!("({}+0x", program.display());
    let Some((_, offset)) = line.split_once(&place) else { return Vec::new() };
    let digits: String = offset.chars().take_while(char::is_ascii_hexdigit).collect();
    let Ok(offset) = u64::from_str_radix(&digits, 16) else { return Vec::new() };
    symbols.frames_at(if is_innermost { offset } else { offset.saturating_sub(1) })
}

/// Confirmed by a complaint of the right sort at the right place.
pub(crate) fn verdict(bug: &PredictedBug, reports: &[SanitizerReport]) -> Verdict {
    match reports.iter().any(|report| is_sort(bug, report) && is_place(bug, report)) {
        true => Verdict::Confirmed,
        false => Verdict::NotObservable("the sanitizers say nothing of it".into()),
    }
}

fn is_place(bug: &PredictedBug, report: &SanitizerReport) -> bool {
    match report.is_address_error {
        true => is_at(bug, &report.frames),
        false => report
            .frames
            .iter()
            .any(|frame| frame.line == bug.line && same_file(&frame.file, &bug.file)),
    }
}

fn is_sort(bug: &PredictedBug, report: &SanitizerReport) -> bool {
    let says = |words: &[&str]| words.iter().any(|word| report.message.contains(word));
    let accessed = |access| report.access == Access::None || report.access == access;
    match bug.kind.as_str() {
        "out-of-bounds-read" => is_out_of_bounds(report) && accessed(Access::Read),
        "out-of-bounds-write" => is_out_of_bounds(report) && accessed(Access::Write),
        "use-after-free" => says(&["use-after-free", "use-after-return", "use-after-scope"]),
        "double-free" => says(&["double-free"]),
        "invalid-free" => says(&["not malloc()-ed", "bad-free"]),
        "null-dereference" => report.address < NULL_END || says(&["null pointer"]),
        "read-only-write" => says(&["SEGV"]) && accessed(Access::Write),
        "overlapping-copy" => says(&["param-overlap"]),
        "stack-overflow" => says(&["stack-overflow"]),
        "invalid-call" => says(&["SEGV", "ILL", "through pointer to incorrect function type"]),
        "division-by-zero" => says(&["division by zero", "FPE"]),
        "shift-overflow" => says(&["shift"]),
        "signed-overflow" => says(&["overflow", "cannot be represented"]),
        _ => !report.is_address_error,
    }
}

fn is_out_of_bounds(report: &SanitizerReport) -> bool {
    ["-overflow on", "-underflow on", "SEGV", "out of bounds", "insufficient space", "size-param"]
        .iter()
        .any(|word| report.message.contains(word))
}
