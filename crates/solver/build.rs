//! Links Bitwuzla, which `./x setup` builds into the cache directory.

use std::env;
use std::path::PathBuf;

fn main() {
    for variable in ["FATHOM_CACHE", "XDG_CACHE_HOME", "HOME"] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    let library_dir = cache_dir().join("bitwuzla/lib");
    let library = library_dir.join("libbitwuzla.a");
    println!("cargo:rerun-if-changed={}", library.display());
    if !library.exists() {
        panic!("{} is missing: run ./x setup", library.display());
    }
    println!("cargo:rustc-link-search=native={}", library_dir.display());
    println!("cargo:rustc-link-lib=static=bitwuzla");
    for name in ["mpfr", "gmp", "stdc++", "m"] {
        println!("cargo:rustc-link-lib=dylib={name}");
    }
}

/// Where set-up keeps what it builds; the same rule as in setup/lib.sh.
fn cache_dir() -> PathBuf {
    let variable = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    variable("FATHOM_CACHE").unwrap_or_else(|| {
        variable("XDG_CACHE_HOME")
            .unwrap_or_else(|| variable("HOME").expect("HOME is not set").join(".cache"))
            .join("fathom")
    })
}
