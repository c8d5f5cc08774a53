//! Random terms, each built twice from one list of numbers: with and without rewriting.

use crate::{ArrayId, BinaryOp, ExprId, FloatOp, MAX_WIDTH, Model, Pool, Rounding, UnaryOp, Var};

/// How many input bytes the terms are made of.
pub(super) const N_BYTES: u32 = 5;

/// All float operators.
pub(super) const FLOAT_OPS: [FloatOp; 20] = [
    FloatOp::Add,
    FloatOp::Sub,
    FloatOp::Mul,
    FloatOp::Div,
    FloatOp::Rem,
    FloatOp::Sqrt,
    FloatOp::Fma,
    FloatOp::Round(Rounding::Even),
    FloatOp::Round(Rounding::Away),
    FloatOp::Round(Rounding::Floor),
    FloatOp::Round(Rounding::Ceil),
    FloatOp::Round(Rounding::Trunc),
    FloatOp::Eq,
    FloatOp::Lt,
    FloatOp::Le,
    FloatOp::ToSigned,
    FloatOp::ToUnsigned,
    FloatOp::FromSigned,
    FloatOp::FromUnsigned,
    FloatOp::Convert,
];

/// A term simplified and the same one as it was asked for.
#[derive(Clone, Copy)]
pub(super) struct Pair {
    pub simple: ExprId,
    pub raw: ExprId,
}

/// Turns numbers into terms.
pub(super) struct Cook {
    pub pool: Pool,
    pub pairs: Vec<Pair>,
    /// Whether float operators are among the steps.
    pub floats: bool,
    widths: [u32; 3],
    tables: Vec<ArrayId>,
    writes: Vec<(ArrayId, ArrayId)>,
    state: u64,
}

impl Cook {
    /// `widths` are the ones that operands are brought to most often.
    pub fn new(widths: [u32; 3]) -> Self {
        let mut pool = Pool::new();
        pool.trace_rewrites();
        let input = pool.input("in", N_BYTES);
        let pairs = (0..N_BYTES)
            .map(|n| pool.byte(input, n))
            .map(|byte| Pair { simple: byte, raw: byte })
            .collect();
        let ramp: Vec<u8> = (0..=255u8).map(|n| n.wrapping_mul(7) ^ 0x55).collect();
        let contents: [&[u8]; 4] = [&ramp, b"abcabc", &[4; 40], &[0x10, 0x12, 0x30, 0x33]];
        let tables = contents.map(|bytes| pool.table(bytes)).to_vec();
        let writes = tables.iter().map(|&table| (table, table)).collect();
        Self { pool, pairs, floats: true, widths, tables, writes, state: 0 }
    }

