//! Symbolic bytes through files, pipes, mappings and output, and kernels that fork.

mod machine;

use fathom_engine::memory::Memory;
use fathom_engine::outcome::FaultKind;
use fathom_engine::system::System;
use fathom_expr::{ExprId, Model, Pool};
use fathom_kernel::{InputError, InputFile, Inputs, Linux};
use libc::{O_CREAT, O_RDONLY, O_RDWR, O_TRUNC};
use machine::{Machine, config, errno};

fn start(inputs: &Inputs) -> Machine {
    let mut pool = Pool::new();
    let linux = Linux::symbolic(config(), inputs, &mut pool).expect("inputs can be made");
    Machine::with(linux, pool)
}

fn stdin(size: u32) -> Inputs {
    Inputs { stdin: Some(size), ..Inputs::default() }
}

fn file(name: &str, size: Option<u32>) -> InputFile {
    InputFile { path: name.into(), size, symbolic: None }
}

impl Machine {
    fn input(&mut self, name: &str, size: u32) -> Vec<ExprId> {
        let input = self.pool.input(name, size);
        (0..size).map(|offset| self.pool.byte(input, offset)).collect()
    }

    /// A buffer with the first `count` bytes read from `fd`.
    fn read(&mut self, fd: u64, count: u64) -> u64 {
        let buffer = self.buffer(&vec![0xee; count as usize]);
        assert_eq!(self.call(libc::SYS_read, &[fd, buffer, count]), count as i64);
        buffer
    }

    fn scratch(&mut self) -> u64 {
        self.open("/tmp/scratch", O_CREAT | O_RDWR | O_TRUNC) as u64
    }

    fn write(&mut self, fd: u64, buffer: u64, count: u64) {
        assert_eq!(self.call(libc::SYS_write, &[fd, buffer, count]), count as i64);
    }

    fn read_back(&mut self, fd: u64, count: u64, offset: u64) -> (Vec<u8>, Vec<(u64, ExprId)>) {
        let buffer = self.buffer(&vec![0xee; count as usize]);
        let got = self.call(libc::SYS_pread64, &[fd, buffer, count, offset]) as u64;
        contents(&self.memory, buffer, got)
    }
}

fn contents(memory: &Memory, address: u64, size: u64) -> (Vec<u8>, Vec<(u64, ExprId)>) {
    (memory.bytes(address, size).unwrap().to_vec(), memory.symbols(address, size))
}

fn at(offset: u64, exprs: &[ExprId]) -> Vec<(u64, ExprId)> {
    (offset..).zip(exprs.iter().copied()).collect()
}

#[test]
fn standard_input_is_a_regular_file_of_symbolic_bytes() {
    let mut machine = start(&stdin(6));
    let input = machine.input("stdin", 6);
    let stat = machine.buffer(&[0; 144]);
    assert_eq!(machine.call(libc::SYS_fstat, &[0, stat]), 0);
    assert_eq!(machine.memory.read_u64(stat + 48), Ok(6));
    assert_eq!(machine.memory.read_u32(stat + 24).unwrap() & libc::S_IFMT, libc::S_IFREG);
    let first = machine.read(0, 2);
    assert_eq!(machine.memory.symbols(first, 2), at(0, &input[..2]));
    assert_eq!(machine.call(libc::SYS_lseek, &[0, 0, libc::SEEK_CUR as u64]), 2);
    // Into a buffer that was symbolic: what is not read stays.
    let buffer = machine.read(0, 4);
    assert_eq!(machine.memory.symbols(buffer, 4), at(0, &input[2..]));
    assert_eq!(machine.call(libc::SYS_lseek, &[0, 5, libc::SEEK_SET as u64]), 5);
    assert_eq!(machine.call(libc::SYS_read, &[0, buffer, 4]), 1);
    assert_eq!(
        machine.memory.symbols(buffer, 4),
        [&at(0, &input[5..])[..], &at(1, &input[3..])].concat()
    );
    assert_eq!(machine.call(libc::SYS_read, &[0, buffer, 4]), 0);
    assert_eq!(machine.call(libc::SYS_lseek, &[0, 0, libc::SEEK_END as u64]), 6);
    let again = machine.open("/dev/stdin", O_RDONLY) as u64;
    let first = machine.read(again, 2);
    assert_eq!(machine.memory.symbols(first, 2), at(0, &input[..2]));
    assert_eq!(machine.assumptions, []);
}

