//! The weights at every size: all of them in memory, those of the first sizes and of some later ones in a file.
//!
//! The weights of all sizes are quadratic in the number of prototypes: 3,000 prototypes would take 100 MB of JSON.

use std::borrow::Cow;

use super::SelectionDocument;

/// The weights of all sizes up to this one are written.
const WRITTEN_SIZES: usize = 500;

/// From there on, each size that is written is larger than the one before by one part in this many.
const STEPS: usize = 32;

impl SelectionDocument {
    /// The weights that the first `n_prototypes` had on their own; `None` if they are unknown.
    ///
    /// Files have those of every size up to 500 and of every size that is about 3 % larger than the one before.
    ///
    /// # Examples
    ///
    /// ```
    /// let document = protodash_report::SelectionDocument::example();
    /// assert_eq!(document.weights_at(1), Some(&[0.6][..]));
    /// assert_eq!((document.weights_at(0), document.weights_at(3)), (None, None));
    /// ```
    #[must_use]
    pub fn weights_at(&self, n_prototypes: usize) -> Option<&[f64]> {
        let dense = self.weights_path.get(n_prototypes.checked_sub(1)?);
        let found = dense.or_else(|| self.later_weights.iter().find(|weights| weights.len() == n_prototypes))?;
        Some(found).filter(|weights| weights.len() == n_prototypes).map(Vec::as_slice)
    }

    /// The weights of the written sizes, ascending; none if they do not fit the prototypes, as in a damaged file.
    pub(crate) fn written_weights(&self, n_prototypes: usize) -> Vec<&[f64]> {
        let fits = self.weights_path.len() <= n_prototypes
            && self.weights_path.iter().enumerate().all(|(at, weights)| weights.len() == at + 1);
        let sizes = self.written_sizes().into_iter().filter(|size| fits && *size <= n_prototypes);
        let mut weights: Vec<&[f64]> = sizes.filter_map(|size| self.weights_at(size)).collect();
        weights.dedup_by_key(|weights| weights.len());
        weights
    }

    /// The numbers of prototypes whose weights are known, ascending.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_report::SelectionDocument::example().sizes(), [1, 2]);
    /// ```
    #[must_use]
    pub fn sizes(&self) -> Vec<usize> {
        let later = self.later_weights.iter().map(Vec::len).filter(|size| *size > self.weights_path.len());
        (1..=self.weights_path.len()).chain(later).collect()
    }

    /// The sizes whose weights are in the written document.
    pub(crate) fn written_sizes(&self) -> Vec<usize> {
        self.as_written().sizes()
    }

    /// This document as it is written, with the weights of some sizes only if there are many.
    pub(super) fn as_written(&self) -> Cow<'_, SelectionDocument> {
        let n_sizes = self.weights_path.len();
        if n_sizes <= WRITTEN_SIZES {
            return Cow::Borrowed(self);
        }
        let mut later = self.later_weights.clone();
        later.extend(later_sizes(n_sizes).map(|size| self.weights_path[size - 1].clone()));
        later.sort_by_key(Vec::len);
        let first = self.weights_path[..WRITTEN_SIZES].to_vec();
        let rest = SelectionDocument { weights_path: Vec::new(), ..self.clone() };
        Cow::Owned(SelectionDocument { weights_path: first, later_weights: later, ..rest })
    }
}

/// The sizes beyond the first ones that are written; the last one always is.
fn later_sizes(n_sizes: usize) -> impl Iterator<Item = usize> {
    let next = move |size: &usize| Some((size + size / STEPS).min(n_sizes)).filter(|next| next > size);
    std::iter::successors(next(&WRITTEN_SIZES), next)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A run of this many prototypes, whose weights at size s are all s.
    fn long(n_prototypes: usize) -> SelectionDocument {
        let example = SelectionDocument::example();
        SelectionDocument {
            prototypes: vec![example.prototypes[0].clone(); n_prototypes],
            objective: (1..=n_prototypes).map(|size| size as f64).collect(),
            weights_path: (1..=n_prototypes).map(|size| vec![size as f64; size]).collect(),
            ..example
        }
    }

    #[test]
    fn a_long_run_is_written_in_space_that_grows_with_its_length() {
        let n_numbers = |n_prototypes: usize| {
            let written = long(n_prototypes).as_written().into_owned();
            written.weights_path.iter().chain(&written.later_weights).map(Vec::len).sum::<usize>()
        };
        assert_eq!(n_numbers(500), 500 * 501 / 2);
        let (some, twice) = (n_numbers(3000), n_numbers(6000));
        assert!(some < 125_250 + 33 * 3000, "{some}");
        assert!(twice - some < 34 * 3000, "{twice}");
    }

    #[test]
    fn a_file_keeps_the_weights_of_every_early_and_of_the_last_size() {
        let document = long(1100);
        assert_eq!(document.weights_at(777), Some(&[777.0; 777][..]));
        let read = SelectionDocument::from_json(&document.to_json().unwrap()).unwrap();
        for size in (1..=500).chain([515, 1100]) {
            assert_eq!(read.weights_at(size), document.weights_at(size), "{size}");
        }
        assert_eq!((read.weights_at(777), read.prefix(777)), (None, None));
        assert_eq!(read.prefix(515).unwrap().prototypes[7].weight, 515.0);
        let (whole, again) = (read.prefix(1100).unwrap(), read.to_json().unwrap());
        assert_eq!((whole.prototypes.len(), again), (1100, document.to_json().unwrap()));
        assert_eq!(read.sizes(), read.prefix(1100).unwrap().sizes());
        assert!(read.sizes().contains(&515) && !read.sizes().contains(&516) && read.sizes().len() < 560);
    }

    #[test]
    fn files_of_all_sizes_are_read() {
        let mut value = serde_json::to_value(long(700)).unwrap();
        assert_eq!(value["weights_path"].as_array().unwrap().len(), 700); // as earlier versions wrote it
        value.as_object_mut().unwrap().remove("later_weights");
        let read = SelectionDocument::from_value(value).unwrap();
        assert_eq!(read.weights_at(699).map(<[f64]>::len), Some(699));
    }
}
