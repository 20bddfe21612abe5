//! Settings with which the search for a bandwidth costs no more than a few selections on all data.

use super::CrossValidation;

/// Maximum cost of a search for the bandwidth, in selections.
const AFFORDED: f64 = 5.0;
/// Rows of target and of source below which fewer folds and bandwidths are better than fewer rows.
const FEW_ROWS: usize = 500;
/// Rows for each prototype, unless the selection itself has fewer: then as many as it has.
const ROWS_PER_PROTOTYPE: f64 = 10.0;

// Time in units of a pair in the kernel mean, from instruction counts at 50 columns.
/// A pair in a kernel column, which is not computed in tiles.
const COLUMN: f64 = 8.0;
/// One number of the factor, in one step.
const FACTOR: f64 = 1.0 / 32.0;
/// The weights, for each cubed prototype.
const WEIGHTS: f64 = 1.0 / 8.0;

/// The size of a selection.
#[derive(Clone, Copy)]
struct SelectionSize {
    n_target: f64,
    n_source: f64,
    n_prototypes: f64,
}

impl SelectionSize {
    /// Kernel values of the mean, of a column for each prototype, of the diagonal, and of checks.
    fn n_values(self) -> f64 {
        self.n_source * (self.n_target + self.n_prototypes + 2.0)
    }

    /// Time: the mean; and the column, a pass over the factor and new weights for each prototype.
    fn time(self) -> f64 {
        let SelectionSize { n_target, n_source, n_prototypes } = self;
        let steps = n_source * n_prototypes * (COLUMN + FACTOR * n_prototypes);
        n_source * n_target + steps + WEIGHTS * n_prototypes.powi(3)
    }
}

impl CrossValidation {
    /// The same settings, reduced so that the search takes no more kernel values than five selections on all data, and by
    /// estimate no more time.
    ///
    /// Each bandwidth and fold costs a selection: the rows to represent times the rows to choose from, and the steps. Rows
    /// are reduced first. With fewer than 500, chance would decide between bandwidths, so then the number of folds is
    /// reduced to 3 or 2, and with 2 every second bandwidth is tried first; only then are there fewer rows. In a sample,
    /// ten rows share a prototype, or as many as in all data if those are fewer.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash::CrossValidation;
    ///
    /// let settings = |n_rows, m| CrossValidation::default().affordable((n_rows, n_rows), m);
    /// let (many, some, few) = (settings(60_000, 10), settings(1_000, 10), settings(400, 10));
    /// assert_eq!((many.n_rows, many.n_folds, many.stride), (5000, 5, 1));
    /// assert!((500..1000).contains(&some.n_rows) && some.n_folds == 2 && some.stride == 1);
    /// assert!((200..400).contains(&few.n_rows) && few.n_folds == 2 && few.stride == 2);
    /// assert!(settings(1_000, 200).most_prototypes < Some(100));
    /// ```
    #[must_use]
    pub fn affordable(self, (n_target, n_source): (usize, usize), n_prototypes: usize) -> Self {
        let all = SelectionSize {
            n_target: n_target as f64,
            n_source: n_source as f64,
            n_prototypes: n_prototypes.min(n_source) as f64,
        };
        let enough = FEW_ROWS.min(self.n_rows).min(n_target.max(n_source));
        let coarser = [(3, self.stride), (2, self.stride), (2, self.stride.max(2))];
        let most_folds = self.n_folds;
        let fewer = coarser.into_iter().filter(|(n_folds, _)| *n_folds <= most_folds);
        if n_target < self.n_folds {
            return self; // an error
        }
        let (mut reduced, mut fits) = self.clone().with_affordable_rows(all);
        for (n_folds, stride) in fewer {
            if fits && reduced.n_rows >= enough {
                break;
            }
            (reduced, fits) = CrossValidation { n_folds, stride, ..self.clone() }.with_affordable_rows(all);
        }
        reduced
    }

    /// With as many rows as this number of folds and bandwidths allows, and whether it allows enough for the folds.
    fn with_affordable_rows(mut self, all: SelectionSize) -> (Self, bool) {
        let n_folds = self.n_folds.max(1);
        let n_first = self.multiples.len().div_ceil(self.stride.max(1));
        let n_tried = if self.stride > 1 { (n_first + 2).min(self.multiples.len()) } else { n_first };
        let n_runs = (n_tried * n_folds) as f64;
        self.n_rows = (self.n_rows as f64).min(all.n_target.max(all.n_source)) as usize;
        loop {
            let kept = (n_folds - 1) as f64 / n_folds as f64;
            let in_sample = |n_rows: f64| n_rows.min(self.n_rows as f64);
            // Without a target of its own the source also has fewer rows in a fold; then all this is an upper bound.
            let (n_target, n_source) = (kept * in_sample(all.n_target), in_sample(all.n_source));
            let share = (1.0 / ROWS_PER_PROTOTYPE).max(all.n_prototypes / all.n_source.max(1.0));
            let n_prototypes = all.n_prototypes.min((share * kept * n_source).ceil());
            let run = SelectionSize { n_target, n_source, n_prototypes };
            let fits =
                n_runs * run.n_values() <= AFFORDED * all.n_values() && n_runs * run.time() <= AFFORDED * all.time();
            if fits || self.n_rows <= 2 * n_folds {
                if n_prototypes < all.n_prototypes {
                    self.most_prototypes = Some((n_prototypes as usize).max(1));
                }
                return (self, fits);
            }
            self.n_rows = (self.n_rows * 31 / 32).max(2 * n_folds);
        }
    }
}
