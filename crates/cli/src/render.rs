//! How findings look: a report for people, and the same as JSON.

use std::fmt::Write;

use fathom_engine::ledger::Ledger;
use fathom_engine::outcome::{Bug, Limit, Site, Stop, Trace};
use fathom_ir::Program;
use serde_json::{Value, json};

/// The innermost frame that is not the C library's, where a reader wants to look first.
fn headline<'a>(program: &Program, stack: &'a [Site]) -> Option<&'a Site> {
    stack.iter().find(|site| program.is_own(site.loc)).or(stack.first())
}

/// What there is to say about how a run ended, other than by itself.
pub fn outcome(program: &Program, stop: &Stop, stack: &[Site]) -> Option<String> {
    let at = || {
        headline(program, stack)
            .map_or(String::new(), |site| format!(" at {}", place_of(program, site)))
    };
    Some(match stop {
        Stop::Exit(_) | Stop::Killed(_) | Stop::Returned(_) | Stop::Dropped(_) => return None,
        Stop::Bug(found) => bug(program, found),
        Stop::Unsupported(it) => unsupported(program, &it.construct, &it.stack),
        Stop::Exhausted(Limit::Interrupted) => format!("fathom: interrupted{}\n", at()),
        Stop::Exhausted(limit) => {
            let limit = format!("{limit:?}").to_lowercase();
            format!("fathom: stopped at the limit on {limit}{}\n", at())
        }
    })
}

/// The result of an entry function, for standard output.
pub fn returned(stop: &Stop) -> Option<String> {
    let Stop::Returned(slots) = stop else { return None };
    Some(match slots.as_slice() {
        [] => "returned\n".to_owned(),
        [value] => format!("returned {value}\n"),
        several => format!("returned {several:?}\n"),
    })
}

/// A bug as it is shown on the terminal.
pub fn bug(program: &Program, bug: &Bug) -> String {
    let mut text = String::new();
    let place = headline(program, &bug.stack);
    let at = place.map_or_else(|| "?".to_owned(), |site| place_of(program, site));
    let _ = writeln!(text, "fathom: {} at {at}", bug.kind);
    let _ = writeln!(text, "  {}", bug.message);
    if let Some(site) = place {
        excerpt(program, site, &mut text);
    }
    frames(program, "stack", &bug.stack, &mut text);
    if let Some(object) = &bug.object {
        trace(program, "the object was allocated at", Some(&object.allocated), &mut text);
        trace(program, "and freed at", object.freed.as_ref(), &mut text);
        declared(program, object, &mut text);
    }
    text
}

/// What was not done exactly, a line each.
pub fn ledger(program: &Program, ledger: &Ledger) -> String {
    let mut text = String::new();
    for entry in ledger.entries() {
        let at = match program.functions.get(entry.site.function) {
            Some(_) => format!(" at {}", place_of(program, &entry.site)),
            None => String::new(),
        };
        let times =
            if entry.count > 1 { format!(", {} times", entry.count) } else { String::new() };
        let _ = writeln!(text, "ledger        {}{at}{times}", entry.what);
    }
    text
}

/// Something unsupported, as it is shown on the terminal.
fn unsupported(program: &Program, construct: &str, stack: &[Site]) -> String {
    let mut text = String::new();
    let at = stack.first().map_or_else(|| "?".to_owned(), |site| place_of(program, site));
    let _ = writeln!(text, "fathom: unsupported: {construct} at {at}");
    frames(program, "stack", stack, &mut text);
    text
}

fn place_of(program: &Program, site: &Site) -> String {
    format!("{} in `{}`", program.describe(site.loc), program.functions[site.function].name)
}

/// The source line with one before and one after, when the file can be read.
fn excerpt(program: &Program, site: &Site, text: &mut String) {
    let Some(location) = program.locations.get(site.loc).filter(|_| site.loc.0 != 0) else {
        return;
    };
    let Ok(source) = std::fs::read(&program.files[location.file].path) else { return };
    let source = String::from_utf8_lossy(&source);
    let line = location.line as usize;
    let lines = source.lines().enumerate().map(|(index, line)| (index + 1, line));
    for (number, content) in lines.skip(line.saturating_sub(2)).take(3) {
        let mark = if number == line { '>' } else { ' ' };
        let _ = writeln!(text, "  {mark} {number:5} | {}", content.trim_end());
    }
}

