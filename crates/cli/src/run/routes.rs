//! Routes as bytes, for a later run or another process.
//!
//! Input bytes have other numbers in another process, so models are written by the names of the
//! inputs.

use std::collections::HashMap;

use fathom_engine::StateId;
use fathom_engine::route::{Fork, Position, Refused, Route, To};
use fathom_expr::{InputId, Model, Pool, Var};
use fathom_report::codec::{Decoder, put_bytes, put_number};

const STATE: u8 = 0;
const FORKS: u8 = 1;

/// All routes; the inputs that they speak of come first.
pub fn encode(routes: &[Route], pool: &Pool) -> Vec<u8> {
    let mut inputs = Inputs { pool, numbers: HashMap::new(), table: Vec::new() };
    let mut body = Vec::new();
    put_number(&mut body, routes.len() as u64);
    for route in routes {
        put_route(&mut body, route, &mut inputs);
    }
    let mut out = Vec::new();
    put_number(&mut out, inputs.numbers.len() as u64);
    out.extend(inputs.table);
    out.extend(body);
    out
}

/// What `encode` made; `None` where the bytes are not that.
pub fn decode(bytes: &[u8], pool: &mut Pool) -> Option<Vec<Route>> {
    let mut from = Decoder(bytes);
    let mut firsts = Vec::new();
    for _ in 0..from.number()? {
        let (name, size) = (from.text()?, from.small()?);
        let input = pool.input(&name, size);
        firsts.push((pool.input_info(input).first, size));
    }
    let mut routes = Vec::new();
    for _ in 0..from.number()? {
        routes.push(take_route(&mut from, &firsts)?);
    }
    from.at_end().then_some(routes)
}

/// The inputs met so far, numbered, and their descriptions.
struct Inputs<'p> {
    pool: &'p Pool,
    numbers: HashMap<InputId, u64>,
    table: Vec<u8>,
}

impl Inputs<'_> {
    fn number(&mut self, input: InputId) -> u64 {
        let next = self.numbers.len() as u64;
        let number = *self.numbers.entry(input).or_insert(next);
        if number == next {
            let info = self.pool.input_info(input);
            put_bytes(&mut self.table, info.name.as_bytes());
            put_number(&mut self.table, info.size.into());
        }
        number
    }
}

fn put_route(out: &mut Vec<u8>, route: &Route, inputs: &mut Inputs<'_>) {
    put_number(out, route.root.into());
    put_model(out, &route.model, inputs);
    put_number(out, route.seeds.len() as u64);
    for seed in &route.seeds {
        put_model(out, seed, inputs);
    }
    match &route.to {
        To::State { id, depth, decided, refused, covered_new } => {
            out.push(STATE);
            out.push((*covered_new).into());
            put_number(out, id.0.into());
            put_number(out, (*depth).into());
            out.push(decided.is_some().into());
            if let Some(at) = decided {
                put_position(out, Position::default(), *at);
            }
            out.push(refused.is_some().into());
            if let Some(refused) = refused {
                put_position(out, Position::default(), refused.at);
                put_cases(out, &refused.cases);
            }
        }
        To::Forks(forks) => {
            out.push(FORKS);
            put_number(out, forks.len() as u64);
            let mut last = Position::default();
            for Fork { at, id, depth, refused } in forks {
                put_position(out, last, *at);
                put_number(out, id.0.into());
                put_number(out, (*depth).into());
                put_cases(out, refused);
                last = *at;
            }
        }
    }
}

fn take_route(from: &mut Decoder<'_>, firsts: &[(Var, u32)]) -> Option<Route> {
    let root = from.small()?;
    let model = take_model(from, firsts)?;
    let mut seeds = Vec::new();
    for _ in 0..from.number()? {
        seeds.push(take_model(from, firsts)?);
    }
    let to = match from.byte()? {
        STATE => {
            let covered_new = from.byte()? != 0;
            let (id, depth) = (StateId(from.small()?), from.small()?);
            let decided = match from.byte()? {
                0 => None,
                _ => Some(take_position(from, Position::default())?),
            };
            let refused = match from.byte()? {
                0 => None,
                _ => {
                    let at = take_position(from, Position::default())?;
                    Some(Box::new(Refused { at, cases: take_cases(from)? }))
                }
            };
            To::State { id, depth, decided, refused, covered_new }
        }
        FORKS => {
            let mut last = Position::default();
            let mut forks = std::collections::VecDeque::new();
            for _ in 0..from.number()? {
                last = take_position(from, last)?;
                let (id, depth) = (StateId(from.small()?), from.small()?);
                forks.push_back(Fork { at: last, id, depth, refused: take_cases(from)? });
            }
            To::Forks(forks)
        }
        _ => return None,
    };
    Some(Route { root, model, seeds, to })
}

