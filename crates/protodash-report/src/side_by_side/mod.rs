//! The page of two selections from the same table, or from two tables whose rows have ids, side by side.

mod curves;
mod differences;
mod distributions;
mod findings;
mod rows;
mod weights;

use std::collections::BTreeMap;

use serde::Serialize;

use crate::document::{PrototypeRecord, SelectionDocument};
use crate::error::{Error, Result};
use crate::gather::file_name;
use crate::html::Html;
use crate::image::Images;
use crate::row::Row;
use crate::section::{write_contents, write_meanings};
use crate::selection::ColumnDistribution;
use crate::typical::Column;

pub(crate) use findings::{notes, side_by_side_findings};

/// What the selections are called on the page.
pub(crate) const NAMES: [&str; 2] = ["A", "B"];

/// Two selections from the same table, and what their data add. Empty parts are omitted.
///
/// # Examples
///
/// ```
/// use protodash_report::{SelectionDocument, SideBySidePage};
///
/// let first = SelectionDocument::example();
/// let second = first.prefix(1).expect("the run has two");
/// let page = SideBySidePage::new([first, second])?;
/// assert_eq!(page.rows.len(), 2);
/// # Ok::<(), protodash_report::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SideBySidePage {
    /// The selections.
    pub documents: [SelectionDocument; 2],
    /// The rows that have a weight in one of them, by number.
    pub rows: BTreeMap<u64, Row>,
    /// The columns, one for each cell of a row.
    pub columns: Vec<Column>,
    /// The names of the shown columns, one for each shown text of a row.
    pub shown: Vec<String>,
    /// The images that rows refer to.
    pub images: Images,
    /// The columns among the rows to represent and among both selections; the places are those of the rows with weight of
    /// the first selection, then of the second.
    pub distributions: Vec<ColumnDistribution>,
}

/// A row with weight, and its record in each selection that has it.
struct ChosenRow<'a> {
    row: &'a Row,
    of: [Option<&'a PrototypeRecord>; 2],
}

impl ChosenRow<'_> {
    /// Its share of the weight of each selection.
    fn shares(&self) -> [f64; 2] {
        self.of.map(|record| record.map_or(0.0, |record| record.share))
    }

    fn is_shared(&self) -> bool {
        self.of.iter().all(Option::is_some)
    }
}

/// What the script needs: the rows whose cards can show all their columns.
#[derive(Serialize)]
pub(crate) struct SideBySideView<'a> {
    kind: &'static str,
    columns: Vec<[String; 2]>,
    prototypes: Vec<&'a Row>,
}

impl SideBySidePage {
    /// The page of two results without their data.
    ///
    /// # Errors
    ///
    /// [`Error::DifferentTables`] or [`Error::DifferentRows`] if the selections were not made from the same table, and not all
    /// of their rows have ids.
    ///
    /// # Examples
    ///
    /// See [`SideBySidePage`].
    pub fn new(documents: [SelectionDocument; 2]) -> Result<SideBySidePage> {
        SideBySidePage::matched(documents, &|_| None)
    }

    /// The page of two results; rows of another table than A's are those of A with the same id, whose number `row_of` knows.
    pub(crate) fn matched(
        mut documents: [SelectionDocument; 2],
        row_of: &dyn Fn(&str) -> Option<u64>,
    ) -> Result<SideBySidePage> {
        if are_matched_by_id(&documents) {
            let [first, second] = &mut documents;
            use_numbers_of(first, second, row_of);
        } else {
            check(&documents)?;
        }
        let mut rows: BTreeMap<u64, Row> = BTreeMap::new();
        for (_, found) in documents.iter().flat_map(SelectionDocument::weighted) {
            let row = rows.entry(found.source_index).or_default();
            row.index = found.source_index % OF_OTHER_TABLE;
            row.id = row.id.take().or_else(|| found.id.clone());
            row.label = row.label.take().or_else(|| found.label.clone());
        }
        let (columns, shown, images, distributions) = (Vec::new(), Vec::new(), Images::default(), Vec::new());
        Ok(SideBySidePage { documents, rows, columns, shown, images, distributions })
    }

