//! One child process: started, fed, timed, measured, and ended when it takes too long.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// More output than this is an error of its own; the rest is not kept.
const OUTPUT_LIMIT: u64 = 256 << 20;

pub enum Input {
    Bytes(Vec<u8>),
    File(PathBuf),
}

pub struct Run {
    program: PathBuf,
    arg0: Option<OsString>,
    args: Vec<OsString>,
    dir: PathBuf,
    env: Option<Vec<(String, String)>>,
    extra_env: Vec<(String, String)>,
    input: Input,
    timeout: Duration,
}

/// How a process ended and what it said.
pub struct Ended {
    /// The exit status, or 128 + signal as a shell has it.
    pub status: i32,
    pub timed_out: bool,
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
    pub seconds: f64,
    /// User and system time, with that of processes it waited for.
    pub cpu_seconds: f64,
    pub peak_kib: i64,
}

impl Ended {
    /// How it ended and the last lines of its standard error.
    pub fn said(&self) -> String {
        let stderr = String::from_utf8_lossy(&self.stderr);
        let lines: Vec<&str> = stderr.lines().collect();
        let how = if self.timed_out { "out of time" } else { "ended" };
        let last = lines[lines.len().saturating_sub(20)..].join("\n");
        format!("{how}, status {}\n{last}", self.status)
    }
}

impl Run {
    pub fn new(program: impl Into<PathBuf>, dir: &Path) -> Self {
        Self {
            program: program.into(),
            arg0: None,
            args: Vec::new(),
            dir: dir.to_path_buf(),
            env: None,
            extra_env: Vec::new(),
            input: Input::Bytes(Vec::new()),
            timeout: Duration::from_secs(240),
        }
    }

    /// What the program sees as its own name.
    pub fn arg0(mut self, name: impl AsRef<OsStr>) -> Self {
        self.arg0 = Some(name.as_ref().to_os_string());
        self
    }

    pub fn arg(mut self, arg: impl AsRef<OsStr>) -> Self {
        self.args.push(arg.as_ref().to_os_string());
        self
    }

    pub fn args<I: IntoIterator<Item = S>, S: AsRef<OsStr>>(mut self, args: I) -> Self {
        self.args.extend(args.into_iter().map(|arg| arg.as_ref().to_os_string()));
        self
    }

    /// A small environment, the same on every machine, with `more` added, instead of our own.
    pub fn plain_env(mut self, more: &[(String, String)]) -> Self {
        let plain = [("PATH", "/usr/bin:/bin"), ("HOME", "/"), ("LC_ALL", "C"), ("TZ", "UTC0")];
        let mut env: Vec<(String, String)> =
            plain.iter().map(|(name, value)| (name.to_string(), value.to_string())).collect();
        env.extend(more.iter().cloned());
        self.env = Some(env);
        self
    }

    pub fn env(mut self, name: &str, value: impl Into<String>) -> Self {
        self.extra_env.push((name.to_string(), value.into()));
        self
    }

    pub fn input(mut self, input: Input) -> Self {
        self.input = input;
        self
    }

    pub fn timeout(mut self, seconds: u64) -> Self {
        self.timeout = Duration::from_secs(seconds);
        self
    }

    pub fn run(self) -> Result<Ended, String> {
        let name = self.program.display().to_string();
        let mut command = Command::new(&self.program);
        command.args(&self.args).current_dir(&self.dir).process_group(0);
        if let Some(arg0) = &self.arg0 {
            command.arg0(arg0);
        }
        if let Some(env) = &self.env {
            command.env_clear().envs(env.iter().map(|(name, value)| (name, value)));
        }
        command.envs(self.extra_env.iter().map(|(name, value)| (name, value)));
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let bytes = match self.input {
            Input::Bytes(bytes) => {
                command.stdin(Stdio::piped());
                Some(bytes)
            }
            Input::File(path) => {
                let file =
                    File::open(&path).map_err(|error| format!("{}: {error}", path.display()))?;
                command.stdin(file);
                None
            }
        };
        let start = Instant::now();
        let mut child = command.spawn().map_err(|error| format!("{name}: {error}"))?;
        let pid = child.id() as libc::pid_t;
        if let (Some(mut stdin), Some(bytes)) = (child.stdin.take(), bytes) {
            // A program that does not read its input closes the pipe: not our error.
            thread::spawn(move || drop(stdin.write_all(&bytes)));
        }
        let stdout = collect(child.stdout.take().expect("piped"));
        let stderr = collect(child.stderr.take().expect("piped"));
        let watchdog = Watchdog::start(pid, self.timeout);
        wait_without_reaping(pid);
        let seconds = start.elapsed().as_secs_f64();
        let timed_out = watchdog.stop();
        let (status, usage) = reap(pid);
        // Grandchildren that keep the pipes open would keep us waiting.
        // SAFETY: plain system call; the group is the child's own.
        unsafe { libc::kill(-pid, libc::SIGKILL) };
        Ok(Ended {
            status: shell_status(status),
            timed_out,
            stdout: stdout.join().expect("reader thread"),
            stderr: stderr.join().expect("reader thread"),
            seconds,
            cpu_seconds: in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime),
            peak_kib: usage.ru_maxrss,
        })
    }
}

