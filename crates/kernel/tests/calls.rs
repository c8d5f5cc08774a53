//! Single system calls: what memory, signals, time, pipes and the sandbox answer.

mod machine;

use fathom_engine::outcome::FaultKind;
use fathom_engine::system::{Handler, Reply};
use libc::c_long;
use machine::{Machine, errno};

#[test]
fn reads_a_host_file_and_faults_only_past_the_data() {
    let mut machine = Machine::new();
    let fd = machine.open("Cargo.toml", libc::O_RDONLY);
    assert_eq!(fd, 3);
    let small = machine.buffer(&[0; 9]);
    assert_eq!(machine.call(libc::SYS_read, &[3, small, 9]), 9);
    assert_eq!(machine.memory.slice(small, 9).unwrap(), b"[package]");
    let result = machine.reply(libc::SYS_read, &[3, small, 4096]);
    assert_eq!(result, Err(FaultKind::OutOfBounds));
    assert_eq!(machine.reply(libc::SYS_write, &[1, small, 10]), Err(FaultKind::OutOfBounds));
    assert_eq!(machine.reply(libc::SYS_read, &[3, 0, 5]), Err(FaultKind::Null));
    assert_eq!(machine.call(libc::SYS_read, &[77, small, 4]), errno(libc::EBADF));
}

#[test]
fn the_sandbox_hides_the_rest_of_the_host() {
    let mut machine = Machine::new();
    let secret = std::env::temp_dir().join(format!("fathom-secret-{}", std::process::id()));
    std::fs::write(&secret, "x").unwrap();
    assert_eq!(machine.open(secret.to_str().unwrap(), libc::O_RDONLY), errno(libc::ENOENT));
    assert_eq!(machine.open("/etc/shadow", libc::O_RDONLY), errno(libc::EACCES));
    assert!(machine.notes()[0].contains("--allow-read /etc/shadow"), "{:?}", machine.notes());
    assert!(machine.open("/etc/passwd", libc::O_RDONLY) >= 0);
    assert_eq!(machine.open("/no/such/file", libc::O_RDONLY), errno(libc::ENOENT));
    // The program's own files in /tmp exist for it alone.
    let name = format!("/tmp/fathom-own-{}", std::process::id());
    assert!(machine.open(&name, libc::O_CREAT | libc::O_RDWR) >= 0);
    assert!(!std::path::Path::new(&name).exists());
    assert!(machine.open(&name, libc::O_RDONLY) >= 0);
    std::fs::remove_file(secret).unwrap();
}

#[test]
fn pipes_carry_bytes_and_break() {
    let mut machine = Machine::new();
    let fds = machine.buffer(&[0; 8]);
    assert_eq!(machine.call(libc::SYS_pipe2, &[fds, 0]), 0);
    let buffer = machine.buffer(b"hello");
    assert_eq!(machine.call(libc::SYS_write, &[4, buffer, 5]), 5);
    assert_eq!(machine.call(libc::SYS_read, &[3, buffer, 5]), 5);
    assert_eq!(machine.call(libc::SYS_read, &[3, buffer, 5]), errno(libc::EAGAIN));
    assert_eq!(machine.notes().len(), 1);
    machine.call(libc::SYS_close, &[3]);
    assert_eq!(machine.reply(libc::SYS_write, &[4, buffer, 5]), Ok(Reply::Killed(libc::SIGPIPE)));
}

#[test]
fn signals_run_handlers_when_unblocked() {
    let mut machine = Machine::new();
    let words = |words: [u64; 4]| words.map(u64::to_le_bytes).concat();
    let action = machine.buffer(&words([0x1234_5678, libc::SA_SIGINFO as u64, 0, 0]));
    let (signal, pid) = (libc::SIGUSR1 as u64, 4242);
    assert_eq!(machine.call(libc::SYS_rt_sigaction, &[signal, action, 0, 8]), 0);
    let mask = machine.buffer(&(1u64 << (signal - 1)).to_le_bytes());
    assert_eq!(machine.call(libc::SYS_rt_sigprocmask, &[0, mask, 0, 8]), 0);
    assert_eq!(machine.call(libc::SYS_kill, &[pid, signal]), 0);
    match machine.reply(libc::SYS_rt_sigprocmask, &[1, mask, 0, 8]) {
        Ok(Reply::Signal { value: 0, handlers }) => {
            let &[Handler { address: 0x1234_5678, signal: 10, info: Some([info, _]), mask: 0 }] =
                handlers.as_slice()
            else {
                panic!("{handlers:?}");
            };
            assert_eq!(machine.memory.read_u32(info), Ok(10));
        }
        other => panic!("{other:?}"),
    }
    assert_eq!(machine.reply(libc::SYS_tkill, &[pid, 6]), Ok(Reply::Killed(6)));
    assert_eq!(machine.call(libc::SYS_kill, &[99, 9]), errno(libc::ESRCH));
}

