//! `ioctl`: the host's answers for its own terminals, and what other files answer.

use fathom_engine::system::SystemContext;
use libc::{EINVAL, ENOTTY};

use crate::Linux;
use crate::errno::{Called, Errno, host, if_there};

/// Requests a terminal of the host is asked, with the size of what they point to.
const PASSED_ON: &[(u64, usize)] = &[
    (libc::TCGETS, 36),
    (libc::TCSETS, 36),
    (libc::TCSETSW, 36),
    (libc::TCSETSF, 36),
    (libc::TIOCGWINSZ, 8),
    (libc::TIOCSWINSZ, 8),
    (libc::TIOCGPGRP, 4),
    (libc::TIOCGSID, 4),
    (libc::TIOCOUTQ, 4),
    (libc::FIONREAD, 4),
    (libc::TIOCMGET, 4),
    (libc::TIOCGETD, 4),
];

/// Requests without a pointer that are harmless.
const PLAIN: &[u64] = &[libc::TCFLSH, libc::TCSBRK, libc::TCXONC];

const FIONBIO: u64 = 0x5421;
const FIONCLEX: u64 = 0x5450;
const FIOCLEX: u64 = 0x5451;

/// Asks the host's file.
pub(crate) fn pass_on(fd: i32, request: u64, argument: &mut [u8]) -> Result<i64, Errno> {
    let known = PASSED_ON.iter().any(|&(known, size)| known == request && argument.len() == size);
    if known {
        // SAFETY: the argument has the size the request is known to use.
        return host(unsafe { libc::ioctl(fd, request, argument.as_mut_ptr()) }.into());
    }
    Err(Errno(ENOTTY))
}

impl Linux {
    pub(crate) fn ioctl(
        &mut self,
        context: &mut SystemContext<'_>,
        fd: i32,
        request: u64,
        argument: u64,
    ) -> Called {
        let request = request & 0xffff_ffff;
        let file = self.files.get_opened(fd)?;
        match request {
            FIONBIO => {
                let on = context.memory.read_u32(argument)? != 0;
                file.flags = file.flags & !libc::O_NONBLOCK | if on { libc::O_NONBLOCK } else { 0 };
                return Ok(0);
            }
            FIOCLEX | FIONCLEX => {
                *self.files.close_on_exec(fd)? = request == FIOCLEX;
                return Ok(0);
            }
            _ => {}
        }
        if PLAIN.contains(&request) {
            let Some(host_fd) = file.description.host_fd() else {
                return Ok(file.description.ioctl(&mut self.world, request, &mut [])?);
            };
            // SAFETY: these requests take a number.
            return Ok(host(unsafe { libc::ioctl(host_fd, request, argument) }.into())?);
        }
        if request == libc::FICLONE {
            return Err(Errno(libc::EOPNOTSUPP).into());
        }
        let size = PASSED_ON.iter().find(|entry| entry.0 == request).map_or(0, |entry| entry.1);
        if size == 0 {
            if file.description.host_fd().is_some_and(is_terminal) {
                self.world.note(format!("ioctl request {request:#x} on a terminal"));
                return Err(Errno(EINVAL).into());
            }
            return Err(Errno(ENOTTY).into());
        }
        if request == libc::FIONREAD && file.description.node().is_some() {
            let stat = file.description.stat(&self.world)?;
            if stat.st_mode & libc::S_IFMT == libc::S_IFDIR {
                return Err(Errno(ENOTTY).into());
            }
            let left = stat.st_size
                - file.description.seek(&mut self.world, 0, libc::SEEK_CUR).unwrap_or(0);
            context.memory.write_u32(argument, left as u32)?;
            return Ok(0);
        }
        let sets =
            matches!(request, libc::TCSETS | libc::TCSETSW | libc::TCSETSF | libc::TIOCSWINSZ);
        // The argument is only touched where the file knows the request.
        let given =
            if sets { if_there(context.memory.slice(argument, size as u64))? } else { None };
        let mut bytes = given.map_or_else(|| vec![0; size], <[u8]>::to_vec);
        let value = file.description.ioctl(&mut self.world, request, &mut bytes)?;
        if !sets {
            context.memory.write(argument, &bytes)?;
        }
        Ok(value)
    }
}

fn is_terminal(fd: i32) -> bool {
    // SAFETY: a plain host call.
    unsafe { libc::isatty(fd) == 1 }
}
