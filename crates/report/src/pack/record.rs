//! What stands in frames: schemas, outcomes, and tests that refer to them.

use crate::codec::{Decoder, put_bytes, put_number, put_signed};
use crate::{EnvVar, InputKind, InputValue, Outcome, Site, TestCase};

const SCHEMA: u8 = b'S';
const OUTCOME: u8 = b'O';
const TEST: u8 = b'T';

const NEW_COVERAGE: u8 = 1;
/// The inputs' sizes are not those of the schema and stand in the record.
const OWN_SIZES: u8 = 2;
const STDOUT: u8 = 4;

/// What tests share. Entries of `argv` and `env` that inputs fill are empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    argv: Vec<Vec<u8>>,
    env: Vec<EnvVar>,
    inputs: Vec<(String, InputKind)>,
}

/// A shape and the sizes of the inputs in the first test that had it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    pub shape: Shape,
    pub sizes: Vec<u64>,
}

/// What the frames before a test define.
#[derive(Default)]
pub struct Tables {
    pub schemas: Vec<Schema>,
    pub outcomes: Vec<Outcome>,
}

/// What a frame was.
pub enum Item {
    Definition,
    Test,
}

impl Shape {
    pub fn of(test: &TestCase) -> Shape {
        let mut argv = test.argv.clone();
        let mut env = test.env.clone();
        for input in &test.inputs {
            match &input.kind {
                InputKind::Arg { index } => {
                    if let Some(arg) = argv.get_mut(*index as usize) {
                        arg.clear();
                    }
                }
                InputKind::Env { name } => {
                    let is_it = |var: &&mut EnvVar| var.name == name.as_bytes();
                    if let Some(var) = env.iter_mut().find(is_it) {
                        var.value.clear();
                    }
                }
                _ => {}
            }
        }
        let named = |input: &InputValue| (input.name.clone(), input.kind.clone());
        Shape { argv, env, inputs: test.inputs.iter().map(named).collect() }
    }

    /// `Shape::of(test) == *self`, without building it.
    pub fn fits(&self, test: &TestCase) -> bool {
        let fills_arg = |at: usize| {
            let is_it = |input: &InputValue| matches!(input.kind, InputKind::Arg { index } if index as usize == at);
            test.inputs.iter().any(is_it)
        };
        let fills_var = |name: &[u8]| {
            let is_it = |input: &InputValue| matches!(&input.kind, InputKind::Env { name: of } if of.as_bytes() == name);
            test.inputs.iter().any(is_it)
        };
        self.inputs.len() == test.inputs.len()
            && self.argv.len() == test.argv.len()
            && self.env.len() == test.env.len()
            && std::iter::zip(&self.inputs, &test.inputs)
                .all(|((name, kind), input)| *name == input.name && *kind == input.kind)
            && std::iter::zip(&self.argv, &test.argv)
                .enumerate()
                .all(|(at, (own, arg))| own == arg || own.is_empty() && fills_arg(at))
            && std::iter::zip(&self.env, &test.env).all(|(own, var)| {
                own.name == var.name
                    && (own.value == var.value || own.value.is_empty() && fills_var(&own.name))
            })
    }
}

impl Schema {
    pub fn of(test: &TestCase) -> Schema {
        let sizes = test.inputs.iter().map(|input| input.bytes.len() as u64).collect();
        Schema { shape: Shape::of(test), sizes }
    }

    pub fn put(&self, out: &mut Vec<u8>) {
        out.push(SCHEMA);
        put_number(out, self.shape.argv.len() as u64);
        self.shape.argv.iter().for_each(|arg| put_bytes(out, arg));
        put_number(out, self.shape.env.len() as u64);
        for var in &self.shape.env {
            put_bytes(out, &var.name);
            put_bytes(out, &var.value);
        }
        put_number(out, self.shape.inputs.len() as u64);
        for ((name, kind), size) in std::iter::zip(&self.shape.inputs, &self.sizes) {
            put_bytes(out, name.as_bytes());
            put_kind(out, kind);
            put_number(out, *size);
        }
    }

