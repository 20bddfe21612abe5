//! The page of a selection: what the result says, and what the data add to it if they are there.

use protodash::{Prototype as Chosen, RepresentationPath, Role};
use protodash_report::{
    Attachment, Bandwidths, Body, Class, Criticism, Prototype, Report, Row, SelectionPage, ShiftedFeature,
    TriedBandwidth, examples,
};

use super::cells::Cells;
use super::columns::{Describe, Known as KnownColumn, Summarise};
use super::follow::Follow;
use super::map::{Marked, map};
use super::pictures::{pictures, shape};
use super::{attachment_name, file_name, settings, text};
use crate::args::ImageShape;
use crate::data::Data;
use crate::error::Failure;
use crate::json::Document;
use crate::progress::Progress;
use crate::terminal::{self, Asked};

/// Rows of each prototype that are shown: pictures take little room.
const EXAMPLES: usize = 3;
const EXAMPLE_PICTURES: usize = 6;
/// Cells of one page at most; of wider tables only the columns that set a row apart are shown.
const MOST_CELLS: usize = 400_000;
/// Columns of a row that may set it apart.
const TELLING: usize = 6;

/// What is known beside the result.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    /// The data that the selection was made from, with the prototypes in rows of the matrix.
    pub(crate) data: Option<(&'a Data, &'a [Chosen])>,
    /// The shape of rows that are images, if it was given.
    pub(crate) image_shape: Option<ImageShape>,
    /// What the sentence has to know.
    pub(crate) asked: Asked,
}

/// The page of a selection.
pub(crate) fn selection_report(
    document: &Document,
    known: Known<'_>,
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let mut page = of_result(document, known.asked);
    let mut missing = Vec::new();
    match known.data {
        None => missing.push(
            "the values of the rows, their pictures, examples, the rows that each prototype stood for at smaller sizes \
             and the map: they are in the data, not in the result; `protodash report RESULT.json SOURCE` adds them"
                .to_owned(),
        ),
        Some((data, prototypes)) => {
            Gathering { document, data, prototypes, progress }.add(&mut page, known.image_shape, &mut missing)?;
        }
    }
    let mut report = Report::new(title(document), Body::Selection(Box::new(page)));
    report.lead.push(terminal::selection_sentence(document, known.asked));
    report.settings = settings::of_selection(document);
    report.missing = missing;
    let name = attachment_name(&document.data.source, "prototypes");
    report.result = Some(Attachment { name, json: text(|writer| document.write(writer))? });
    Ok(report)
}

fn title(document: &Document) -> String {
    let source = file_name(&document.data.source);
    match &document.data.target {
        Some(target) => format!("Rows of {source} that stand for {}", file_name(target)),
        None => format!("Prototypes of {source}"),
    }
}

/// What the result alone says.
fn of_result(document: &Document, asked: Asked) -> SelectionPage {
    let row = |index, id: &Option<String>, label: &Option<String>| Row {
        index,
        id: id.clone(),
        label: label.clone(),
        ..Row::default()
    };
    let prototype = |found: &crate::json::Prototype| Prototype {
        row: row(found.source_index, &found.id, &found.label),
        weight: found.weight,
        share: found.share,
        gain: found.gain,
        n_represented: found.n_represented,
        examples: Vec::new(),
    };
    let criticism = |found: &crate::json::Criticism| Criticism {
        row: row(found.source_index.or(found.target_index).unwrap_or(0), &found.id, &found.label),
        score: found.score,
    };
    let part = document.explained.filter(|_| document.objective_final != 0.0);
    let explained = part.map(|explained| explained / document.objective_final);
    SelectionPage {
        prototypes: document.prototypes.iter().map(prototype).collect(),
        objective: document.objective.clone(),
        explained: explained.map_or_else(Vec::new, |factor| document.objective.iter().map(|f| f * factor).collect()),
        n_target: document.n_target,
        target_noun: if asked.own_target { "target rows" } else { "rows" }.to_owned(),
        criticisms_sentence: capital(&terminal::criticisms_sentence(document)),
        criticisms: document.criticisms.iter().map(criticism).collect(),
        classes: classes(document),
        shift: shift(document),
        shift_sentence: document
            .covariate_shift
            .as_ref()
            .map_or_else(String::new, |shift| capital(&terminal::shift_sentence(document, shift))),
        bandwidths: bandwidths(document),
        ..SelectionPage::default()
    }
}

/// The sentence as one of a text.
fn capital(sentence: &str) -> String {
    let mut signs = sentence.chars();
    let first: String = signs.next().map_or_else(String::new, |sign| sign.to_uppercase().collect());
    if sentence.is_empty() { first } else { format!("{first}{}.", signs.as_str()) }
}

