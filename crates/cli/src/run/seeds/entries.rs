//! Which start state a seed belongs to: arguments and variables have a length of their own, and a
//! start state for each.

use std::collections::HashSet;

use fathom_engine::{Engine, Entry, Given, GivenSeed, Input, Text};
use fathom_expr::{InputId, Var};

use super::Seed;
use crate::run::inputs::{Spec, arg_name, symbolic_texts, text, variable_name};

impl Seed {
    /// Whether the lengths of arguments and variables with which `entry` starts are those of the
    /// seed. What it says nothing about fits.
    pub fn fits(&self, entry: &Entry) -> bool {
        let Entry::Program { argv, env } = entry else { return true };
        let is_long = |input: &Input, unsaid: bool| {
            let value = self.values.get(&input.name);
            value.map_or(unsaid, |value| value.len() == input.size as usize)
        };
        let args_fit = self.args.as_ref().is_none_or(|args| {
            args.len() == symbolic(argv).count() && symbolic(argv).all(|arg| is_long(arg, false))
        });
        args_fit && symbolic(env).all(|variable| is_long(variable, true))
    }

    /// The seed as the engine takes it; bytes that it does not have are as `given` guesses them.
    pub fn given(&self, engine: &mut Engine<'_>, entries: &[Entry], given: &Given) -> GivenSeed {
        let mut model = given.model.clone();
        let mut objects = Vec::new();
        for (name, value) in &self.values {
            let id = engine.pool.input(name, value.len() as u32);
            if !given.inputs.iter().any(|input| input.id == id) {
                objects.push(id);
            }
            let first = engine.pool.input_info(id).first;
            for (at, &byte) in (first.0..).zip(value) {
                model.set(Var(at), byte);
            }
        }
        let fitting = entries.iter().enumerate().filter(|(_, entry)| self.fits(entry));
        let entries = fitting.map(|(number, _)| number).collect();
        GivenSeed { model, objects, entries }
    }
}

/// The inputs among `texts`.
fn symbolic(texts: &[Text]) -> impl Iterator<Item = &Input> {
    texts.iter().filter_map(|text| match text {
        Text::Symbolic { input, .. } => Some(input),
        Text::Concrete(_) => None,
    })
}

impl Spec {
    /// The entries to start, and one more for each choice of lengths that only a seed has: of many
    /// symbolic arguments, not all lengths are started. None where the run has to end first.
    pub fn entries_with(
        &self,
        engine: &mut Engine<'_>,
        env: &[Vec<u8>],
        seeds: &[Seed],
    ) -> Option<Vec<Entry>> {
        let mut entries = self.entries(engine, env)?;
        let mut known: HashSet<Vec<InputId>> = entries.iter().map(inputs_of).collect();
        for seed in seeds {
            if let Some(entry) = self.entry_of(engine, env, seed)
                && known.insert(inputs_of(&entry))
            {
                entries.push(entry);
            }
        }
        Some(entries)
    }

    /// The entry whose lengths are those of `seed`, if it has arguments.
    fn entry_of(&self, engine: &mut Engine<'_>, env: &[Vec<u8>], seed: &Seed) -> Option<Entry> {
        let n_args = self.concrete_args().count() + seed.args.as_ref()?.len();
        let mut concrete = self.concrete_args();
        let argv = (0..n_args as u32).map(|index| {
            let choice = match seed.values.get(&arg_name(index)) {
                Some(value) => (None, value.len() as u32),
                None => (concrete.next().map(<[u8]>::to_vec), 0),
            };
            text(engine, index, &choice)
        });
        let argv = argv.collect();
        let length = |name: &str, size: u32| {
            let value = seed.values.get(&variable_name(name));
            value.map_or(size, |value| value.len() as u32)
        };
        let envs = self.environments(engine, env, |name, size, _| vec![length(name, size)]);
        envs.into_iter().next().map(|env| Entry::Program { argv, env })
    }
}

/// The symbolic texts of an entry.
fn inputs_of(entry: &Entry) -> Vec<InputId> {
    symbolic_texts(entry).map(|input| input.id).collect()
}
