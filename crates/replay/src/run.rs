//! One native run: start, limits, waiting, collecting.

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::report::{self, Parsed};
use crate::sanitizer;
use crate::scratch::Scratch;
use crate::symbols::Symbols;
use crate::{End, Error, Guard, NativeInput, NativeOutcome, Options};

/// How long the flag is not looked at.
const POLL: Duration = Duration::from_millis(10);

/// A program that is run many times: its debug information is read once, when first needed.
pub struct Program {
    path: PathBuf,
    symbols: OnceCell<Symbols>,
}

/// Runs `program` once; a [`Program`] does so repeatedly.
pub fn run(program: &Path, input: &NativeInput, options: &Options) -> Result<NativeOutcome, Error> {
    Program::open(program)?.run(input, options)
}

impl Program {
    pub fn open(path: &Path) -> Result<Program, Error> {
        let path = fs::canonicalize(path).map_err(Error::io(path))?;
        Ok(Program { path, symbols: OnceCell::new() })
    }

    pub fn run(&self, input: &NativeInput, options: &Options) -> Result<NativeOutcome, Error> {
        let scratch = Scratch::new(input)?;
        let stdout = memory_file(&[], 0)?;
        let stderr = memory_file(&[], 0)?;

        let mut command = self.command(input, options, &scratch)?;
        let stack = stack_size(options);
        let inherited = inherited_stack();
        if stack != inherited.rlim_cur {
            let rlim_cur = stack.min(inherited.rlim_max);
            set_stack(&mut command, libc::rlimit { rlim_cur, ..inherited });
        }
        command.stdin(stdin(input)?).stdout(clone(&stdout)?).stderr(clone(&stderr)?);
        let started = Instant::now();
        let child = command.spawn().map_err(|error| Error::Start(self.path.clone(), error))?;
        let end = Running::new(child, options).wait(options)?;
        let elapsed = started.elapsed();

        let file = fs::read(scratch.report()).unwrap_or_default();
        let Parsed { events, mut report, stack } = report::parse(&file);
        if let Some(report) = &mut report {
            let symbols = self.symbols.get_or_init(|| Symbols::read(&self.path));
            report.frames = symbols.frames(report, stack);
        }
        let sanitizer = match options.guard {
            Guard::Asan => {
                let symbols = self.symbols.get_or_init(|| Symbols::read(&self.path));
                sanitizer::read(&scratch.log(), &self.path, symbols)
            }
            _ => Vec::new(),
        };
        Ok(NativeOutcome {
            end,
            stdout: contents(stdout)?,
            stderr: contents(stderr)?,
            events,
            report,
            sanitizer,
            elapsed,
        })
    }

    fn command(
        &self,
        input: &NativeInput,
        options: &Options,
        scratch: &Scratch,
    ) -> Result<Command, Error> {
        let mut words = input.argv.iter().map(|word| text(word));
        let mut command = Command::new(scratch.program(&self.path)?);
        if let Some(name) = words.next() {
            command.arg0(name?);
        }
        for word in words {
            command.arg(word?);
        }
        command.env_clear();
        for (name, value) in &input.env {
            command.env(text(name)?, text(value)?);
        }
        // In a recorded world the engine goes on as the parent of children, which natively run.
        command.env("FATHOM_OFFLINE", if input.world.is_some() { "1" } else { "childless" });
        command.env("FATHOM_GUARD_REPORT", scratch.seen(scratch.report()));
        if !input.objects.is_empty() {
            command.env("FATHOM_TEST", scratch.seen(scratch.objects()));
        }
        match options.guard {
            Guard::Off => {}
            Guard::End => drop(command.env("FATHOM_GUARD", "end")),
            Guard::Start => drop(command.env("FATHOM_GUARD", "start")),
            Guard::Aligned => drop(command.env("FATHOM_GUARD", "aligned")),
            Guard::Asan => {
                command.envs(sanitizer::variables(&scratch.log(), options.memory));
            }
        }
        match &input.world {
            Some(world) => world.enter(&mut command, scratch)?,
            None => drop(command.current_dir(scratch.work()).process_group(0)),
        }
        Ok(command)
    }
}

/// The frames of a program with sanitizers are larger.
fn stack_size(options: &Options) -> u64 {
    if options.guard == Guard::Asan { 2 * options.stack } else { options.stack }
}

/// The stack that a program gets if nothing is said.
fn inherited_stack() -> libc::rlimit {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: plain data that the call fills in.
    unsafe { libc::getrlimit(libc::RLIMIT_STACK, &mut limit) };
    limit
}

/// Starts the program with this much stack, at the price of a fork: it may be deep in it before it
/// could be set from outside.
fn set_stack(command: &mut Command, limit: libc::rlimit) {
    // SAFETY: a system call on plain data, allowed between fork and exec.
    let set = move || match unsafe { libc::setrlimit(libc::RLIMIT_STACK, &limit) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    };
    // SAFETY: as above.
    unsafe { command.pre_exec(set) };
}