    /// A number below `n` from the seed of the current step.
    fn pick(&mut self, n: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ mixed >> 31) % n
    }

    fn some_width(&mut self) -> u32 {
        match self.pick(12) {
            n @ 0..=8 => self.widths[n as usize / 3],
            9 => 1,
            10 => 64,
            _ => self.pick(MAX_WIDTH.into()) as u32 + 1,
        }
    }

    /// Builds one term with `build`, which is run once in each mode.
    fn both(&mut self, build: impl Fn(&mut Pool, &dyn Fn(Pair) -> ExprId) -> ExprId) -> Pair {
        let simple = build(&mut self.pool, &|pair| pair.simple);
        let raw = self.pool.without_rewriting(|pool| build(pool, &|pair| pair.raw));
        Pair { simple, raw }
    }

    fn constant(&mut self, width: u32) -> Pair {
        let ones = u128::MAX >> (128 - width);
        let bit = self.pick(width.into()) as u32;
        let value = match self.pick(10) {
            0 => 0,
            1 => 1,
            2 => ones,
            3 => 1 << bit,
            4 => ones >> bit,
            5 => ones << bit,
            6 => ones >> bit ^ ones >> (bit / 2),
            7 => 1 << (width - 1),
            8 => self.pick(300).into(),
            _ => u128::from(self.pick(u64::MAX)) << 64 | u128::from(self.pick(u64::MAX)),
        };
        let constant = self.pool.constant_wide(width, value);
        Pair { simple: constant, raw: constant }
    }

    /// An earlier term brought to `width`, or a constant.
    fn operand(&mut self, width: u32) -> Pair {
        if self.pick(4) == 0 {
            return self.constant(width);
        }
        let fitting: Vec<Pair> = self
            .pairs
            .iter()
            .rev()
            .filter(|pair| self.pool.width(pair.raw) == width)
            .take(6)
            .copied()
            .collect();
        if !fitting.is_empty() && self.pick(5) != 0 {
            return fitting[self.pick(fitting.len() as u64) as usize];
        }
        let pair = self.any();
        self.resize(pair, width)
    }

    fn any(&mut self) -> Pair {
        let recent = self.pairs.len().min(if self.pick(3) == 0 { usize::MAX } else { 6 });
        let back = self.pick(recent as u64) as usize;
        self.pairs[self.pairs.len() - 1 - back]
    }

    fn resize(&mut self, pair: Pair, width: u32) -> Pair {
        let from = self.pool.width(pair.raw);
        let how = self.pick(3);
        let low = self.pick(u64::from(from.saturating_sub(width)) + 1) as u32;
        self.both(|pool, of| match how {
            _ if from > width && how == 0 => pool.extract(of(pair), low, width),
            _ if from > width => pool.extract(of(pair), 0, width),
            0 => pool.sext(of(pair), width),
            _ => pool.zext(of(pair), width),
        })
    }

    /// Adds the term that `seed` asks for.
    pub fn step(&mut self, seed: u64) {
        self.state = seed;
        let pair = match self.pick(16) {
            0..=6 => self.binary(),
            7 => self.unary(),
            8 => self.choice(),
            9 | 10 => self.join(),
            11 => {
                let (pair, width) = (self.any(), self.some_width());
                self.resize(pair, width)
            }
            12 => self.read(),
            13 => self.reassemble(),
            14 => self.connective(),
            _ if !self.floats => self.binary(),
            _ if self.pick(4) == 0 => self.float_comparison(),
            _ => self.float(),
        };
        self.pairs.push(pair);
    }

    fn binary(&mut self) -> Pair {
        let op = BinaryOp::ALL[self.pick(18) as usize];
        let width = self.some_width();
        let a = self.operand(width);
        let b = if self.pick(10) == 0 { a } else { self.operand(width) };
        let (a, b) = if self.pick(6) == 0 { (b, a) } else { (a, b) };
        match self.pick(8) {
            0 => self.both(|pool, of| {
                let (a, b) = (pool.not(of(a)), pool.not(of(b)));
                pool.binary(op, a, b)
            }),
            1 => {
                const INNER: [BinaryOp; 5] =
                    [BinaryOp::Add, BinaryOp::Sub, BinaryOp::Xor, BinaryOp::And, BinaryOp::Or];
                let inner = INNER[self.pick(5) as usize];
                self.both(|pool, of| {
                    let joined = pool.binary(inner, of(a), of(b));
                    pool.binary(op, joined, of(b))
                })
            }
            2 => {
                let condition = self.operand(1);
                let arms = [self.constant(width), self.constant(width)];
                self.both(|pool, of| {
                    let chosen = pool.ite(of(condition), of(arms[0]), of(arms[1]));
                    pool.binary(op, chosen, of(b))
                })
            }
            _ => self.both(|pool, of| pool.binary(op, of(a), of(b))),
        }
    }

    /// Two conditions on the same terms, connected.
    fn connective(&mut self) -> Pair {
        let width = self.some_width();
        let term = self.operand(width);
        let mut conditions = [(); 2].map(|()| {
            let op = [BinaryOp::Eq, BinaryOp::Ult][self.pick(2) as usize];
            let (swap, invert) = (self.pick(2) == 0, self.pick(2) == 0);
            let bound = self.constant(width);
            self.both(|pool, of| {
                let (a, b) = if swap { (of(bound), of(term)) } else { (of(term), of(bound)) };
                let condition = pool.binary(op, a, b);
                if invert { pool.not(condition) } else { condition }
            })
        });
        let ops = [BinaryOp::And, BinaryOp::Or];
        if self.pick(3) == 0 {
            let inner = ops[self.pick(2) as usize];
            let [a, b] = conditions;
            conditions[1] = self.both(|pool, of| {
                let joined = pool.binary(inner, of(a), of(b));
                pool.not(joined)
            });
        }
        let op = ops[self.pick(2) as usize];
        let [a, b] = conditions;
        self.both(|pool, of| pool.binary(op, of(a), of(b)))
    }

    fn unary(&mut self) -> Pair {
        let op = if self.pick(2) == 0 { UnaryOp::Not } else { UnaryOp::Neg };
        let a = self.any();
        self.both(|pool, of| pool.unary(op, of(a)))
    }

    fn choice(&mut self) -> Pair {
        let width = self.some_width();
        let condition = self.operand(1);
        let a = self.operand(width);
        let b = self.operand(width);
        self.both(|pool, of| pool.ite(of(condition), of(a), of(b)))
    }

    fn join(&mut self) -> Pair {
        let (high, low) = if self.pick(3) == 0 {
            let width = self.some_width();
            (self.operand(width), self.any())
        } else {
            (self.any(), self.any())
        };
        if self.pool.width(high.raw) + self.pool.width(low.raw) > MAX_WIDTH {
            return low;
        }
        self.both(|pool, of| pool.concat(of(high), of(low)))
    }

    /// A term cut into pieces and put together again.
    fn reassemble(&mut self) -> Pair {
        let whole = self.any();
        let width = self.pool.width(whole.raw);
        let cut = self.pick(width.into()) as u32;
        if cut == 0 {
            return whole;
        }
        self.both(|pool, of| {
            let high = pool.extract(of(whole), cut, width - cut);
            let low = pool.extract(of(whole), 0, cut);
            pool.concat(high, low)
        })
    }

    fn read(&mut self) -> Pair {
        if self.pick(2) == 0 {
            let which = self.pick(self.writes.len() as u64) as usize;
            let (simple, raw) = self.writes[which];
            let (index, value) = (self.operand(64), self.operand(8));
            let written = (
                self.pool.write(simple, index.simple, value.simple),
                self.pool.write(raw, index.raw, value.raw),
            );
            self.writes.push(written);
        }
        let index = self.operand(64);
        let index = if self.pick(2) == 0 { self.narrow_index(index) } else { index };
        let which = self.pick(self.writes.len() as u64) as usize;
        let (simple, raw) = match self.pick(2) {
            0 => self.writes[which],
            _ => [self.tables[which % self.tables.len()]; 2].into(),
        };
        let simple = self.pool.read(simple, index.simple);
        let raw = self.pool.without_rewriting(|pool| pool.read(raw, index.raw));
        Pair { simple, raw }
    }

    /// `index` with few bits left.
    fn narrow_index(&mut self, index: Pair) -> Pair {
        let mask = 1 << self.pick(8) | self.pick(4);
        let mask = self.pool.constant(64, mask);
        self.both(|pool, of| pool.and(of(index), mask))
    }

    /// Two converted numbers compared.
    fn float_comparison(&mut self) -> Pair {
        let comparison = [FloatOp::Eq, FloatOp::Lt, FloatOp::Le][self.pick(3) as usize];
        let ops = [FloatOp::FromSigned, FloatOp::FromUnsigned, FloatOp::Convert];
        let conversion = ops[self.pick(3) as usize];
        let width = if conversion == FloatOp::Convert { 32 } else { self.some_width() };
        let (a, b) = (self.operand(width), self.operand(width));
        self.both(|pool, of| {
            let a = pool.float(conversion, 64, &[of(a)]);
            let b = pool.float(conversion, 64, &[of(b)]);
            pool.float(comparison, 1, &[a, b])
        })
    }

    fn float(&mut self) -> Pair {
        let format = if self.pick(2) == 0 { 32 } else { 64 };
        let op = FLOAT_OPS[self.pick(FLOAT_OPS.len() as u64) as usize];
        let (from, to) = match op {
            FloatOp::Eq | FloatOp::Lt | FloatOp::Le => (format, 1),
            FloatOp::ToSigned | FloatOp::ToUnsigned => (format, self.some_width().min(64)),
            FloatOp::FromSigned | FloatOp::FromUnsigned => (self.some_width(), format),
            FloatOp::Convert => (format, 96 - format),
            _ => (format, format),
        };
        let args: Vec<Pair> = (0..op.arity()).map(|_| self.operand(from)).collect();
        let args = if self.pick(8) == 0 { vec![args[0]; op.arity()] } else { args };
        self.both(|pool, of| {
            let args: Vec<ExprId> = args.iter().map(|&arg| of(arg)).collect();
            pool.float(op, to, &args)
        })
    }
}

/// A model of all bytes from one number.
pub(super) fn model(seed: u64) -> Model {
    (0..N_BYTES).map(|n| (Var(n), (seed >> (8 * n)) as u8)).collect()
}
