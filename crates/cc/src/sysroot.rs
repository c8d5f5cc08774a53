//! Where the C library and the LLVM tools are.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::Error;

/// The LLVM release all tools come from; bitcode of a newer one could not be read back.
pub const LLVM_VERSION: &str = "22";

/// The directory `./x setup` built: `include/`, `lib/` (native) and `bitcode/`.
pub fn sysroot() -> Result<PathBuf, Error> {
    let root = cache_dir().join("sysroot");
    for needed in ["include/stdio.h", "lib/libc.a", "bitcode/libc.a"] {
        let path = root.join(needed);
        if !path.exists() {
            return Err(Error::NoSysroot(path));
        }
    }
    Ok(root)
}

/// Where everything is that is made once for all programs.
pub(crate) fn cache_dir() -> PathBuf {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    set("FATHOM_CACHE").unwrap_or_else(|| {
        set("XDG_CACHE_HOME")
            .unwrap_or_else(|| set("HOME").unwrap_or_default().join(".cache"))
            .join("fathom")
    })
}

/// The full path of an LLVM tool given without its version: `tool("clang")` finds `clang-22`.
pub fn tool(name: &str) -> Result<PathBuf, Error> {
    let versioned = format!("{name}-{LLVM_VERSION}");
    let path = env::var_os("PATH").unwrap_or_default();
    let on_path = env::split_paths(&path).map(|dir| dir.join(&versioned));
    let in_prefix =
        env::var_os("LLVM_SYS_221_PREFIX").map(|prefix| Path::new(&prefix).join("bin").join(name));
    on_path.chain(in_prefix).find(|path| path.is_file()).ok_or(Error::NoTool(versioned))
}

/// Everything a compile or link needs to know about the machine.
pub(crate) struct Toolchain {
    pub clang: PathBuf,
    pub lld: PathBuf,
    pub opt: PathBuf,
    pub nm: PathBuf,
    pub sysroot: PathBuf,
}

impl Toolchain {
    pub fn find() -> Result<Toolchain, Error> {
        Ok(Toolchain {
            clang: tool("clang")?,
            lld: tool("ld.lld")?,
            opt: tool("opt")?,
            nm: tool("llvm-nm")?,
            sysroot: sysroot()?,
        })
    }

    /// The arguments every clang run starts with.
    pub fn base_args(&self) -> Vec<OsString> {
        let mut sysroot = OsString::from("--sysroot=");
        sysroot.push(&self.sysroot);
        // Without this clang looks for the machine's own GCC and its libraries.
        let mut no_gcc = OsString::from("--gcc-toolchain=");
        no_gcc.push(&self.sysroot);
        let fixed = ["--target=x86_64-linux-musl", "-Wno-unused-command-line-argument", "-fno-pic"];
        [sysroot, no_gcc].into_iter().chain(fixed.map(OsString::from)).collect()
    }

    /// Makes clang link with our linker, also when it only asks for the linker's version.
    pub fn linker_arg(&self) -> OsString {
        let mut arg = OsString::from("--ld-path=");
        arg.push(&self.lld);
        arg
    }

    pub fn lib(&self, name: &str) -> PathBuf {
        self.sysroot.join("lib").join(name)
    }

    pub fn bitcode(&self, name: &str) -> PathBuf {
        self.sysroot.join("bitcode").join(name)
    }
}
