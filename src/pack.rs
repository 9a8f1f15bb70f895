//! Packs plain values into bytes and back: entries that JavaScript keeps, and the state. Positional, so the version lives with the user.
//! Not serde: derived readers and writers of these few structs were 15 KB of the download after compression, this is 3.

/// A value that can be packed. `unpack` gives back what `pack` wrote, or `None` for bytes that no `pack` wrote.
pub trait Pack: Sized {
    /// Appends the value.
    fn pack(&self, bytes: &mut Vec<u8>);
    /// Takes the value from the front.
    fn unpack(bytes: &mut &[u8]) -> Option<Self>;
}

/// The value as bytes.
pub fn to_bytes<T: Pack>(value: &T) -> Vec<u8> {
    let mut bytes = Vec::new();
    value.pack(&mut bytes);
    bytes
}

/// The value of these bytes, all of them.
pub fn from_bytes<T: Pack>(mut bytes: &[u8]) -> Option<T> {
    T::unpack(&mut bytes).filter(|_| bytes.is_empty())
}

/// Packs a struct as its fields, in order.
macro_rules! pack_struct {
    ($name:ty { $($field:ident),* $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn pack(&self, bytes: &mut Vec<u8>) {
                $(self.$field.pack(bytes);)*
            }

            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: $crate::pack::Pack::unpack(bytes)?),* })
            }
        }
    };
}

/// Packs an enum without fields as one byte.
macro_rules! pack_enum {
    ($name:ty { $($variant:ident = $number:literal),* $(,)? }) => {
        impl $crate::pack::Pack for $name {
            fn pack(&self, bytes: &mut Vec<u8>) {
                bytes.push(match self { $(Self::$variant => $number),* });
            }

            fn unpack(bytes: &mut &[u8]) -> Option<Self> {
                match u8::unpack(bytes)? {
                    $($number => Some(Self::$variant),)*
                    _ => None,
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
    fn unpack(bytes: &mut &[u8]) -> Option<u8> {
        let (first, rest) = bytes.split_first()?;
        *bytes = rest;
        Some(*first)
    }
}

impl Pack for bool {
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.push(u8::from(*self));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<bool> {
        u8::unpack(bytes).filter(|byte| *byte < 2).map(|byte| byte == 1)
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

    fn unpack(bytes: &mut &[u8]) -> Option<u32> {
        let (mut value, mut shift) = (0u32, 0);
        loop {
            let byte = u8::unpack(bytes)?;
            value |= u32::from(byte & 0x7f).checked_shl(shift)?;
            if byte < 0x80 {
                return Some(value);
            }
            shift += 7;
        }
    }
}

impl Pack for u64 {
    fn pack(&self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }

    fn unpack(bytes: &mut &[u8]) -> Option<u64> {
        let (first, rest) = bytes.split_first_chunk::<8>()?;
        *bytes = rest;
        Some(u64::from_le_bytes(*first))
    }
}

impl Pack for f64 {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.to_bits().pack(bytes);
    }

    fn unpack(bytes: &mut &[u8]) -> Option<f64> {
        u64::unpack(bytes).map(f64::from_bits)
    }
}

impl Pack for String {
    fn pack(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).pack(bytes);
        bytes.extend_from_slice(self.as_bytes());
    }

    fn unpack(bytes: &mut &[u8]) -> Option<String> {
        let length = u32::unpack(bytes)? as usize;
        let (text, rest) = bytes.split_at_checked(length)?;
        *bytes = rest;
        std::str::from_utf8(text).ok().map(str::to_owned)
    }
}

impl<T: Pack> Pack for Vec<T> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        (self.len() as u32).pack(bytes);
        self.iter().for_each(|item| item.pack(bytes));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Vec<T>> {
        let length = u32::unpack(bytes)?;
        // A damaged length must not allocate.
        let mut items = Vec::with_capacity(length.min(4) as usize);
        for _ in 0..length {
            items.push(T::unpack(bytes)?);
        }
        Some(items)
    }
}

impl<T: Pack> Pack for Option<T> {
    fn pack(&self, bytes: &mut Vec<u8>) {
        self.is_some().pack(bytes);
        self.iter().for_each(|value| value.pack(bytes));
    }

    fn unpack(bytes: &mut &[u8]) -> Option<Option<T>> {
        if bool::unpack(bytes)? { T::unpack(bytes).map(Some) } else { Some(None) }
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
