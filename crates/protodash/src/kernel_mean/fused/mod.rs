//! The sums of pairs for kernels whose formula is known: tiles in registers, no matrix of kernel values anywhere.
//!
//! Rows are packed in panels a block at a time; a tile of pairs is summed over the columns in registers, turned into
//! kernel values and added to the sums of its rows. No `unsafe` here: vectors come from [`crate::simd`].

mod division;
mod formula;
mod pack;
mod profile;
mod sums;
mod tile;

pub(super) use self::formula::{Curve, Formula, Plan, Sum};
pub(super) use self::profile::{Exponential, InverseMultiquadric, Matern32, Matern52, Power, Profile};

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use self::division::{Division, Lists};
use self::pack::{Group, Rescaling};
use self::sums::{FEW, MANY, Pairs, Scratch, Sums};
use super::block::{Cut, ErrorBound, PairSums, add};
use super::{Precision, Target};
use crate::kernel::Form;
use crate::rows::{Numbers, Rows, Scalar};
use crate::simd::{Element, Level, Simd, Visitor};

/// Memory for the packed rows of a block.
const PACKED_BYTES: usize = 4 << 20;
/// Products of values that a task may take, so that an observer is asked often on wide data too.
const WORK_PER_TASK: usize = 2_000_000_000;
/// Products of values between two looks at the observer, for each thread.
const WORK_PER_ROUND: usize = 1_500_000_000;

/// The sums for a kernel of this form, if it is one with a formula; `source` is `None` if it is the target.
pub(super) fn pair_sums<'a, T: Scalar>(
    form: Form,
    target: Target<'a, T>,
    source: Option<Rows<'a, T>>,
    arithmetic: (Level, Precision),
) -> Option<Box<dyn PairSums + 'a>> {
    let plan = Plan::of(form)?;
    let weights = target.weights;
    match (target.rows.numbers(), source.map(Rows::numbers)) {
        (Numbers::Single(rows), None) => of_f32(plan, Target { rows, weights }, None, arithmetic),
        (Numbers::Single(rows), Some(Numbers::Single(source))) => {
            of_f32(plan, Target { rows, weights }, Some(source), arithmetic)
        }
        (Numbers::Double(rows), None) => of_f64(plan, Target { rows, weights }, None, arithmetic),
        (Numbers::Double(rows), Some(Numbers::Double(source))) => {
            of_f64(plan, Target { rows, weights }, Some(source), arithmetic)
        }
        // Target and source are of one type.
        (Numbers::Single(_), Some(Numbers::Double(_))) | (Numbers::Double(_), Some(Numbers::Single(_))) => None,
    }
}

#[inline(never)]
fn of_f32<'a>(
    plan: Plan,
    target: Target<'a, f32>,
    source: Option<Rows<'a, f32>>,
    arithmetic: (Level, Precision),
) -> Option<Box<dyn PairSums + 'a>> {
    pair_sums_of(plan, target, source, arithmetic)
}

#[inline(never)]
fn of_f64<'a>(
    plan: Plan,
    target: Target<'a, f64>,
    source: Option<Rows<'a, f64>>,
    arithmetic: (Level, Precision),
) -> Option<Box<dyn PairSums + 'a>> {
    pair_sums_of(plan, target, source, arithmetic)
}

fn pair_sums_of<'a, T: Scalar>(
    plan: Plan,
    target: Target<'a, T>,
    source: Option<Rows<'a, T>>,
    (level, precision): (Level, Precision),
) -> Option<Box<dyn PairSums + 'a>> {
    let start = Start { plan, target, source };
    Some(match precision {
        Precision::Single if plan.fits_single() => level.visit_f32(start),
        _ => level.visit_f64(start),
    })
}

/// What is known before the instructions are.
struct Start<'a, T> {
    plan: Plan,
    target: Target<'a, T>,
    source: Option<Rows<'a, T>>,
}

impl<'a, T: Scalar, E: Element> Visitor<E> for Start<'a, T> {
    type Output = Box<dyn PairSums + 'a>;

    fn visit<S: Simd<Element = E>>(self, simd: S) -> Self::Output {
        let Start { plan, target, source } = self;
        let division = plan.near.map(|near| Division::new(simd, near.scale, target.rows, source));
        let source = source.unwrap_or(target.rows);
        Box::new(Fused { simd, plan, target, source, division, scratch: Mutex::new(Vec::new()) })
    }
}

struct Fused<'a, T, S: Simd> {
    simd: S,
    plan: Plan,
    target: Target<'a, T>,
    source: Rows<'a, T>,
    /// There if the plan has something for rows near the centre.
    division: Option<Division<S::Element>>,
    /// Memory not in use at the moment: at most one piece for each thread.
    scratch: Mutex<Vec<Scratch<S::Element>>>,
}

