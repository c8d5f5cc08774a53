//! The sections that are tables: ledger, test cases, solver.

use super::data::RunData;
use super::input;
use super::markup::{Html, count, grouped, percent};
use super::sources::Sources;

/// Rows of the ledger and of the tests.
const MAX_ENTRIES: usize = 500;
const MAX_TESTS: usize = 200;

/// What was not done exactly or completely.
pub fn put_ledger(html: &mut Html, data: &RunData, sources: &Sources) {
    if data.ledger.is_empty() {
        html.put("<p>Empty: nothing was left out or done otherwise.</p>\n", &[]);
        return;
    }
    html.put(
        "<p>Everything that was not done exactly or completely, where, and how often.</p>\n\
         <div class=\"wide\"><table><thead><tr><th class=\"num\">times<th>what<th>place</thead>\
         <tbody>\n",
        &[],
    );
    let mut entries: Vec<_> = data.ledger.iter().collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.count));
    for entry in entries.iter().take(MAX_ENTRIES) {
        html.put(
            "<tr><td class=\"num\">{}<td>{}<br><small class=\"dim\">{}</small><td class=\"place\">",
            &[&grouped(entry.count), &entry.what, &meaning(&entry.what)],
        );
        match entry.file.is_empty() {
            true => html.put("–", &[]),
            false => {
                sources.put_place(html, &entry.file, entry.line);
                html.put(" in <code>{}</code>", &[&entry.function])
            }
        };
        html.put("\n", &[]);
    }
    html.put("</tbody></table></div>\n", &[]);
    if data.ledger.len() > MAX_ENTRIES {
        let more = (data.ledger.len() - MAX_ENTRIES) as u64;
        html.put(
            "<p class=\"note\">{} in <code>ledger.jsonl</code>.</p>\n",
            &[&count(more, "more is", "more are")],
        );
    }
}

/// What an entry means for the results, told by how it begins.
fn meaning(what: &str) -> &'static str {
    const MEANINGS: [(&str, &str); 8] = [
        ("concretised:", "Only one of its possible values was followed."),
        ("more than", "Only so many of its possible values were followed."),
        ("a branch was not explored", "The other side of the branch was left out."),
        ("a path was not followed", "What these paths would have done is not known."),
        ("nobody asked", "Whether these paths exist, and what they would do, is not known."),
        ("the solver did not decide", "What was asked may be possible and was not followed."),
        ("unsupported:", "The path ended there."),
        ("random bytes", "Their values are those of one run only."),
    ];
    let known = MEANINGS.iter().find(|(start, _)| what.starts_with(start));
    match known {
        Some((_, meaning)) => meaning,
        None if what.contains("is native code only") => {
            "It has no bitcode, so nothing of it was executed."
        }
        None => "The system answers otherwise here than a real one may.",
    }
}

/// Test cases: all, or where there are many those that show something new.
pub fn put_tests(html: &mut Html, data: &RunData) {
    let total = data.pack.len();
    if total == 0 {
        html.put("<p>There are none.</p>\n", &[]);
        return;
    }
    let all = total <= MAX_TESTS as u64;
    let numbers = if all { (1..=total).collect() } else { data.plain_tests.clone() };
    html.put(
        match all {
            true => "<p>{} in <code>tests.pack</code>. ",
            false => {
                "<p>{} in <code>tests.pack</code>; here are those that cover new code or \
                      show a bug. "
            }
        },
        &[&count(total, "test case", "test cases")],
    );
    html.put(
        "In the directory of the run, <code>fathom tests list .</code> lists all, \
         <code>fathom tests show . N</code> shows one.</p>\n\
         <div class=\"wide\"><table><thead><tr><th class=\"num\">test<th>end<th class=\"num\">\
         instructions<th>input</thead><tbody>\n",
        &[],
    );
    for &number in numbers.iter().take(MAX_TESTS) {
        let Ok(test) = data.pack.get(number) else { continue };
        html.put(
            match test.outcome.is_bug() {
                true => "<tr><td class=\"num\">{}<td class=\"place bad\">{}",
                false => "<tr><td class=\"num\">{}<td class=\"place\">{}",
            },
            &[&number, &test.outcome],
        );
        html.put(
            "<td class=\"num\">{}<td class=\"words\"><code>{}</code>\n",
            &[&grouped(test.instructions), &input::line(&test)],
        );
    }
    html.put("</tbody></table></div>\n", &[]);
    if numbers.len() > MAX_TESTS {
        let more = (numbers.len() - MAX_TESTS) as u64;
        html.put(
            "<p class=\"note\">{} in <code>tests/</code>.</p>\n",
            &[&count(more, "more is", "more are")],
        );
    }
}

/// What the solver was asked, and which layer answered.
pub fn put_solver(html: &mut Html, data: &RunData) {
    let Some(summary) = &data.summary else {
        html.put("<p class=\"note\">Only known at the end of a run.</p>\n", &[]);
        return;
    };
    let solver = &summary.solver;
    html.put(
        "<p>{}: {} satisfiable, {} not, {} not decided.</p>\n",
        &[
            &count(solver.queries, "query", "queries"),
            &grouped(solver.sat),
            &grouped(solver.unsat),
            &grouped(solver.failures),
        ],
    );
    if solver.wrong_models > 0 {
        html.put(
            "<p><b class=\"tag bad\">{} wrong</b> Models refused by evaluation: a defect of \
             fathom's.</p>\n",
            &[&grouped(solver.wrong_models)],
        );
    }
    if solver.cross_checked > 0 {
        html.put(
            "<p>A second solver was asked the same: {} compared, {} not, {} different.</p>\n",
            &[
                &grouped(solver.cross_checked),
                &grouped(solver.not_compared),
                &grouped(solver.mismatches),
            ],
        );
    }
    let answers: u64 = solver.layers.iter().map(|(_, answers)| answers).sum();
    if answers == 0 {
        return;
    }
    html.put(
        "<div class=\"wide\"><table><thead><tr><th>layer<th class=\"num\">answers\
         <th class=\"num\">share<th></thead><tbody>\n",
        &[],
    );
    for (layer, n) in &solver.layers {
        html.put(
            "<tr><td><code>{}</code><td class=\"num\">{}<td class=\"num\">{}\
             <td><span class=\"bar\"><i style=\"width:{}%\"></i></span>\n",
            &[
                layer,
                &grouped(*n),
                &percent(*n, answers),
                &format!("{:.1}", 100.0 * *n as f64 / answers as f64),
            ],
        );
    }
    html.put("</tbody></table></div>\n", &[]);
}
