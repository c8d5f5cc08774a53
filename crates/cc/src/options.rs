//! The tables of compiler options: which take a value, and which half of a compile they reach.

/// Options whose value is the next argument.
#[rustfmt::skip]
pub(crate) const TAKES_VALUE: &[&str] = &[
    "-o", "-x", "-I", "-L", "-l", "-D", "-U", "-F", "-B", "-T", "-u", "-z", "-e", "-A", "-y",
    "-include", "-imacros", "-include-pch", "-isystem", "-isystem-after", "-idirafter", "-iquote",
    "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot", "-iframework", "-ivfsoverlay",
    "-cxx-isystem", "-MF", "-MT", "-MQ", "-MJ", "-Xlinker", "-Xclang", "-Xpreprocessor",
    "-Xassembler", "-Xanalyzer", "-mllvm", "-arch", "-target", "--target", "--param", "--sysroot",
    "-rpath", "-Ttext", "-Tdata", "-Tbss", "-dumpbase", "-dumpdir", "-dumpbase-ext",
    "-working-directory", "-framework", "-gcc-toolchain", "-wrapper", "--include", "--define-macro",
    "--undefine-macro", "--include-directory", "--output", "--language", "--library-directory",
    "--entry", "--serialize-diagnostics", "-serialize-diagnostics", "-fplugin-arg", "--config",
];

/// Options that only print, preprocess or translate to something else than an object: clang does
/// them alone. A trailing `*` matches any ending.
#[rustfmt::skip]
pub(crate) const PASS_THROUGH: &[&str] = &[
    "-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "--version", "-dumpversion", "-dumpmachine",
    "-dumpfullversion", "-dumpspecs", "--help-hidden", "--analyze", "-emit-llvm", "-emit-ast",
    "-print-*", "--print-*", "--help=*", "--preprocess", "--assemble", "-V", "-qversion",
    "-verify-pch", "--precompile", "-rewrite-*",
];

/// Where an option goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Role {
    /// Native and bitcode compile.
    Both,
    /// The native compile only: optimisation, debug information, diagnostics, dependency files.
    Native,
    /// The bitcode compile only: checks of a sanitizer that the engine does itself.
    Bitcode,
    /// Links only.
    Link,
    /// Nowhere: it would make something we do not build.
    Dropped,
}

/// First match wins; what matches nothing is [`Role::Both`].
#[rustfmt::skip]
const ROLES: &[(Role, &[&str])] = &[
    (
        Role::Dropped,
        &[
            // We always link statically, at a fixed address, and keep symbols for replay.
            "-static", "-static-pie", "-pie", "-no-pie", "-nopie", "-rdynamic", "-s", "-static-libgcc",
            "-shared-libgcc", "-fuse-ld=*", "--ld-path=*", "-rtlib=*", "--rtlib=*", "-unwindlib=*",
            "--unwindlib=*",
            // Link-time optimisation would leave no native object.
            "-flto", "-flto=*", "-flto-*", "-fno-lto", "-ffat-lto-objects", "-fno-fat-lto-objects",
            "-fuse-linker-plugin", "-fno-use-linker-plugin", "-fwhole-program-vtables",
            // Their run-time libraries do not exist for the static C library.
            "-fsanitize=*", "-fsanitize-*", "-fno-sanitize=*", "-fno-sanitize-*", "--coverage",
            "-coverage", "-fprofile-*", "-fcoverage-*", "-ftest-coverage", "-p", "-pg", "-fxray-*",
            // The target is ours.
            "-m64", "--target=*", "-target", "--target", "--sysroot=*", "--sysroot", "-isysroot",
            "--gcc-toolchain=*", "-gcc-toolchain", "-specs=*", "--specs=*",
            "-Wno-unused-command-line-argument",
        ],
    ),
    (
        Role::Native,
        &[
            "-O*", "-g*", "-ggdb*", "-v", "-M*", "-Werror*", "-Wfatal-errors", "-pedantic-errors",
            "-save-temps*", "--save-temps*", "-fstack-protector*", "-fcf-protection*",
            "-fstack-clash-protection", "-ftrivial-auto-var-init=*", "-fPIC", "-fpic", "-fPIE", "-fpie",
            "-fno-PIC", "-fno-pic", "-fno-PIE", "-fno-pie", "-mllvm", "-fdiagnostics-*",
            "-fcolor-diagnostics", "-serialize-diagnostics", "--serialize-diagnostics", "-ftime-*",
            "-fvectorize", "-fslp-vectorize", "-ftree-vectorize", "-include-pch", "-fproc-stat-report*",
            "-frecord-gcc-switches", "-frecord-command-line", "-fstack-usage", "-fdebug-*", "-Xassembler",
            "-Wa,*", "-fno-integrated-as", "-fbuiltin", "-gz*", "-fsave-optimization-record*",
            "-fdelete-null-pointer-checks", "-dumpbase", "-dumpdir", "-dumpbase-ext",
        ],
    ),
    (
        Role::Link,
        &[
            "-T", "-T*", "-u", "-z", "-e", "-y", "--entry", "-rpath", "-nostartfiles",
            "-nodefaultlibs", "-nolibc", "-nostdlib", "-nostdlib++",
        ],
    ),
];

