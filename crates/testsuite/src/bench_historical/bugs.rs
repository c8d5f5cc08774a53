//! The eight bugs: what tells each from others, and coreutils' own tests of its tool.

/// A bug that `bench/historical/<tool>.patch` puts into a tool.
pub struct Bug {
    pub tool: &'static str,
    /// In a few words.
    pub what: &'static str,
    pub kind: &'static str,
    /// How the file's path ends, and the functions that the bug may show itself in.
    pub file: &'static str,
    pub functions: &'static [&'static str],
    /// The tests of the tool, below `tests/`.
    pub tests: &'static [&'static str],
}

impl Bug {
    /// Whether a finding is this bug.
    pub fn is(&self, kind: &str, file: &str, function: &str) -> bool {
        kind == self.kind && file.ends_with(self.file) && self.functions.contains(&function)
    }
}

const READ: &str = "out-of-bounds-read";
const WRITE: &str = "out-of-bounds-write";
const NULL: &str = "null-dereference";

/// Where an argument that is not there is put in quotes.
const QUOTING: &str = "lib/quotearg.c";
const QUOTES: &[&str] = &["quotearg_buffer_restyled"];

pub const BUGS: [Bug; 8] = [
    Bug {
        tool: "cut",
        what: "open-ended range past the array of bits",
        kind: READ,
        file: "src/cut.c",
        functions: &["compare_eol_range"],
        tests: &["misc/cut.pl", "misc/cut-huge-range.sh"],
    },
    Bug {
        tool: "printf",
        what: "lone quote as a number",
        kind: READ,
        file: "src/printf.c",
        functions: &["vstrtoimax", "vstrtoumax", "vstrtold"],
        tests: &[
            "misc/printf.sh",
            "misc/printf-cov.pl",
            "misc/printf-hex.sh",
            "misc/printf-mb.sh",
            "misc/printf-quote.sh",
            "misc/printf-surprise.sh",
        ],
    },
    Bug {
        tool: "seq",
        what: "format that ends after a precision",
        kind: READ,
        file: "src/seq.c",
        functions: &["long_double_format"],
        tests: &[
            "misc/seq.pl",
            "misc/seq-epipe.sh",
            "misc/seq-extra-number.sh",
            "misc/seq-io-errors.sh",
            "misc/seq-locale.sh",
            "misc/seq-long-double.sh",
            "misc/seq-precision.sh",
        ],
    },
    Bug {
        tool: "paste",
        what: "backslash at the end of the delimiters",
        kind: READ,
        file: "src/paste.c",
        functions: &["collapse_escapes"],
        tests: &["misc/paste.pl"],
    },
    Bug {
        tool: "mkdir",
        what: "more clauses of a mode than there is room for",
        kind: WRITE,
        file: "src/mkdir.c",
        functions: &["main"],
        tests: &[
            "mkdir/p-1.sh",
            "mkdir/p-2.sh",
            "mkdir/p-3.sh",
            "mkdir/p-acl.sh",
            "mkdir/p-slashdot.sh",
            "mkdir/p-thru-slink.sh",
            "mkdir/p-v.sh",
            "mkdir/parents.sh",
            "mkdir/perm.sh",
            "mkdir/restorecon.sh",
            "mkdir/selinux.sh",
            "mkdir/smack-no-root.sh",
            "mkdir/smack-root.sh",
            "mkdir/special-1.sh",
            "mkdir/t-slash.sh",
            "mkdir/writable-under-readonly.sh",
        ],
    },
    Bug {
        tool: "mknod",
        what: "argument behind the last one in a message",
        kind: NULL,
        file: QUOTING,
        functions: QUOTES,
        tests: &["misc/mknod.sh"],
    },
    Bug {
        tool: "mkfifo",
        what: "option without its argument",
        kind: NULL,
        file: QUOTING,
        functions: QUOTES,
        tests: &["misc/mknod.sh"],
    },
    Bug {
        tool: "md5sum",
        what: "byte of a checksum past a table of digits",
        kind: READ,
        file: "src/digest.c",
        functions: &["first_digits"],
        tests: &[
            "misc/md5sum.pl",
            "misc/md5sum-bsd.sh",
            "misc/md5sum-newline.pl",
            "misc/md5sum-parallel.sh",
        ],
    },
];
