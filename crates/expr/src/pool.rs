//! The arena of terms: inputs, leaves, interning and the facts kept beside each term.

use std::cell::RefCell;
use std::hash::BuildHasher;

use fathom_index::{Id, IndexVec};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::array::{Array, Arrays};
use crate::built::Built;
use crate::eval::Memo;
use crate::facts::{FactTable, Facts, KnownBits, transfer};
use crate::fold::mask;
use crate::node::{Kind, Node};
use crate::rewrites::Tracer;
use crate::support::{Support, SupportId, Supports};
use crate::table::Tables;
use crate::{Args, ExprId, InputId, MAX_WIDTH, Var, View};

/// A named array of symbolic bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    pub name: String,
    pub size: u32,
    /// Its first byte; the others follow.
    pub first: Var,
}

/// All terms of one engine. Single-threaded and append-only; the same calls give the same ids.
pub struct Pool {
    inputs: IndexVec<InputId, Input>,
    inputs_by_name: FxHashMap<(String, u32), InputId>,
    n_vars: u32,
    pub(crate) nodes: IndexVec<ExprId, Node>,
    /// Ids by the hash of their nodes; the nodes themselves are only in `nodes`.
    interned: HashTable<ExprId>,
    /// Values of constants wider than 64 bits.
    wide: Vec<u128>,
    wide_ids: FxHashMap<u128, u32>,
    facts: FactTable,
    node_supports: Vec<SupportId>,
    /// Size as a tree, at most 255.
    sizes: Vec<u8>,
    pub(crate) supports: Supports,
    pub(crate) arrays: Arrays,
    pub(crate) tables: Tables,
    pub(crate) memo: RefCell<Memo>,
    pub(crate) rewriting: bool,
    /// How many constructors called by rewrites are in progress.
    pub(crate) depth: u32,
    /// How many constructors the rewrites in progress may still call.
    pub(crate) fuel: u32,
    /// How often a constructor was not allowed to rewrite.
    pub(crate) n_refused: u64,
    pub(crate) built: Built,
    pub(crate) tracer: Tracer,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

impl Pool {
    pub fn new() -> Self {
        Self {
            inputs: IndexVec::new(),
            inputs_by_name: FxHashMap::default(),
            n_vars: 0,
            nodes: IndexVec::new(),
            interned: HashTable::new(),
            wide: Vec::new(),
            wide_ids: FxHashMap::default(),
            facts: FactTable::default(),
            node_supports: Vec::new(),
            sizes: Vec::new(),
            supports: Supports::new(),
            arrays: Arrays::default(),
            tables: Tables::default(),
            memo: RefCell::default(),
            rewriting: true,
            depth: 0,
            fuel: 0,
            n_refused: 0,
            built: Built::default(),
            tracer: Tracer::default(),
        }
    }

    /// How many terms there are.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The input of that name and size, made on first use.
    pub fn input(&mut self, name: &str, size: u32) -> InputId {
        let key = (name.to_owned(), size);
        if let Some(&id) = self.inputs_by_name.get(&key) {
            return id;
        }
        let first = Var(self.n_vars);
        self.n_vars = self.n_vars.checked_add(size).expect("more than 2^32 input bytes");
        let id = self.inputs.push(Input { name: name.to_owned(), size, first });
        self.inputs_by_name.insert(key, id);
        id
    }

    /// All inputs, in the order they were made.
    pub fn inputs(&self) -> impl Iterator<Item = (InputId, &Input)> {
        self.inputs.iter_enumerated()
    }

    pub fn input_info(&self, input: InputId) -> &Input {
        &self.inputs[input]
    }

    /// How many input bytes there are; they are numbered from 0.
    pub fn n_vars(&self) -> u32 {
        self.n_vars
    }

    /// The input and the offset in it of `var`.
    pub fn var_owner(&self, var: Var) -> (InputId, u32) {
        assert!(var.0 < self.n_vars, "{var:?} belongs to no input");
        let mut low = 0;
        let mut high = self.inputs.len();
        while high - low > 1 {
            let middle = low.midpoint(high);
            let starts_after = self.inputs[InputId::from_index(middle)].first > var;
            (low, high) = if starts_after { (low, middle) } else { (middle, high) };
        }
        // Inputs of size 0 share the first byte of the next one; the search ends on the last.
        let id = InputId::from_index(low);
        (id, var.0 - self.inputs[id].first.0)
    }

