//! The plots beside `bench/RESULTS.md`.

use std::fs;

use super::cover::Cover;
use super::plan::{Config, Mode, Start, Strategy};
use super::subjects::Subject;
use super::summary::Results;
use crate::svg::{Bars, HeatMap, Panel};
use crate::tree::Tree;

pub fn write(tree: &Tree, results: &Results, subjects: &[&Subject]) -> Result<(), String> {
    save(tree, "pending-coverage.svg", &bars(results, subjects))?;
    save(tree, "pending-unions.svg", &unions(results, subjects))
}

pub fn save(tree: &Tree, name: &str, svg: &str) -> Result<(), String> {
    let path = tree.repo.join("bench").join(name);
    fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))
}

fn bars(results: &Results, subjects: &[&Subject]) -> String {
    let strategy = Strategy::RandomPath;
    let panel = |start: Start| {
        let group = |subject: &&Subject| {
            let total = results.any(subject).map_or(1, |run| run.cover.total()).max(1) as f64;
            let covered = |mode| results.covered(subject, Config { mode, strategy, start });
            let union = results.union(subject, strategy, start);
            let ranges =
                [covered(Mode::Eager), covered(Mode::Pending), union, covered(Mode::Relaxed)];
            let share = |range: Option<_>| range.map_or(0.0, |it: super::summary::Range| it.mean);
            let shares = ranges.map(|range| 100.0 * share(range) / total);
            (subject.name.to_string(), shares.to_vec())
        };
        Panel { title: start.name().to_string(), groups: subjects.iter().map(group).collect() }
    };
    Bars {
        title: "Covered share of the program's own instructions, random-path",
        series: &["eager", "pending", "union of both", "pending, relaxed checks"],
        panels: Start::ALL.into_iter().map(panel).collect(),
    }
    .svg()
}

/// What pairs of pending configurations cover together, summed over the programs: of those
/// configurations that all programs were run in.
pub fn unions(results: &Results, subjects: &[&Subject]) -> String {
    let was_run = |config: &Config, subject: &&Subject| results.covered(subject, *config).is_some();
    let mut configs = configurations();
    configs.retain(|config| subjects.iter().all(|subject| was_run(config, subject)));
    let covers: Vec<Vec<&Cover>> =
        subjects.iter().filter_map(|subject| covers_of(results, subject, &configs)).collect();
    let what = match (subjects, covers.len()) {
        ([subject], _) => subject.name.to_string(),
        (_, n) => format!("{n} programs"),
    };
    let title = format!("Instructions covered by pairs of pending configurations, {what}");
    heat_map(&title, &configs, &covers)
}

/// The first cover of each configuration, where all have one.
fn covers_of<'a>(
    results: &'a Results,
    subject: &Subject,
    configs: &[Config],
) -> Option<Vec<&'a Cover>> {
    let first = |&config: &Config| results.runs(subject, config).next().map(|run| &run.cover);
    configs.iter().map(first).collect()
}

/// Strategies by starts, pending.
fn configurations() -> Vec<Config> {
    let mode = Mode::Pending;
    let starts = |strategy| Start::ALL.map(|start| Config { mode, strategy, start });
    Strategy::ALL.into_iter().flat_map(starts).collect()
}

/// `covers` has, for each program, the cover of each configuration.
fn heat_map(title: &str, configs: &[Config], covers: &[Vec<&Cover>]) -> String {
    let pair =
        |row: usize, column: usize| covers.iter().map(|of| of[row].union(of[column]).count()).sum();
    let n = configs.len();
    HeatMap {
        title,
        names: configs
            .iter()
            .map(|config| format!("{} {}", config.strategy.name(), config.start.name()))
            .collect(),
        values: (0..n).map(|row| (0..n).map(|column| pair(row, column)).collect()).collect(),
    }
    .svg()
}