fn classes(document: &Document) -> Vec<Class> {
    let class = |class: &crate::json::Class| Class {
        label: class.label.clone(),
        share: class.share,
        n_target: class.n_target,
        n_source: class.n_source,
        n_prototypes: class.n_prototypes,
    };
    document.per_label.as_ref().map_or_else(Vec::new, |per_label| per_label.classes.iter().map(class).collect())
}

fn shift(document: &Document) -> Vec<ShiftedFeature> {
    let feature = |feature: &crate::json::ShiftedFeature| ShiftedFeature {
        feature: feature.feature.clone(),
        source_mean: feature.source_mean,
        weighted_mean: feature.weighted_mean,
        target_mean: feature.target_mean,
        difference_before: feature.difference_before,
        difference_after: feature.difference_after,
    };
    document.covariate_shift.as_ref().map_or_else(Vec::new, |shift| shift.features.iter().map(feature).collect())
}

fn bandwidths(document: &Document) -> Option<Bandwidths> {
    let tried = document.kernel.cross_validation.as_ref()?;
    let error = tried.criterion == "error";
    Some(Bandwidths {
        sentence: terminal::bandwidth_sentence(document).map_or_else(String::new, |sentence| capital(&sentence)),
        score_name: if error { "1-NN error" } else { "mean distance from the nearest prototype" }.to_owned(),
        chosen: document.kernel.bandwidth.unwrap_or(1.0),
        curve: tried
            .curve
            .iter()
            .map(|point| TriedBandwidth { bandwidth: point.bandwidth, score: point.score })
            .collect(),
    })
}

/// A result with its data, on the way to a page.
struct Gathering<'a, 'p> {
    document: &'a Document,
    data: &'a Data,
    prototypes: &'a [Chosen],
    progress: &'p mut Progress,
}

impl Gathering<'_, '_> {
    /// Adds what the data say.
    fn add(
        mut self,
        page: &mut SelectionPage,
        image_shape: Option<ImageShape>,
        missing: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let path = self.follow()?;
        let role = self.criticism_role();
        let criticisms = self.in_matrix(role, page.criticisms.iter().map(|criticism| criticism.row.index));
        let prototypes: Vec<usize> = self.prototypes.iter().map(|prototype| prototype.source_index).collect();
        let marked = Marked { prototypes: &prototypes, criticisms: (&criticisms, role) };
        match map(self.data, &marked, &path.nearest, self.document.seed, self.progress)? {
            Ok(map) => page.map = Some(map),
            Err(reason) => missing.push(reason),
        }
        if self.data.features.is_empty() {
            missing.push("values of rows: a kernel matrix does not hold them".to_owned());
        }
        let shape = shape(self.data, image_shape);
        self.add_rows(page, &path, (criticisms, role), shape, missing)?;
        page.n_represented = path.n_represented;
        Ok(())
    }

    fn follow(&mut self) -> Result<RepresentationPath, Failure> {
        let job = Follow {
            prototypes: self.prototypes,
            weights_path: &self.document.weights_path,
            progress: &mut *self.progress,
        };
        let path = self.data.matrices.run(job).map_err(|error| self.data.failure(error))?;
        self.progress.clear();
        Ok(path)
    }

    fn criticism_role(&self) -> Role {
        let among_target = self.document.criticisms.iter().any(|criticism| criticism.target_index.is_some());
        if among_target { Role::Target } else { Role::Source }
    }

    /// Rows of the file as rows of the matrix, whose numbers rise from row to row.
    fn in_matrix(&self, role: Role, numbers: impl Iterator<Item = u64>) -> Vec<usize> {
        let known = &self.data.rows(role).numbers;
        numbers.filter_map(|number| known.binary_search(&number).ok()).collect()
    }

    /// Adds cells, pictures and examples.
    fn add_rows(
        &mut self,
        page: &mut SelectionPage,
        path: &RepresentationPath,
        (criticisms, role): (Vec<usize>, Role),
        shape: Option<ImageShape>,
        missing: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let data = self.data;
        let n_examples = if shape.is_some() { EXAMPLE_PICTURES } else { EXAMPLES };
        // A prototype is no example of itself.
        let chosen: std::collections::HashSet<usize> =
            self.prototypes.iter().filter(|_| data.target.is_none()).map(|prototype| prototype.source_index).collect();
        let n_prototypes = page.prototypes.len();
        let examples = examples(&path.nearest, &path.distances, n_prototypes, n_examples, |row| chosen.contains(&row));
        let named = |role: Role, row: usize| (row, data.rows(role).numbers[row]);
        let mut rows: Vec<(Role, (usize, u64))> = Vec::new();
        rows.extend(
            self.prototypes.iter().map(|prototype| (Role::Source, named(Role::Source, prototype.source_index))),
        );
        rows.extend(criticisms.iter().map(|row| (role, named(role, *row))));
        rows.extend(examples.iter().flatten().map(|row| (Role::Target, named(Role::Target, *row))));
        let mut made: Vec<Row> = rows.iter().map(|(role, (row, _))| self.named_row(*role, *row)).collect();
        if !data.features.is_empty() {
            self.fill(page, &rows, &mut made, shape, missing)?;
        }
        let mut made = made.into_iter();
        page.prototypes.iter_mut().zip(&mut made).for_each(|(prototype, row)| prototype.row = row);
        page.criticisms
            .iter_mut()
            .zip(made.by_ref().take(criticisms.len()))
            .for_each(|(criticism, row)| criticism.row = row);
        for (prototype, of_prototype) in page.prototypes.iter_mut().zip(&examples) {
            prototype.examples = made.by_ref().take(of_prototype.len()).collect();
        }
        Ok(())
    }

