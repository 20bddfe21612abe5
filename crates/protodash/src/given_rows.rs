//! Rows that are prototypes from the start, and rows that must not be chosen.

use crate::choice::Choice;
use crate::distinct::{first_equal_rows, first_of_equal_rows};
use crate::error::{Error, Result};
use crate::method_feature::MethodFeature;
use crate::params::Params;
use crate::rows::{Rows, Scalar};

/// The fixed and the excluded rows of a source.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct GivenRows<'a> {
    pub(crate) fixed: &'a [usize],
    pub(crate) exclude: &'a [usize],
}

impl Params {
    /// The fixed and the excluded rows.
    pub(crate) fn given_rows(&self) -> GivenRows<'_> {
        GivenRows { fixed: &self.fixed, exclude: &self.exclude }
    }

    /// The number of prototypes at the end of the run, fixed rows included.
    pub(crate) fn n_total(&self) -> Option<usize> {
        self.n_prototypes.map(|n_prototypes| n_prototypes.saturating_add(self.fixed.len()))
    }

    /// Checks fixed, excluded and resumed rows; returns the number of rows that can be chosen.
    pub(crate) fn check_given_rows(&self, n_source: usize) -> Result<usize> {
        let Params { fixed, exclude, resume, method, .. } = self;
        if fixed.is_empty() && exclude.is_empty() && resume.is_empty() {
            return Ok(n_source);
        }
        if !method.supports(MethodFeature::GivenRows) {
            return Err(Error::GivenRowsNotSupported { method: method.name() });
        }
        let mut is_taken = vec![false; n_source];
        for (name, rows) in [("fixed", fixed), ("resume", resume)] {
            for &row in rows {
                let Some(is_taken) = is_taken.get_mut(row) else {
                    return Err(Error::NoSuchRow { name, row, n_source });
                };
                if std::mem::replace(is_taken, true) {
                    return Err(Error::RepeatedRow { row });
                }
            }
        }
        let mut is_excluded = vec![false; n_source];
        for &row in exclude {
            match is_taken.get(row) {
                None => return Err(Error::NoSuchRow { name: "exclude", row, n_source }),
                Some(true) => return Err(Error::FixedAndExcluded { row }),
                Some(false) => is_excluded[row] = true,
            }
        }
        let n_excluded = is_excluded.iter().filter(|excluded| **excluded).count();
        match n_source - n_excluded - fixed.len() {
            0 => Err(Error::NothingToChoose { n_source, n_fixed: fixed.len(), n_excluded }),
            available => Ok(available),
        }
    }
}

impl GivenRows<'_> {
    /// For each row, whether it can be chosen: it is neither excluded nor equal to a fixed row or to an earlier candidate.
    ///
    /// A copy has the same gradient and gain as the first, which wins the tie, and adds nothing once that is a prototype.
    pub(crate) fn candidates<T: Scalar>(self, rows: Rows<'_, T>) -> Vec<bool> {
        if self.fixed.is_empty() && self.exclude.is_empty() {
            return first_of_equal_rows(rows);
        }
        let firsts = first_equal_rows(rows);
        let mut is_taken = vec![false; firsts.len()];
        self.fixed.iter().for_each(|row| is_taken[firsts[*row]] = true);
        let mut is_candidate = vec![true; firsts.len()];
        self.exclude.iter().for_each(|row| is_candidate[*row] = false);
        for (is_candidate, &first) in is_candidate.iter_mut().zip(&firsts) {
            *is_candidate = *is_candidate && !is_taken[first];
            is_taken[first] |= *is_candidate;
        }
        is_candidate
    }

    /// For each row, whether a method that may choose copies can choose it.
    pub(crate) fn choosable(self, n_rows: usize) -> Vec<bool> {
        let mut is_choosable = vec![true; n_rows];
        self.fixed.iter().chain(self.exclude).for_each(|row| is_choosable[*row] = false);
        is_choosable
    }

    /// The fixed rows, then those of `order` that can be chosen.
    pub(crate) fn first_fixed<'a>(
        self,
        n_rows: usize,
        order: impl Iterator<Item = usize> + 'a,
    ) -> Box<dyn Iterator<Item = usize> + 'a> {
        if self.fixed.is_empty() && self.exclude.is_empty() {
            return Box::new(order);
        }
        let (fixed, is_choosable) = (self.fixed.to_vec(), self.choosable(n_rows));
        Box::new(fixed.into_iter().chain(order.filter(move |row| is_choosable[*row])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_of_fixed_rows_are_no_candidates_and_those_of_excluded_rows_are() {
        // Rows 0 and 2 are equal, and so are 1, 3 and 5.
        let rows = [1.0, 2.0, 1.0, 2.0, 3.0, 2.0];
        let candidates =
            |fixed: &[usize], exclude: &[usize]| GivenRows { fixed, exclude }.candidates(Rows::new(&rows, 1));
        assert_eq!(candidates(&[], &[]), [true, true, false, false, true, false]);
        assert_eq!(candidates(&[2], &[]), [false, true, false, false, true, false]);
        assert_eq!(candidates(&[], &[0, 1, 3]), [false, false, true, false, true, true]);
        assert_eq!(candidates(&[5], &[1, 4]), [true, false, false, false, false, false]);
    }
}
