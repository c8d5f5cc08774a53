//! The 256 values of a term that depends on one input byte.

use rustc_hash::FxHashMap;

use crate::array::Arrays;
use crate::node::{Kind, Node};
use crate::{ArrayId, BinaryOp, ExprId, Pool, UnaryOp, Var, float, fold};

/// One value per value of the byte.
type Words = [u64; 256];
type Bytes = [u8; 256];
type Bits = [u64; 4];

/// A term of one input byte, tabulated. Small values are stored small.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ByteTable {
    var: Var,
    values: Values,
}

#[derive(Clone, PartialEq, Eq, Debug)]
enum Values {
    /// All 0 or 1: one bit each.
    Bits(Bits),
    /// All below 256.
    Bytes(Box<Bytes>),
    Words(Box<Words>),
}

impl ByteTable {
    fn new(var: Var, words: &Words) -> Self {
        let values = match words.iter().fold(0, |all, word| all | word) {
            0..=1 => Values::Bits(pack(&words.map(|word| word as u8))),
            2..=255 => Values::Bytes(Box::new(words.map(|word| word as u8))),
            _ => Values::Words(Box::new(*words)),
        };
        Self { var, values }
    }

    /// The input byte the term depends on.
    pub fn var(&self) -> Var {
        self.var
    }

    /// The term's value if the byte is `byte`.
    #[inline]
    pub fn get(&self, byte: u8) -> u64 {
        match &self.values {
            Values::Bits(bits) => bits[byte as usize / 64] >> (byte % 64) & 1,
            Values::Bytes(bytes) => bytes[byte as usize].into(),
            Values::Words(words) => words[byte as usize],
        }
    }

    /// All values, in order of the byte.
    pub fn values(&self) -> [u64; 256] {
        let mut words = [0; 256];
        match &self.values {
            Values::Bits(bits) => {
                for (byte, word) in words.iter_mut().enumerate() {
                    *word = bits[byte / 64] >> (byte % 64) & 1;
                }
            }
            Values::Bytes(bytes) => {
                for (word, &byte) in words.iter_mut().zip(bytes.iter()) {
                    *word = byte.into();
                }
            }
            Values::Words(values) => words = **values,
        }
        words
    }

    /// Bit `n` of the 256 is set if byte value `n` makes the term nonzero: for a condition, the
    /// values that satisfy it.
    pub fn nonzero(&self) -> Bits {
        match &self.values {
            Values::Bits(bits) => *bits,
            Values::Bytes(bytes) => pack(&bytes.map(|byte| u8::from(byte != 0))),
            Values::Words(words) => pack(&words.map(|word| u8::from(word != 0))),
        }
    }

    /// All values, if they are small.
    fn bytes(&self) -> Option<Bytes> {
        match &self.values {
            Values::Bits(bits) => Some(unpack(bits)),
            Values::Bytes(bytes) => Some(**bytes),
            Values::Words(_) => None,
        }
    }
}

/// The lowest bits of 256 bytes.
fn pack(bytes: &Bytes) -> Bits {
    /// The lowest bits of eight bytes, which are 0 or 1, meet in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut bits = [0; 4];
    for (chunk, bits) in bytes.chunks_exact(64).zip(&mut bits) {
        for (n, eight) in chunk.chunks_exact(8).enumerate() {
            let eight = u64::from_le_bytes(eight.try_into().expect("eight bytes"));
            *bits |= (eight.wrapping_mul(GATHER) >> 56) << (8 * n);
        }
    }
    bits
}

fn unpack(bits: &Bits) -> Bytes {
    std::array::from_fn(|n| (bits[n / 64] >> (n % 64) & 1) as u8)
}

/// The values of a constant, or of a term that has a table.
enum Column<'a> {
    Same(u64),
    Table(&'a ByteTable),
}

impl Column<'_> {
    fn get(&self, byte: u8) -> u64 {
        match self {
            Self::Same(value) => *value,
            Self::Table(table) => table.get(byte),
        }
    }
}

/// Tables computed so far.
#[derive(Default)]
pub(crate) struct Tables {
    by_expr: FxHashMap<ExprId, ByteTable>,
    /// By the lowest bits of their numbers, terms that were asked about lately.
    recent: Vec<Option<Truth>>,
}

/// For which values of its only byte a term is not zero.
#[derive(Clone, Copy)]
struct Truth {
    expr: ExprId,
    var: Var,
    values: Bits,
}

/// Places for what was asked about lately: few enough to stay in the processor's cache.
const RECENT: usize = 1 << 12;

impl Pool {
    /// The 256 values of `expr`, if it depends on exactly one input byte and neither it nor a
    /// term inside it is wider than 64 bits.
    pub fn table_of(&mut self, expr: ExprId) -> Option<&ByteTable> {
        let var = self.support(expr).only()?;
        if !self.tables.by_expr.contains_key(&expr) {
            self.tabulate(expr, var)?;
        }
        self.tables.by_expr.get(&expr)
    }

