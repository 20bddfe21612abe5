//! The methods that take part, by the names of the paper.

use protodash::{Error as CoreError, Kernel, Method, Params, Prepared, Scalar, Selection};

use crate::error::Result;
use crate::observe::{StopSignal, StudyObserver};

/// P-Lasso may miss the number asked for by this part of it, as in the paper.
const P_LASSO_MISS: f64 = 0.1;

/// All of them, in the order in which figures show them.
pub(crate) const METHODS: [Method; 7] = [
    Method::ProtoDash,
    Method::ProtoGreedy,
    Method::Swap,
    Method::L2c,
    Method::PLasso,
    Method::KMedoids,
    Method::Random,
];

/// The paper's name of a method, or ours for the one that is ours.
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

/// A selection; where P-Lasso's path has not the number asked for, one that is nearly as large, or none.
pub(crate) fn select_near<T: Scalar, K: Kernel<T> + ?Sized>(
    prepared: &Prepared<'_, T, K>,
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
