//! The document of the first prototypes of a run.

use protodash::shares;

use super::SelectionDocument;

impl SelectionDocument {
    /// The same run cut at `n_prototypes`, with the weights it had then; `None` if the run has fewer, if it is 0, or if
    /// the file does not have the weights of that size (see [`weights_at`](Self::weights_at)).
    ///
    /// Results for the whole set are omitted: criticisms, counts of represented rows, classes and shift.
    ///
    /// # Examples
    ///
    /// ```
    /// let first = protodash_report::SelectionDocument::example().prefix(1).expect("the run has two");
    /// assert_eq!((first.prototypes[0].weight, first.prototypes[0].share), (0.6, 1.0));
    /// assert_eq!(first.explained, Some(0.4 / 0.75));
    /// ```
    #[must_use]
    pub fn prefix(&self, n_prototypes: usize) -> Option<SelectionDocument> {
        if n_prototypes == self.prototypes.len() {
            return Some(self.clone());
        }
        let last = n_prototypes.checked_sub(1)?;
        let (weights, objective_final) = (self.weights_at(n_prototypes)?, *self.objective.get(last)?);
        let mut prototypes = self.prototypes.get(..n_prototypes)?.to_vec();
        for ((prototype, weight), share) in prototypes.iter_mut().zip(weights).zip(shares(weights)) {
            (prototype.weight, prototype.share, prototype.n_represented) = (*weight, share, None);
        }
        let (energy, explained) = (self.energy(), self.explained_at(n_prototypes));
        let n_weighted = weights.iter().filter(|weight| **weight > 0.0).count();
        Some(SelectionDocument {
            stopped: "n_prototypes".to_owned(),
            prototypes,
            n_fixed: self.n_fixed.min(n_prototypes),
            constraints: None,
            objective: self.objective[..n_prototypes].to_vec(),
            objective_final,
            mmd2: energy
                .map(|energy| self.mmd2_path.get(last).copied().unwrap_or_else(|| energy.mmd2(objective_final))),
            explained,
            mmd2_path: self.mmd2_path.iter().take(n_prototypes).copied().collect(),
            error_bounds: self.error_bounds.as_ref().map(|bounds| bounds.at(explained, self.target_energy)),
            explained_standard_error: energy.and_then(|energy| energy.explained_standard_error(objective_final)),
            certified: energy
                .filter(|energy| energy.standard_error.is_some() && explained.is_some())
                .and_then(|energy| energy.certified(objective_final)),
            baseline: self.baseline.as_ref().map(|baseline| baseline.prefix(n_prototypes, n_weighted)),
            classes_without_prototype: None,
            share_without_prototype: None,
            criticisms: Vec::new(),
            criticism: None,
            weights_path: self.weights_path.iter().take(n_prototypes).cloned().collect(),
            later_weights: self.later_weights.iter().filter(|weights| weights.len() <= n_prototypes).cloned().collect(),
            per_label: None,
            estimates: Vec::new(),
            covariate_shift: None,
            ..self.clone()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_is_within_the_run() {
        let document = SelectionDocument::example();
        assert_eq!(document.prefix(2).as_ref(), Some(&document));
        assert_eq!((document.prefix(0), document.prefix(3)), (None, None));
    }

    #[test]
    fn a_damaged_path_has_no_prefix() {
        let document = SelectionDocument { weights_path: Vec::new(), ..SelectionDocument::example() };
        assert_eq!(document.prefix(1), None);
    }
}
