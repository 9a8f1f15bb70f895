//! Packs plain values into bytes and back: entries that JavaScript keeps, and the state. Positional, so the version lives with the user.
//! Not serde: derived readers and writers of these few structs were 15 KB of the download after compression, this is 1.

/// A value that can be packed. `unpack` gives back what `pack` wrote; from bytes that no `pack` wrote it takes anything, and says so in
/// the reader.
pub trait Pack: Sized {
    /// Appends the value.
    fn pack(&self, bytes: &mut Vec<u8>);
    /// Takes the value from the front.
    fn unpack(reader: &mut Reader<'_>) -> Self;
}

/// What is left to unpack. It remembers damage, so that nobody has to ask after each value: that was 2 KB of the download.
pub struct Reader<'a> {
    bytes: &'a [u8],
    is_damaged: bool,
}

impl<'a> Reader<'a> {
    #[inline(always)]
    /// The next bytes; none where there are not so many.
    fn take(&mut self, length: usize) -> &'a [u8] {
        match self.bytes.split_at_checked(length) {
            Some((taken, rest)) => {
                self.bytes = rest;
                taken
            }
            None => {
                self.damaged();
                &[]
            }
        }
    }

    /// No `pack` wrote this.
    pub fn damaged(&mut self) {
        (self.bytes, self.is_damaged) = (&[], true);
    }
}

/// The value as bytes.
pub fn to_bytes<T: Pack>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.pack(&mut bytes);
    bytes
}

/// The value of these bytes, all of them.
pub fn from_bytes<T: Pack>(bytes: &[u8]) -> Option<T> {
    let mut reader = Reader { bytes, is_damaged: false };
    let value = T::unpack(&mut reader);
    (!reader.is_damaged && reader.bytes.is_empty()).then_some(value)
}

/// Packs a struct as its fields, in order.
macro_rules! pack_struct {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn pack(&self, bytes: &mut Vec<u8>) {
                $(self.$field.pack(bytes);)*
            }

            fn unpack(reader: &mut $crate::pack::Reader<'_>) -> Self {
                Self { $($field: $crate::pack::Pack::unpack(reader)),* }
            }
        }
    };
}

/// Packs an enum without fields as one byte.
macro_rules! pack_enum {
    ($name:ty { $first:ident = $zero:literal, $($variant:ident = $number:literal),* $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn pack(&self, bytes: &mut Vec<u8>) {
                bytes.push(match self { Self::$first => $zero, $(Self::$variant => $number),* });
            }

            fn unpack(reader: &mut $crate::pack::Reader<'_>) -> Self {
                match u8::unpack(reader) {
                    $($number => Self::$variant,)*
                    byte => {
                        if byte != $zero {
                            reader.damaged();
                        }
                        Self::$first
                    }
                }
            }
        }
    };
}

pub(crate) use {pack_enum, pack_struct};

impl Pack for u8 {
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push(*self);
    }

    #[inline(always)]
    fn unpack(reader: &mut Reader<'_>) -> u8 {
        let Some((first, rest)) = reader.bytes.split_first() else {
            reader.damaged();
            return 0;
        };
        reader.bytes = rest;
        *first
    }
}

impl Pack for bool {
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn unpack(reader: &mut Reader<'_>) -> bool {
        let byte = u8::unpack(reader);
        if byte > 1 {
            reader.damaged();
        }
        byte == 1
    }
}

impl Pack for u32 {
    /// Seven bits a byte: most numbers are small.
    fn pack(&self, bytes: &mut Vec<u8>) {
        let mut rest = *self;
        while rest >= 0x80 {
            bytes.push(rest as u8 | 0x80);
            rest >>= 7;
        }
        bytes.push(rest as u8);
    }

    fn unpack(reader: &mut Reader<'_>) -> u32 {
        let (mut value, mut shift) = (0, 0);
        while shift < u32::BITS {
            let byte = u8::unpack(reader);
            value |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return value;
            }
            shift += 7;
        }
        reader.damaged();
        value
    }
}

impl Pack for u64 {
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }

    fn unpack(reader: &mut Reader<'_>) -> u64 {
        reader.take(8).first_chunk().copied().map_or(0, u64::from_le_bytes)
    }
}

impl Pack for f64 {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.to_bits().pack(bytes);
    }

    fn unpack(reader: &mut Reader<'_>) -> f64 {
        f64::from_bits(u64::unpack(reader))
    }
}

impl Pack for String {
    fn pack(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).pack(bytes);
        bytes.extend_from_slice(self.as_bytes());
    }

    fn unpack(reader: &mut Reader<'_>) -> String {
        let length = u32::unpack(reader) as usize;
        let Ok(text) = std::str::from_utf8(reader.take(length)) else {
            reader.damaged();
            return String::new();
        };
        text.to_owned()
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).pack(bytes);
        self.iter().for_each(|item| item.pack(bytes));
    }

    fn unpack(reader: &mut Reader<'_>) -> Vec<T> {
        let length = u32::unpack(reader);
        // A damaged length must not allocate.
        let mut items = Vec::with_capacity(length.min(4) as usize);
        for _ in 0..length {
            items.push(T::unpack(reader));
            if reader.is_damaged {
                break;
            }
        }
        items
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.is_some().pack(bytes);
        self.iter().for_each(|value| value.pack(bytes));
    }

    fn unpack(reader: &mut Reader<'_>) -> Option<T> {
        bool::unpack(reader).then(|| T::unpack(reader))
    }
}

impl<A: Pack, B: Pack> Pack for (A, B) {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.0.pack(bytes);
        self.1.pack(bytes);
    }

    fn unpack(reader: &mut Reader<'_>) -> (A, B) {
        (A::unpack(reader), B::unpack(reader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Sample {
        numbers: Vec<u32>,
        text: Option<String>,
        share: f64,
        print: u64,
        flag: bool,
    }
    pack_struct!(Sample { numbers, text, share, print, flag });

    #[test]
    fn a_value_comes_back_and_damaged_bytes_do_not() {
        let sample = Sample { numbers: vec![0, 127, 128, u32::MAX], text: Some("é😀".into()), share: -0.5, print: u64::MAX, flag: true };
        let bytes = to_bytes(&sample);
        assert_eq!(from_bytes::<Sample>(&bytes), Some(sample));
        for length in 0..bytes.len() {
            assert_eq!(from_bytes::<Sample>(&bytes[..length]), None, "cut to {length}");
        }
        assert_eq!(from_bytes::<Vec<u32>>(&[0xff, 0xff, 0xff, 0xff, 0x0f]), None);
    }
}