    /// The byte at `offset` of `input`.
    pub fn byte(&mut self, input: InputId, offset: u32) -> ExprId {
        let info = &self.inputs[input];
        assert!(offset < info.size, "offset {offset} in `{}` of {}", info.name, info.size);
        self.var(Var(info.first.0 + offset))
    }

    /// The term of one input byte.
    pub fn var(&mut self, var: Var) -> ExprId {
        assert!(var.0 < self.n_vars, "{var:?} belongs to no input");
        self.intern(Node { kind: Kind::Var, width: 8, low: 0, args: [var.0, 0, 0] })
    }

    /// `value` cut to `width` bits.
    pub fn constant(&mut self, width: u32, value: u64) -> ExprId {
        self.constant_wide(width, value.into())
    }

    /// `value` cut to `width` bits.
    pub fn constant_wide(&mut self, width: u32, value: u128) -> ExprId {
        assert!((1..=MAX_WIDTH).contains(&width), "a constant of {width} bits");
        let value = value & mask(width);
        if width <= 64 {
            return self.intern(Node::constant(width, value as u64));
        }
        let next = self.wide.len() as u32;
        let index = *self.wide_ids.entry(value).or_insert(next);
        if index == next {
            self.wide.push(value);
        }
        let args = [index, 0, 0];
        self.intern(Node { kind: Kind::WideConst, width: width as u8, low: 0, args })
    }

    /// A constant of one bit.
    pub fn bool(&mut self, value: bool) -> ExprId {
        self.constant(1, value.into())
    }

    /// The value of a constant of at most 64 bits.
    #[inline]
    pub fn as_const(&self, expr: ExprId) -> Option<u64> {
        let node = &self.nodes[expr];
        (node.kind == Kind::Const).then(|| node.constant_value())
    }

    /// The value of a constant.
    #[inline]
    pub fn as_const_wide(&self, expr: ExprId) -> Option<u128> {
        let node = &self.nodes[expr];
        match node.kind {
            Kind::Const => Some(node.constant_value().into()),
            Kind::WideConst => Some(self.wide_value(node)),
            _ => None,
        }
    }

    pub fn is_const(&self, expr: ExprId) -> bool {
        matches!(self.nodes[expr].kind, Kind::Const | Kind::WideConst)
    }

    /// Whether `expr` is the constant 1 of one bit.
    pub fn is_true(&self, expr: ExprId) -> bool {
        self.width(expr) == 1 && self.as_const(expr) == Some(1)
    }

    /// Whether `expr` is the constant 0 of one bit.
    pub fn is_false(&self, expr: ExprId) -> bool {
        self.width(expr) == 1 && self.as_const(expr) == Some(0)
    }

    #[inline]
    pub fn width(&self, expr: ExprId) -> u32 {
        self.nodes[expr].width.into()
    }

    /// What `expr` is, to match on.
    pub fn view(&self, expr: ExprId) -> View {
        let node = &self.nodes[expr];
        let width = u32::from(node.width);
        match node.kind {
            Kind::Const => View::Const { width, value: node.constant_value().into() },
            Kind::WideConst => View::Const { width, value: self.wide_value(node) },
            Kind::Var => View::Var(Var(node.args[0])),
            Kind::Unary(op) => View::Unary(op, node.arg(0)),
            Kind::Binary(op) => View::Binary(op, node.arg(0), node.arg(1)),
            Kind::Ite => View::Ite(node.arg(0), node.arg(1), node.arg(2)),
            Kind::Extract => View::Extract { of: node.arg(0), low: node.low.into(), width },
            Kind::ZExt => View::ZExt { of: node.arg(0), width },
            Kind::SExt => View::SExt { of: node.arg(0), width },
            Kind::Concat => View::Concat(node.arg(0), node.arg(1)),
            Kind::Read => View::Read { array: crate::ArrayId(node.args[0]), index: node.arg(1) },
            Kind::Float(op) => {
                let args = [0, 1, 2].map(|n| node.arg(n.min(op.arity() - 1)));
                View::Float(op, Args::new(&args[..op.arity()]))
            }
        }
    }

    /// The terms `expr` is built from directly; those inside an array are not among them.
    pub fn operands(&self, expr: ExprId) -> impl DoubleEndedIterator<Item = ExprId> + use<> {
        self.nodes[expr].operands()
    }

