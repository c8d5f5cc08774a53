//! Did the native program end as predicted?

use std::fmt;
use std::path::Path;

use crate::{Access, End, Error, Event, Frame, Guard, GuardReport, NativeInput, NativeOutcome};
use crate::{Options, Program, sanitizer};

/// Addresses below this are never mapped.
const NULL_END: u64 = 1 << 16;
const PAGE_FAULT: u64 = 14;
const GENERAL_PROTECTION: u64 = 13;

/// How a path is said to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Predicted {
    Exit(i32),
    Signal(i32),
    Bug(PredictedBug),
    /// The path was not followed to its end, for this reason: there is nothing to compare.
    Unfinished(String),
}

/// A defect, at the innermost line of the program's own code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PredictedBug {
    /// Spelled as everywhere: `out-of-bounds-read`.
    pub kind: String,
    pub file: String,
    pub line: u32,
    pub function: String,
    pub object: Object,
}

/// What kind of object a memory error concerns: not all of them are guarded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Object {
    /// A heap block, or a string of the command line or environment.
    Guarded,
    /// A local or global variable.
    Variable,
    #[default]
    Unknown,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Confirmed,
    /// A native run does not show this kind of end, for this reason.
    NotObservable(String),
    /// The native run ended otherwise: a defect of ours.
    Mismatch(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Confirmed => f.write_str("confirmed"),
            Verdict::NotObservable(reason) => write!(f, "not observable natively: {reason}"),
            Verdict::Mismatch(reason) => write!(f, "mismatch: {reason}"),
        }
    }
}

/// A verdict and the run it rests on.
#[derive(Clone, Debug)]
pub struct Checked {
    pub verdict: Verdict,
    pub outcome: NativeOutcome,
    pub guard: Guard,
}

/// Runs the program in the ways that can show the predicted end, until one does. `sanitized` is the
/// same program made with `fathom-cc --asan`: it is asked about bugs first, but not in a recorded
/// world, which lacks the machine's libraries.
pub fn check(
    program: &Program,
    sanitized: Option<&Program>,
    input: &NativeInput,
    predicted: &Predicted,
    options: &Options,
) -> Result<Checked, Error> {
    if let (Some(sanitized), Predicted::Bug(bug)) = (sanitized, predicted)
        && !shows_itself(&bug.kind)
        && input.world.is_none()
    {
        let guard = Guard::Asan;
        let outcome = sanitized.run(input, &Options { guard, ..options.clone() })?;
        let verdict = sanitizer::verdict(bug, &outcome.sanitizer);
        if verdict == Verdict::Confirmed {
            return Ok(Checked { verdict, outcome, guard });
        }
    }
    let mut best: Option<Checked> = None;
    for &guard in guards(predicted) {
        let outcome = program.run(input, &Options { guard, ..options.clone() })?;
        let checked = Checked { verdict: verdict(predicted, &outcome), outcome, guard };
        let is_better = best.as_ref().is_none_or(|best| rank(&checked) < rank(best));
        if is_better {
            best = Some(checked);
        }
        if best.as_ref().is_some_and(|best| best.verdict == Verdict::Confirmed) {
            break;
        }
    }
    Ok(best.expect("there is at least one way to run"))
}

/// Whether every native run ends in this way, so that sanitizers have nothing to add.
fn shows_itself(kind: &str) -> bool {
    matches!(
        kind,
        "assertion"
            | "abort"
            | "reported"
            | "leak"
            | "uninitialised-read"
            | "injected-division-by-zero"
    )
}

/// A mismatch counts only if no way of running gives a better answer.
fn rank(checked: &Checked) -> u32 {
    match checked.verdict {
        Verdict::Confirmed => 0,
        Verdict::NotObservable(_) => 1,
        Verdict::Mismatch(_) => 2,
    }
}

fn guards(predicted: &Predicted) -> &'static [Guard] {
    let Predicted::Bug(bug) = predicted else { return &[Guard::Off] };
    match bug.kind.as_str() {
        "out-of-bounds-read" | "out-of-bounds-write" => &[Guard::End, Guard::Start, Guard::Aligned],
        "use-after-free" | "double-free" | "invalid-free" | "null-dereference"
        | "read-only-write" | "invalid-call" | "stack-overflow" => &[Guard::End, Guard::Aligned],
        _ => &[Guard::Off],
    }
}

/// Compares one run with the prediction.
pub fn verdict(predicted: &Predicted, outcome: &NativeOutcome) -> Verdict {
    if outcome.events.contains(&Event::AssumptionFailed) {
        return match predicted {
            Predicted::Unfinished(reason) => Verdict::NotObservable(reason.clone()),
            _ => Verdict::Mismatch("the test does not meet an assumption of the program".into()),
        };
    }
    match predicted {
        Predicted::Exit(status) => ended_by(End::Exit(status & 0xff), outcome),
        Predicted::Signal(signal) => ended_by(End::Signal(*signal), outcome),
        Predicted::Bug(bug) => bug_verdict(bug, outcome),
        Predicted::Unfinished(reason) => Verdict::NotObservable(reason.clone()),
    }
}

fn ended_by(expected: End, outcome: &NativeOutcome) -> Verdict {
    match outcome.end == expected {
        true => Verdict::Confirmed,
        false => mismatch(&expected.to_string(), outcome),
    }
}