fn frames(program: &Program, title: &str, sites: &[Site], text: &mut String) {
    if sites.is_empty() {
        return;
    }
    let _ = writeln!(text, "  {title}");
    const SHOWN: usize = 24;
    for (depth, site) in sites.iter().enumerate().take(SHOWN) {
        let name = &program.functions[site.function].name;
        let _ = writeln!(text, "    #{depth:<2} {name:<24} {}", program.describe(site.loc));
    }
    if sites.len() > SHOWN {
        let _ = writeln!(text, "    … {} more frames", sites.len() - SHOWN);
    }
}

fn trace(program: &Program, title: &str, trace: Option<&Trace>, text: &mut String) {
    if let Some(trace) = trace {
        frames(program, title, trace.sites(), text);
    }
}

/// Where a global or local is declared.
fn declared(program: &Program, object: &fathom_engine::memory::ObjectView, text: &mut String) {
    use fathom_engine::memory::ObjectKind;
    let loc = match &object.kind {
        ObjectKind::Global(id) => program.globals[*id].loc,
        ObjectKind::Stack { site, variable } => {
            let variables = &program.functions[site.function].variables;
            variables.get(*variable as usize).map_or(site.loc, |variable| variable.loc)
        }
        _ => return,
    };
    if loc.0 != 0 {
        let _ = writeln!(text, "  it is declared at {}", program.describe(loc));
    }
}

/// Everything about a finished run that a machine may want.
pub fn json(program: &Program, stop: &Stop, at: &[Site], ledger: &Ledger) -> Value {
    let mut report = match stop {
        Stop::Exit(status) => json!({ "outcome": "exit", "status": status }),
        Stop::Killed(signal) => json!({ "outcome": "killed", "signal": signal }),
        Stop::Returned(slots) => json!({ "outcome": "returned", "result": slots }),
        Stop::Dropped(why) => json!({ "outcome": "dropped", "why": why }),
        Stop::Exhausted(limit) => {
            let limit = format!("{limit:?}").to_lowercase();
            let mut report =
                json!({ "outcome": "exhausted", "limit": limit, "stack": stack(program, at) });
            place(program, headline(program, at), &mut report);
            report
        }
        Stop::Bug(bug) => {
            let mut report = json!({
                "outcome": "bug",
                "kind": bug.kind.name(),
                "message": bug.message,
                "stack": stack(program, &bug.stack),
            });
            if let Some(object) = &bug.object {
                report["object"] = json!({
                    "description": fathom_engine::describe_object(program, object),
                    "size": object.size,
                    "allocated": stack(program, object.allocated.sites()),
                    "freed": object.freed.map(|freed| stack(program, freed.sites())),
                });
            }
            place(program, headline(program, &bug.stack), &mut report);
            report
        }
        Stop::Unsupported(unsupported) => {
            let mut report = json!({
                "outcome": "unsupported",
                "message": unsupported.construct,
                "stack": stack(program, &unsupported.stack),
            });
            place(program, unsupported.stack.first(), &mut report);
            report
        }
    };
    report["ledger"] = ledger
        .entries()
        .iter()
        .map(|entry| {
            let mut row = json!({ "what": entry.what, "count": entry.count });
            place(program, Some(&entry.site), &mut row);
            row
        })
        .collect();
    report
}

fn place(program: &Program, site: Option<&Site>, row: &mut Value) {
    let Some(site) = site else { return };
    if let Some(function) = program.functions.get(site.function) {
        row["function"] = json!(function.name);
    }
    if let Some(location) = program.locations.get(site.loc).filter(|_| site.loc.0 != 0) {
        row["file"] = json!(program.files[location.file].path);
        row["line"] = json!(location.line);
    }
}

fn stack(program: &Program, sites: &[Site]) -> Value {
    let row = |site: &Site| {
        let mut row = json!({});
        place(program, Some(site), &mut row);
        row
    };
    sites.iter().map(row).collect()
}
