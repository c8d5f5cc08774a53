//! The head of the page: what was run, what came of it.

use super::data::RunData;
use super::markup::{Html, count, grouped, percent};
use crate::{Summary, shell_quote};

pub fn put(html: &mut Html, data: &RunData) {
    let Some(summary) = &data.summary else {
        html.put(
            "<h1>A run that was cut short</h1>\n<p class=\"verdict open\">The run did not end in \
             order: this is what it had written.</p>\n<dl class=\"facts\">\n",
            &[],
        );
        put_fact(html, "bugs", &data.bugs.len().to_string(), "");
        put_fact(html, "tests", &grouped(data.pack.len()), "");
        html.put("</dl>\n", &[]);
        return;
    };
    let name = summary.program.rsplit('/').next().unwrap_or(&summary.program);
    let words = summary.options.iter().chain(&summary.command);
    let command: Vec<String> = words.map(|word| shell_quote(word.as_bytes())).collect();
    html.put(
        "<h1>{}</h1>\n<pre class=\"text\">fathom run {}</pre>\n",
        &[&name, &command.join(" ")],
    );
    put_verdict(html, summary);
    put_facts(html, data, summary);
}

fn put_verdict(html: &mut Html, summary: &Summary) {
    let left = match summary.states_left {
        0 => String::new(),
        n => format!("; {} unexplored", count(n, "state was left", "states were left")),
    };
    match (summary.exhaustive, summary.stopped.as_str()) {
        (true, _) => html.put(
            "<p class=\"verdict whole\"><b>Exhaustive.</b> Every path was followed to its end.</p>\n",
            &[],
        ),
        (false, "done") => html.put(
            "<p class=\"verdict open\"><b>Not exhaustive.</b> The <a href=\"#ledger\">ledger</a> \
             says what was left out.</p>\n",
            &[],
        ),
        (false, reason) => html.put(
            "<p class=\"verdict open\"><b>Not exhaustive.</b> Stopped by <code>{}</code>{}.</p>\n",
            &[&reason, &left],
        ),
    };
}

fn put_facts(html: &mut Html, data: &RunData, summary: &Summary) {
    let cover = &summary.coverage;
    html.put("<dl class=\"facts\">\n", &[]);
    match data.bugs.len() {
        0 => put_fact(html, "bugs", "0", ""),
        n => {
            html.put("<div><dt>bugs</dt><dd><b class=\"bad\">{}</b></dd></div>\n", &[&n]);
        }
    }
    let partial = match summary.partial_paths {
        0 => String::new(),
        n => format!("{} cut short", grouped(n)),
    };
    put_fact(html, "complete paths", &grouped(summary.complete_paths), &partial);
    let of = |total, what| format!("of {} {what}", grouped(total));
    let lines = percent(cover.lines, cover.lines_total);
    put_fact(html, "lines covered", &lines, &of(cover.lines_total, "lines"));
    let instructions = percent(cover.instructions, cover.instructions_total);
    let total = of(cover.instructions_total, "instructions");
    put_fact(html, "code covered", &instructions, &total);
    let plain = format!("{} in tests/", grouped(summary.plain_tests));
    put_fact(html, "tests", &grouped(summary.tests), &plain);
    let forks = count(summary.forks, "fork", "forks");
    put_fact(html, "instructions executed", &grouped(summary.instructions), &forks);
    let ledger = if summary.ledger == 0 { "nothing was left out" } else { "times not exact" };
    put_fact(html, "ledger", &grouped(summary.ledger), ledger);
    if let Some(total) = data.timings.iter().rfind(|timing| timing.what == "total") {
        let share = 100.0 * total.solver_seconds / total.seconds.max(1e-9);
        let solver = format!("{share:.0} % in the solver");
        put_fact(html, "time", &format!("{:.2} s", total.seconds), &solver);
        put_fact(html, "memory", &format!("{} MiB", grouped(total.peak_bytes >> 20)), "at most");
    }
    html.put("</dl>\n", &[]);
}

fn put_fact(html: &mut Html, name: &'static str, value: &str, more: &str) {
    html.put("<div><dt>{}</dt><dd>{}", &[&name, &value]);
    if !more.is_empty() {
        html.put(" <small>{}</small>", &[&more]);
    }
    html.put("</dd></div>\n", &[]);
}