fn bug_verdict(bug: &PredictedBug, outcome: &NativeOutcome) -> Verdict {
    let stderr = String::from_utf8_lossy(&outcome.stderr);
    match bug.kind.as_str() {
        "out-of-bounds-read" | "out-of-bounds-write" | "use-after-free" => memory(bug, outcome),
        "double-free" | "invalid-free" => faulted(bug, outcome, is_misuse),
        "null-dereference" => faulted(bug, outcome, |report| report.address < NULL_END),
        "read-only-write" => faulted(bug, outcome, |report| {
            report.access == Access::Write || report.event == "kernel-fault"
        }),
        "stack-overflow" => match &outcome.report {
            Some(report) if is_near_stack(report) => Verdict::Confirmed,
            _ => mismatch(&bug.kind, outcome),
        },
        "invalid-call" => match outcome.end {
            End::Signal(libc::SIGSEGV | libc::SIGILL | libc::SIGBUS) => Verdict::Confirmed,
            _ => silent("a wrong call need not fault"),
        },
        "division-by-zero" => ended_by(End::Signal(libc::SIGFPE), outcome),
        "injected-division-by-zero" => silent("the native program does not have this fault"),
        // `__builtin_trap` is an abort, too.
        "abort" if outcome.end == End::Signal(libc::SIGILL) => Verdict::Confirmed,
        "abort" => ended_by(End::Signal(libc::SIGABRT), outcome),
        "assertion" => match stderr.contains("Assertion failed") {
            true => ended_by(End::Signal(libc::SIGABRT), outcome),
            false => mismatch(&bug.kind, outcome),
        },
        "reported" => match stderr.contains("fathom: ") {
            true => ended_by(End::Signal(libc::SIGABRT), outcome),
            false => mismatch(&bug.kind, outcome),
        },
        // A trapping sanitizer's instruction, or what the compiler puts where nothing can be.
        _ if outcome.end == End::Signal(libc::SIGILL) => Verdict::Confirmed,
        kind => silent(&format!("{kind} has no effect that a native run shows")),
    }
}

fn silent(reason: &str) -> Verdict {
    Verdict::NotObservable(reason.into())
}

fn memory(bug: &PredictedBug, outcome: &NativeOutcome) -> Verdict {
    let is_right =
        |report: &GuardReport| report.trap == PAGE_FAULT || report.event == "kernel-fault";
    let verdict = faulted(bug, outcome, is_right);
    match (verdict, bug.object) {
        (Verdict::Mismatch(_), Object::Variable) => {
            silent("the object is a variable, and those have no guard")
        }
        (Verdict::Mismatch(_), Object::Unknown) if outcome.report.is_none() => {
            silent("no guarded block was left; the object may be a variable")
        }
        (verdict, _) => verdict,
    }
}

/// Confirmed by a report of the right sort at the right place.
fn faulted(
    bug: &PredictedBug,
    outcome: &NativeOutcome,
    is_right: impl Fn(&GuardReport) -> bool,
) -> Verdict {
    let Some(report) = &outcome.report else { return mismatch(&bug.kind, outcome) };
    if report.trap == GENERAL_PROTECTION && report.event == "fault" {
        return silent("the processor does not say which address was wrong");
    }
    match is_right(report) && is_at(bug, &report.frames) {
        true => Verdict::Confirmed,
        false => mismatch(&bug.kind, outcome),
    }
}

fn is_misuse(report: &GuardReport) -> bool {
    report.event == "double-free" || report.event == "invalid-free"
}

fn is_near_stack(report: &GuardReport) -> bool {
    report.block.is_none()
        && report.trap == PAGE_FAULT
        && report.address.abs_diff(report.sp) < 8 << 20
}

/// Does the stack, down to the innermost line of the program's own code, contain the place?
///
/// The same function will do: optimised code keeps few lines, code without `-g` none, and the C
/// library's native functions are not those of its bitcode, line for line.
pub(crate) fn is_at(bug: &PredictedBug, frames: &[Frame]) -> bool {
    let is_own = |frame: &Frame| !frame.file.is_empty() && !frame.is_library();
    let inner = frames.iter().position(is_own).map_or(frames.len(), |own| own + 1);
    frames[..inner].iter().any(|frame| {
        let same_line = frame.line == bug.line && same_file(&frame.file, &bug.file);
        same_line || (!bug.function.is_empty() && frame.function == bug.function)
    })
}

/// One path is written out further than the other.
pub(crate) fn same_file(a: &str, b: &str) -> bool {
    let (a, b) = (Path::new(a.trim_start_matches("./")), Path::new(b.trim_start_matches("./")));
    !a.as_os_str().is_empty()
        && !b.as_os_str().is_empty()
        && (a.ends_with(b) || b.ends_with(a) || a.file_name() == b.file_name())
}

fn mismatch(expected: &str, outcome: &NativeOutcome) -> Verdict {
    let mut text = format!("expected {expected}, got {}", outcome.end);
    if let Some(report) = &outcome.report {
        text += &format!(" ({}", report.event);
        if let Some(frame) = report.frames.iter().find(|frame| !frame.is_library()) {
            text += &format!(" at {}:{} in {}", frame.file, frame.line, frame.function);
        }
        text += ")";
    }
    for event in &outcome.events {
        if let Event::MissingInput(name) = event {
            text += &format!("; the test has no object {name:?}");
        }
    }
    Verdict::Mismatch(text)
}