#[test]
fn time_is_counted_in_instructions_and_alarms_ring() {
    let mut machine = Machine::new();
    let time = machine.buffer(&[0; 16]);
    machine.instructions = 1_500_000_000;
    assert_eq!(machine.call(libc::SYS_clock_gettime, &[0, time]), 0);
    assert_eq!(machine.memory.read_u64(time), Ok(fathom_kernel::START_TIME.as_secs() + 1));
    assert_eq!(machine.memory.read_u64(time + 8), Ok(500_000_000));
    assert_eq!(machine.call(libc::SYS_alarm, &[5]), 0);
    machine.memory.write_u64(time, 60).unwrap();
    machine.memory.write_u64(time + 8, 0).unwrap();
    let reply = machine.reply(libc::SYS_nanosleep, &[time, 0]);
    assert_eq!(reply, Ok(Reply::Killed(libc::SIGALRM)));
}

#[test]
fn mappings_are_objects_and_are_written_back() {
    let mut machine = Machine::new();
    let anonymous = (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) as u64;
    let base = machine.call(libc::SYS_mmap, &[0, 5000, 3, anonymous, u64::MAX, 0]) as u64;
    assert_eq!(machine.memory.extent(base), Some(8192));
    assert_eq!(machine.call(libc::SYS_munmap, &[base, 5000]), 0);
    assert!(machine.memory.slice(base, 1).is_err());

    let fd = machine.open("/tmp/mapped", libc::O_CREAT | libc::O_RDWR) as u64;
    let text = machine.buffer(b"hello");
    assert_eq!(machine.call(libc::SYS_write, &[fd, text, 5]), 5);
    let shared = libc::MAP_SHARED as u64;
    let base = machine.call(libc::SYS_mmap, &[0, 4096, 3, shared, fd, 0]) as u64;
    assert_eq!(machine.memory.slice(base, 6).unwrap(), b"hello\0");
    machine.memory.write(base, b"J").unwrap();
    assert_eq!(machine.call(libc::SYS_munmap, &[base, 4096]), 0);
    assert_eq!(machine.call(libc::SYS_pread64, &[fd, text, 5, 0]), 5);
    assert_eq!(machine.memory.slice(text, 5).unwrap(), b"Jello");
    let huge = machine.call(libc::SYS_mmap, &[0, u64::MAX - 10, 3, anonymous, u64::MAX, 0]);
    assert_eq!(huge, errno(libc::ENOMEM));
}

#[test]
fn no_number_and_no_argument_makes_it_panic() {
    let mut machine = Machine::new();
    let buffer = machine.buffer(&[0x41; 512]);
    let values = [0, 1, 3, 8, 4096, u64::MAX, u64::MAX - 99, 1 << 63, buffer, buffer + 500];
    let mut random = 12345u64;
    for number in (0..470).chain([u64::MAX, 1 << 40]) {
        // Ending the program and waiting on the host's streams are tested elsewhere.
        for _ in 0..60 {
            let args = [(); 6].map(|()| {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
                values[(random >> 40) as usize % values.len()]
            });
            let on_host_streams = args[..3].iter().any(|&arg| arg <= 2);
            if !on_host_streams {
                let _ = machine.reply(number as c_long, &args);
            }
        }
        machine = if number % 16 == 0 { Machine::new() } else { machine };
        machine.buffer(&[0x41; 512]);
    }
    assert_eq!(machine.call(9999, &[]), errno(libc::ENOSYS));
}