fn collect(stream: impl Read + Send + 'static) -> thread::JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stream.take(OUTPUT_LIMIT).read_to_end(&mut bytes);
        bytes
    })
}

/// Kills a process group when its time is over.
struct Watchdog {
    stop: mpsc::Sender<()>,
    thread: thread::JoinHandle<bool>,
}

impl Watchdog {
    fn start(pid: libc::pid_t, timeout: Duration) -> Self {
        let (stop, stopped) = mpsc::channel();
        let thread = thread::spawn(move || {
            let late = stopped.recv_timeout(timeout) == Err(mpsc::RecvTimeoutError::Timeout);
            if late {
                // SAFETY: plain system call; the child is not reaped before we are stopped.
                unsafe { libc::kill(-pid, libc::SIGKILL) };
            }
            late
        });
        Self { stop, thread }
    }

    fn stop(self) -> bool {
        let _ = self.stop.send(());
        self.thread.join().expect("watchdog thread")
    }
}

fn wait_without_reaping(pid: libc::pid_t) {
    loop {
        // SAFETY: `info` is a valid, writable siginfo_t.
        let result = unsafe {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            libc::waitid(libc::P_PID, pid as libc::id_t, &mut info, libc::WEXITED | libc::WNOWAIT)
        };
        if result == 0 || std::io::Error::last_os_error().raw_os_error() != Some(libc::EINTR) {
            return;
        }
    }
}

fn reap(pid: libc::pid_t) -> (i32, libc::rusage) {
    // SAFETY: both out-parameters are valid and writable; rusage is plain data.
    unsafe {
        let mut status = 0;
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(pid, &mut status, 0, &mut usage);
        (status, usage)
    }
}

fn in_seconds(time: libc::timeval) -> f64 {
    time.tv_sec as f64 + time.tv_usec as f64 / 1e6
}

fn shell_status(status: i32) -> i32 {
    if libc::WIFSIGNALED(status) { 128 + libc::WTERMSIG(status) } else { libc::WEXITSTATUS(status) }
}

/// What differs between two ends of the same program, in words, or nothing.
pub fn difference(native: &Ended, fathom: &Ended) -> Option<String> {
    if native.timed_out || fathom.timed_out {
        let who = if native.timed_out { "natively" } else { "in fathom" };
        return Some(format!("ran out of time {who}"));
    }
    let mut text = String::new();
    if native.status != fathom.status {
        text += &format!("status: native {}, fathom {}\n", native.status, fathom.status);
    }
    text += &stream_difference("stdout", &native.stdout, &fathom.stdout);
    text += &stream_difference("stderr", &native.stderr, &fathom.stderr);
    (!text.is_empty()).then_some(text)
}

pub fn stream_difference(name: &str, native: &[u8], fathom: &[u8]) -> String {
    if native == fathom {
        return String::new();
    }
    let native_lines: Vec<&[u8]> = native.split(|byte| *byte == b'\n').collect();
    let fathom_lines: Vec<&[u8]> = fathom.split(|byte| *byte == b'\n').collect();
    let same = native_lines.iter().zip(&fathom_lines).take_while(|(a, b)| a == b).count();
    let show = |lines: &[&[u8]]| {
        let shown: Vec<String> =
            lines.iter().skip(same).take(8).map(|line| excerpt(line)).collect();
        if shown.is_empty() { "(ended)".to_string() } else { shown.join("\n    ") }
    };
    format!(
        "{name} differs from line {}:\n  native:\n    {}\n  fathom:\n    {}\n",
        same + 1,
        show(&native_lines),
        show(&fathom_lines)
    )
}

fn excerpt(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    match text.char_indices().nth(200) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.into_owned(),
    }
}