fn put_cases(out: &mut Vec<u8>, cases: &[u64]) {
    put_number(out, cases.len() as u64);
    cases.iter().for_each(|&case| put_number(out, case));
}

fn take_cases(from: &mut Decoder<'_>) -> Option<Vec<u64>> {
    (0..from.number()?).map(|_| from.number()).collect()
}

/// The distance in instructions from `last`, which is not later.
fn put_position(out: &mut Vec<u8>, last: Position, at: Position) {
    put_number(out, at.instructions - last.instructions);
    put_number(out, at.nth.into());
}

fn take_position(from: &mut Decoder<'_>, last: Position) -> Option<Position> {
    let instructions = last.instructions.checked_add(from.number()?)?;
    Some(Position { instructions, nth: from.small()? })
}

/// Runs of assigned bytes: which input, from where in it, the bytes. Then an empty one.
fn put_model(out: &mut Vec<u8>, model: &Model, inputs: &mut Inputs<'_>) {
    let mut bytes = model.iter().peekable();
    while let Some((var, value)) = bytes.next() {
        let (input, offset) = inputs.pool.var_owner(var);
        let room = inputs.pool.input_info(input).size - offset;
        let mut run = vec![value];
        while let Some((_, value)) =
            bytes.next_if(|(next, _)| next.0 == var.0 + run.len() as u32 && next.0 - var.0 < room)
        {
            run.push(value);
        }
        put_bytes(out, &run);
        put_number(out, inputs.number(input));
        put_number(out, offset.into());
    }
    put_bytes(out, &[]);
}

fn take_model(from: &mut Decoder<'_>, firsts: &[(Var, u32)]) -> Option<Model> {
    let mut model = Model::new();
    loop {
        let run = from.bytes()?;
        if run.is_empty() {
            return Some(model);
        }
        let (first, size) = *firsts.get(from.small()? as usize)?;
        let offset = from.small()?;
        if u64::from(offset) + run.len() as u64 > u64::from(size) {
            return None;
        }
        for (var, &value) in (first.0 + offset..).zip(run) {
            model.set(Var(var), value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn routes_come_back_in_a_process_with_other_numbers() {
        let mut pool = Pool::new();
        let [stdin, _, object] =
            [("stdin", 8), ("unused", 3), ("x", 4)].map(|(name, size)| pool.input(name, size));
        let first = |pool: &Pool, input| pool.input_info(input).first.0;
        let model: Model = [(first(&pool, stdin) + 2, 7), (first(&pool, object), 9)]
            .map(|(var, value)| (Var(var), value))
            .into_iter()
            .collect();
        let at = |instructions, nth| Position { instructions, nth };
        let fork = |instructions, nth| Fork {
            at: at(instructions, nth),
            id: StateId(5),
            depth: 3,
            refused: vec![nth.into(); nth as usize],
        };
        let refused = Some(Box::new(Refused { at: at(71, 0), cases: vec![u64::MAX, 0] }));
        let state = |decided, refused, covered_new| To::State {
            id: StateId(1),
            depth: 2,
            decided,
            refused,
            covered_new,
        };
        let tos = [
            state(None, None, true),
            state(Some(at(70, 1)), refused, false),
            To::Forks([fork(5, 0), fork(5, 1), fork(900, 0)].into()),
        ];
        let routes =
            tos.map(|to| Route { root: 1, model: model.clone(), seeds: vec![model.clone()], to });
        let bytes = encode(&routes, &pool);

        let mut other = Pool::new();
        let object = other.input("x", 4);
        let back = decode(&bytes, &mut other).expect("just encoded");
        let stdin = other.input("stdin", 8);
        let expected: Model = [(first(&other, stdin) + 2, 7), (first(&other, object), 9)]
            .map(|(var, value)| (Var(var), value))
            .into_iter()
            .collect();
        for (route, back) in routes.iter().zip(&back) {
            assert_eq!((&back.model, back.root), (&expected, 1));
            assert_eq!(back.seeds, vec![expected.clone()]);
            match (&route.to, &back.to) {
                (
                    To::State { decided, refused, covered_new, .. },
                    To::State {
                        decided: same, refused: same_cases, covered_new: same_news, ..
                    },
                ) => assert_eq!((decided, refused, covered_new), (same, same_cases, same_news)),
                (To::Forks(forks), To::Forks(same)) => assert_eq!(forks, same),
                _ => panic!("another kind"),
            }
        }
        for cut in 0..bytes.len() {
            assert!(decode(&bytes[..cut], &mut Pool::new()).is_none(), "cut at {cut}");
        }
    }
}