    fn take(from: &mut Decoder) -> Option<Schema> {
        let argv = list(from, |from| Some(from.bytes()?.to_vec()))?;
        let env = list(from, |from| {
            Some(EnvVar { name: from.bytes()?.to_vec(), value: from.bytes()?.to_vec() })
        })?;
        let inputs = list(from, |from| Some((from.text()?, take_kind(from)?, from.number()?)))?;
        let sizes = inputs.iter().map(|(_, _, size)| *size).collect();
        let inputs = inputs.into_iter().map(|(name, kind, _)| (name, kind)).collect();
        Some(Schema { shape: Shape { argv, env, inputs }, sizes })
    }
}

fn list<T>(from: &mut Decoder, item: impl Fn(&mut Decoder) -> Option<T>) -> Option<Vec<T>> {
    (0..from.number()?).map(|_| item(from)).collect()
}

fn put_kind(out: &mut Vec<u8>, kind: &InputKind) {
    let (tag, text) = match kind {
        InputKind::Arg { index } => {
            out.push(0);
            return put_number(out, u64::from(*index));
        }
        InputKind::Stdin => return out.push(1),
        InputKind::Object => return out.push(4),
        InputKind::File { path } => (2, path),
        InputKind::Env { name } => (3, name),
        InputKind::Nondet { c_type } => (5, c_type),
        InputKind::FileMeta { path } => (6, path),
        InputKind::System { what } => (7, what),
    };
    out.push(tag);
    put_bytes(out, text.as_bytes());
}

fn take_kind(from: &mut Decoder) -> Option<InputKind> {
    Some(match from.byte()? {
        0 => InputKind::Arg { index: from.small()? },
        1 => InputKind::Stdin,
        2 => InputKind::File { path: from.text()? },
        3 => InputKind::Env { name: from.text()? },
        4 => InputKind::Object,
        5 => InputKind::Nondet { c_type: from.text()? },
        6 => InputKind::FileMeta { path: from.text()? },
        7 => InputKind::System { what: from.text()? },
        _ => return None,
    })
}

pub fn put_outcome(out: &mut Vec<u8>, outcome: &Outcome) {
    out.push(OUTCOME);
    let (tag, text) = match outcome {
        Outcome::Exit { status } => {
            out.push(0);
            return put_signed(out, i64::from(*status));
        }
        Outcome::Signal { signal } => {
            out.push(1);
            return put_signed(out, i64::from(*signal));
        }
        Outcome::Bug(site) => {
            out.push(2);
            put_bytes(out, site.kind.as_bytes());
            put_bytes(out, site.file.as_bytes());
            put_number(out, u64::from(site.line));
            return put_bytes(out, site.function.as_bytes());
        }
        Outcome::Unknown => return out.push(6),
        Outcome::Assumption { what } => (3, what),
        Outcome::Limit { limit } => (4, limit),
        Outcome::Unsupported { what } => (5, what),
    };
    out.push(tag);
    put_bytes(out, text.as_bytes());
}

fn take_outcome(from: &mut Decoder) -> Option<Outcome> {
    Some(match from.byte()? {
        0 => Outcome::Exit { status: from.signed()?.try_into().ok()? },
        1 => Outcome::Signal { signal: from.signed()?.try_into().ok()? },
        2 => Outcome::Bug(Site {
            kind: from.text()?,
            file: from.text()?,
            line: from.small()?,
            function: from.text()?,
        }),
        3 => Outcome::Assumption { what: from.text()? },
        4 => Outcome::Limit { limit: from.text()? },
        5 => Outcome::Unsupported { what: from.text()? },
        6 => Outcome::Unknown,
        _ => return None,
    })
}

/// Appends the body of a test's frame.
pub fn put_test(
    out: &mut Vec<u8>,
    test: &TestCase,
    (schema_number, schema): (usize, &Schema),
    outcome_number: usize,
) {
    let own_sizes = std::iter::zip(&schema.sizes, &test.inputs)
        .any(|(size, input)| *size != input.bytes.len() as u64);
    let flag = |set: bool, flag: u8| if set { flag } else { 0 };
    out.push(TEST);
    out.push(
        flag(test.new_coverage, NEW_COVERAGE)
            | flag(own_sizes, OWN_SIZES)
            | flag(test.stdout.is_some(), STDOUT),
    );
    put_number(out, schema_number as u64);
    put_number(out, outcome_number as u64);
    put_number(out, test.instructions);
    put_number(out, test.path);
    if let Some(stdout) = &test.stdout {
        put_bytes(out, stdout);
    }
    if own_sizes {
        test.inputs.iter().for_each(|input| put_number(out, input.bytes.len() as u64));
    }
    test.inputs.iter().for_each(|input| out.extend_from_slice(&input.bytes));
}