    /// As [`Self::table_of`], only for which values of the byte the term is not zero. Programs ask
    /// the same about a byte on path after path.
    pub fn truth_of(&mut self, condition: ExprId) -> Option<(Var, [u64; 4])> {
        let place = condition.raw() as usize % RECENT;
        if let Some(&Some(recent)) = self.tables.recent.get(place)
            && recent.expr == condition
        {
            return Some((recent.var, recent.values));
        }
        let table = self.table_of(condition)?;
        let (var, values) = (table.var(), table.nonzero());
        if self.tables.recent.is_empty() {
            self.tables.recent = vec![None; RECENT];
        }
        self.tables.recent[place] = Some(Truth { expr: condition, var, values });
        Some((var, values))
    }

    /// Tabulates `root` and what it is built from, operands first.
    fn tabulate(&mut self, root: ExprId, var: Var) -> Option<()> {
        let mut stack = vec![root];
        while let Some(&expr) = stack.last() {
            if self.tables.by_expr.contains_key(&expr) {
                stack.pop();
                continue;
            }
            let node = self.nodes[expr];
            let before = stack.len();
            stack.extend(self.untabulated(&node));
            if stack.len() > before {
                continue;
            }
            stack.pop();
            let table = match self.small_values(&node) {
                Some(values) => ByteTable { var, values },
                None => ByteTable::new(var, &self.node_words(&node, var)?),
            };
            self.tables.by_expr.insert(expr, table);
        }
        Some(())
    }

    /// What `node` is computed from that is not constant and has no table yet.
    fn untabulated<'a>(&'a self, node: &Node) -> impl Iterator<Item = ExprId> + use<'a> {
        let array = (node.kind == Kind::Read).then(|| ArrayId(node.args[0]));
        let updates = array.into_iter().flat_map(|array| self.arrays.updates(array));
        let updates = updates.flat_map(|(at, value)| [at, value]);
        node.operands().chain(updates).filter(|operand| {
            !self.is_const(*operand) && !self.tables.by_expr.contains_key(operand)
        })
    }

    /// The values of `node` where they and those of its operands are small: what most conditions
    /// are made of.
    fn small_values(&self, node: &Node) -> Option<Values> {
        if node.width > 64 {
            return None;
        }
        match node.kind {
            Kind::Var => Some(Values::Bytes(Box::new(std::array::from_fn(|byte| byte as u8)))),
            Kind::ZExt => Some(self.tables.by_expr.get(&node.arg(0))?.values.clone()),
            Kind::Unary(UnaryOp::Not) if node.width == 1 => {
                Some(Values::Bits(self.bits_of(node.arg(0))?.map(|bits| !bits)))
            }
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Xor))
                if node.width == 1 =>
            {
                let (a, b) = (self.bits_of(node.arg(0))?, self.bits_of(node.arg(1))?);
                Some(Values::Bits(std::array::from_fn(|n| match op {
                    BinaryOp::And => a[n] & b[n],
                    BinaryOp::Or => a[n] | b[n],
                    _ => a[n] ^ b[n],
                })))
            }
            Kind::Binary(op) => {
                let (a, b) = (self.bytes_of(node.arg(0))?, self.bytes_of(node.arg(1))?);
                let width = self.width(node.arg(0));
                let flip = if width == 8 { 0x80 } else { 0 };
                Some(Values::Bits(match op {
                    BinaryOp::Eq => compare(&a, &b, |a, b| a == b),
                    BinaryOp::Ult => compare(&a, &b, |a, b| a < b),
                    BinaryOp::Ule => compare(&a, &b, |a, b| a <= b),
                    BinaryOp::Slt if width >= 8 => compare(&a, &b, |a, b| a ^ flip < b ^ flip),
                    BinaryOp::Sle if width >= 8 => compare(&a, &b, |a, b| a ^ flip <= b ^ flip),
                    _ => return None,
                }))
            }
            _ => None,
        }
    }

    fn bits_of(&self, expr: ExprId) -> Option<Bits> {
        if let Some(value) = self.as_const(expr) {
            return Some([if value == 0 { 0 } else { u64::MAX }; 4]);
        }
        match self.tables.by_expr.get(&expr)?.values {
            Values::Bits(bits) => Some(bits),
            _ => None,
        }
    }

    fn bytes_of(&self, expr: ExprId) -> Option<Bytes> {
        match self.as_const(expr) {
            Some(value) => Some([u8::try_from(value).ok()?; 256]),
            None => self.tables.by_expr.get(&expr)?.bytes(),
        }
    }

    fn words_of(&self, expr: ExprId) -> Words {
        match self.as_const(expr) {
            Some(value) => [value; 256],
            None => self.tables.by_expr[&expr].values(),
        }
    }

    /// The values of `node` from those of its operands.
    fn node_words(&self, node: &Node, var: Var) -> Option<Words> {
        let width = u32::from(node.width);
        if width > 64 || node.operands().any(|operand| self.width(operand) > 64) {
            return None;
        }
        let of = |n: usize| self.words_of(node.arg(n));
        Some(match node.kind {
            Kind::Const | Kind::WideConst => unreachable!("constants depend on no byte"),
            Kind::Var => {
                debug_assert_eq!(Var(node.args[0]), var);
                std::array::from_fn(|byte| byte as u64)
            }
            Kind::Unary(op) => unary_words(op, width, of(0)),
            Kind::Binary(op) => {
                let b = node.arg(1);
                binary_words(op, self.width(b), &of(0), &self.words_of(b))
            }
            Kind::Ite => {
                let (condition, then, otherwise) = (of(0), of(1), of(2));
                std::array::from_fn(|n| if condition[n] != 0 { then[n] } else { otherwise[n] })
            }
            Kind::Extract => {
                let mask = fold::mask(width) as u64;
                of(0).map(|word| word >> node.low & mask)
            }
            Kind::ZExt => of(0),
            Kind::SExt => {
                let shift = 64 - self.width(node.arg(0));
                let mask = fold::mask(width) as u64;
                of(0).map(|word| ((word << shift) as i64 >> shift) as u64 & mask)
            }
            Kind::Concat => {
                let shift = self.width(node.arg(1));
                zip(&of(0), &of(1), |high, low| high << shift | low)
            }
            Kind::Read => self.read_words(ArrayId(node.args[0]), &of(1)),
            Kind::Float(op) => {
                let from = self.width(node.arg(0));
                let args: Vec<Words> = (0..op.arity()).map(of).collect();
                std::array::from_fn(|n| {
                    let arg = |k: usize| args.get(k).map_or(0, |words| u128::from(words[n]));
                    float::apply(op, from, width, [arg(0), arg(1), arg(2)]) as u64
                })
            }
        })
    }

    fn read_words(&self, array: ArrayId, index: &Words) -> Words {
        let mut words = [0; 256];
        let mut open: Vec<u8> = (0..=255).collect();
        for (at, value) in self.arrays.updates(array) {
            let (at, value) = (self.column(at), self.column(value));
            open.retain(|&byte| {
                let n = usize::from(byte);
                let is_hit = at.get(byte) == index[n];
                if is_hit {
                    words[n] = value.get(byte);
                }
                !is_hit
            });
            if open.is_empty() {
                return words;
            }
        }
        let bytes = self.arrays.bottom(array);
        for byte in open {
            let n = usize::from(byte);
            words[n] = Arrays::table_byte(bytes, index[n].into()).into();
        }
        words
    }

    fn column(&self, expr: ExprId) -> Column<'_> {
        match self.as_const(expr) {
            Some(value) => Column::Same(value),
            None => Column::Table(&self.tables.by_expr[&expr]),
        }
    }
}

