//! One line on the terminal that says how a long run is doing.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_millis(200);

pub struct StatusLine {
    /// Standard error is a terminal.
    shown: bool,
    next: Instant,
    /// The line is on the screen.
    there: bool,
}

impl StatusLine {
    pub fn new() -> Self {
        let shown = std::io::stderr().is_terminal();
        Self { shown, next: Instant::now() + EVERY, there: false }
    }

    pub fn is_due(&self) -> bool {
        Instant::now() >= self.next
    }

    pub fn show(&mut self, text: &str) {
        self.next = Instant::now() + EVERY;
        if !self.shown {
            return;
        }
        let text: String = text.chars().take(width()).collect();
        // A terminal that is gone does not end the run.
        let _ = write!(std::io::stderr(), "\r\x1b[K{text}");
        self.there = true;
    }

    /// Takes the line away, so that something else can be printed.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.there) {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
    }
}

/// Columns of the terminal.
fn width() -> usize {
    // SAFETY: `size` is plain data that the call fills in.
    unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        let known = libc::ioctl(2, libc::TIOCGWINSZ, &raw mut size) == 0 && size.ws_col > 0;
        if known { usize::from(size.ws_col) - 1 } else { 79 }
    }
}
