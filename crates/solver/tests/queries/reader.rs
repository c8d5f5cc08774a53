//! Reads the part of SMT-LIB that recorded queries use: bit-vectors, and arrays of bytes.

use std::rc::Rc;

use fathom_expr::{ArrayId, ExprId, InputId, Pool};
use rustc_hash::FxHashMap;

/// Symbolic arrays are this long.
const INPUT_BYTES: u32 = 160;

pub struct Query {
    pub asserted: Vec<ExprId>,
    pub is_sat: bool,
}

pub fn read(pool: &mut Pool, text: &str) -> Query {
    let mut reader = Reader { pool, names: FxHashMap::default() };
    let mut query = Query { asserted: Vec::new(), is_sat: false };
    for command in parse(text) {
        let parts = command.list();
        match parts[0].atom() {
            "set-info" => query.is_sat = parts[2].atom() == "sat",
            "declare-fun" => {
                let name = parts[1].atom();
                let input = reader.pool.input(name, INPUT_BYTES);
                reader.names.insert(name.to_owned(), Value::Input(input));
            }
            "define-fun" => {
                let value = reader.value(&parts[4]);
                reader.names.insert(parts[1].atom().to_owned(), value);
            }
            "assert" => {
                let condition = reader.term(&parts[1]);
                query.asserted.push(condition);
            }
            _ => {}
        }
    }
    query
}

enum Tree {
    Atom(String),
    List(Vec<Tree>),
}

impl Tree {
    fn atom(&self) -> &str {
        match self {
            Self::Atom(atom) => atom,
            Self::List(_) => panic!("a list where a word was expected"),
        }
    }

    fn list(&self) -> &[Tree] {
        match self {
            Self::List(list) => list,
            Self::Atom(atom) => panic!("{atom} where a list was expected"),
        }
    }
}

impl Drop for Tree {
    /// Store chains are deep: taken down one by one.
    fn drop(&mut self) {
        let mut todo = match self {
            Self::List(list) => std::mem::take(list),
            Self::Atom(_) => return,
        };
        while let Some(mut tree) = todo.pop() {
            if let Self::List(list) = &mut tree {
                todo.append(list);
            }
        }
    }
}

fn parse(text: &str) -> Vec<Tree> {
    let mut open = vec![Vec::new()];
    let spaced = text.replace('(', " ( ").replace(')', " ) ");
    for word in spaced.split_whitespace() {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop().expect("balanced");
                open.last_mut().expect("balanced").push(Tree::List(list));
            }
            word => open.last_mut().expect("balanced").push(Tree::Atom(word.to_owned())),
        }
    }
    open.pop().expect("balanced")
}

#[derive(Clone)]
enum Value {
    Term(ExprId),
    Input(InputId),
    Table(Rc<[u8]>),
    Array(ArrayId),
}

struct Reader<'a> {
    pool: &'a mut Pool,
    names: FxHashMap<String, Value>,
}

