//! Why an input leads to a bug: the decisions on its path that matter, with their source lines.

use std::collections::{BTreeSet, HashMap};
use std::fs;

use fathom_engine::Engine;
use fathom_engine::outcome::{Bug, Ended, Site};
use fathom_engine::trail::Decision;
use fathom_expr::Var;
use fathom_ir::FuncId;

/// Longer lists keep their end.
const MAX_LINES: usize = 40;
/// Longer conditions on input bytes are not shown.
const MAX_CONDITION: usize = 60;

/// A decision, and how often it was made in this way.
struct Line {
    decision: Decision,
    count: u32,
}

/// The decisions that matter, in the order they were last made; empty if there are none.
pub fn explanation(ended: &Ended, bug: &Bug, engine: &Engine<'_>) -> String {
    let related = related_bytes(ended, engine);
    let callers: BTreeSet<FuncId> = bug.stack.iter().map(|site| site.function).collect();
    let matters = |decision: &&Decision| {
        let support = engine.pool.support(decision.condition);
        callers.contains(&decision.site.function)
            || support.iter().any(|var| related.contains(&var))
    };
    let mut lines: Vec<Line> = Vec::new();
    let mut known: HashMap<(Site, i32), usize> = HashMap::new();
    for &decision in ended.trail.iter().filter(matters) {
        let at = *known.entry((decision.site, decision.way)).or_insert(lines.len());
        match lines.get_mut(at) {
            Some(line) => line.count += 1,
            None => lines.push(Line { decision, count: 1 }),
        }
    }
    if lines.is_empty() {
        return String::new();
    }
    let left_out = lines.len().saturating_sub(MAX_LINES);
    lines.truncate(MAX_LINES);
    let mut text = "Decisions that lead there, in order:\n".to_owned();
    if left_out > 0 {
        text += &format!("  ({left_out} earlier ones)\n");
    }
    let mut sources = Sources::default();
    for line in lines.iter().rev() {
        text += &render(line, engine, &mut sources);
    }
    text
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

fn render(line: &Line, engine: &Engine<'_>, sources: &mut Sources) -> String {
    let program = engine.program();
    let Decision { site, condition, to, .. } = line.decision;
    let function = &program.functions[site.function].name;
    let place = |site: Site| program.locations.get(site.loc);
    let (Some(from), Some(to)) = (place(site), place(to)) else {
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
    if line.count > 1 {
        text += &format!(", {} times", line.count);
    }
    let condition = engine.pool.display(condition).to_string();
    if condition.len() <= MAX_CONDITION {
        text += &format!(", where {condition}");
    }
    if program.is_own(site.loc)
        && let Some(source) = sources.line(path, from.line)
    {
        text += &format!("\n      {source}");
    }
    text + "\n"
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
