//! What is required of the rows: own coverage beside the reference's, and how far bc is explored.

use std::fmt::Write;

/// Programs on which more must be covered than by the reference.
const AHEAD: usize = 5;
const BC_PATHS: f64 = 1000.0;
const BC_COVERED: f64 = 25.0;

/// A program with a reference, as its rows say.
struct Row<'a> {
    name: &'a str,
    paths: f64,
    own: f64,
    reference: f64,
    is_exhaustive: bool,
}

/// Items for the section that has these rows, and whether all is met. A program that was explored to
/// its end cannot be covered any further: the item says so, and it fails nothing.
pub fn requirements(section: &str) -> (String, bool) {
    let rows: Vec<Row> = section.lines().filter_map(|line| row(line, section)).collect();
    let mut out = String::new();
    let mut met = true;
    let mut require = |text: String, verdict: &str| {
        met &= verdict != NOT_MET;
        let _ = writeln!(out, "* {text}: {verdict}");
    };
    for row in &rows {
        let Row { name, own, reference, .. } = row;
        let verdict = match row.own >= row.reference {
            true => MET,
            false if row.is_exhaustive => EXPLORED,
            false => NOT_MET,
        };
        require(format!("own covered, {name}: {own} %, the reference {reference} %"), verdict);
    }
    let ahead = rows.iter().filter(|row| row.own > row.reference).count();
    let text = format!("own covered: above the reference on {ahead} of {}", rows.len());
    require(format!("{text}, required {AHEAD}"), verdict(ahead >= AHEAD));
    for Row { paths, own, .. } in rows.iter().filter(|row| row.name == "bc") {
        let text = format!("complete paths of bc: {paths}, required more than {BC_PATHS}");
        require(text, verdict(*paths > BC_PATHS));
        let text = format!("own covered of bc: {own} %, required {BC_COVERED} %");
        require(text, verdict(*own >= BC_COVERED));
    }
    (out, met)
}

const MET: &str = "met";
const NOT_MET: &str = "NOT met";
const EXPLORED: &str =
    "below in number; explored to the end, so no input of this form covers more (README.md)";

fn verdict(holds: bool) -> &'static str {
    if holds { MET } else { NOT_MET }
}

/// Of a line that is a program's own row, beside which the reference's stands.
fn row<'a>(line: &'a str, section: &str) -> Option<Row<'a>> {
    const PATHS: usize = 4;
    const OWN: usize = 8;
    let name = line.strip_prefix("| ")?.split_once(" | fathom |")?.0;
    let of = |what: String| section.lines().find(|line| line.starts_with(&what));
    let reference = of(format!("| {name} | reference |"))?;
    let is_exhaustive = of(format!("| {name} run |"))?.contains("| exhaustive |");
    let (paths, own) = (number(line, PATHS)?, number(line, OWN)?);
    Some(Row { name, paths, own, reference: number(reference, OWN)?, is_exhaustive })
}

/// What a cell of a row holds, without its unit.
fn number(row: &str, cell: usize) -> Option<f64> {
    let text = row.split('|').nth(cell)?.trim().trim_end_matches(" %");
    text.replace(',', "").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const BC: &str = "| bc | fathom | 417.9 | 62,054 | 2 | 3 | 6 % | 33.5 % | 25.8 % | 6165 |\n\
         | bc | reference | 0.05 | 0 | 74 | 297 | 99.7 % | 11.3 % | | 143 |\n\
         | bc run | 123.4 of 120 | max-cpu | 62,054 |\n";
    const ECHO: &str = "| echo | fathom | 9.3 | 16,221 | 0 | 0 | 3 % | 74.5 % | 14.6 % | 77 |\n\
         | echo | reference | 12.9 | 7,355 | 3,072 | 251 | 25 % | 76 % | | 186 |\n";

    #[test]
    fn rows_are_compared_with_the_reference() {
        let (text, met) = requirements(BC);
        assert!(text.contains("own covered, bc: 33.5 %, the reference 11.3 %: met"));
        assert!(text.contains("above the reference on 1 of 1, required 5: NOT met"));
        assert!(text.contains("complete paths of bc: 62054, required more than 1000: met"));
        assert!(!met);
    }

    #[test]
    fn only_what_is_explored_to_the_end_may_be_below() {
        let stopped = requirements(&format!("{ECHO}| echo run | 60 of 60 | max-cpu | 9 |\n")).0;
        assert!(stopped.contains("own covered, echo: 74.5 %, the reference 76 %: NOT met"));
        let ended = requirements(&format!("{ECHO}| echo run | 1 of 60 | exhaustive | 9 |\n")).0;
        assert!(ended.contains("76 %: below in number; explored to the end"));
    }
}
