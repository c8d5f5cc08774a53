//! The analysis of a suite as one page.

use fathom_report::Html;

use super::change;
use super::summary::{BugRow, Summary};

const STYLE: &str = "
body { font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; } h3 { font-size: 1rem; margin-top: 1.6rem; }
table { border-collapse: collapse; } td, th { padding: .2rem .8rem .2rem 0; text-align: left; vertical-align: top; }
th { font-weight: 600; border-bottom: 1px solid #c8ccd0; } td.n, th.n { text-align: right; }
pre { background: #f4f5f7; padding: .7rem 1rem; overflow-x: auto; font-size: 13px; line-height: 1.4; }
code { font-size: 13px; } .quiet { color: #5a6270; } .bad { color: #a4262c; }
svg text { font: 12px system-ui, sans-serif; fill: #5a6270; }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #d8dbe0; } pre { background: #22252b; } th { border-color: #444; } .quiet, svg text { color: #9aa2ad; fill: #9aa2ad; } .bad { color: #ff8a8a; } }
";

/// The colours of curves, one bug after the other.
const COLOURS: [&str; 6] = ["#0b6bcb", "#c2410c", "#15803d", "#7c3aed", "#be185d", "#0e7490"];

/// Longer lists are cut; the files beside the page have all.
const MAX_ROWS: usize = 500;

impl Summary {
    /// One file that needs no other.
    pub fn page(&self) -> String {
        let mut page = Page::default();
        page.raw("<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\"><title>fathom amplify</title><style>");
        page.raw(STYLE);
        page.raw("</style><h1>Amplified test suite</h1>");
        self.overview(&mut page);
        self.bugs_part(&mut page);
        self.chances(&mut page);
        self.distances(&mut page);
        self.tests_part(&mut page);
        self.ledger_part(&mut page);
        page.0.into_string()
    }

    fn overview(&self, page: &mut Page) {
        page.raw("<table>");
        let mut row = |name: &str, value: String| {
            page.row(&[name, &value]);
        };
        if let Some(suite) = &self.suite {
            row("suite", format!("{}, {:.1} s while recording", suite.status, suite.seconds));
        }
        row(
            "runs",
            format!(
                "{} of {} programs; {} with the same input as an earlier one, {} on the path of another, {} not followed to their end",
                self.runs,
                self.programs.len(),
                self.same_input,
                self.same_path,
                self.failed
            ),
        );
        row(
            "distance",
            self.complete.map_or("none complete".to_owned(), |distance| {
                format!(
                    "all tests up to {distance}{}",
                    if self.interrupted { "; interrupted" } else { "" }
                )
            }),
        );
        row(
            "checks",
            format!(
                "{} at {} lines; {} left out: too hard, or their place had used up its time",
                self.checks, self.checked_lines, self.checks_left_out
            ),
        );
        if let Some(overhead) = &self.overhead {
            row(
                "overhead",
                format!(
                    "distance 0 over plain interpretation, {} tests: {:.1} (10 %), {:.1} (median), {:.1} (90 %), {:.1} (most); {:.0} % of that time in the solver",
                    overhead.tests,
                    overhead.quantile_10,
                    overhead.median,
                    overhead.quantile_90,
                    overhead.most,
                    100.0 * overhead.solver_share
                ),
            );
        }
        row(
            "departures",
            format!("{} runs end or print otherwise in the engine than natively", self.departures),
        );
        row("bugs", format!("{}, {} of them not in the baseline", self.bugs.len(), self.new_bugs));
        row("ledger", format!("{} entries", self.ledger));
        row("analysis", format!("{:.1} s", self.seconds));
        page.raw("</table>");
    }

    fn bugs_part(&self, page: &mut Page) {
        page.raw("<h2>Bugs</h2>");
        if self.bugs.is_empty() {
            page.raw("<p class=\"quiet\">None found within these distances and limits.</p>");
        }
        for bug in &self.bugs {
            page.raw("<h3 class=\"bad\">");
            page.text(&format!("{} at {}:{} in {}", bug.kind, bug.file, bug.line, bug.function));
            page.raw("</h3><table>");
            page.row(&["what", &bug.message]);
            page.row(&["test", &bug.command]);
            page.row(&["distance", &format!("{}, depth {}", bug.distance, bug.depth)]);
            page.row(&["exposed by", &exposed(bug)]);
            if let Some(replay) = &bug.replay {
                page.row(&["native run", &format!("{} {}", replay.verdict, replay.detail)]);
            }
            page.row(&["input", &bug.directory]);
            page.raw("</table><pre>");
            match bug.changes.is_empty() {
                true => page.text("The test itself shows it."),
                false => page.text(&change::render(&bug.changes)),
            }
            page.raw("</pre>");
        }
    }

    /// How likely a part of the suite finds each bug.
    fn chances(&self, page: &mut Page) {
        if self.bugs.is_empty() {
            return;
        }
        page.raw("<h2>Chance of finding a bug with a part of the suite</h2><svg viewBox=\"0 0 640 260\" width=\"640\" role=\"img\" aria-label=\"chance of finding each bug by share of the suite\">");
        for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
            let y = 220.0 - 200.0 * share;
            page.0.put(
                "<line x1=\"50\" x2=\"450\" y1=\"{}\" y2=\"{}\" stroke=\"#8884\"/><text x=\"8\" y=\"{}\">{} %</text>",
                &[&y, &y, &(y + 4.0), &(100.0 * share)],
            );
            let x = 38.0 + 400.0 * share;
            page.0.put("<text x=\"{}\" y=\"240\">{} %</text>", &[&x, &(100.0 * share)]);
        }
        for (at, bug) in self.bugs.iter().enumerate() {
            let colour = COLOURS[at % COLOURS.len()];
            let points: Vec<String> = std::iter::once((0, 0.0))
                .chain(bug.chances.iter().copied())
                .chain([(100, 1.0)])
                .map(|(share, chance)| format!("{},{:.1}", 50 + 4 * share, 220.0 - 200.0 * chance))
                .collect();
            page.0.put(
                "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" points=\"{}\"/>",
                &[&colour, &points.join(" ")],
            );
            if at < 12 {
                page.0.put(
                    "<text x=\"465\" y=\"{}\" style=\"fill:{}\">{} {}</text>",
                    &[&(24 + 18 * at), &colour, &bug.function, &bug.line],
                );
            }
        }
        page.raw("</svg>");
    }

    fn distances(&self, page: &mut Page) {
        page.raw("<h2>Distances</h2><table><tr><th class=\"n\">distance<th class=\"n\">tests<th class=\"n\">cut short<th class=\"n\">excursions<th class=\"n\">seconds<th class=\"n\">in the solver<th class=\"n\">bugs</tr>");
        for phase in &self.phases {
            page.numbers(&[
                phase.distance.to_string(),
                phase.tests.to_string(),
                phase.cut_short.to_string(),
                phase.excursions.to_string(),
                format!("{:.1}", phase.seconds),
                format!("{:.1}", phase.solver_seconds),
                phase.bugs.to_string(),
            ]);
        }
        page.raw("</table>");
    }

    fn tests_part(&self, page: &mut Page) {
        page.raw("<h2>Tests</h2><p class=\"quiet\">Reached: distances analysed, those cut short by a limit in brackets. For each bug, in the order above, the distance at which the test exposes it.</p><table><tr><th class=\"n\">#<th>command<th>end<th class=\"n\">branches<th class=\"n\">overhead<th>reached<th>bugs<th></tr>");
        for test in self.tests.iter().take(MAX_ROWS) {
            let reached: Vec<String> = test
                .reached
                .iter()
                .map(
                    |(distance, whole)| {
                        if *whole { distance.to_string() } else { format!("({distance})") }
                    },
                )
                .collect();
            let bugs: Vec<String> = self
                .bugs
                .iter()
                .map(|bug| bug.exposed.get(&test.test).map_or("–".to_owned(), u32::to_string))
                .collect();
            let remark =
                match (&test.same_input_as, &test.same_path_as, &test.failure, &test.departure) {
                    (Some(other), ..) => format!("same input as {other}"),
                    (_, Some(other), ..) => format!("same path as {other}"),
                    (_, _, Some(failure), _) => failure.clone(),
                    (_, _, _, Some(departure)) => departure.clone(),
                    _ => String::new(),
                };
            let overhead = match test.plain_seconds > 0.0 && test.seconds > 0.0 {
                true => format!("{:.1}", test.seconds / test.plain_seconds),
                false => String::new(),
            };
            page.row(&[
                &test.test.to_string(),
                &test.command,
                &test.end,
                &test.branches.to_string(),
                &overhead,
                &reached.join(" "),
                &bugs.join(" "),
                &remark,
            ]);
        }
        page.raw("</table>");
        if self.tests.len() > MAX_ROWS {
            let more = self.tests.len() - MAX_ROWS;
            page.0.put("<p class=\"quiet\">{} more in tests.jsonl</p>", &[&more]);
        }
    }

    fn ledger_part(&self, page: &mut Page) {
        page.raw("<h2>Ledger</h2><p class=\"quiet\">What was not done exactly or completely.</p><table><tr><th class=\"n\">times<th>what<th>where</tr>");
        for entry in self.entries.iter().take(MAX_ROWS) {
            let place = match entry.file.is_empty() {
                true => String::new(),
                false => format!("{}:{} {}", entry.file, entry.line, entry.function),
            };
            page.row(&[&entry.count.to_string(), &entry.what, &place]);
        }
        page.raw("</table>");
    }
}

/// Which tests expose a bug, by distance.
fn exposed(bug: &BugRow) -> String {
    let mut by_distance: std::collections::BTreeMap<u32, usize> = std::collections::BTreeMap::new();
    for &distance in bug.exposed.values() {
        *by_distance.entry(distance).or_default() += 1;
    }
    let parts: Vec<String> = by_distance
        .iter()
        .map(|(distance, count)| format!("{count} tests at distance {distance}"))
        .collect();
    parts.join(", ")
}

/// A page of rows.
#[derive(Default)]
struct Page(Html);

impl Page {
    fn raw(&mut self, markup: &'static str) {
        self.0.put_whole(markup);
    }

    fn text(&mut self, text: &str) {
        self.0.put("{}", &[&text]);
    }

    fn row(&mut self, cells: &[&str]) {
        self.raw("<tr>");
        for cell in cells {
            self.0.put("<td>{}", &[cell]);
        }
        self.raw("</tr>");
    }

    fn numbers(&mut self, cells: &[String]) {
        self.raw("<tr>");
        for cell in cells {
            self.0.put("<td class=\"n\">{}", &[cell]);
        }
        self.raw("</tr>");
    }
}