/// A test's frame in parts, to be written again with other numbers.
pub struct Parts<'a> {
    flags: u8,
    pub schema: usize,
    pub outcome: usize,
    instructions: u64,
    /// As it stands in the frame; empty if nothing was kept.
    stdout: &'a [u8],
    rest: &'a [u8],
}

impl<'a> Parts<'a> {
    pub fn take(body: &'a [u8]) -> Option<Self> {
        let mut from = Decoder(body);
        from.byte().filter(|&kind| kind == TEST)?;
        let flags = from.byte()?;
        let (schema, outcome) = (from.number()? as usize, from.number()? as usize);
        let (instructions, _path) = (from.number()?, from.number()?);
        let before = from.0;
        if flags & STDOUT != 0 {
            from.bytes()?;
        }
        let rest = from.0;
        let stdout = &before[..before.len() - rest.len()];
        Some(Self { flags, schema, outcome, instructions, stdout, rest })
    }

    pub fn is_new_coverage(&self) -> bool {
        self.flags & NEW_COVERAGE != 0
    }

    /// `sizes` are those of the inputs where the other schema has others.
    pub fn put(
        &self,
        out: &mut Vec<u8>,
        (schema, outcome): (usize, usize),
        path: u64,
        sizes: Option<&[u64]>,
    ) {
        let sizes = sizes.filter(|_| self.flags & OWN_SIZES == 0);
        let own_sizes = if sizes.is_some() { OWN_SIZES } else { 0 };
        out.extend([TEST, self.flags | own_sizes]);
        for number in [schema as u64, outcome as u64, self.instructions, path] {
            put_number(out, number);
        }
        out.extend_from_slice(self.stdout);
        sizes.into_iter().flatten().for_each(|&size| put_number(out, size));
        out.extend_from_slice(self.rest);
    }
}

impl Tables {
    /// Takes in a frame's body: a definition is kept, a test only recognised.
    pub fn take(&mut self, body: &[u8]) -> Option<Item> {
        let mut from = Decoder(body);
        match from.byte()? {
            SCHEMA => self.schemas.push(Schema::take(&mut from)?),
            OUTCOME => self.outcomes.push(take_outcome(&mut from)?),
            TEST => return Some(Item::Test),
            _ => return None,
        }
        from.at_end().then_some(Item::Definition)
    }

    /// The test in a frame's body, settled.
    pub fn test(&self, body: &[u8]) -> Option<TestCase> {
        let mut from = Decoder(body);
        let (TEST, flags) = (from.byte()?, from.byte()?) else { return None };
        let schema = self.schemas.get(from.small()? as usize)?;
        let outcome = self.outcomes.get(from.small()? as usize)?.clone();
        let instructions = from.number()?;
        let path = from.number()?;
        let stdout = match flags & STDOUT {
            0 => None,
            _ => Some(from.bytes()?.to_vec()),
        };
        let sizes = match flags & OWN_SIZES {
            0 => schema.sizes.clone(),
            _ => schema.sizes.iter().map(|_| from.number()).collect::<Option<_>>()?,
        };
        let inputs = std::iter::zip(&schema.shape.inputs, sizes)
            .map(|((name, kind), size)| {
                let bytes = from.take(usize::try_from(size).ok()?)?.to_vec();
                Some(InputValue { name: name.clone(), kind: kind.clone(), bytes })
            })
            .collect::<Option<_>>()?;
        let mut test = TestCase {
            argv: schema.shape.argv.clone(),
            env: schema.shape.env.clone(),
            inputs,
            outcome,
            new_coverage: flags & NEW_COVERAGE != 0,
            instructions,
            path,
            stdout,
            world: None,
        };
        test.settle();
        from.at_end().then_some(test)
    }
}