#[test]
fn files_keep_symbols_where_they_were_written() {
    let mut machine = start(&stdin(4));
    let input = machine.input("stdin", 4);
    let buffer = machine.read(0, 4);
    let fd = machine.scratch();
    // Across the border of two pages.
    assert_eq!(machine.call(libc::SYS_pwrite64, &[fd, buffer, 4, 4094]), 4);
    assert_eq!(machine.read_back(fd, 8, 4092), (vec![0; 6], at(2, &input)));
    assert_eq!(machine.read_back(fd, 2, 4095).1, at(0, &input[1..3]));
    let text = machine.buffer(b"x");
    assert_eq!(machine.call(libc::SYS_pwrite64, &[fd, text, 1, 4095]), 1);
    let (bytes, symbols) = machine.read_back(fd, 4, 4094);
    assert_eq!(bytes[1], b'x');
    assert_eq!(symbols, [(0, input[0]), (2, input[2]), (3, input[3])]);
    let punch = (libc::FALLOC_FL_PUNCH_HOLE | libc::FALLOC_FL_KEEP_SIZE) as u64;
    assert_eq!(machine.call(libc::SYS_fallocate, &[fd, punch, 4096, 1]), 0);
    assert_eq!(machine.read_back(fd, 4, 4094).1, [(0, input[0]), (3, input[3])]);
    assert_eq!(machine.call(libc::SYS_ftruncate, &[fd, 4097]), 0);
    assert_eq!(machine.call(libc::SYS_ftruncate, &[fd, 5000]), 0);
    assert_eq!(machine.read_back(fd, 906, 4094).1, [(0, input[0])]);
}

#[test]
fn pipes_and_sockets_pass_symbols_on() {
    let mut machine = start(&stdin(5));
    let input = machine.input("stdin", 5);
    let buffer = machine.read(0, 5);
    let fds = machine.buffer(&[0; 8]);
    for make in [[libc::SYS_pipe2 as u64, fds, 0, 0], [libc::SYS_socketpair as u64, 1, 1, 0]] {
        let mut args = make[1..].to_vec();
        args.push(fds);
        assert_eq!(machine.call(make[0] as i64, &args), 0);
        let from = u64::from(machine.memory.read_u32(fds).unwrap());
        let to = u64::from(machine.memory.read_u32(fds + 4).unwrap());
        let filler = machine.buffer(&[b'.'; 5000]);
        machine.write(to, filler, 5000);
        machine.write(to, buffer, 5);
        machine.write(to, filler, 2);
        machine.read(from, 5001);
        let rest = machine.read(from, 6);
        assert_eq!(machine.memory.symbols(rest, 6), at(0, &input[1..]));
        assert_eq!(machine.memory.bytes(rest + 4, 2).unwrap(), b"..");
        machine.write(to, filler, 1);
        let last = machine.read(from, 1);
        assert_eq!(contents(&machine.memory, last, 1), (vec![b'.'], vec![]));
    }
}

#[test]
fn copies_between_descriptors_keep_symbols() {
    let mut machine = start(&Inputs { files: vec![file("A", Some(3))], ..stdin(4) });
    let (input, named) = (machine.input("stdin", 4), machine.input("A", 3));
    let fd = machine.scratch();
    assert_eq!(machine.call(libc::SYS_sendfile, &[fd, 0, 0, 10]), 4);
    let a = machine.open("A", O_RDONLY) as u64;
    assert_eq!(machine.call(libc::SYS_copy_file_range, &[a, 0, fd, 0, 10, 0]), 3);
    let both = [&input[..], &named].concat();
    assert_eq!(machine.read_back(fd, 20, 0), (vec![0; 7], at(0, &both)));
    // A mapping of it, changed and written back.
    let shared = libc::MAP_SHARED as u64;
    let base = machine.call(libc::SYS_mmap, &[0, 4096, 3, shared, fd, 0]) as u64;
    assert_eq!(machine.memory.symbols(base, 4096), at(0, &both));
    machine.memory.write(base, b"J").unwrap();
    machine.memory.set_symbols(base + 1, &[(0, both[6])]);
    assert_eq!(machine.call(libc::SYS_munmap, &[base, 4096]), 0);
    let (bytes, symbols) = machine.read_back(fd, 3, 0);
    assert_eq!((bytes[0], symbols), (b'J', vec![(1, both[6]), (2, both[2])]));
    // Host files go unhidden, and none of this is on the host.
    assert!(machine.open("Cargo.toml", O_RDONLY) > 0);
    assert!(!std::path::Path::new("A").exists());
}

