//! The source, or its rows of each class, with what all explanations from it share.

use std::collections::HashMap;

use crate::baseline::SourceDistances;
use crate::distinct::first_equal_rows;
use crate::kernel::Kernel;
use crate::rows::{Rows, Scalar};

/// The source as one group, or as one for each class.
pub(super) struct SourceGroups<'a, T: Scalar> {
    groups: Vec<SourceGroup<'a, T>>,
    /// The group of each class; `None` if classes do not matter.
    places: Option<HashMap<usize, usize>>,
}

/// Rows that a row may be explained by.
pub(super) struct SourceGroup<'a, T: Scalar> {
    /// The source row of each, ascending; `None` if the group is the whole source.
    numbers: Option<Vec<usize>>,
    /// Their values.
    values: GroupValues<'a, T>,
    /// For each row, the first with the same values.
    firsts: Vec<usize>,
    /// For each row that is the first of several copies, the second of them.
    seconds: HashMap<usize, usize>,
}

enum GroupValues<'a, T: Scalar> {
    Borrowed(Rows<'a, T>),
    Owned { values: Vec<T>, n_columns: usize },
}

impl<'a, T: Scalar> SourceGroups<'a, T> {
    pub(super) fn new(source: Rows<'a, T>, labels: Option<&[usize]>) -> Self {
        let Some(labels) = labels else {
            return SourceGroups { groups: vec![SourceGroup::new(None, GroupValues::Borrowed(source))], places: None };
        };
        let mut places: HashMap<usize, usize> = HashMap::new();
        let mut members: Vec<Vec<usize>> = Vec::new();
        for (row, label) in labels.iter().enumerate() {
            let place = *places.entry(*label).or_insert(members.len());
            if place == members.len() {
                members.push(Vec::new());
            }
            members[place].push(row);
        }
        let group = |numbers: Vec<usize>| {
            let values = numbers.iter().flat_map(|row| source.row(*row)).copied().collect();
            SourceGroup::new(Some(numbers), GroupValues::Owned { values, n_columns: source.n_columns() })
        };
        SourceGroups { groups: members.into_iter().map(group).collect(), places: Some(places) }
    }

    /// The distances from the rows of each group, with what they need of each source row.
    pub(super) fn distances<'g>(&'g self, kernel: &'g dyn Kernel<T>) -> Vec<SourceDistances<'g, T>> {
        self.groups.iter().map(|group| SourceDistances::new(kernel, group.rows())).collect()
    }

    /// The place of the group that a row of this class may be explained by; `None` if there is none.
    pub(super) fn place_of(&self, label: Option<usize>) -> Option<usize> {
        match (&self.places, label) {
            (Some(places), Some(label)) => places.get(&label).copied(),
            _ => Some(0),
        }
    }

    /// The group at a place.
    pub(super) fn group(&self, place: usize) -> &SourceGroup<'a, T> {
        &self.groups[place]
    }
}

impl<'a, T: Scalar> SourceGroup<'a, T> {
    fn new(numbers: Option<Vec<usize>>, values: GroupValues<'a, T>) -> Self {
        let firsts = first_equal_rows(values.rows());
        let mut seconds = HashMap::new();
        for (row, &first) in firsts.iter().enumerate().filter(|(row, first)| *row != **first) {
            seconds.entry(first).or_insert(row);
        }
        SourceGroup { numbers, values, firsts, seconds }
    }

    pub(super) fn rows(&self) -> Rows<'_, T> {
        self.values.rows()
    }

    /// The source row of a row of the group.
    pub(super) fn source_row(&self, row: usize) -> usize {
        self.numbers.as_ref().map_or(row, |numbers| numbers[row])
    }

    /// For each row, whether it may be chosen: it is the first of its copies and not the source row `own`.
    pub(super) fn candidates_without(&self, own: Option<usize>) -> Vec<bool> {
        let mut is_candidate: Vec<bool> = self.firsts.iter().enumerate().map(|(row, first)| row == *first).collect();
        let own = own.and_then(|own| match &self.numbers {
            None => Some(own),
            Some(numbers) => numbers.binary_search(&own).ok(),
        });
        if let Some(own) = own.filter(|own| is_candidate[*own]) {
            is_candidate[own] = false;
            self.seconds.get(&own).into_iter().for_each(|second| is_candidate[*second] = true);
        }
        is_candidate
    }
}

/// The distance of a row from the nearest candidate.
pub(super) fn nearest_distance<T: Scalar>(distances: &SourceDistances<'_, T>, row: &[T], is_candidate: &[bool]) -> f64 {
    let distances = distances.to_each_of(&[row]).concat();
    let of_candidates = distances.into_iter().zip(is_candidate).filter(|(_, is_candidate)| **is_candidate);
    of_candidates.map(|(distance, _)| distance).fold(f64::INFINITY, f64::min)
}

impl<T: Scalar> GroupValues<'_, T> {
    fn rows(&self) -> Rows<'_, T> {
        match self {
            GroupValues::Borrowed(rows) => *rows,
            GroupValues::Owned { values, n_columns } => Rows::new(values, *n_columns),
        }
    }
}
