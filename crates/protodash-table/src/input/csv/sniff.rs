//! Guesses the separator of a CSV file from its first records.

use super::records::{Next, Records};

/// The candidate separators, those least likely inside a cell first.
///
/// The comma comes last because it is also a decimal mark (`1,5;2,5`) and ordinary punctuation.
const CANDIDATES: [u8; 4] = *b"\t;|,";

/// The number of records examined.
const N_RECORDS: usize = 100;

/// Returns the separator that splits `head` most evenly; a comma if no candidate splits its first record at all.
///
/// Evenness is the share of records with as many fields as the first. `complete` tells whether `head` is the whole file;
/// if not, the last record may be cut off and is ignored.
pub(crate) fn sniff_delimiter(head: &[u8], complete: bool) -> u8 {
    let mut best = (0.0, b',');
    for delimiter in CANDIDATES {
        let evenness = evenness(head, complete, delimiter);
        if evenness > best.0 {
            best = (evenness, delimiter);
        }
    }
    best.1
}

/// Returns the share of records with as many fields as the first, or 0 if the first has only one.
fn evenness(head: &[u8], complete: bool, delimiter: u8) -> f64 {
    let mut records = Records::new(head, delimiter);
    let mut counts = Vec::new();
    while counts.len() < N_RECORDS {
        match records.next() {
            Ok(Next::Record(record)) => counts.push(record.len()),
            _ => break,
        }
    }
    if !complete && counts.len() > 1 && counts.len() < N_RECORDS {
        counts.pop();
    }
    match counts.first() {
        None | Some(1) => 0.0,
        Some(first) => counts.iter().filter(|count| *count == first).count() as f64 / counts.len() as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sniff(text: &str) -> char {
        char::from(sniff_delimiter(text.as_bytes(), true))
    }

    #[test]
    fn each_candidate_is_found() {
        assert_eq!(sniff("a,b\n1,2\n"), ',');
        assert_eq!(sniff("a;b\n1;2\n"), ';');
        assert_eq!(sniff("a\tb\n1\t2\n"), '\t');
        assert_eq!(sniff("a|b\n1|2\n"), '|');
        assert_eq!(sniff("single\n1\n2\n"), ',');
    }

    #[test]
    fn decimal_commas_and_punctuation_do_not_mislead() {
        assert_eq!(sniff("1,5;2,5;3,0\n2,5;1,0;4,5\n"), ';');
        assert_eq!(sniff("name;text\na;one, two, three\nb;four\n"), ';');
        assert_eq!(sniff("name,text\na,\"x;y\"\nb,\"x|y\"\n"), ',');
    }

    #[test]
    fn ragged_files_keep_their_separator() {
        assert_eq!(sniff("a,b,c\n1,2\n3,4,5\n"), ',');
    }

    #[test]
    fn a_truncated_last_record_is_ignored() {
        // With the incomplete third record, the comma would split all three records in two.
        assert_eq!(sniff_delimiter(b"a;x,b;x\n1;x,2;x\n1;x,", false), b';');
    }
}
