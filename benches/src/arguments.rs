//! Command-line arguments: what to measure, and `key=value` options.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, Read};

use ndarray::Array2;

pub type Failure = Box<dyn std::error::Error>;

pub struct Arguments {
    work: String,
    values: HashMap<String, String>,
}

impl Arguments {
    pub fn parse(mut words: impl Iterator<Item = String>) -> Result<Self, Failure> {
        let work = words.next().ok_or("usage: measure product|mean|select key=value ...")?;
        let pair = |word: String| match word.split_once('=') {
            Some((key, value)) => Ok((key.to_owned(), value.to_owned())),
            None => Err(format!("{word} is not of the form key=value")),
        };
        Ok(Arguments { work, values: words.map(pair).collect::<Result<_, _>>()? })
    }

    pub fn work(&self) -> &str {
        &self.work
    }

    pub fn text(&self, key: &str) -> Result<&str, Failure> {
        self.values.get(key).map(String::as_str).ok_or_else(|| format!("{key}=... is missing").into())
    }

    pub fn number(&self, key: &str) -> Result<usize, Failure> {
        Ok(self.text(key)?.parse()?)
    }

    pub fn real(&self, key: &str) -> Result<f64, Failure> {
        Ok(self.text(key)?.parse()?)
    }

    /// Reads the `rows` × `columns` matrix in `file`.
    pub fn rows<T: Raw>(&self) -> Result<Array2<T>, Failure> {
        let shape = (self.number("rows")?, self.number("columns")?);
        let mut file = BufReader::with_capacity(1 << 20, File::open(self.text("file")?)?);
        // Buffered, because the bytes of the whole file would count towards peak memory.
        let mut values = Vec::with_capacity(shape.0 * shape.1);
        let mut bytes = [0; 4];
        while values.len() < shape.0 * shape.1 {
            file.read_exact(&mut bytes)?;
            values.push(T::of(f32::from_le_bytes(bytes)));
        }
        Ok(Array2::from_shape_vec(shape, values)?)
    }
}

/// A number converted from f32, the type in the files.
pub trait Raw {
    fn of(value: f32) -> Self;
}

impl Raw for f32 {
    fn of(value: f32) -> Self {
        value
    }
}

impl Raw for f64 {
    fn of(value: f32) -> Self {
        f64::from(value)
    }
}
