//! Random path conditions over a few bytes, and what brute force says about them.

use fathom_expr::{BinaryOp, ExprId, Model, Pool, Var};
use fathom_solver::PathCondition;

/// A small xorshift generator: the same numbers everywhere.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % limit
    }

    pub fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u64) as usize]
    }
}

/// Bytes to build terms from, each left few enough values for brute force.
pub struct Scene {
    pub pool: Pool,
    pub bytes: Vec<ExprId>,
    pub rng: Rng,
}

impl Scene {
    pub fn new(seed: u64, n_bytes: u32) -> Self {
        let mut pool = Pool::new();
        let input = pool.input("in", n_bytes);
        let bytes = (0..n_bytes).map(|offset| pool.byte(input, offset)).collect();
        Self { pool, bytes, rng: Rng::new(seed) }
    }

    /// A path that leaves each byte at most `n_values` values, and ties some together.
    pub fn path(&mut self, n_values: u64, n_conditions: u64) -> PathCondition {
        let mut path = PathCondition::new();
        for byte in self.bytes.clone() {
            let start = self.rng.below(256);
            let start = self.pool.constant(8, start);
            let moved = self.pool.sub(byte, start);
            let size = self.pool.constant(8, n_values);
            let condition = self.pool.ult(moved, size);
            path.add(&mut self.pool, condition);
        }
        for _ in 0..n_conditions {
            let condition = self.condition();
            path.add(&mut self.pool, condition);
        }
        path
    }

    /// A condition over a few bytes.
    pub fn condition(&mut self) -> ExprId {
        let width = self.rng.pick(&[8, 8, 16, 32, 64]);
        let a = self.term(width, 2);
        let b =
            if self.rng.below(2) == 0 { self.term(width, 1) } else { self.constant_near(a, width) };
        let op = self.rng.pick(&[
            BinaryOp::Eq,
            BinaryOp::Ult,
            BinaryOp::Ule,
            BinaryOp::Slt,
            BinaryOp::Sle,
        ]);
        let comparison = self.pool.binary(op, a, b);
        match self.rng.below(6) {
            0 => {
                let other = self.condition();
                self.pool.or(comparison, other)
            }
            1 => {
                let other = self.condition();
                self.pool.and(comparison, other)
            }
            2 | 3 => self.pool.not(comparison),
            _ => comparison,
        }
    }

    /// A value that `term` has for some bytes, so that comparisons go both ways.
    fn constant_near(&mut self, term: ExprId, width: u32) -> ExprId {
        let model: Model =
            (0..self.bytes.len() as u32).map(|n| (Var(n), self.rng.below(256) as u8)).collect();
        let value = self.pool.eval(term, &model) as u64;
        self.pool.constant(width, value)
    }

    pub fn term(&mut self, width: u32, depth: u32) -> ExprId {
        if width > 8 && self.rng.below(2) == 0 {
            let high = self.term(width / 2, depth);
            let low = self.term(width / 2, depth);
            return self.pool.concat(high, low);
        }
        if depth == 0 {
            let byte = self.rng.pick(&self.bytes.clone());
            return match self.rng.below(3) {
                0 => self.pool.sext(byte, width),
                _ => self.pool.zext(byte, width),
            };
        }
        match self.rng.below(10) {
            0 if width == 8 => self.read(depth),
            1 => {
                let condition = self.condition();
                let (then, other) = (self.term(width, depth - 1), self.term(width, depth - 1));
                self.pool.ite(condition, then, other)
            }
            2 => {
                let value = self.rng.below(256);
                self.pool.constant(width, value)
            }
            3 => {
                let wide = self.term(64, depth - 1);
                let low = self.rng.below(u64::from(65 - width)) as u32;
                self.pool.extract(wide, low, width)
            }
            _ => {
                let (a, b) = (self.term(width, depth - 1), self.term(width, depth - 1));
                let ops = &BinaryOp::ALL[..13];
                let op = self.rng.pick(ops);
                self.pool.binary(op, a, b)
            }
        }
    }

    fn read(&mut self, depth: u32) -> ExprId {
        let bytes: Vec<u8> = (0..64u64).map(|n| (n * n / 7) as u8).collect();
        let mut array = self.pool.table(&bytes);
        for _ in 0..self.rng.below(3) {
            let (index, value) = (self.term(64, depth - 1), self.term(8, depth - 1));
            array = self.pool.write(array, index, value);
        }
        let index = self.term(8, depth - 1);
        let index = self.pool.zext(index, 64);
        self.pool.read(array, index)
    }

    /// Every assignment of the bytes that satisfies `path`.
    pub fn models(&self, path: &PathCondition) -> Vec<Model> {
        let constraints: Vec<ExprId> = path.constraints().collect();
        let mut models = vec![Model::new()];
        for n in 0..self.bytes.len() as u32 {
            let alone: Vec<ExprId> = constraints
                .iter()
                .copied()
                .filter(|&c| self.pool.support(c).only() == Some(Var(n)))
                .collect();
            let with_byte = |model: &Model, value| {
                let mut model = model.clone();
                model.set(Var(n), value);
                model
            };
            let values: Vec<u8> = (0..=255)
                .filter(|&value| {
                    let model = with_byte(&Model::new(), value);
                    alone.iter().all(|&c| self.pool.eval_bool(c, &model))
                })
                .collect();
            models = models
                .iter()
                .flat_map(|model| values.iter().map(|&v| with_byte(model, v)))
                .collect();
        }
        models.retain(|model| constraints.iter().all(|&c| self.pool.eval_bool(c, model)));
        models
    }
}
