//! Small binary inputs, byte by byte: packet captures for tcpdump, object files for readelf.

/// Bytes put together field by field, little-endian unless a name says otherwise.
#[derive(Default)]
struct Bytes(Vec<u8>);

impl Bytes {
    fn raw(mut self, bytes: &[u8]) -> Self {
        self.0.extend_from_slice(bytes);
        self
    }

    fn u16(self, value: u16) -> Self {
        self.raw(&value.to_le_bytes())
    }

    fn u32(self, value: u32) -> Self {
        self.raw(&value.to_le_bytes())
    }

    fn u64(self, value: u64) -> Self {
        self.raw(&value.to_le_bytes())
    }

    fn u32s(self, values: &[u32]) -> Self {
        values.iter().fold(self, |bytes, &value| bytes.u32(value))
    }

    fn u64s(self, values: &[u64]) -> Self {
        values.iter().fold(self, |bytes, &value| bytes.u64(value))
    }

    fn zeros_to(mut self, length: usize) -> Self {
        assert!(self.0.len() <= length, "the fields before are longer");
        self.0.resize(length, 0);
        self
    }
}

/// A capture of one Ethernet frame.
fn pcap(packet: &[u8]) -> Vec<u8> {
    let length = packet.len() as u32;
    let header = Bytes::default().u32(0xa1b2_c3d4).u16(2).u16(4).u32s(&[0, 0, 65535, 1]);
    header.u32s(&[1_600_000_000, 5, length, length]).raw(packet).0
}

/// Ethernet and IPv4 around a payload, from 10.0.0.1 to 10.0.0.2, with the header's checksum.
fn ipv4(protocol: u8, payload: &[u8]) -> Vec<u8> {
    let length = (20 + payload.len()) as u16;
    let mut header = vec![0x45, 0];
    header.extend(length.to_be_bytes());
    header.extend([0, 1, 0x40, 0, 64, protocol, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2]);
    let words = header.chunks(2).map(|pair| u32::from(pair[0]) << 8 | u32::from(pair[1]));
    let sum: u32 = words.sum();
    let checksum = !((sum & 0xffff) + (sum >> 16)) as u16;
    header[10..12].copy_from_slice(&checksum.to_be_bytes());
    [&[2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1, 8, 0], &header[..], payload].concat()
}

/// A TCP SYN to port 80, with the option for the largest segment.
pub fn pcap_tcp() -> Vec<u8> {
    let mut segment = vec![0x30, 0x39, 0, 80];
    segment.extend([0, 0, 0, 1, 0, 0, 0, 0, 0x60, 2, 0x20, 0, 0, 0, 0, 0]);
    segment.extend([2, 4, 5, 0xb4]);
    pcap(&ipv4(6, &segment))
}

/// A DNS question for the address of `a.de`.
pub fn pcap_dns() -> Vec<u8> {
    let mut query = vec![0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0];
    query.extend(b"\x01a\x02de\0\0\x01\0\x01");
    let length = (8 + query.len()) as u16;
    let mut datagram = vec![0x30, 0x39, 0, 53];
    datagram.extend(length.to_be_bytes());
    datagram.extend([0, 0]);
    datagram.extend(query);
    pcap(&ipv4(17, &datagram))
}

/// A relocatable object for x86-64: `.text`, `.symtab` with two symbols, one table of names.
pub fn elf_symbols() -> Vec<u8> {
    const NAMES: &[u8] = b"\0.text\0.symtab\0.strtab\0main\0";
    let (text, symbols, names) = (64, 72, 72 + 2 * 24);
    let sections = (names + NAMES.len()).next_multiple_of(8);
    let header = Bytes::default()
        .raw(b"\x7fELF\x02\x01\x01")
        .zeros_to(16)
        .u16(1)
        .u16(62)
        .u32(1)
        .u64s(&[0, 0, sections as u64])
        .u32(0)
        .u16(64)
        .u16(0)
        .u16(0)
        .u16(64)
        .u16(4)
        .u16(3);
    let body = header
        .raw(&[0x31, 0xc0, 0xc3])
        .zeros_to(symbols)
        .zeros_to(symbols + 24)
        .u32(23)
        .raw(&[0x12, 0])
        .u16(1)
        .u64s(&[0, 3])
        .raw(NAMES)
        .zeros_to(sections + 64);
    let section =
        |bytes: Bytes, name, kind, flags, place: (usize, usize), link: (u32, u32), entry| {
            let bytes = bytes.u32s(&[name, kind]).u64s(&[flags, 0, place.0 as u64, place.1 as u64]);
            bytes.u32s(&[link.0, link.1]).u64s(&[1, entry])
        };
    let body = section(body, 1, 1, 6, (text, 3), (0, 0), 0);
    let body = section(body, 7, 2, 0, (symbols, 48), (3, 1), 24);
    section(body, 15, 3, 0, (names, NAMES.len()), (0, 0), 0).0
}

/// A 32-bit executable without sections: a loadable, a dynamic and a note segment.
pub fn elf_dynamic() -> Vec<u8> {
    const NAMES: &[u8] = b"\0libc.so.6\0\0";
    const BASE: u32 = 0x1_0000;
    let (dynamic, note, names): (u32, u32, u32) = (148, 148 + 40, 148 + 40 + 32);
    let end = names + NAMES.len() as u32;
    let header = Bytes::default()
        .raw(b"\x7fELF\x01\x01\x01")
        .zeros_to(16)
        .u16(2)
        .u16(3)
        .u32s(&[1, BASE, 52, 0, 0])
        .u16(52)
        .u16(32)
        .u16(3)
        .u16(40)
        .u16(0)
        .u16(0);
    let segment = |bytes: Bytes, kind, offset: u32, size: u32, flags| {
        let address = BASE + offset;
        bytes.u32s(&[kind, offset, address, address, size, size, flags, 4])
    };
    let body = segment(header, 1, 0, end, 5);
    let body = segment(body, 2, dynamic, 40, 6);
    let body = segment(body, 4, note, 32, 4);
    body.u32s(&[1, 1, 5, BASE + names, 10, NAMES.len() as u32, 30, 8, 0, 0])
        .u32s(&[4, 16, 1])
        .raw(b"GNU\0")
        .u32s(&[0, 3, 2, 0])
        .raw(NAMES)
        .0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_hold_one_frame() {
        for capture in [pcap_tcp(), pcap_dns()] {
            let length = u32::from_le_bytes(capture[32..36].try_into().expect("four bytes"));
            assert_eq!(capture.len(), 40 + length as usize);
            let total = u16::from_be_bytes([capture[56], capture[57]]);
            assert_eq!(u32::from(total) + 14, length);
        }
    }

    #[test]
    fn object_files_end_with_their_last_part() {
        assert_eq!(elf_symbols().len(), 152 + 4 * 64);
        assert_eq!(elf_dynamic().len(), 148 + 40 + 32 + 12);
    }
}
