//! Why an input leads to a bug: the branches that its place lies behind, the decisions on its path
//! that matter, and what the input must be for the operation to fail, with source lines.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::{self, Write};
use std::fs;

use fathom_engine::Engine;
use fathom_engine::outcome::{Bug, Ended, Site};
use fathom_engine::trail::Decision;
use fathom_expr::{ExprId, Var};
use fathom_ir::{FuncId, LocId};
use fathom_report::TestCase;

use super::guards::{Guard, guards, line};

/// Longer lists keep what is nearest to the bug.
const MAX_LINES: usize = 30;
/// Longer conditions are not shown, but the bytes they are about.
const MAX_CONDITION: usize = 60;
/// Conditions shown of one line.
const MAX_CONDITIONS: usize = 3;
/// Bytes shown of one condition.
const MAX_BYTES: usize = 8;

/// A branch, and the decisions made there in this way.
struct Line {
    site: Site,
    to: LocId,
    /// The place in the program's own sources that it happened in or was called from.
    own: LocId,
    /// What held each time, newest first; empty where nothing was left to decide.
    conditions: Vec<ExprId>,
    /// It is about bytes that the bug hangs on.
    is_related: bool,
}

/// The branches and decisions that matter, each in the order in which they were last made, and why
/// the operation fails on the input of `test`. Empty if no input decided anything.
pub fn explanation(ended: &Ended, bug: &Bug, engine: &Engine<'_>, test: &TestCase) -> String {
    if ended.trail.iter().next().is_none() && ended.violation.is_none() {
        return String::new();
    }
    let mut writer = Explainer { ended, engine, test, sources: Sources::default() };
    let program = engine.program();
    let behind: Vec<Guard> =
        bug.stack.iter().rev().flat_map(|&site| guards(program, site)).collect();
    let mut lines = lines(ended, bug, engine);
    let mut behind: Vec<Line> =
        behind.into_iter().map(|guard| guard_line(guard, &mut lines, engine)).collect();
    let n_far = behind.len().saturating_sub(MAX_LINES);
    behind.drain(..n_far);
    let n_left_out = keep_nearest(&mut lines);
    let mut text = String::new();
    if !behind.is_empty() {
        text += "The place lies behind these branches:\n";
        text += &left_out(n_far, "farther");
    }
    for line in &behind {
        text += &writer.render(line);
    }
    if !lines.is_empty() {
        text += "Decisions that lead there, in order:\n";
        text += &left_out(n_left_out, "other");
    }
    for line in lines.iter().rev() {
        text += &writer.render(line);
    }
    text + &writer.failure()
}

fn left_out(n: usize, which: &str) -> String {
    if n > 0 { format!("  ({n} {which} ones are left out)\n") } else { String::new() }
}

/// The decisions that may matter, by branch, side and caller, newest first: those of the program's
/// own code; in the C library, those that functions on the stack called for, and those on bytes
/// that the bug hangs on.
fn lines(ended: &Ended, bug: &Bug, engine: &Engine<'_>) -> Vec<Line> {
    let program = engine.program();
    let related = related_bytes(ended, engine);
    let on_stack: BTreeSet<FuncId> = bug.stack.iter().map(|site| site.function).collect();
    let own_on_stack: HashSet<LocId> = on_stack
        .iter()
        .flat_map(|&function| program.functions[function].locs.iter().copied())
        .filter(|&loc| program.is_own(loc))
        .collect();
    let mut lines: Vec<Line> = Vec::new();
    let mut known: HashMap<(Site, i32, LocId), usize> = HashMap::new();
    for &Decision { site, condition, to, own, way } in ended.trail.iter() {
        let is_related = engine.pool.support(condition).iter().any(|var| related.contains(&var));
        let is_near = on_stack.contains(&site.function) || own_on_stack.contains(&own);
        if !(is_related || is_near || program.is_own(site.loc)) {
            continue;
        }
        let at = *known.entry((site, way, own)).or_insert(lines.len());
        if at == lines.len() {
            lines.push(Line { site, to, own, conditions: Vec::new(), is_related });
        }
        lines[at].conditions.push(condition);
        lines[at].is_related |= is_related;
    }
    lines
}

/// The bytes that the bug hangs on, and those that are tied to them on this path.
fn related_bytes(ended: &Ended, engine: &Engine<'_>) -> BTreeSet<Var> {
    let newest = ended.trail.iter().next().map(|decision| decision.condition);
    let Some(condition) = ended.violation.or(newest) else { return BTreeSet::new() };
    let mut related = BTreeSet::new();
    for var in engine.pool.support(condition).iter() {
        related.insert(var);
        if let Some(slice) = ended.path.slice_of(var) {
            related.extend(slice.bytes().iter().map(|byte| byte.var));
        }
    }
    related
}

/// A guard with the decisions that were made there, which need not be told twice.
fn guard_line(Guard { site, to }: Guard, lines: &mut Vec<Line>, engine: &Engine<'_>) -> Line {
    let program = engine.program();
    let from = line(program, site.loc);
    // On its own line a branch may have both sides.
    let side = line(program, to).filter(|&side| Some(side) != from);
    let is_guard = |it: &mut Line| {
        let is_there = it.site.function == site.function && line(program, it.site.loc) == from;
        let goes_there = match side {
            Some(_) => line(program, it.to) == side,
            None => it.site == site && it.to == to,
        };
        is_there && goes_there
    };
    let made: Vec<Line> = lines.extract_if(.., is_guard).collect();
    let conditions = made.iter().flat_map(|it| it.conditions.iter().copied()).collect();
    let is_related = made.iter().any(|it| it.is_related);
    Line { site, to, own: site.loc, conditions, is_related }
}

