//! ProtoDash, Algorithm 2 of the paper.

use crate::error::Result;
use crate::kernel::Kernel;
use crate::observe::Observer;
use crate::rows::Scalar;
use crate::search::{Leader, Rank, Trial};

/// The candidate with the largest gradient, as a trial; `None` if no gradient is positive.
///
/// The paper takes the largest gradient at the first step too. Its authors' code takes the largest gain
/// g²/(2K) there, which is another row when the kernel's diagonal is not constant (linear, polynomial), and the better
/// one; this follows the code. Ties go to the first row of the source.
pub(crate) fn choose<T: Scalar, K: Kernel<T> + ?Sized>(
    leader: &mut Leader<'_, T, K>,
    observer: &mut dyn Observer,
) -> Result<Option<Trial<T>>> {
    let rank = if leader.len() == 0 { leader.first_rank() } else { Rank::Gradient };
    loop {
        let Some(source_index) = leader.best(rank, observer)? else { return Ok(None) };
        // A row that raises nothing although its gradient is positive, by rounding, is refused and not proposed again.
        if let Some(trial) = leader.try_row(source_index) {
            return Ok(Some(trial));
        }
    }
}