impl<T: Scalar, S: Simd> PairSums for Fused<'_, T, S> {
    fn cut(&self) -> Cut {
        let n_columns = self.source.n_columns();
        // Larger blocks pack each row for more pairs, but must not take more than a few megabytes.
        let fitting = PACKED_BYTES / (n_columns * size_of::<S::Element>()) / FEW * FEW;
        let block = fitting.clamp(MANY, 10 * FEW);
        let segment = (WORK_PER_TASK / (block * n_columns)).next_multiple_of(FEW).clamp(FEW, 40 * FEW);
        Cut { block, segment, work_per_round: WORK_PER_ROUND }
    }

    fn error(&self) -> ErrorBound {
        let n_columns = self.source.n_columns();
        let from_products = self.division.as_ref().map_or(0.0, |division| division.largest_error(n_columns));
        // A sum of differences is off by about √d roundings of itself, and three more for the argument. What that does
        // to a kernel value is largest, e⁻¹, where the argument is 1; all curves of the distance stay below that.
        let from_differences = ((n_columns as f64).sqrt() + 3.0) * S::Element::ROUNDOFF * (-1.0_f64).exp();
        // Weights, at most a dozen values in a tile and a block's vectors are rounded before sums are in f64.
        let from_adding = 16.0 * S::Element::ROUNDOFF;
        ErrorBound {
            absolute: from_differences,
            relative: from_products + S::Element::EXP2_ERROR + from_adding + 1e-13,
        }
    }

    fn add_cross(&self, segment: Range<usize>, block: Range<usize>, sums: &mut [f64]) {
        let mut sums = Sums::new(block.start, sums);
        let (target, source) = (self.target_lists(segment), self.source_lists(block));
        self.with_scratch(|scratch| {
            for (x, y, pairs) in self.combinations(&target, &source) {
                pairs.add(scratch, (self.of_target(x), None), (self.of_source(y), sums.reborrow()));
            }
        });
    }

    fn add_mirrored(&self, first: (Range<usize>, &mut [f64]), second: (Range<usize>, &mut [f64])) {
        let (mut x_sums, mut y_sums) = (Sums::new(first.0.start, first.1), Sums::new(second.0.start, second.1));
        let (first, second) = (self.target_lists(first.0), self.target_lists(second.0));
        self.with_scratch(|scratch| {
            for (x, y, pairs) in self.combinations(&first, &second) {
                let x = (self.of_target(x), Some(x_sums.reborrow()));
                pairs.add(scratch, x, (self.of_target(y), y_sums.reborrow()));
            }
        });
    }

    fn add_diagonal(&self, block: Range<usize>, sums: &mut [f64]) {
        let first = block.start;
        let mut mirrored = vec![0.0; block.len()];
        let Lists { near, far } = self.target_lists(block);
        self.with_scratch(|scratch| {
            self.add_triangle(scratch, self.near(), &near, (first, sums, &mut mirrored));
            self.add_triangle(scratch, self.plain(), &far, (first, sums, &mut mirrored));
            let x = (self.of_target(&near), Some(Sums::new(first, &mut mirrored)));
            self.plain().add(scratch, x, (self.of_target(&far), Sums::new(first, sums)));
        });
        add(sums, &mirrored);
    }
}

impl<T: Scalar, S: Simd> Fused<'_, T, S> {
    /// The sums of a few rows after the other with those before them, each pair once, and with themselves.
    fn add_triangle(
        &self,
        scratch: &mut Scratch<S::Element>,
        pairs: Pairs<'_, S>,
        list: &[usize],
        (first, sums, mirrored): (usize, &mut [f64], &mut [f64]),
    ) {
        for (start, few) in (0..).step_by(FEW).zip(list.chunks(FEW)) {
            let few = self.of_target(few);
            let before = (self.of_target(&list[..start]), Some(Sums::new(first, mirrored)));
            pairs.add(scratch, before, (few, Sums::new(first, sums)));
            pairs.add(scratch, (few, None), (few, Sums::new(first, sums)));
        }
    }

    /// The four pairs of lists, with what is to be done with them.
    fn combinations<'b>(&'b self, x: &'b Lists, y: &'b Lists) -> [(&'b [usize], &'b [usize], Pairs<'b, S>); 4] {
        [
            (&x.near, &y.near, self.near()),
            (&x.far, &y.near, self.plain()),
            (&x.near, &y.far, self.plain()),
            (&x.far, &y.far, self.plain()),
        ]
    }

    /// For two rows near the centre.
    fn near(&self) -> Pairs<'_, S> {
        match (&self.division, self.plan.near) {
            (Some(division), Some(near)) => {
                Pairs { simd: self.simd, formula: near.formula, rescaling: division.rescaling() }
            }
            _ => self.plain(),
        }
    }

    /// For any two rows.
    fn plain(&self) -> Pairs<'_, S> {
        let rescaling = Rescaling { centre: None, scale: 1.0 };
        Pairs { simd: self.simd, formula: self.plan.plain, rescaling }
    }

    fn of_target<'b>(&'b self, indices: &'b [usize]) -> Group<'b, T, S::Element> {
        let norms = self.division.as_ref().map(Division::target_norms);
        Group { rows: self.target.rows, indices, weights: self.target.weights, norms }
    }

    fn of_source<'b>(&'b self, indices: &'b [usize]) -> Group<'b, T, S::Element> {
        let norms = self.division.as_ref().map(Division::source_norms);
        Group { rows: self.source, indices, weights: None, norms }
    }

    fn target_lists(&self, rows: Range<usize>) -> Lists {
        match &self.division {
            Some(division) => division.lists(rows, division.target_norms()),
            None => Lists { near: Vec::new(), far: rows.collect() },
        }
    }

    fn source_lists(&self, rows: Range<usize>) -> Lists {
        match &self.division {
            Some(division) => division.lists(rows, division.source_norms()),
            None => Lists { near: Vec::new(), far: rows.collect() },
        }
    }

    /// Lends memory to a task. What a task that panicked left behind is of no use, but does no harm.
    fn with_scratch(&self, task: impl FnOnce(&mut Scratch<S::Element>)) {
        let unused = || self.scratch.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = unused().pop();
        let mut scratch = lent.unwrap_or_else(Scratch::new);
        task(&mut scratch);
        unused().push(scratch);
    }
}

#[cfg(test)]
mod tests;