#[test]
fn output_is_kept_with_its_symbols() {
    let mut machine = start(&stdin(2));
    let input = machine.input("stdin", 2);
    let (buffer, text) = (machine.read(0, 2), machine.buffer(b"<>"));
    let words = [text, 1, buffer, 2, 0, 0, text + 1, 1];
    let vectors = machine.buffer(&words.map(u64::to_le_bytes).concat());
    assert_eq!(machine.call(libc::SYS_writev, &[1, vectors, 4]), 4);
    machine.write(2, text, 1);
    let printed = machine.linux.output(1);
    assert_eq!((&printed.bytes[..], printed.symbols), (&b"<\0\0>"[..], at(1, &input)));
    assert_eq!(machine.linux.output(2).bytes, b"<");
    let stat = machine.buffer(&[0; 144]);
    assert_eq!(machine.call(libc::SYS_fstat, &[1, stat]), 0);
    assert_eq!(machine.memory.read_u32(stat + 24).unwrap() & libc::S_IFMT, libc::S_IFREG);
    assert_eq!(machine.call(libc::SYS_lseek, &[1, 0, libc::SEEK_CUR as u64]), 4);
    assert_eq!(machine.call(libc::SYS_ioctl, &[1, libc::TIOCGWINSZ, stat]), errno(libc::ENOTTY));
}

#[test]
fn endless_output_is_cut() {
    let mut machine = start(&Inputs::default());
    let text = machine.buffer(&[b'y'; 100_000]);
    for _ in 0..10 {
        machine.write(1, text, 100_000);
    }
    assert_eq!(machine.notes(), Vec::<&str>::new());
    for _ in 0..10 {
        machine.write(1, text, 100_000);
    }
    assert_eq!(machine.notes(), ["only the beginning of what the program prints is kept"]);
    assert_eq!(machine.linux.output(1).bytes, [b'y'; 1 << 20]);
    assert_eq!(machine.call(libc::SYS_lseek, &[1, 0, libc::SEEK_END as u64]), 2_000_000);
}

#[test]
fn a_fork_shares_nothing_that_changes() {
    let mut machine = start(&stdin(4));
    let input = machine.input("stdin", 4);
    let fd = machine.scratch();
    let fds = machine.buffer(&[0; 8]);
    assert_eq!(machine.call(libc::SYS_pipe2, &[fds, 0]), 0);
    let text = machine.buffer(b"one two");
    let forked = machine.linux.fork();
    let forked: &Linux = forked.as_any().downcast_ref().expect("the same system");
    let change = |machine: &mut Machine, from: u64| {
        let buffer = machine.read(0, 2);
        for fd in [fd, 5, 1] {
            machine.write(fd, text + from, 3);
        }
        let other = machine.open("/tmp/other", O_CREAT | O_RDWR);
        (machine.memory.symbols(buffer, 2), other)
    };
    assert_eq!(change(&mut machine, 0), (at(0, &input[..2]), 6));
    let first = std::mem::replace(&mut machine.linux, forked.clone());
    assert_eq!(change(&mut machine, 4), (at(0, &input[..2]), 6));
    for (linux, text) in [(machine.linux.clone(), b"two"), (first, b"one")] {
        machine.linux = linux;
        assert_eq!(machine.read_back(fd, 9, 0).0, text);
        assert_eq!(machine.linux.output(1).bytes, text);
        let piped = machine.read(4, 3);
        assert_eq!(machine.memory.slice(piped, 3).unwrap(), text);
    }
    assert_eq!(forked.output(1).bytes, b"");
}

#[test]
fn a_call_with_a_symbolic_path_can_be_made_again() {
    let mut machine = start(&Inputs { files: vec![file("A", Some(3))], ..Inputs::default() });
    let (path, input) = (machine.path("Q"), machine.input("A", 3));
    machine.memory.set_symbols(path, &[(0, input[0])]);
    let args = [path, O_RDONLY as u64, 0];
    assert_eq!(machine.reply(libc::SYS_open, &args), Err(FaultKind::Symbolic));
    machine.memory.write(path, b"A").unwrap();
    assert_eq!(machine.call(libc::SYS_open, &args), 3);
}

