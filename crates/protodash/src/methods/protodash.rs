//! ProtoDash, Algorithm 2 of the paper.

use crate::error::Result;
use crate::kernel::Kernel;
use crate::rows::Scalar;
use crate::search::{Leader, Rank, Trial};

/// The candidate with the largest gradient, as a trial; `None` if no gradient is positive.
///
/// The paper takes the largest gradient at the first step too. Its authors' code takes the largest gain
/// g²/(2K) there, which is another row when the kernel's diagonal is not constant (linear, polynomial), and the better
/// one; this follows the code.
pub(crate) fn choose<T: Scalar, K: Kernel<T> + ?Sized>(leader: &mut Leader<'_, T, K>) -> Result<Option<Trial<T>>> {
    let rank = if leader.len() == 0 { leader.first_rank() } else { Rank::Gradient };
    loop {
        let Some(&best) = leader.propose(rank, 1).first() else { return Ok(None) };
        // A row that turns out to be a combination of the prototypes is refused by the trial and not proposed again.
        if let Some(trial) = leader.try_row(best.source_index) {
            return Ok(Some(trial));
        }
    }
}