impl Reader<'_> {
    fn term(&mut self, tree: &Tree) -> ExprId {
        match self.value(tree) {
            Value::Term(term) => term,
            _ => panic!("an array where a term was expected"),
        }
    }

    fn value(&mut self, tree: &Tree) -> Value {
        match tree {
            Tree::Atom(atom) => self.atom(atom),
            Tree::List(list) => match &list[0] {
                Tree::Atom(op) if op == "store" => self.stores(tree),
                Tree::Atom(op) if op == "select" => Value::Term(self.select(&list[1], &list[2])),
                Tree::Atom(op) => Value::Term(self.apply(op, &list[1..])),
                Tree::List(indexed) => Value::Term(self.indexed(indexed, &list[1])),
            },
        }
    }

    fn atom(&mut self, atom: &str) -> Value {
        let constant = match atom.split_at_checked(2) {
            _ if atom == "true" => self.pool.bool(true),
            _ if atom == "false" => self.pool.bool(false),
            Some(("#x", digits)) => {
                self.pool.constant(digits.len() as u32 * 4, u64::from_str_radix(digits, 16).unwrap())
            }
            Some(("#b", digits)) => {
                self.pool.constant(digits.len() as u32, u64::from_str_radix(digits, 2).unwrap())
            }
            _ => return self.names[atom].clone(),
        };
        Value::Term(constant)
    }

    fn apply(&mut self, op: &str, args: &[Tree]) -> ExprId {
        let args: Vec<ExprId> = args.iter().map(|arg| self.term(arg)).collect();
        let pool = &mut *self.pool;
        let fold = |pool: &mut Pool, f: fn(&mut Pool, ExprId, ExprId) -> ExprId| {
            args[1..].iter().fold(args[0], |all, &arg| f(pool, all, arg))
        };
        match op {
            "not" | "bvnot" => pool.not(args[0]),
            "bvneg" => pool.neg(args[0]),
            "ite" => pool.ite(args[0], args[1], args[2]),
            "=>" => {
                let not = pool.not(args[0]);
                pool.or(not, args[1])
            }
            "=" => pool.eq(args[0], args[1]),
            "and" | "bvand" => fold(pool, Pool::and),
            "or" | "bvor" => fold(pool, Pool::or),
            "xor" | "bvxor" => fold(pool, Pool::xor),
            "bvadd" => fold(pool, Pool::add),
            "bvmul" => fold(pool, Pool::mul),
            "concat" => fold(pool, Pool::concat),
            "bvsub" => pool.sub(args[0], args[1]),
            "bvudiv" => pool.udiv(args[0], args[1]),
            "bvsdiv" => pool.sdiv(args[0], args[1]),
            "bvurem" => pool.urem(args[0], args[1]),
            "bvsrem" => pool.srem(args[0], args[1]),
            "bvshl" => pool.shl(args[0], args[1]),
            "bvlshr" => pool.lshr(args[0], args[1]),
            "bvashr" => pool.ashr(args[0], args[1]),
            "bvult" => pool.ult(args[0], args[1]),
            "bvule" => pool.ule(args[0], args[1]),
            "bvugt" => pool.ugt(args[0], args[1]),
            "bvuge" => pool.uge(args[0], args[1]),
            "bvslt" => pool.slt(args[0], args[1]),
            "bvsle" => pool.sle(args[0], args[1]),
            "bvsgt" => pool.sgt(args[0], args[1]),
            "bvsge" => pool.sge(args[0], args[1]),
            _ => panic!("unknown operator {op}"),
        }
    }

    fn indexed(&mut self, op: &[Tree], arg: &Tree) -> ExprId {
        let number = |n: usize| op[n].atom().parse::<u32>().unwrap();
        let arg = self.term(arg);
        let width = self.pool.width(arg);
        match op[1].atom() {
            "extract" => self.pool.extract(arg, number(3), number(2) - number(3) + 1),
            "zero_extend" => self.pool.zext(arg, width + number(2)),
            "sign_extend" => self.pool.sext(arg, width + number(2)),
            op => panic!("unknown operator {op}"),
        }
    }

    fn index(&mut self, tree: &Tree) -> ExprId {
        let index = self.term(tree);
        self.pool.zext(index, 64)
    }

    fn select(&mut self, array: &Tree, index: &Tree) -> ExprId {
        let index = self.index(index);
        match (self.value(array), self.pool.as_const(index)) {
            (Value::Input(input), Some(offset)) if offset < u64::from(INPUT_BYTES) => {
                self.pool.byte(input, offset as u32)
            }
            (array, _) => {
                let array = self.array(array);
                self.pool.read(array, index)
            }
        }
    }

    fn stores(&mut self, tree: &Tree) -> Value {
        let mut chain = Vec::new();
        let mut base = tree;
        while let Tree::List(list) = base {
            chain.push((&list[2], &list[3]));
            base = &list[1];
        }
        let mut value = match self.value(base) {
            Value::Input(_) => Value::Table(Rc::new([])),
            other => other,
        };
        for (index, stored) in chain.into_iter().rev() {
            let (index, stored) = (self.index(index), self.term(stored));
            let constants = (self.pool.as_const(index), self.pool.as_const(stored));
            value = match (value, constants) {
                (Value::Table(bytes), (Some(place), Some(byte))) => {
                    Value::Table(stored_in(bytes, place as usize, byte as u8))
                }
                (other, _) => {
                    let array = self.array(other);
                    Value::Array(self.pool.write(array, index, stored))
                }
            };
        }
        value
    }

    fn array(&mut self, value: Value) -> ArrayId {
        match value {
            Value::Array(array) => array,
            Value::Table(bytes) => self.pool.table(bytes),
            Value::Input(input) => {
                let mut array = self.pool.table(Rc::new([]));
                for offset in 0..INPUT_BYTES {
                    let (place, byte) = (self.pool.constant(64, offset.into()), self.pool.byte(input, offset));
                    array = self.pool.write(array, place, byte);
                }
                array
            }
            Value::Term(_) => panic!("a term where an array was expected"),
        }
    }
}

fn stored_in(mut bytes: Rc<[u8]>, place: usize, byte: u8) -> Rc<[u8]> {
    if place < bytes.len() {
        Rc::make_mut(&mut bytes)[place] = byte;
        return bytes;
    }
    let mut longer = bytes.to_vec();
    longer.resize(place + 1, 0);
    longer[place] = byte;
    longer.into()
}