    /// The rows with weight: the largest share in either selection first.
    fn chosen(&self) -> Vec<ChosenRow<'_>> {
        let by_row = |document: &'_ SelectionDocument| -> BTreeMap<u64, usize> {
            document.weighted().map(|(at, record)| (record.source_index, at)).collect()
        };
        let places = [by_row(&self.documents[0]), by_row(&self.documents[1])];
        let record = |side: usize, row: u64| Some(&self.documents[side].prototypes[*places[side].get(&row)?]);
        let chosen =
            self.rows.iter().map(|(number, row)| ChosenRow { row, of: [record(0, *number), record(1, *number)] });
        let mut chosen: Vec<ChosenRow<'_>> = chosen.collect();
        let largest = |one: &ChosenRow<'_>| one.shares()[0].max(one.shares()[1]);
        // The sort is stable: ties stay in the order of the table.
        chosen.sort_by(|one, other| largest(other).total_cmp(&largest(one)));
        chosen
    }

    /// Whether rows are images and nothing else, so that their cards can be small.
    fn is_gallery(&self) -> bool {
        !self.images.is_empty() && self.columns.is_empty() && self.shown.is_empty()
    }

    pub(crate) fn view(&self) -> SideBySideView<'_> {
        SideBySideView {
            kind: "side by side",
            columns: self.columns.iter().map(|column| [column.name.clone(), column.typical_text()]).collect(),
            prototypes: rows::with_cards(&self.chosen()).into_iter().flatten().map(|one| one.row).collect(),
        }
    }

    pub(crate) fn write(&self, html: &mut Html) {
        let chosen = self.chosen();
        if chosen.is_empty() {
            html.leaf("p", &[("class", "empty")], "Neither selection has prototypes.");
            return;
        }
        let has_shared = chosen.iter().any(ChosenRow::is_shared);
        let contents = [
            ("#differences", "Differences", true),
            ("#sizes", "How many prototypes", true),
            ("#rows", "Rows", true),
            ("#weights", "Weights", has_shared),
            ("#distributions", "Distributions", !self.distributions.is_empty()),
            ("#table", "Table", true),
            ("#reading", "How to read this", true),
        ];
        let contents = contents.into_iter().filter(|(_, _, there)| *there).map(|(place, name, _)| (place, name));
        write_contents(html, &contents.collect::<Vec<_>>());
        differences::write(html, &self.documents);
        curves::write(html, &self.documents);
        rows::write(html, self, &chosen);
        weights::write(html, &chosen);
        distributions::write(html, self);
        weights::write_table(html, self, &chosen);
        self.write_meanings(html);
    }

    fn write_meanings(&self, html: &mut Html) {
        let mut meanings = vec![
            (
                "explained",
                "1 − MMD² / ‖μ‖²: the share of the target’s kernel mean embedding that the weighted prototypes reproduce. It \
                 depends on the kernel, its bandwidth and the scale of the columns: compare it only between selections \
                 that have these and the target in common."
                    .to_owned(),
            ),
            (
                "compared with random rows",
                "By how much the rows are nearer to a prototype than to the nearest of the same number of random rows, on \
                 average. It is measured in the features and not by the kernel, so it can be compared between kernels and \
                 bandwidths."
                    .to_owned(),
            ),
            ("of weight", "A row’s weight divided by the sum of all weights of its selection.".to_owned()),
        ];
        if !self.distributions.is_empty() {
            meanings.push((
                "apart",
                "How much a column differs between the weighted prototypes of A and those of B, from 0 to 100 %: for numbers, \
                 the largest gap between their cumulative shares at the edge of a bar; for categories, the share of weight \
                 in another category."
                    .to_owned(),
            ));
        }
        write_meanings(html, &meanings);
    }
}

/// Rows of B that A's table does not have are numbered from here on.
const OF_OTHER_TABLE: u64 = 1 << 48;

/// Whether the selections are from different files, and all rows have ids.
pub(crate) fn are_matched_by_id([first, second]: &[SelectionDocument; 2]) -> bool {
    let is_other = file_name(&first.data.source) != file_name(&second.data.source);
    let in_memory = first.data.is_in_memory() || second.data.is_in_memory();
    let has_ids = |document: &SelectionDocument| document.prototypes.iter().all(|found| found.id.is_some());
    is_other && !in_memory && has_ids(first) && has_ids(second)
}

/// Gives the rows of the second selection the numbers that rows with their ids have in the table of the first.
fn use_numbers_of(first: &SelectionDocument, second: &mut SelectionDocument, row_of: &dyn Fn(&str) -> Option<u64>) {
    let known: BTreeMap<&str, u64> =
        first.prototypes.iter().filter_map(|found| Some((found.id.as_deref()?, found.source_index))).collect();
    for found in &mut second.prototypes {
        let id = found.id.as_deref().unwrap_or_default();
        let number = known.get(id).copied().or_else(|| row_of(id));
        found.source_index = number.unwrap_or(OF_OTHER_TABLE + found.source_index);
    }
}

