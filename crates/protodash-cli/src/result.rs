//! From what the core returned to the document that is shown and written: rows of matrices become rows of files.

use protodash::criticisms::{Among, CriticismParams, Definition};
use protodash::{Criticism, Prototype, Role, Selection};

use crate::args::{self, CriticismName, word};
use crate::classes::Classes;
use crate::data::Data;
use crate::json::{self, Document};
use crate::work::Chosen;
use protodash_table::RowMap;

/// The document of a finished selection.
pub(crate) fn document(call: &args::Select, data: &Data, chosen: &Chosen, classes: Option<&Classes>) -> Document {
    let selection = &chosen.selection;
    let prototypes = selection.prototypes.iter().zip(&chosen.n_represented);
    Document {
        schema: json::SCHEMA,
        method: word(&call.search.method),
        kernel: json::SavedKernel::new(data.matrices.kernel()),
        weights: word(&call.search.weights()),
        n_target: selection.n_target,
        n_source: selection.n_source,
        n_features: data.matrices.n_features(),
        stopped: json::stopped(selection.stopped).to_owned(),
        prototypes: prototypes.map(|(prototype, n)| described(prototype, *n, &data.source)).collect(),
        objective: selection.objective.clone(),
        objective_final: selection.objective_final(),
        mmd2: selection.mmd2(),
        explained: selection.explained(),
        criticisms: criticisms(&chosen.criticisms, &call.criticisms, data),
        explained_standard_error: standard_error(selection),
        weights_path: (1..=selection.prototypes.len())
            .filter_map(|size| selection.weights_at(size).map(<[f64]>::to_vec))
            .collect(),
        criticism: (call.n_criticisms > 0).then(|| criticism_rule(&call.criticisms)),
        per_label: call
            .per_label
            .zip(classes)
            .map(|(allocation, classes)| json::PerLabel::new(word(&allocation), &chosen.classes, &classes.names)),
        covariate_shift: None,
        data: json::flags_of(&call.source, &call.data),
        oversample: call.search.oversample,
        seed: call.seed,
    }
}

/// The prototypes of a document in rows of the matrix.
///
/// # Errors
///
/// The row of the file that is no row of the matrix.
pub(crate) fn in_matrix(data: &Data, document: &Document) -> Result<Vec<Prototype>, u64> {
    let place = |prototype: &json::Prototype| {
        let json::Prototype { weight, share, gain, .. } = *prototype;
        let source_index = data.source.matrix_row(prototype.source_index).ok_or(prototype.source_index)?;
        Ok(Prototype { source_index, weight, share, gain })
    };
    document.prototypes.iter().map(place).collect()
}

/// Criticisms with the rows of the file that they are.
pub(crate) fn criticisms(found: &[Criticism], flags: &args::Criticisms, data: &Data) -> Vec<json::Criticism> {
    let role = role(flags.among);
    let rows = data.rows(role);
    let describe = |criticism: &Criticism| {
        let number = Some(rows.table_row(criticism.row));
        json::Criticism {
            source_index: number.filter(|_| role == Role::Source),
            target_index: number.filter(|_| role == Role::Target),
            id: rows.id(criticism.row).map(str::to_owned),
            score: criticism.score,
            label: rows.label(criticism.row).map(str::to_owned),
        }
    };
    found.iter().map(describe).collect()
}

/// What the flags ask of criticisms, for the core.
pub(crate) fn criticism_params(n_criticisms: usize, flags: &args::Criticisms, data: &Data) -> CriticismParams {
    let mut params = CriticismParams::new(n_criticisms);
    params.definition = match flags.definition {
        CriticismName::Witness => Definition::Witness { diversity: flags.diversity() },
        CriticismName::Distance => Definition::Distance,
    };
    params.among = match flags.among {
        args::Among::Source => Among::Source,
        args::Among::Target => Among::Target,
    };
    params.target_weights = data.target_weights.clone();
    params
}

/// What the flags ask of criticisms, for the document.
pub(crate) fn criticism_rule(flags: &args::Criticisms) -> json::CriticismRule {
    json::CriticismRule {
        definition: word(&flags.definition),
        diversity: (flags.definition == CriticismName::Witness).then(|| flags.diversity()),
        among: word(&flags.among),
    }
}

/// The side whose rows are searched.
pub(crate) fn role(among: args::Among) -> Role {
    match among {
        args::Among::Source => Role::Source,
        args::Among::Target => Role::Target,
    }
}

fn described(prototype: &Prototype, n_represented: usize, source: &RowMap) -> json::Prototype {
    let Prototype { source_index, weight, share, gain } = *prototype;
    json::Prototype {
        source_index: source.table_row(source_index),
        id: source.id(source_index).map(str::to_owned),
        weight,
        share,
        gain,
        label: source.label(source_index).map(str::to_owned),
        n_represented,
    }
}

/// The standard error of `explained`: that of the energy it is divided by, to first order.
fn standard_error(selection: &Selection) -> Option<f64> {
    let energy = selection.target_energy?;
    Some(selection.explained()?.abs() * energy.standard_error? / energy.value)
}
