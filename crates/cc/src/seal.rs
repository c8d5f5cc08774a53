//! Bitcode with a checksum, so that LLVM, which crashes on damaged bytes, never sees any.
//!
//! The header is LLVM's own wrapper, which its tools skip, with the checksum as a sixth field:
//! magic number, version, where the bitcode begins, its size, processor, CRC-32 of the bitcode.

const WRAPPER: &[u8] = b"\xde\xc0\x17\x0b";
const BITCODE: &[u8] = b"BC\xc0\xde";
const HEADER_SIZE: usize = 24;

/// Why bytes are not sealed bitcode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Broken {
    /// Bitcode without a checksum.
    Unsealed,
    Damaged,
}

pub(crate) fn seal(bitcode: &[u8]) -> Vec<u8> {
    [header(bitcode).as_slice(), bitcode].concat()
}

/// The bitcode, as it was when it was sealed.
pub(crate) fn open(sealed: &[u8]) -> Result<&[u8], Broken> {
    if sealed.starts_with(BITCODE) {
        return Err(Broken::Unsealed);
    }
    let (found, bitcode) = sealed.split_at_checked(HEADER_SIZE).ok_or(Broken::Damaged)?;
    match found == header(bitcode) {
        true => Ok(bitcode),
        false => Err(Broken::Damaged),
    }
}

fn header(bitcode: &[u8]) -> [u8; HEADER_SIZE] {
    const VERSION: u32 = 0;
    const ANY_PROCESSOR: u32 = 0;
    let fields = [
        VERSION,
        HEADER_SIZE as u32,
        bitcode.len() as u32,
        ANY_PROCESSOR,
        crc32fast::hash(bitcode),
    ];
    let mut header = [0; HEADER_SIZE];
    header[..4].copy_from_slice(WRAPPER);
    for (bytes, field) in header[4..].chunks_exact_mut(4).zip(fields) {
        bytes.copy_from_slice(&field.to_le_bytes());
    }
    header
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_changed_bit_is_seen() {
        let sealed = seal(b"BC\xc0\xde and so on");
        assert_eq!(open(&sealed), Ok(&b"BC\xc0\xde and so on"[..]));
        for bit in 0..sealed.len() * 8 {
            let mut damaged = sealed.clone();
            damaged[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(open(&damaged), Err(Broken::Damaged), "bit {bit}");
        }
    }

    #[test]
    fn any_missing_byte_is_seen() {
        let sealed = seal(b"BC\xc0\xde and so on");
        for length in 0..sealed.len() {
            assert_eq!(open(&sealed[..length]), Err(Broken::Damaged), "{length} bytes");
        }
        assert_eq!(open(b"BC\xc0\xde and so on"), Err(Broken::Unsealed));
    }
}
