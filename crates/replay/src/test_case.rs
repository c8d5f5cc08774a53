//! From a test case on disk to a native run of it and the end to be expected.

use std::path::Path;
use std::sync::Arc;

use fathom_report::{InputKind, Outcome, TestCase};

use crate::world::with_start;
use crate::{NativeInput, Object, Predicted, PredictedBug, World};

impl NativeInput {
    /// What the program of this test reads; `env` is the environment that the test adds to.
    pub fn of_test(test: &TestCase, env: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> Self {
        let test = test.settled();
        let mut input = NativeInput {
            env: env.into_iter().collect(),
            stdin: test.stdin().unwrap_or_default().to_vec(),
            files: test.files().map(|(path, bytes)| (path.into(), bytes.to_vec())).collect(),
            ..NativeInput::default()
        };
        for variable in &test.env {
            input.env.retain(|(name, _)| *name != variable.name);
            input.env.push((variable.name.clone(), variable.value.clone()));
        }
        for value in &test.inputs {
            if matches!(value.kind, InputKind::Object | InputKind::Nondet { .. }) {
                input.objects.push((value.name.clone(), value.bytes.clone()));
            }
        }
        input.argv = test.argv;
        input
    }

    /// The same in a recorded world, which has the environment. What the test does not say of
    /// standard input is as recorded.
    pub fn of_test_in(test: &TestCase, world: Arc<World>) -> Self {
        let mut input = Self::of_test(test, world.env.iter().cloned());
        let is_placeable = |path: &Path| path.is_relative() || world.is_confined();
        input.files.retain(|(path, _)| is_placeable(path));
        input.stdin = with_start(&input.stdin, &world.stdin);
        Self { world: Some(world), ..input }
    }
}

impl Predicted {
    /// `object` is what is known about the object of a memory error.
    pub fn of_test(test: &TestCase, object: Object) -> Self {
        match &test.outcome {
            Outcome::Exit { status } => Predicted::Exit(*status),
            Outcome::Signal { signal } => Predicted::Signal(*signal),
            Outcome::Bug(site) => Predicted::Bug(PredictedBug {
                kind: site.kind.clone(),
                file: site.file.clone(),
                line: site.line,
                function: site.function.clone(),
                object,
            }),
            unfinished => Predicted::Unfinished(unfinished.to_string()),
        }
    }
}

impl Object {
    /// From the words in which a finding describes its object.
    pub fn of_description(text: &str) -> Self {
        let has = |word| text.contains(word);
        if has("heap object") || has("argument") || has("environment") {
            Object::Guarded
        } else if has("local") || has("global") || has("constant") || has("literal") || has("` of")
        {
            Object::Variable
        } else {
            Object::Unknown
        }
    }
}

/// An input that a native run cannot be given: then its end proves nothing.
pub fn unreproducible(test: &TestCase) -> Option<String> {
    test.inputs.iter().find_map(|input| unreproducible_input(&input.kind, false))
}

/// The same of a run in a recorded world, whose files with absolute paths are replaced.
pub fn unreproducible_in(test: &TestCase, world: &World) -> Option<String> {
    let lacking = test.inputs.iter().find_map(|input| unreproducible_input(&input.kind, true));
    let surroundings = || match (world.is_confined(), world.has_children) {
        (false, _) => Some("no other root directory is permitted here".into()),
        (true, true) => Some("it has child processes, and a replay executes no programs".into()),
        (true, false) => world.lacks.clone(),
    };
    lacking.or_else(surroundings)
}

fn unreproducible_input(kind: &InputKind, is_confined: bool) -> Option<String> {
    match kind {
        InputKind::FileMeta { path } => Some(format!("it depends on the metadata of {path}")),
        InputKind::System { what } => Some(format!("it depends on what {what} answers")),
        InputKind::File { path } if path.starts_with('/') && !is_confined => {
            Some(format!("it depends on the file {path}, which is not replaced"))
        }
        _ => None,
    }
}
