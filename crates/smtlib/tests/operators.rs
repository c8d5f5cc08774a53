//! Every operator on random constants gives what z3 says it gives.

#[expect(dead_code, reason = "the other test runs scripts")]
mod session;

use fathom_expr::{Model, Pool};
use fathom_smtlib::{Command, Reader};
use session::z3;

/// Numbers by xorshift, the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// A constant of `width` bits, often a special one.
    fn bits(&mut self, width: u32) -> String {
        let ones = u64::MAX >> (64 - width);
        let value = match self.next() % 8 {
            0 => 0,
            1 => ones,
            2 => 1,
            3 => 1 << (width - 1),
            4 => self.next() % u64::from(width + 2),
            _ => self.next(),
        };
        format!("(_ bv{} {width})", value & ones)
    }

    fn float(&mut self, width: u32) -> String {
        let special: &[u64] = match width {
            32 => &[0, 0x8000_0000, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x3f80_0000],
            _ => &[0, 1 << 63, 0x7ff << 52, 0xfff << 52, 0x7ff8 << 48, 1, 0x3ff << 52],
        };
        let format = if width == 32 { "8 24" } else { "11 53" };
        let value = match self.next() % 3 {
            0 => special[self.next() as usize % special.len()],
            _ => self.next() & (u64::MAX >> (64 - width)),
        };
        format!("((_ to_fp {format}) (_ bv{value} {width}))")
    }
}

/// Terms of constants: all operators, several times each.
fn terms(random: &mut Random) -> Vec<String> {
    let mut terms = Vec::new();
    for width in [1, 5, 8, 13, 32, 64] {
        for name in ["bvnot", "bvneg"] {
            terms.push(format!("({name} {})", random.bits(width)));
        }
        for name in [
            "bvadd", "bvsub", "bvmul", "bvand", "bvor", "bvxor", "bvudiv", "bvurem", "bvsdiv",
            "bvsrem", "bvsmod", "bvshl", "bvlshr", "bvashr", "bvnand", "bvnor", "bvxnor", "bvcomp",
            "bvult", "bvule", "bvugt", "bvuge", "bvslt", "bvsle", "bvsgt", "bvsge", "=",
            "distinct", "concat",
        ] {
            for _ in 0..12 {
                terms.push(format!("({name} {} {})", random.bits(width), random.bits(width)));
            }
        }
        let by = random.next() % 20;
        for name in ["zero_extend", "sign_extend", "rotate_left", "rotate_right"] {
            terms.push(format!("((_ {name} {by}) {})", random.bits(width)));
        }
        let high = random.next() % u64::from(width);
        let low = random.next() % (high + 1);
        terms.push(format!("((_ extract {high} {low}) {})", random.bits(width)));
        terms.push(format!("((_ repeat 2) {})", random.bits(width)));
    }
    for width in [32, 64] {
        for _ in 0..40 {
            let [a, b, c] = [(); 3].map(|()| random.float(width));
            for name in ["fp.add", "fp.sub", "fp.mul", "fp.div"] {
                terms.push(format!("({name} RNE {a} {b})"));
            }
            for name in ["fp.eq", "fp.lt", "fp.leq", "fp.gt", "fp.geq", "="] {
                terms.push(format!("({name} {a} {b})"));
            }
            for name in ["isNaN", "isInfinite", "isZero", "isNormal", "isSubnormal"] {
                terms.push(format!("(fp.{name} {a})"));
            }
            for name in ["isNegative", "isPositive", "abs", "neg"] {
                terms.push(format!("(fp.{name} {a})"));
            }
            for mode in ["RNE", "RNA", "RTP", "RTN", "RTZ"] {
                terms.push(format!("(fp.roundToIntegral {mode} {a})"));
            }
            terms.push(format!("(fp.sqrt RNE {a})"));
            terms.push(format!("(fp.fma RNE {a} {b} {c})"));
            terms.push(format!(
                "((_ to_fp {}) RNE {a})",
                if width == 32 { "11 53" } else { "8 24" }
            ));
            for name in ["to_fp", "to_fp_unsigned"] {
                terms.push(format!("((_ {name} 8 24) RNE {})", random.bits(width)));
                terms.push(format!("((_ {name} 11 53) RNE {})", random.bits(width)));
            }
            let decimal = format!("{}.{:03}", random.next() % 100_000, random.next() % 1000);
            terms.push(format!("((_ to_fp 8 24) RNE {decimal})"));
            terms.push(format!("((_ to_fp 11 53) RNE (- {decimal}))"));
            let small =
                format!("((_ to_fp 8 24) RNE {}.{})", random.next() % 200, random.next() % 100);
            terms.push(format!("((_ fp.to_ubv 8) RTZ {small})"));
            terms.push(format!("((_ fp.to_sbv 32) RTZ (fp.neg {small}))"));
        }
    }
    terms
}

#[test]
fn operators_compute_what_z3_computes() {
    let terms = terms(&mut Random(0x9e37_79b9_7f4a_7c15));
    let script: String = terms.iter().map(|term| format!("(get-value ({term}))\n")).collect();
    let mut pool = Pool::new();
    let mut reader = Reader::new(&script);
    let mut question = String::new();
    for term in &terms {
        let command = reader.next(&mut pool).expect("the script can be read");
        let Some(Command::GetValue(asked)) = command else { panic!("a value is asked for") };
        let value = reader.print_value(&pool, &asked[0].value, &Model::new());
        question += &format!("(push)(assert (not (= {term} {value})))(check-sat)(pop)\n");
    }
    let Some(printed) = z3(&question) else {
        eprintln!("z3 is not installed: nothing compared");
        return;
    };
    let replies: Vec<&str> = printed.lines().collect();
    assert_eq!(replies.len(), terms.len(), "{printed}");
    for ((term, line), reply) in terms.iter().zip(question.lines()).zip(replies) {
        assert_eq!(reply, "unsat", "{term}: {line}");
    }
}
