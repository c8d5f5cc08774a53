//! `bench pending`: pending constraints against eager forking on seven real programs.
//!
//! Every run's results are kept in the cache under a name made of all that they depend on, so an
//! interrupted benchmark goes on where it was, and the tables can be made again without running.

mod checks;
mod correlation;
mod cover;
pub mod faults;
mod long;
mod outcome;
mod plan;
mod plots;
pub mod seed_path;
mod seeds;
mod subjects;
mod summary;
mod tables;
mod test_cover;

use std::sync::Mutex;

use crate::pool;
use crate::results::write_section;
use crate::tree::Tree;
use outcome::Runner;
use plan::Plan;
use summary::Results;

/// What the command line says.
struct Options<'a> {
    programs: Vec<&'a str>,
    cpu_seconds: Option<u32>,
    long: bool,
    /// Only make tables and plots of what was run before.
    finished: bool,
}

impl<'a> Options<'a> {
    fn parse(words: &[&'a str]) -> Result<Self, String> {
        let mut options =
            Self { programs: Vec::new(), cpu_seconds: None, long: false, finished: false };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--long" => options.long = true,
                "--finished" => options.finished = true,
                "--cpu" => {
                    let seconds = words.next().and_then(|number| number.parse().ok());
                    options.cpu_seconds = Some(seconds.ok_or("--cpu wants a number of seconds")?);
                }
                _ if word.starts_with('-') => return Err(format!("no option {word}")),
                _ => options.programs.push(word),
            }
        }
        Ok(options)
    }
}

pub fn run(tree: &Tree, words: &[&str]) -> Result<bool, String> {
    let options = Options::parse(words)?;
    if options.long {
        return long::run(tree, &options);
    }
    let subjects = plan::subjects(&options.programs)?;
    let cpu_seconds = options.cpu_seconds.unwrap_or(60);
    let plans = plan::all(&subjects, cpu_seconds);
    let runner = Runner::new(tree, &subjects)?;
    let (results, all_ran) = measure(&runner, &plans, options.finished)?;
    let (checks, met) = checks::render(&results, &subjects);
    let section = tables::render(&results, &subjects, cpu_seconds, plans.len(), &checks);
    print!("{section}");
    // A part is only shown: what is written down is about all programs.
    if options.programs.is_empty() {
        write_section(tree, &section)?;
        plots::write(tree, &results, &subjects)?;
    }
    Ok(all_ran && met)
}

/// Runs what was not run before, two at a time; true where all of it ran.
fn measure(runner: &Runner, plans: &[Plan], finished: bool) -> Result<(Results, bool), String> {
    let results = Mutex::new(Results::default());
    let take = |plan: &Plan| {
        let outcome = if finished { runner.finished(plan)? } else { Some(runner.run(plan)?) };
        if let Some(outcome) = outcome {
            eprintln!("{}: {} covered", plan.name(), outcome.cover.count());
            results.lock().expect("no run panics while adding").add(*plan, outcome);
        }
        Ok(())
    };
    let tally = pool::run_all(plans, Plan::name, take);
    let results = results.into_inner().expect("no run panics while adding");
    match results.is_empty() {
        true => Err("no run has finished".to_string()),
        false => Ok((results, tally.failed == 0)),
    }
}