/// Leaves the related lines, and of the others the newest; returns how many are gone.
fn keep_nearest(lines: &mut Vec<Line>) -> usize {
    let n_left_out = lines.len().saturating_sub(MAX_LINES);
    let mut order: Vec<usize> = (0..lines.len()).collect();
    order.sort_by_key(|&at| !lines[at].is_related);
    let kept: BTreeSet<usize> = order.into_iter().take(MAX_LINES).collect();
    let mut at = 0..;
    lines.retain(|_| at.next().is_some_and(|at| kept.contains(&at)));
    n_left_out
}

/// Puts branches and conditions into words.
struct Explainer<'a, 'e> {
    ended: &'a Ended,
    engine: &'a Engine<'e>,
    test: &'a TestCase,
    sources: Sources,
}

impl Explainer<'_, '_> {
    fn render(&mut self, line: &Line) -> String {
        let program = self.engine.program();
        let function = &program.functions[line.site.function].name;
        let place = |loc| program.locations.get(loc);
        let (Some(from), Some(to)) = (place(line.site.loc), place(line.to)) else {
            return format!("  in {function}\n");
        };
        let path = &program.files[from.file].path;
        let mut text = format!("  {path}:{} in {function}", from.line);
        // A side on which nothing is done has no line.
        if to.line > 0 {
            text += &format!(", to line {}", to.line);
        }
        if (to.file, to.line) == (from.file, from.line) {
            text += &format!(", column {}", to.column);
        }
        if line.conditions.len() > 1 {
            text += &format!(", {} times", line.conditions.len());
        }
        text += &self.conditions(&line.conditions);
        if line.own != line.site.loc && program.is_own(line.own) {
            text += &format!(", called from {}", program.describe(line.own));
        }
        if program.is_own(line.own)
            && let Some(own) = place(line.own)
            && let Some(source) = self.sources.line(&program.files[own.file].path, own.line)
        {
            text += &format!("\n      {source}");
        }
        text + "\n"
    }

    /// ", where … and …", the newest ones in order.
    fn conditions(&self, conditions: &[ExprId]) -> String {
        let mut texts: Vec<String> = Vec::new();
        for &condition in conditions {
            let text = self.condition(condition);
            if !texts.contains(&text) {
                texts.push(text);
            }
            if texts.len() > MAX_CONDITIONS {
                texts[MAX_CONDITIONS] = "…".to_owned();
                break;
            }
        }
        texts.reverse();
        match texts.is_empty() {
            true => String::new(),
            false => format!(", where {}", texts.join(" and ")),
        }
    }

    /// A condition, or the bytes it is about where it is long.
    fn condition(&self, condition: ExprId) -> String {
        let mut short = Short(String::new());
        match write!(short, "{}", self.engine.pool.display(condition)) {
            Ok(()) => short.0,
            Err(_) => format!("a condition on {} holds", self.bytes(condition)),
        }
    }

    /// The bytes that `condition` is about, with their values.
    fn bytes(&self, condition: ExprId) -> String {
        let support = self.engine.pool.support(condition);
        let mut texts: Vec<String> =
            support.iter().take(MAX_BYTES).map(|var| self.byte(var)).collect();
        if support.len() > MAX_BYTES {
            texts.push(format!("… ({} bytes)", support.len()));
        }
        texts.join(", ")
    }

    /// A byte with the value it has in the test.
    fn byte(&self, var: Var) -> String {
        let (input, offset) = self.engine.pool.var_owner(var);
        let name = &self.engine.pool.input_info(input).name;
        let position = self.ended.inputs.iter().position(|it| it.id == input);
        let value = position.and_then(|at| self.test.inputs.get(at));
        match value.and_then(|value| value.bytes.get(offset as usize)) {
            Some(&byte @ b' '..=b'~') => format!("{name}[{offset}] = '{}'", char::from(byte)),
            Some(byte) => format!("{name}[{offset}] = {byte:#x}"),
            None => format!("{name}[{offset}]"),
        }
    }

    /// What makes the operation fail, where that is not the way to it alone.
    fn failure(&self) -> String {
        let Some(violation) = self.ended.violation else { return String::new() };
        let condition = self.condition(violation);
        let bytes = self.bytes(violation);
        match bytes.is_empty() || condition.contains(&bytes) {
            true => format!("It fails where {condition}.\n"),
            false => format!("It fails where {condition}; here {bytes}.\n"),
        }
    }
}

/// Refuses to become long.
struct Short(String);

impl Write for Short {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        if self.0.len() + text.len() > MAX_CONDITION {
            return Err(fmt::Error);
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// Source files, read once.
#[derive(Default)]
struct Sources {
    files: HashMap<String, Vec<String>>,
}

impl Sources {
    fn line(&mut self, path: &str, line: u32) -> Option<&str> {
        let lines = self.files.entry(path.to_owned()).or_insert_with(|| {
            let is_c = [".c", ".h", ".y", ".l"].iter().any(|end| path.ends_with(end));
            let text = fs::read(path).ok().filter(|_| is_c).unwrap_or_default();
            String::from_utf8_lossy(&text).lines().map(|line| line.trim().to_owned()).collect()
        });
        let text = lines.get((line as usize).checked_sub(1)?)?;
        Some(text.as_str()).filter(|text| !text.is_empty())
    }
}
