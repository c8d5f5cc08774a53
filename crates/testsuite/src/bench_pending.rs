//! `bench pending`: pending constraints against eager forking on seven real programs.
//!
//! Every run's results are kept beside the tables with all that they depend on, so an interrupted
//! benchmark goes on where it was, and the tables can be made again without running.

mod checks;
mod correlation;
mod cover;
pub mod faults;
mod kept;
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
use kept::Store;
use outcome::Runner;
use plan::Plan;
use summary::Results;

/// What the command line says.
struct Options<'a> {
    programs: Vec<&'a str>,
    cpu_seconds: Option<u32>,
    long: bool,
    which: Which,
}

/// What is run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    /// All that this build of fathom has not run before.
    Missing,
    /// All that no build has run before.
    New,
    /// Nothing: tables and plots are made of what was run before.
    Nothing,
}

impl<'a> Options<'a> {
    fn parse(words: &[&'a str]) -> Result<Self, String> {
        let mut options =
            Self { programs: Vec::new(), cpu_seconds: None, long: false, which: Which::Missing };
        let mut words = words.iter();
        while let Some(&word) = words.next() {
            match word {
                "--long" => options.long = true,
                "--finished" => options.which = Which::Nothing,
                "--go-on" => options.which = Which::New,
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

    /// Runs of another length than the tables tell of are kept elsewhere.
    fn store(&self, tree: &Tree) -> Store {
        Store::new(tree, self.cpu_seconds.is_none())
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
    let runner = Runner::new(tree, &subjects, options.store(tree))?;
    let (results, all_ran) = measure(&runner, &plans, options.which)?;
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
fn measure(runner: &Runner, plans: &[Plan], which: Which) -> Result<(Results, bool), String> {
    let results = Mutex::new(Results::default());
    let take = |plan: &Plan| {
        let outcome = match runner.finished(plan, which != Which::Missing)? {
            None if which != Which::Nothing => Some(runner.run(plan)?),
            finished => finished,
        };
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