/// Options of the linker that write or print something, with whether a value follows. They are
/// kept away from the bitcode link, which must leave no trace.
#[rustfmt::skip]
pub(crate) const LINKER_OUTPUT: &[(&str, bool)] = &[
    ("-Map", true), ("--Map", true), ("-Map=*", false), ("--Map=*", false), ("-M", false),
    ("--print-map", false), ("-t", false), ("--trace", false), ("--cref", false),
    ("-cref", false), ("-v", false), ("-V", false), ("--verbose", false), ("--version", false),
    ("--dependency-file", true), ("--dependency-file=*", false), ("--reproduce", true),
    ("--reproduce=*", false), ("--why-extract=*", false), ("--fatal-warnings", false),
    ("--print-gc-sections", false), ("--print-archive-stats=*", false), ("--stats", false),
    ("--warn-backrefs", false), ("--time-trace", false), ("--time-trace=*", false),
];

/// Options handed to the linker that cannot hold for a static program at a fixed address, with
/// whether a value follows.
#[rustfmt::skip]
pub(crate) const LINKER_DROPPED: &[(&str, bool)] = &[
    ("-pie", false), ("--pie", false), ("-rpath", true), ("--rpath", true), ("-rpath=*", false),
    ("--rpath=*", false), ("-rpath-link", true), ("--rpath-link", true), ("-rpath-link=*", false),
    ("--rpath-link=*", false), ("-R", true), ("-export-dynamic", false),
    ("--export-dynamic", false), ("-E", false), ("-dynamic-linker", true),
    ("--dynamic-linker", true), ("-dynamic-linker=*", false), ("--dynamic-linker=*", false),
    ("--enable-new-dtags", false), ("--disable-new-dtags", false), ("-plugin", true),
    ("-plugin-opt=*", false), ("-Bdynamic", false), ("-Bstatic", false), ("-dn", false), ("-dy", false),
];

/// Does `name` match `pattern`, in which a trailing `*` stands for anything?
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    }
}

pub(crate) fn any_matches(patterns: &[&str], name: &str) -> bool {
    patterns.iter().any(|pattern| matches(pattern, name))
}

/// Checks of `-fsanitize=` that need no run-time library in the engine. (`function` reads what
/// stands before a function, which is nothing here; `integer` forbids what C allows.)
#[rustfmt::skip]
const ENGINE_CHECKS: &[&str] = &[
    "undefined", "alignment", "array-bounds", "bool", "bounds", "builtin", "enum",
    "float-cast-overflow", "integer-divide-by-zero", "nonnull-attribute", "null", "nullability*",
    "object-size", "pointer-overflow", "return", "returns-nonnull-attribute", "shift*",
    "signed-integer-overflow", "unreachable", "vla-bound",
];

/// Splits `-fsanitize=A,B` or `-fno-sanitize=A,B` into the option for the bitcode, if there is
/// something left of it, and whether all of it is there.
pub(crate) fn sanitizer(name: &str) -> Option<(Option<String>, bool)> {
    let option = ["-fsanitize=", "-fno-sanitize="].into_iter().find(|o| name.starts_with(o))?;
    let checks: Vec<&str> = name[option.len()..].split(',').collect();
    let kept: Vec<&str> =
        checks.iter().copied().filter(|check| any_matches(ENGINE_CHECKS, check)).collect();
    let flag = (!kept.is_empty()).then(|| format!("{option}{}", kept.join(",")));
    Some((flag, kept.len() == checks.len()))
}

pub(crate) fn role(name: &str) -> Role {
    let row = ROLES.iter().find(|(_, patterns)| any_matches(patterns, name));
    row.map_or(Role::Both, |&(role, _)| role)
}
