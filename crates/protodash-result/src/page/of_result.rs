//! What a result alone says, without its data.

use protodash_report::{Bandwidths, Class, Criticism, Prototype, Row, SelectionPage, ShiftedFeature, TriedBandwidth};

use crate::document::{self as saved, Document};
use crate::sentences::{Asked, bandwidth_sentence, criticisms_sentence, shift_sentence};

/// What the result alone says.
pub(super) fn page(document: &Document, asked: Asked) -> SelectionPage {
    let row = |index, id: &Option<String>, label: &Option<String>| Row {
        index,
        id: id.clone(),
        label: label.clone(),
        ..Row::default()
    };
    let prototype = |found: &saved::Prototype| Prototype {
        row: row(found.source_index, &found.id, &found.label),
        weight: found.weight,
        share: found.share,
        gain: found.gain,
        n_represented: found.n_represented,
        examples: Vec::new(),
    };
    let criticism = |found: &saved::Criticism| Criticism {
        row: row(found.source_index.or(found.target_index).unwrap_or(0), &found.id, &found.label),
        score: found.score,
    };
    let part = document.explained.filter(|_| document.objective_final != 0.0);
    let explained = part.map(|explained| explained / document.objective_final);
    SelectionPage {
        prototypes: document.prototypes.iter().map(prototype).collect(),
        objective: document.objective.clone(),
        explained: explained.map_or_else(Vec::new, |factor| document.objective.iter().map(|f| f * factor).collect()),
        n_target: document.n_target,
        target_noun: if asked.own_target { "target rows" } else { "rows" }.to_owned(),
        criticisms_sentence: capital(&criticisms_sentence(document)),
        criticisms: document.criticisms.iter().map(criticism).collect(),
        classes: classes(document),
        shift: shift(document),
        shift_sentence: document
            .covariate_shift
            .as_ref()
            .map_or_else(String::new, |shift| capital(&shift_sentence(document, shift, usize::MAX))),
        bandwidths: bandwidths(document),
        ..SelectionPage::default()
    }
}

/// The sentence as one of a text.
fn capital(sentence: &str) -> String {
    let mut signs = sentence.chars();
    let first: String = signs.next().map_or_else(String::new, |sign| sign.to_uppercase().collect());
    if sentence.is_empty() { first } else { format!("{first}{}.", signs.as_str()) }
}

fn classes(document: &Document) -> Vec<Class> {
    let class = |class: &saved::Class| Class {
        label: class.label.clone(),
        share: class.share,
        n_target: class.n_target,
        n_source: class.n_source,
        n_prototypes: class.n_prototypes,
    };
    document.per_label.as_ref().map_or_else(Vec::new, |per_label| per_label.classes.iter().map(class).collect())
}

fn shift(document: &Document) -> Vec<ShiftedFeature> {
    let feature = |feature: &saved::ShiftedFeature| ShiftedFeature {
        feature: feature.feature.clone(),
        source_mean: feature.source_mean,
        weighted_mean: feature.weighted_mean,
        target_mean: feature.target_mean,
        difference_before: feature.difference_before,
        difference_after: feature.difference_after,
    };
    document.covariate_shift.as_ref().map_or_else(Vec::new, |shift| shift.features.iter().map(feature).collect())
}

fn bandwidths(document: &Document) -> Option<Bandwidths> {
    let tried = document.kernel.cross_validation.as_ref()?;
    let error = tried.criterion == "error";
    Some(Bandwidths {
        sentence: bandwidth_sentence(document).map_or_else(String::new, |sentence| capital(&sentence)),
        score_name: if error { "1-NN error" } else { "mean distance from the nearest prototype" }.to_owned(),
        is_part: error,
        chosen: document.kernel.bandwidth().unwrap_or(1.0),
        curve: tried
            .curve
            .iter()
            .map(|point| TriedBandwidth { bandwidth: point.bandwidth, score: point.score })
            .collect(),
    })
}