    fn named_row(&self, role: Role, row: usize) -> Row {
        let rows = self.data.rows(role);
        let entry = |values: &Option<Vec<String>>| values.as_ref().and_then(|values| values.get(row)).cloned();
        Row { index: rows.numbers[row], id: entry(&rows.ids), label: entry(&rows.labels), ..Row::default() }
    }

    /// Reads the rows from the files, and adds their pictures or their cells.
    fn fill(
        &mut self,
        page: &mut SelectionPage,
        rows: &[(Role, (usize, u64))],
        made: &mut [Row],
        shape: Option<ImageShape>,
        missing: &mut Vec<String>,
    ) -> Result<(), Failure> {
        let data = self.data;
        let of = |wanted: Role| rows.iter().filter(move |(role, _)| *role == wanted).map(|(_, (_, number))| *number);
        if let Some(shape) = shape {
            let cells = Cells::read(data, of(Role::Source).collect(), of(Role::Target).collect(), self.progress)?;
            let numbers: Vec<(Role, u64)> = rows.iter().map(|(role, (_, number))| (*role, *number)).collect();
            let found = pictures(data, shape, &cells, &numbers, &mut page.images);
            made.iter_mut().zip(found).for_each(|(row, image)| row.image = image);
            return Ok(());
        }
        let summary = self.progress.waiting("describing columns", || data.matrices.run(Summarise::of(data)));
        let summary = summary.map_err(|error| data.failure(error))?;
        let target_numbers = &data.rows(Role::Target).numbers;
        let frequent: Vec<Option<u64>> = summary.iter().map(|(_, row)| row.map(|row| target_numbers[row])).collect();
        let target: Vec<u64> = of(Role::Target).chain(frequent.iter().flatten().copied()).collect();
        let cells = Cells::read(data, of(Role::Source).collect(), target, self.progress)?;
        let mut columns: Vec<KnownColumn<'_>> = summary.into_iter().map(|(known, _)| known).collect();
        for (column, number) in columns.iter_mut().zip(&frequent) {
            let text = number.and_then(|number| cells.texts(Role::Target, column.name(), &[number]));
            text.into_iter().flatten().for_each(|text| column.with_level(&text));
        }
        for wanted in [Role::Source, Role::Target] {
            let places: Vec<usize> = (0..rows.len()).filter(|at| rows[*at].0 == wanted).collect();
            let of_side: Vec<(usize, u64)> = places.iter().map(|at| rows[*at].1).collect();
            let job = Describe { columns: &columns, cells: &cells, role: wanted, rows: &of_side };
            let described = data.matrices.run(job).map_err(|error| data.failure(error))?;
            places.into_iter().zip(described).for_each(|(at, cells)| made[at].cells = cells);
        }
        page.columns = columns.into_iter().map(|known| known.column).collect();
        keep_telling(page, made, missing);
        Ok(())
    }
}

/// Leaves out columns that set no row apart, where all of them would make the page too large.
fn keep_telling(page: &mut SelectionPage, rows: &mut [Row], missing: &mut Vec<String>) {
    let n_columns = page.columns.len();
    if n_columns * rows.len() <= MOST_CELLS {
        return;
    }
    let mut kept = vec![false; n_columns];
    for row in rows.iter() {
        let mut order: Vec<usize> = (0..row.cells.len()).collect();
        order.sort_by(|a, b| row.cells[*b].distance.total_cmp(&row.cells[*a].distance));
        order.into_iter().take(TELLING).for_each(|at| kept[at] = true);
    }
    let n_kept = kept.iter().filter(|kept| **kept).count();
    missing.push(format!(
        "{} of {n_columns} columns: none of them is among the {TELLING} in which a shown row differs most from what is \
         typical",
        n_columns - n_kept
    ));
    let mut flags = kept.iter();
    page.columns.retain(|_| flags.next().copied().unwrap_or(false));
    for row in rows {
        let mut flags = kept.iter();
        row.cells.retain(|_| flags.next().copied().unwrap_or(false));
    }
}
