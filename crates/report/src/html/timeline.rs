//! The time line: small charts of the counters over the run.

use super::data::RunData;
use super::markup::{Html, count, grouped};
use crate::Sample;

/// Points of one chart.
const MAX_POINTS: usize = 240;
/// Of the plot, in the units of the picture.
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 90.0;

/// What is counted, and how it is read from a sample.
type Series = (&'static str, fn(&Sample) -> u64);

const SERIES: [Series; 6] = [
    ("instructions covered", |it| it.covered),
    ("paths ended", |it| it.paths),
    ("states in memory", |it| it.states),
    ("bugs found", |it| it.bugs),
    ("solver queries", |it| it.queries),
    ("queries that reached the SMT solver", |it| it.solver_queries),
];

pub fn put(html: &mut Html, data: &RunData) {
    if data.samples.len() < 2 {
        html.put("<p class=\"note\">The run was too short for a time line.</p>\n", &[]);
        return;
    }
    let at: Vec<f64> = data.samples.iter().map(|sample| sample.instructions as f64).collect();
    let last = data.samples.last().map_or(0, |sample| sample.instructions);
    let end = count(last, "instruction", "instructions");
    html.put("<p class=\"note\">Over instructions executed.</p>\n", &[]);
    put_charts(html, data, &at, &end);
    if let Some((at, end)) = seconds(data) {
        html.put("<h3>Over time</h3>\n", &[]);
        put_charts(html, data, &at, &end);
    }
}

/// When each sample was taken, in seconds, and the last of these in words.
fn seconds(data: &RunData) -> Option<(Vec<f64>, String)> {
    let mut timings = data.timings.iter().filter(|timing| timing.what == "sample");
    let mut at = Vec::new();
    for sample in &data.samples {
        let timing = timings.find(|timing| timing.instructions == sample.instructions)?;
        at.push(timing.seconds);
    }
    let end = at.last().map(|end| format!("{end:.1} s"))?;
    Some((at, end))
}

fn put_charts(html: &mut Html, data: &RunData, at: &[f64], end: &str) {
    html.put("<div class=\"charts\">\n", &[]);
    for (name, value) in SERIES {
        let values: Vec<u64> = data.samples.iter().map(value).collect();
        if values.iter().any(|&value| value > 0) {
            put_chart(html, name, at, &values, end);
        }
    }
    html.put("</div>\n", &[]);
}

fn put_chart(html: &mut Html, name: &str, at: &[f64], values: &[u64], end: &str) {
    let top = values.iter().copied().max().unwrap_or(0).max(1);
    let right = at.last().copied().unwrap_or(0.0).max(f64::MIN_POSITIVE);
    let stride = values.len().div_ceil(MAX_POINTS);
    let mut line = String::from("0,90");
    for (n, (at, value)) in at.iter().zip(values).enumerate() {
        if n % stride == 0 || n + 1 == values.len() {
            let x = WIDTH * at / right;
            let y = HEIGHT - HEIGHT * *value as f64 / top as f64;
            line += &format!(" {x:.1},{y:.1}");
        }
    }
    let last = values.last().copied().unwrap_or(0);
    html.put(
        "<figure><figcaption>{} <b>{}</b></figcaption>\
         <svg viewBox=\"0 0 300 91\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"{}: at most {}, {} at the end\">\
         <polygon points=\"{} 300,90\"/><polyline points=\"{}\"/></svg>\
         <div class=\"axis\"><span>0</span><span>at most {}</span><span>{}</span></div></figure>\n",
        &[
            &name,
            &grouped(last),
            &name,
            &grouped(top),
            &grouped(last),
            &line,
            &line,
            &grouped(top),
            &end,
        ],
    );
}