fn compare(a: &Bytes, b: &Bytes, holds: impl Fn(u8, u8) -> bool) -> Bits {
    pack(&std::array::from_fn(|n| u8::from(holds(a[n], b[n]))))
}

fn zip(a: &Words, b: &Words, f: impl Fn(u64, u64) -> u64) -> Words {
    std::array::from_fn(|n| f(a[n], b[n]))
}

fn unary_words(op: UnaryOp, width: u32, a: Words) -> Words {
    let mask = fold::mask(width) as u64;
    match op {
        UnaryOp::Not => a.map(|word| !word & mask),
        UnaryOp::Neg => a.map(|word| word.wrapping_neg() & mask),
    }
}

/// Simple loops that vectorise, and the general evaluator for the rest.
fn binary_words(op: BinaryOp, width: u32, a: &Words, b: &Words) -> Words {
    let mask = fold::mask(width) as u64;
    let flip = 1 << (width - 1);
    match op {
        BinaryOp::Add => zip(a, b, |a, b| a.wrapping_add(b) & mask),
        BinaryOp::Sub => zip(a, b, |a, b| a.wrapping_sub(b) & mask),
        BinaryOp::Mul => zip(a, b, |a, b| a.wrapping_mul(b) & mask),
        BinaryOp::And => zip(a, b, |a, b| a & b),
        BinaryOp::Or => zip(a, b, |a, b| a | b),
        BinaryOp::Xor => zip(a, b, |a, b| a ^ b),
        BinaryOp::Eq => zip(a, b, |a, b| u64::from(a == b)),
        BinaryOp::Ult => zip(a, b, |a, b| u64::from(a < b)),
        BinaryOp::Ule => zip(a, b, |a, b| u64::from(a <= b)),
        BinaryOp::Slt => zip(a, b, |a, b| u64::from(a ^ flip < b ^ flip)),
        BinaryOp::Sle => zip(a, b, |a, b| u64::from(a ^ flip <= b ^ flip)),
        BinaryOp::UDiv | BinaryOp::SDiv | BinaryOp::URem | BinaryOp::SRem => {
            zip(a, b, |a, b| fold::binary(op, width, a.into(), b.into()) as u64)
        }
        BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr => {
            zip(a, b, |a, b| fold::binary(op, width, a.into(), b.into()) as u64)
        }
    }
}
