//! Seeds: concrete inputs from which a run with symbolic input starts (`--seed`).
//!
//! Reading goes in two steps: [`find`] knows where seeds are kept (test cases, plain files, lines
//! of arguments, the directories of AFL++), [`fit`] knows what is symbolic in this run and makes
//! what was found as long as that.

mod args;
mod entries;
mod find;
mod fit;
mod notes;
#[cfg(test)]
mod tests;
mod words;

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use anyhow::{Result, bail};
use serde::{Deserialize, Serialize};

use super::inputs::{Spec, arg_name, variable_name};

/// One concrete input to start from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seed {
    /// Where it came from, for messages.
    pub name: String,
    /// By the name of the symbolic input: `stdin`, `arg01`, a file's name as it was given, its
    /// `NAME-stat`, `env-HOME`, `random`, or what the program calls its own object. All but those
    /// of the program itself have the size of the symbolic input; texts have a length of their own.
    pub values: BTreeMap<String, Vec<u8>>,
    /// The symbolic arguments in their order, if the seed says anything about arguments: they
    /// choose the start state it belongs to.
    pub args: Option<Vec<Vec<u8>>>,
}

/// The seeds of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Seeds {
    pub seeds: Vec<Seed>,
    /// What was padded, cut, skipped or dropped, and how many seeds; for the ledger.
    pub notes: Vec<String>,
}

impl Seeds {
    /// What seeds have besides inputs of the run: objects that the program may make symbolic, and
    /// how many seeds have each.
    pub fn objects(&self, spec: &Spec) -> BTreeMap<String, u64> {
        let streams = spec.streams().into_iter().map(|(name, ..)| name);
        let env = spec.env.iter().map(|(name, _)| variable_name(name));
        let inputs: HashSet<String> = streams.chain(env).collect();
        let mut objects = BTreeMap::new();
        for seed in &self.seeds {
            let n_args = spec.concrete_args().count() + seed.args.as_ref().map_or(0, Vec::len);
            let args: HashSet<String> = match seed.args {
                Some(_) => (0..n_args as u32).map(arg_name).collect(),
                None => HashSet::new(),
            };
            let own = seed.values.keys();
            for name in own.filter(|&name| !inputs.contains(name) && !args.contains(name)) {
                *objects.entry(name.clone()).or_default() += 1;
            }
        }
        objects
    }
}

/// Reads the seeds at `paths`, in the forms that `fathom run --help` lists.
pub fn read(paths: &[PathBuf], spec: &Spec) -> Result<Seeds> {
    let mut fitter = fit::Fitter::new(spec);
    for path in paths {
        find::find(path, &mut fitter)?;
    }
    let (seeds, notes) = fitter.finish();
    if seeds.is_empty() && !paths.is_empty() {
        bail!("--seed: none of the seeds can be used: {}", notes.join("; "));
    }
    Ok(Seeds { seeds, notes })
}