    /// Bits of `expr` that are the same whatever the input.
    pub fn known_bits(&self, expr: ExprId) -> KnownBits {
        let Facts { zeros, ones, .. } = self.facts(expr);
        KnownBits { zeros, ones }
    }

    /// Unsigned bounds of `expr`, both inclusive, that hold whatever the input.
    pub fn range(&self, expr: ExprId) -> (u128, u128) {
        let Facts { min, max, .. } = self.facts(expr);
        (min, max)
    }

    /// The input bytes that occur in `expr`.
    pub fn support(&self, expr: ExprId) -> Support<'_> {
        self.supports.get(self.support_id(expr))
    }

    /// The size of `expr` as a tree, at most 255.
    pub fn tree_size(&self, expr: ExprId) -> u8 {
        self.sizes[expr.index()]
    }

    pub(crate) fn wide_value(&self, node: &Node) -> u128 {
        self.wide[node.args[0] as usize]
    }

    pub(crate) fn facts(&self, expr: ExprId) -> Facts {
        self.facts.get(self.width(expr), expr.index())
    }

    pub(crate) fn support_id(&self, expr: ExprId) -> SupportId {
        self.node_supports[expr.index()]
    }

    /// The id of `node`, or of a constant if the facts leave it only one value.
    pub(crate) fn intern(&mut self, node: Node) -> ExprId {
        let hash = FxBuildHasher.hash_one(node);
        let nodes = &self.nodes;
        if let Some(&id) = self.interned.find(hash, |&id| nodes[id] == node) {
            return id;
        }
        let facts = self.node_facts(&node);
        let is_leaf = matches!(node.kind, Kind::Const | Kind::WideConst | Kind::Var);
        if self.rewriting
            && !is_leaf
            && let Some(value) = facts.value()
        {
            self.tracer.hit("known_constant");
            return self.constant_wide(node.width.into(), value);
        }
        let support = self.node_support(&node);
        let size = self.node_size(&node);
        let id = self.nodes.push(node);
        self.facts.push(node.width.into(), facts);
        self.node_supports.push(support);
        self.sizes.push(size);
        let nodes = &self.nodes;
        self.interned.insert_unique(hash, id, |&id| FxBuildHasher.hash_one(nodes[id]));
        id
    }

    fn node_support(&mut self, node: &Node) -> SupportId {
        let mut support = match node.kind {
            Kind::Var => self.supports.single(Var(node.args[0])),
            Kind::Read => self.arrays.support(crate::ArrayId(node.args[0])),
            _ => SupportId::default(),
        };
        for operand in node.operands() {
            support = self.supports.union(support, self.node_supports[operand.index()]);
        }
        support
    }

    fn node_size(&self, node: &Node) -> u8 {
        if let Kind::Read = node.kind
            && let Array::Write { .. } = self.arrays.get(crate::ArrayId(node.args[0]))
        {
            return u8::MAX;
        }
        node.operands().fold(1u8, |size, operand| size.saturating_add(self.tree_size(operand)))
    }

    fn node_facts(&mut self, node: &Node) -> Facts {
        let width = u32::from(node.width);
        let of = |n: usize| self.facts(node.arg(n));
        match node.kind {
            Kind::Const => Facts::constant(width, node.constant_value().into()),
            Kind::WideConst => Facts::constant(width, self.wide_value(node)),
            Kind::Var | Kind::Float(_) => Facts::unknown(width),
            Kind::Unary(op) => transfer::unary(op, width, of(0)),
            Kind::Binary(op) => transfer::binary(op, self.width(node.arg(0)), of(0), of(1)),
            Kind::Ite => of(1).join(of(2)),
            Kind::Extract => transfer::extract(of(0), node.low.into(), width),
            Kind::ZExt => transfer::zext(of(0), self.width(node.arg(0)), width),
            Kind::SExt => transfer::sext(of(0), self.width(node.arg(0)), width),
            Kind::Concat => {
                let bytes = transfer::concat(of(0), of(1), self.width(node.arg(1)), width);
                match self.joined_facts(node.arg(0), node.arg(1)) {
                    Some(whole) => whole.meet(bytes).sharpen(width),
                    None => bytes,
                }
            }
            Kind::Read => self.read_facts(crate::ArrayId(node.args[0]), node.arg(1)),
        }
    }
}