/// Rejects selections from different tables.
fn check([first, second]: &[SelectionDocument; 2]) -> Result<()> {
    let different =
        |first: &str, second: &str| Error::DifferentTables { first: first.to_owned(), second: second.to_owned() };
    let (one, other) = (file_name(&first.data.source), file_name(&second.data.source));
    // A table in memory may have been read from any file.
    if one != other && !first.data.is_in_memory() && !second.data.is_in_memory() {
        return Err(different(&one, &other));
    }
    // Fixed rows of another file are numbered after those of the table.
    if let (Some(one), Some(other)) = (&first.data.fixed, &second.data.fixed)
        && file_name(one) != file_name(other)
    {
        return Err(different(
            &format!("{} with {one}", first.data.source),
            &format!("{} with {other}", second.data.source),
        ));
    }
    if first.data.id != second.data.id {
        return Ok(());
    }
    let ids: BTreeMap<u64, &String> =
        first.prototypes.iter().filter_map(|found| Some((found.source_index, found.id.as_ref()?))).collect();
    for found in &second.prototypes {
        let (Some(one), Some(other)) = (ids.get(&found.source_index), &found.id) else { continue };
        if *one != other {
            return Err(Error::DifferentRows { row: found.source_index, first: (*one).clone(), second: other.clone() });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_different_tables_are_not_compared() {
        let first = SelectionDocument::example();
        let message = |second: SelectionDocument| {
            SideBySidePage::new([first.clone(), second]).map(|_| ()).unwrap_err().to_string()
        };
        let mut other = first.clone();
        other.data.source = "else/where.csv".to_owned();
        // Without ids, nothing says which rows are the same.
        other.prototypes.iter_mut().for_each(|found| found.id = None);
        assert_eq!(
            message(other.clone()),
            "A was chosen from people.csv, B from where.csv: rows can be compared only within the same table"
        );
        // A table in memory has no name, and a moved file has the same.
        for name in ["table", "moved/people.csv"] {
            other.data.source = name.to_owned();
            assert!(SideBySidePage::new([first.clone(), other.clone()]).is_ok());
        }
        other.prototypes.clone_from(&first.prototypes);
        other.prototypes[0].id = Some("Zoe".to_owned());
        assert!(message(other).starts_with("row 3 is \"Dan\" in A and \"Zoe\" in B: "));
    }

    #[test]
    fn rows_of_different_tables_are_matched_by_id() {
        let first = SelectionDocument::example();
        let mut second = first.clone();
        second.data.source = "next_year.csv".to_owned();
        let ids: Vec<String> = first.prototypes.iter().filter_map(|found| found.id.clone()).collect();
        // The first row has moved, and the second is another one.
        second.prototypes[0].source_index = 77;
        second.prototypes[1].id = Some("Zoe".to_owned());
        let found = |row_of: &dyn Fn(&str) -> Option<u64>| {
            let page = SideBySidePage::matched([first.clone(), second.clone()], row_of).unwrap();
            let rows =
                page.chosen().iter().map(|one| (one.row.id.clone().unwrap(), one.is_shared())).collect::<Vec<_>>();
            (rows, page.rows.values().map(|row| row.index).collect::<Vec<_>>())
        };
        let (mut rows, numbers) = found(&|_| None);
        rows.sort();
        let mut expected = vec![(ids[0].clone(), true), (ids[1].clone(), false), ("Zoe".to_owned(), false)];
        expected.sort();
        assert_eq!(rows, expected);
        // A row that only B has keeps its own number.
        assert_eq!(numbers.last(), Some(&first.prototypes[1].source_index));
        assert_eq!(found(&|id| (id == "Zoe").then_some(9)).1.last(), Some(&9));
    }

    #[test]
    fn rows_are_matched_by_number_and_those_without_weight_are_left_out() {
        let first = SelectionDocument::example();
        let mut second = first.clone();
        second.prototypes[0].weight = 0.0;
        second.prototypes[0].share = 0.0;
        let page = SideBySidePage::new([first.clone(), second]).unwrap();
        let chosen = page.chosen();
        let found: Vec<(u64, bool)> = chosen.iter().map(|one| (one.row.index, one.is_shared())).collect();
        // Both have half of the weight in A, so they are in the order of the table.
        assert_eq!(found, [(first.prototypes[1].source_index, true), (first.prototypes[0].source_index, false)]);
    }
}
