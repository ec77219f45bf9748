//! The `format` file of a tracepoint: where in an event's bytes each field is.

/// A field of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    name: String,
    offset: usize,
    size: usize,
}

/// The fields of a tracepoint.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Format {
    fields: Vec<Field>,
}

impl Format {
    /// Reads lines such as `field:dev_t dev; offset:8; size:4; signed:0;`.
    pub(crate) fn parse(text: &str) -> Self {
        Self { fields: text.lines().filter_map(field).collect() }
    }

    /// True when events have the field.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.field(name).is_some()
    }

    /// A field by name.
    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}

impl Field {
    /// Its value in an event's bytes, where it is a number of up to 8 bytes.
    pub(crate) fn number(&self, event: &[u8]) -> Option<u64> {
        let bytes = self.bytes(event)?;
        Some(match bytes.len() {
            1 => u64::from(bytes[0]),
            2 => u64::from(u16::from_ne_bytes(bytes.try_into().ok()?)),
            4 => u64::from(u32::from_ne_bytes(bytes.try_into().ok()?)),
            8 => u64::from_ne_bytes(bytes.try_into().ok()?),
            _ => return None,
        })
    }

    /// Its text, up to the null byte.
    pub(crate) fn text<'a>(&self, event: &'a [u8]) -> Option<&'a str> {
        std::str::from_utf8(self.bytes(event)?.split(|&byte| byte == 0).next()?).ok()
    }

    fn bytes<'a>(&self, event: &'a [u8]) -> Option<&'a [u8]> {
        event.get(self.offset..self.offset + self.size)
    }
}

fn field(line: &str) -> Option<Field> {
    let mut parts = line.trim().split(';').map(str::trim);
    let declaration = parts.next()?.strip_prefix("field:")?;
    // `char rwbs[10]`, `__data_loc char[] cmd`, `unsigned int bytes`.
    let name = declaration.split_whitespace().last()?.split('[').next()?.to_owned();
    let mut number = |key: &str| parts.next()?.strip_prefix(key)?.parse().ok();
    Some(Field { name, offset: number("offset:")?, size: number("size:")? })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "name: block_rq_issue\nID: 2104\nformat:\n\
        \tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n\n\
        \tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\
        \tfield:unsigned int bytes;\toffset:12;\tsize:4;\tsigned:0;\n\
        \tfield:char rwbs[10];\toffset:16;\tsize:10;\tsigned:0;\n\
        \tfield:__data_loc char[] cmd;\toffset:28;\tsize:4;\tsigned:0;\n\n\
        print fmt: \"%d,%d\", field:not one;\n";

    #[test]
    fn fields_are_found_where_the_kernel_puts_them() {
        let format = Format::parse(TEXT);
        let mut event = vec![0_u8; 32];
        event[8..12].copy_from_slice(&((254_u32 << 20) | 3).to_ne_bytes());
        event[12..16].copy_from_slice(&16_384_u32.to_ne_bytes());
        event[16..18].copy_from_slice(b"RA");
        let of = |name: &str| format.field(name).unwrap();
        assert_eq!(of("dev").number(&event), Some((254 << 20) | 3));
        assert_eq!(of("bytes").number(&event), Some(16_384));
        assert_eq!(of("rwbs").text(&event), Some("RA"));
        assert!(format.has("cmd") && !format.has("sector"));
    }

    #[test]
    fn an_event_that_is_too_short_has_no_value() {
        let format = Format::parse(TEXT);
        assert_eq!(format.field("bytes").unwrap().number(&[0; 14]), None);
        assert_eq!(format.field("rwbs").unwrap().number(&[0; 40]), None, "no number of ten bytes");
    }
}
