//! The methods compared, under the paper's names.

use protodash::{Error as CoreError, Method, Params, Prepared, Scalar, Selection};

use crate::error::Result;
use crate::observe::{StopSignal, StudyObserver};

/// Relative tolerance on the number of prototypes of P-Lasso, as in the paper.
const P_LASSO_MISS: f64 = 0.1;

/// All methods, in the order of the figures.
pub(crate) const METHODS: [Method; 7] = [
    Method::ProtoDash,
    Method::ProtoGreedy,
    Method::Swap,
    Method::L2c,
    Method::PLasso,
    Method::KMedoids,
    Method::Random,
];

/// The paper's name of a method; Swap is ours.
pub(crate) fn name(method: Method) -> &'static str {
    match method {
        Method::ProtoDash => "ProtoDash",
        Method::ProtoGreedy => "ProtoGreedy",
        Method::Swap => "Swap",
        Method::L2c => "L2C",
        Method::PLasso => "P-Lasso",
        Method::KMedoids => "K-Medoids",
        Method::Random => "RandomW",
        _ => "another method",
    }
}

/// The method of that name.
pub(crate) fn method(name_of: &str) -> Option<Method> {
    METHODS.into_iter().find(|method| name(*method) == name_of)
}

/// A selection. If P-Lasso's path skips the requested number, the nearest number within the tolerance, or `None`.
pub(crate) fn select_near<T: Scalar>(
    prepared: &Prepared<'_, T>,
    params: &Params,
    observer: &dyn StudyObserver,
) -> Result<Option<Selection>> {
    let asked = params.n_prototypes.unwrap_or(1);
    let near = |number: &usize| number.abs_diff(asked) as f64 <= P_LASSO_MISS * asked as f64;
    match prepared.select(params, &mut StopSignal(observer)) {
        Ok(selection) => Ok(Some(selection)),
        Err(CoreError::UnreachableNumber { below, above, .. }) => {
            let Some(number) = below.filter(near).or(Some(above).filter(near)) else { return Ok(None) };
            let mut params = params.clone();
            params.n_prototypes = Some(number);
            Ok(Some(prepared.select(&params, &mut StopSignal(observer))?))
        }
        Err(error) => Err(error.into()),
    }
}
