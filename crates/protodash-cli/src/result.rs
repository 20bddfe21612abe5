//! Converts results of the core to the document that is shown and written.

use protodash::criticisms::{CriticismParams, Definition};
use protodash::{Choice, ClassNumbers, Criticism, Prototype, Role};
use protodash_report::{
    ConstraintsRecord, CriticismRecord, CriticismRule, PerLabelRecord, PrototypeRecord, Provenance, SavedKernel,
    SelectionDocument, data_hash,
};

use crate::args::{self, CriticismName, word};
use crate::classes::Classes;
use crate::commands::Chosen;
use crate::data::Data;

/// The document of a finished selection.
pub(crate) fn document(
    call: &args::SelectArgs,
    data: &Data,
    chosen: &Chosen,
    (per_label, excluded): (Option<(&ClassNumbers, &Classes)>, &[usize]),
) -> SelectionDocument {
    let provenance = Provenance {
        kernel: SavedKernel::new(data.matrices.kernel()),
        n_features: data.matrices.n_features(),
        source_rows: &data.source,
        data: data.record(&call.source, &call.data),
        oversample: call.search.oversample,
        seed: call.seed,
        notes: data.notes.clone(),
    };
    let mut document = SelectionDocument::new(&chosen.selection, provenance);
    document.data_hash = data_hash(&data.matrices, data.target_weights.as_deref());
    document.exclude = excluded.iter().map(|row| data.source.table_row(*row)).collect();
    let report = chosen.selection.constraints.as_ref();
    let cost = call.constraints.cost.as_deref().unwrap_or_default();
    document.constraints = report.map(|report| ConstraintsRecord::new(report, cost));
    if let Some(record) = &mut document.constraints {
        let limits = call.constraints.at_least.iter().chain(&call.constraints.at_most);
        record.set_columns(limits.map(|limit| (limit.column.as_str(), limit.value.as_str())));
    }
    document.set_n_represented(&chosen.n_represented);
    document.set_baseline(&chosen.baseline);
    if let Some(labels) = data.rows(Role::Target).labels().filter(|_| data.source.labels().is_some()) {
        document.set_classes(labels.iter().map(String::as_str), data.target_weights.as_deref());
    }
    if call.n_criticisms > 0 {
        document.criticisms = criticisms(&chosen.criticisms, &call.criticisms, data);
        document.criticism = Some(criticism_rule(&call.criticisms));
    }
    document.per_label =
        per_label.map(|(numbers, classes)| PerLabelRecord::new(numbers, &chosen.classes, &classes.names));
    document
}

/// The prototypes of a document as rows of the matrix.
///
/// # Errors
///
/// The row of the file that is not in the matrix.
pub(crate) fn in_matrix(data: &Data, document: &SelectionDocument) -> Result<Vec<Prototype>, u64> {
    let place = |prototype: &PrototypeRecord| {
        let PrototypeRecord { weight, share, gain, .. } = *prototype;
        let source_index = data.source.matrix_row(prototype.source_index).ok_or(prototype.source_index)?;
        Ok(Prototype { source_index, weight, share, gain })
    };
    document.prototypes.iter().map(place).collect()
}

/// Criticisms with the numbers, ids and labels of their rows.
pub(crate) fn criticisms(found: &[Criticism], flags: &args::CriticismArgs, data: &Data) -> Vec<CriticismRecord> {
    let role = flags.among.into();
    found.iter().map(|criticism| CriticismRecord::new(criticism, role, data.rows(role))).collect()
}

/// The criticism flags, for the core.
pub(crate) fn criticism_params(n_criticisms: usize, flags: &args::CriticismArgs, data: &Data) -> CriticismParams {
    let mut params = CriticismParams::new(n_criticisms);
    params.definition = match flags.definition {
        CriticismName::Witness => Definition::Witness { diversity: flags.diversity() },
        CriticismName::Distance => Definition::Distance,
    };
    params.among = flags.among;
    params.target_weights = data.target_weights.clone();
    params
}

/// The criticism flags, for the document.
pub(crate) fn criticism_rule(flags: &args::CriticismArgs) -> CriticismRule {
    CriticismRule {
        definition: word(&flags.definition),
        diversity: (flags.definition == CriticismName::Witness).then(|| flags.diversity()),
        among: flags.among.name().to_owned(),
    }
}