fn text(bytes: &[u8]) -> Result<&OsStr, Error> {
    match bytes.contains(&0) {
        true => Err(Error::Nul(bytes.to_vec())),
        false => Ok(OsStr::from_bytes(bytes)),
    }
}

fn stdin(input: &NativeInput) -> Result<Stdio, Error> {
    match &input.world {
        Some(world) => world.stdin(input),
        None => Ok(memory_file(&input.stdin, 0)?.into()),
    }
}

/// A regular file without a name, and with this position.
pub(crate) fn memory_file(bytes: &[u8], position: u64) -> Result<File, Error> {
    let system = |error| Error::Io("memfd".into(), error);
    // SAFETY: the name is a C string; the result is a new descriptor of ours, or negative.
    let fd = unsafe { libc::memfd_create(c"fathom".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(system(io::Error::last_os_error()));
    }
    // SAFETY: as above.
    let mut file = unsafe { File::from_raw_fd(fd) };
    file.write_all(bytes).and_then(|()| file.seek(SeekFrom::Start(position))).map_err(system)?;
    Ok(file)
}

fn clone(file: &File) -> Result<File, Error> {
    file.try_clone().map_err(|error| Error::Io("memfd".into(), error))
}

fn contents(mut file: File) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    let read = file.seek(SeekFrom::Start(0)).and_then(|_| file.read_to_end(&mut bytes));
    read.map(|_| bytes).map_err(|error| Error::Io("memfd".into(), error))
}

/// A started program. It and its process group are gone when this is.
struct Running {
    child: Child,
    reaped: bool,
}

impl Running {
    /// Limits are set from outside, so that the program can be started without a fork of ours.
    fn new(child: Child, options: &Options) -> Running {
        let pid = child.id() as libc::pid_t;
        let seconds = options.timeout.as_secs() + 1;
        // The sanitizers keep a byte for every eight of the address space.
        let memory = match options.guard {
            Guard::Asan => libc::RLIM_INFINITY,
            _ => options.memory,
        };
        for (resource, limit) in [
            (libc::RLIMIT_DATA, memory),
            (libc::RLIMIT_FSIZE, options.file_size),
            (libc::RLIMIT_CORE, 0),
            (libc::RLIMIT_CPU, seconds),
        ] {
            let limit = libc::rlimit { rlim_cur: limit, rlim_max: limit };
            // SAFETY: plain data. A failure means that the program has ended already.
            unsafe { libc::prlimit(pid, resource, &limit, std::ptr::null_mut()) };
        }
        Running { child, reaped: false }
    }

    fn wait(mut self, options: &Options) -> Result<End, Error> {
        let system = |error| Error::Io("waiting for the program".into(), error);
        let in_time = self.ends_within(options.timeout, &options.interrupt).map_err(system)?;
        // Before it is reaped, its number cannot be another's: whatever it started goes too.
        self.kill_group();
        let status = self.child.wait().map_err(system)?;
        self.reaped = true;
        match in_time {
            true => Ok(end(status)),
            false if options.interrupt.load(Ordering::Relaxed) => Err(Error::Interrupted),
            false => Ok(End::TimedOut),
        }
    }

    /// False if the time passes or the flag goes up first.
    fn ends_within(&self, timeout: Duration, interrupt: &AtomicBool) -> io::Result<bool> {
        // SAFETY: plain numbers; the result is a new descriptor of ours, or negative.
        let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, self.child.id(), 0) };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        // SAFETY: as above.
        let pidfd = unsafe { OwnedFd::from_raw_fd(fd as i32) };
        let deadline = Instant::now() + timeout;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() || interrupt.load(Ordering::Relaxed) {
                return Ok(false);
            }
            let millis = left.min(POLL).as_micros().div_ceil(1000) as i32;
            let mut poll = libc::pollfd { fd: pidfd.as_raw_fd(), events: libc::POLLIN, revents: 0 };
            // SAFETY: one pollfd, as said.
            match unsafe { libc::poll(&mut poll, 1, millis) } {
                0 => {}
                1 => return Ok(true),
                _ => {
                    let error = io::Error::last_os_error();
                    if error.kind() != io::ErrorKind::Interrupted {
                        return Err(error);
                    }
                }
            }
        }
    }

    fn kill_group(&self) {
        // SAFETY: plain numbers; the group is the child's own, which is not reaped yet.
        unsafe { libc::kill(-(self.child.id() as libc::pid_t), libc::SIGKILL) };
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if !self.reaped {
            self.kill_group();
            let _ = self.child.wait();
        }
    }
}

fn end(status: ExitStatus) -> End {
    match status.signal() {
        Some(signal) => End::Signal(signal),
        None => End::Exit(status.code().expect("it exited or was killed")),
    }
}
