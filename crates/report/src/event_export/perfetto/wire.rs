//! The wire form of protobuf messages, as far as a trace needs it: numbers, texts, messages in
//! messages. A library would bring a compiler of `.proto` files for some twenty fields.

/// A message that is being written.
#[derive(Debug, Default)]
pub(super) struct Message {
    bytes: Vec<u8>,
}

const VARINT: u32 = 0;
const LENGTH: u32 = 2;

impl Message {
    /// A number; protobuf's `uint64`, `uint32`, `bool` and enumerations.
    pub(super) fn number(&mut self, field: u32, value: u64) {
        self.varint(u64::from(field << 3 | VARINT));
        self.varint(value);
    }

    /// A number that may be negative: `int64` and `int32`, in two's complement.
    pub(super) fn signed(&mut self, field: u32, value: i64) {
        self.number(field, value.cast_unsigned());
    }

    /// A text.
    pub(super) fn text(&mut self, field: u32, text: &str) {
        self.varint(u64::from(field << 3 | LENGTH));
        self.varint(text.len() as u64);
        self.bytes.extend_from_slice(text.as_bytes());
    }

    /// A message in it.
    pub(super) fn message(&mut self, field: u32, build: impl FnOnce(&mut Self)) {
        self.varint(u64::from(field << 3 | LENGTH));
        // Most are shorter than 128 bytes, which takes one byte.
        let at = self.bytes.len();
        self.bytes.push(0);
        build(self);
        let length = self.bytes.len() - at - 1;
        if length < 0x80 {
            self.bytes[at] = u8::try_from(length).unwrap_or(0);
            return;
        }
        let mut head = Self::default();
        head.varint(length as u64);
        self.bytes.splice(at..=at, head.bytes);
    }

    /// Another message's fields.
    pub(super) fn append(&mut self, other: &mut Self) {
        self.bytes.append(&mut other.bytes);
    }

    /// What was written.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// True where nothing was.
    pub(super) fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// Begins anew in the same memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
    }

    fn varint(&mut self, mut value: u64) {
        loop {
            let low = u8::try_from(value & 0x7f).unwrap_or(0);
            value >>= 7;
            if value == 0 {
                self.bytes.push(low);
                return;
            }
            self.bytes.push(low | 0x80);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // By protobuf.dev/programming-guides/encoding.
    #[test]
    fn fields_are_written_as_the_encoding_guide_has_them() {
        let mut message = Message::default();
        message.number(1, 150);
        message.text(2, "testing");
        message.signed(3, -2);
        assert_eq!(message.bytes()[..3], [0x08, 0x96, 0x01]);
        assert_eq!(&message.bytes()[3..12], b"\x12\x07testing");
        assert_eq!(message.bytes()[12..], [0x18, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01]);
    }

    #[test]
    fn a_long_message_in_a_message_has_a_long_length() {
        for length in [3, 127, 128, 300, 20_000] {
            let mut message = Message::default();
            message.message(1, |inner| inner.text(1, &"x".repeat(length)));
            let head = message.bytes().iter().take_while(|byte| **byte != b'x').count();
            let expected = if length < 126 {
                4
            } else if length < 128 {
                5
            } else if length < 16_000 {
                6
            } else {
                8
            };
            assert_eq!((head, message.bytes().len()), (expected, head + length), "{length}");
        }
    }
}