#[test]
fn metadata_is_symbolic_on_request_and_sane() {
    let files = vec![file("A", Some(3)), file("Cargo.toml", None)];
    let mut machine = start(&Inputs { files, metadata: true, ..Inputs::default() });
    let input = machine.input("A-stat", 144);
    let (path, stat) = (machine.path("A"), machine.buffer(&[0xff; 256]));
    assert_eq!(machine.call(libc::SYS_stat, &[path, stat]), 0);
    let symbols = machine.memory.symbols(stat, 144);
    let expected = [(16, 17), (24, 26), (28, 36), (56, 58), (72, 76), (80, 84), (88, 92)];
    let expected = expected.into_iter().chain([(96, 100), (104, 108), (112, 116)]);
    let expected: Vec<_> =
        expected.flat_map(|(from, to)| (from..to).map(|i| (i, input[i as usize]))).collect();
    assert_eq!(symbols, expected);
    assert_eq!(machine.memory.read_u64(stat + 48), Ok(3));
    // What holds is said once.
    let assumptions = machine.assumptions.clone();
    assert!(!assumptions.is_empty());
    assert_eq!(machine.call(libc::SYS_stat, &[path, stat]), 0);
    assert_eq!(machine.assumptions, assumptions);
    let mut model = Model::new();
    let holds = |model: &Model| assumptions.iter().all(|&e| machine.pool.eval_bool(e, model));
    assert!(!holds(&model));
    for name in ["A-stat", "Cargo.toml-stat"] {
        let (_, input) = machine.pool.inputs().find(|(_, input)| &*input.name == name).unwrap();
        let first = input.first.0;
        for (offset, byte) in [(16, 1), (24, 0o777u32 as u8), (25, 0x81), (57, 0x10)] {
            model.set(fathom_expr::Var(first + offset), byte);
        }
    }
    assert!(holds(&model));

    // The same through statx; then what the program sets is what it set.
    let statx = machine.buffer(&[0; 256]);
    let at_cwd = libc::AT_FDCWD as u64;
    assert_eq!(machine.call(libc::SYS_statx, &[at_cwd, path, 0, 0x7ff, statx]), 0);
    assert_eq!(machine.memory.symbols(statx + 28, 2), at(0, &input[24..26]));
    assert_eq!(machine.memory.symbols(statx + 112, 16)[..4], at(0, &input[88..92])[..]);
    assert_eq!(machine.call(libc::SYS_chmod, &[path, 0o600]), 0);
    assert_eq!(machine.call(libc::SYS_stat, &[path, stat]), 0);
    assert_eq!(machine.memory.read_u32(stat + 24), Ok(libc::S_IFREG | 0o600));
    assert_eq!(machine.memory.symbols(stat + 104, 16), []);
    assert_eq!(machine.memory.symbols(stat + 28, 4), at(0, &input[28..32]));
}

#[test]
fn files_take_the_size_of_the_hosts_or_are_refused() {
    let mut machine = start(&Inputs { files: vec![file("Cargo.toml", None)], ..Inputs::default() });
    let size = std::fs::metadata("Cargo.toml").unwrap().len();
    let fd = machine.open("Cargo.toml", O_RDONLY) as u64;
    let buffer = machine.read(fd, size);
    assert_eq!(machine.memory.symbols(buffer, size).len() as u64, size);
    let mut pool = Pool::new();
    let mut refused = |name: &str| {
        let inputs = Inputs { files: vec![file(name, None)], ..Inputs::default() };
        Linux::symbolic(config(), &inputs, &mut pool).unwrap_err()
    };
    assert!(matches!(refused("no-such-file"), InputError::Host(..)));
    assert!(matches!(refused("src"), InputError::NoPlace(_)));
}

#[test]
fn random_bytes_are_symbolic_as_far_as_asked() {
    let mut machine = start(&Inputs { random: 6, ..Inputs::default() });
    let input = machine.input("random", 6);
    let buffer = machine.buffer(&[0; 8]);
    assert_eq!(machine.call(libc::SYS_getrandom, &[buffer, 4, 0]), 4);
    assert_eq!(machine.memory.symbols(buffer, 8), at(0, &input[..4]));
    let device = machine.open("/dev/urandom", O_RDONLY) as u64;
    assert_eq!(machine.notes(), Vec::<&str>::new());
    let more = machine.read(device, 4);
    assert_eq!(machine.memory.symbols(more, 4), at(0, &input[4..]));
    assert_eq!(machine.notes(), ["random bytes after the first 6 are not symbolic"]);
}
