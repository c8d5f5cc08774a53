//! Models and values as SMT-LIB prints them.

use std::fmt::Write;

use fathom_expr::{Model, Pool};

use crate::command::Reader;
use crate::sort::Sort;
use crate::value::Value;

impl Reader<'_> {
    /// The reply to `get-model`: a definition of every declared constant.
    pub fn print_model(&self, pool: &Pool, model: &Model) -> String {
        let mut text = String::from("(\n");
        for (name, sort, value) in &self.declared {
            let value = self.print_value(pool, value, model);
            let _ = writeln!(text, "  (define-fun {} () {sort} {value})", quoted(name));
        }
        text + ")"
    }

    /// What `value` is under `model`. Of arrays, only declared ones have a printed form.
    pub fn print_value(&self, pool: &Pool, value: &Value, model: &Model) -> String {
        match value {
            &Value::Bool(expr) => pool.eval_bool(expr, model).to_string(),
            &Value::BitVec(expr) => bits(pool.width(expr), pool.eval(expr, model)),
            &Value::Float(expr) => float(pool.width(expr), pool.eval(expr, model)),
            Value::RoundingMode(rounding) => crate::float::rounding_name(*rounding).to_owned(),
            Value::Real(text) => text.to_string(),
            Value::Array(array) => match array.as_declared() {
                Some(number) => self.print_array(pool, number, array.index_width(), model),
                None => "(error \"arrays with stores have no printed value\")".to_owned(),
            },
        }
    }

    fn print_array(&self, pool: &Pool, number: usize, index_width: u32, model: &Model) -> String {
        let mut text = format!("((as const {}) #x00)", Sort::Array(index_width));
        for (at, byte) in self.arrays.contents(pool, number, model) {
            if byte != 0 {
                text = format!("(store {text} {} #x{byte:02x})", bits(index_width, at.into()));
            }
        }
        text
    }
}

fn bits(width: u32, value: u128) -> String {
    match width % 4 {
        0 => format!("#x{value:0digits$x}", digits = width as usize / 4),
        _ => format!("#b{value:0digits$b}", digits = width as usize),
    }
}

fn float(width: u32, value: u128) -> String {
    let significand = if width == 32 { 23 } else { 52 };
    let exponent = width - 1 - significand;
    let fields = [
        bits(1, value >> (width - 1)),
        format!(
            "#b{:0digits$b}",
            value >> significand & ((1 << exponent) - 1),
            digits = exponent as usize
        ),
        format!("#b{:0digits$b}", value & ((1 << significand) - 1), digits = significand as usize),
    ];
    format!("(fp {})", fields.join(" "))
}

/// `name`, between bars if it needs them.
fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let is_simple = !name.is_empty()
        && name.chars().all(is_plain)
        && !name.starts_with(|c: char| c.is_ascii_digit());
    if is_simple { name.to_owned() } else { format!("|{name}|") }
}
