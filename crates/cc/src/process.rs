//! Runs the LLVM tools and passes signals on to them.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::atomic::{AtomicI32, Ordering};

use crate::error::Error;
use crate::temp::TempDir;

/// The signal that arrived, or 0.
static SIGNAL: AtomicI32 = AtomicI32::new(0);
/// The tool that is running, or 0.
static CHILD: AtomicI32 = AtomicI32::new(0);

const FORWARDED: [i32; 3] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];

/// Argument bytes beyond which a response file is used; the kernel's limit is at least 128 KiB.
const LONG_COMMAND: usize = 100_000;

/// While alive, INT, TERM and HUP end the running tool and surface as [`Error::Interrupted`].
pub(crate) struct Signals([libc::sighandler_t; FORWARDED.len()]);

extern "C" fn on_signal(signal: i32) {
    SIGNAL.store(signal, Ordering::SeqCst);
    forward();
}

/// Async-signal-safe.
fn forward() {
    let (signal, child) = (SIGNAL.load(Ordering::SeqCst), CHILD.load(Ordering::SeqCst));
    if signal != 0 && child != 0 {
        unsafe { libc::kill(child, signal) };
    }
}

impl Signals {
    pub fn forward() -> Signals {
        let handler = on_signal as extern "C" fn(i32) as libc::sighandler_t;
        Signals(FORWARDED.map(|signal| unsafe {
            let old = libc::signal(signal, handler);
            if old == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN); // nohup stays nohup
            }
            old
        }))
    }

    /// Ends this process as the signal would have, once everything is cleaned up.
    pub fn die(self, signal: i32) -> i32 {
        drop(self);
        unsafe {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
        }
        128 + signal
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        for (signal, old) in FORWARDED.into_iter().zip(self.0) {
            unsafe { libc::signal(signal, old) };
        }
        SIGNAL.store(0, Ordering::SeqCst);
    }
}

/// One run of a tool.
pub(crate) struct Run<'a> {
    pub tool: &'a Path,
    pub args: Vec<OsString>,
    /// What the tool reads; `None` leaves it our own standard input.
    pub stdin: Option<&'a [u8]>,
}

impl Run<'_> {
    /// Runs with our own output streams and returns the exit status.
    pub fn status(self, temp: &TempDir) -> Result<i32, Error> {
        let output = self.run(temp, false)?;
        Ok(exit_code(&output))
    }

    /// Runs and collects both output streams.
    pub fn output(self, temp: &TempDir) -> Result<Output, Error> {
        self.run(temp, true)
    }

    fn run(self, temp: &TempDir, capture: bool) -> Result<Output, Error> {
        if verbose() {
            eprintln!("fathom-cc: {} {}", self.tool.display(), shell_words(&self.args));
        }
        let mut command = Command::new(self.tool);
        let size: usize = self.args.iter().map(|arg| arg.len() + 1).sum();
        if size > LONG_COMMAND {
            command.arg(response_file(&self.args, temp)?);
        } else {
            command.args(&self.args);
        }
        if self.stdin.is_some() {
            command.stdin(Stdio::piped());
        }
        if capture {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        }
        if SIGNAL.load(Ordering::SeqCst) != 0 {
            return Err(Error::Interrupted(SIGNAL.load(Ordering::SeqCst)));
        }
        let child = command.spawn().map_err(|error| Error::io(self.tool, error))?;
        CHILD.store(child.id() as i32, Ordering::SeqCst);
        forward();
        let output = wait(child, self.stdin);
        CHILD.store(0, Ordering::SeqCst);
        match SIGNAL.load(Ordering::SeqCst) {
            0 => output.map_err(|error| Error::io(self.tool, error)),
            signal => Err(Error::Interrupted(signal)),
        }
    }
}

fn wait(mut child: Child, stdin: Option<&[u8]>) -> std::io::Result<Output> {
    if let (Some(mut pipe), Some(bytes)) = (child.stdin.take(), stdin) {
        // A compiler that stops reading early says so itself.
        let _ = pipe.write_all(bytes);
    }
    child.wait_with_output()
}

/// A tool's exit status as a shell would give it.
pub(crate) fn exit_code(output: &Output) -> i32 {
    let status = output.status;
    status.code().unwrap_or_else(|| 128 + status.signal().unwrap_or(0))
}

/// `FATHOM_CC_VERBOSE=1` shows each tool run and each input without bitcode.
pub(crate) fn verbose() -> bool {
    env::var_os("FATHOM_CC_VERBOSE").is_some_and(|value| !value.is_empty() && value != "0")
}

fn response_file(args: &[OsString], temp: &TempDir) -> Result<OsString, Error> {
    let path = temp.join("arguments");
    let mut text = Vec::new();
    for arg in args {
        text.push(b'"');
        for &byte in arg.as_bytes() {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(byte);
        }
        text.extend(b"\"\n");
    }
    fs::write(&path, text).map_err(|error| Error::io(&path, error))?;
    let mut arg = OsString::from("@");
    arg.push(path);
    Ok(arg)
}

/// Arguments as they would be typed into a shell.
pub(crate) fn shell_words<S: AsRef<std::ffi::OsStr>>(args: &[S]) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=+,./:@%^".contains(c);
    let words = args.iter().map(|arg| {
        let arg = arg.as_ref().to_string_lossy();
        match !arg.is_empty() && arg.chars().all(plain) {
            true => arg.into_owned(),
            false => format!("'{}'", arg.replace('\'', "'\\''")),
        }
    });
    words.collect::<Vec<_>>().join(" ")
}
