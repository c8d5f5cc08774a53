//! `bench pending --long`: half an hour for each strategy on two programs, coverage over time.

use std::fmt::Write;

use super::outcome::Counts;
use super::plan::{self, Config};
use super::plots::{save, unions};
use super::subjects::Subject;
use super::summary::Results;
use super::{Options, Runner, measure};
use crate::results::{grouped, write_section};
use crate::svg::Lines;
use crate::tree::Tree;

const TITLE: &str = "# Pending constraints: long runs";
const PROGRAMS: [&str; 2] = ["sqlite3", "bc"];
const CPU_SECONDS: u32 = 30 * 60;

pub fn run(tree: &Tree, options: &Options) -> Result<bool, String> {
    let named = &options.programs;
    let subjects = plan::subjects(if named.is_empty() { &PROGRAMS } else { named })?;
    let cpu_seconds = options.cpu_seconds.unwrap_or(CPU_SECONDS);
    let plans = plan::long(&subjects, cpu_seconds);
    let runner = Runner::new(tree, &subjects, options.store(tree))?;
    let (results, all_ran) = measure(&runner, &plans, options.which)?;
    let mut configs: Vec<Config> = plans.iter().map(|plan| plan.config).collect();
    configs.dedup();
    let mut section = format!(
        "{TITLE}\n\n\
         Written by `./x bench pending --long`: {cpu_seconds} CPU s a run, all configurations of pending, \
         and eager with random-path beside them; {} of {} runs, by fathom at {}.\n\n",
        results.n_runs(),
        plans.len(),
        results.commits(),
    );
    for subject in &subjects {
        let name = subject.name;
        section += &table(&results, subject, &configs);
        let _ = writeln!(
            section,
            "Plots: [over time](pending-long-{name}.svg), [unions of pairs](pending-long-{name}-unions.svg).\n"
        );
    }
    print!("{section}");
    if named.is_empty() {
        write_section(tree, &section)?;
        for subject in &subjects {
            plot(tree, &results, subject, &configs, cpu_seconds)?;
        }
    }
    Ok(all_ran)
}

fn plot(
    tree: &Tree,
    results: &Results,
    subject: &Subject,
    configs: &[Config],
    cpu_seconds: u32,
) -> Result<(), String> {
    let name = subject.name;
    let lines = lines(results, subject, configs, cpu_seconds);
    save(tree, &format!("pending-long-{name}.svg"), &lines)?;
    save(tree, &format!("pending-long-{name}-unions.svg"), &unions(results, &[subject]))
}

fn table(results: &Results, subject: &Subject, configs: &[Config]) -> String {
    let total = results.any(subject).map_or(0, |run| run.cover.total());
    let mut out = format!(
        "## {}, {} instructions of its own\n\n\
         | configuration | covered | at a tenth of the time | complete paths | revived | infeasible | left | MB |\n\
         |---|---|---|---|---|---|---|---|\n",
        subject.name,
        grouped(total),
    );
    for &config in configs {
        for run in results.runs(subject, config) {
            let tenth = run.cpu_seconds / 10.0;
            let early = run.over_time.iter().take_while(|(seconds, _)| *seconds <= tenth).last();
            let count = |number: fn(&Counts) -> u64| {
                run.pending.as_ref().map_or(String::new(), |counts| grouped(number(counts)))
            };
            let _ = writeln!(
                out,
                "| {} | {} | {} | {} | {} | {} | {} | {:.0} |",
                config.name(),
                grouped(run.cover.count()),
                early.map_or(String::new(), |(_, covered)| grouped(*covered)),
                grouped(run.complete_paths),
                count(|counts| counts.revived),
                count(|counts| counts.infeasible),
                count(|counts| counts.left),
                run.peak_mb,
            );
        }
    }
    out + "\n"
}

fn lines(results: &Results, subject: &Subject, configs: &[Config], cpu_seconds: u32) -> String {
    let mut lines = Vec::new();
    for &config in configs {
        for run in results.runs(subject, config) {
            let points = run.over_time.iter().map(|&(seconds, covered)| (seconds, covered as f64));
            lines.push((config.name(), points.collect()));
        }
    }
    let title = format!("{}: covered instructions over CPU time", subject.name);
    Lines { title: &title, seconds: f64::from(cpu_seconds), lines }.svg()
}
