//! Odd results: the numbers and words of `testdata/odd_results.json`, which the command and Python must match as well.

#![allow(clippy::unwrap_used)]

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use ndarray::Array2;
use protodash::bandwidth::BandwidthRule;
use protodash::{BaselineParams, Choice, Dataset, ExplainParams, KernelSpec, Params, Role, Unobserved};
use protodash_report::{
    DataRecord, ExplanationDocument, ExplanationOrigin, Provenance, Request, RowData, RowSource, SavedKernel,
    SelectionDocument, explaining_columns, findings, prototype_columns, settings_sentence,
};
use protodash_table::RowMap;
use serde_json::{Value, json};

fn rows(rows: &Value, repeat: &Value) -> Array2<f64> {
    let values = rows.as_array().unwrap().iter().enumerate().flat_map(|(at, row)| {
        let times = repeat.get(at).map_or(1, |times| times.as_u64().unwrap() as usize);
        std::iter::repeat_n(row[0].as_f64().unwrap(), times)
    });
    let values: Vec<f64> = values.collect();
    Array2::from_shape_vec((values.len(), 1), values).unwrap()
}

/// The value of this name, or the default.
fn choice<C: Choice>(name: &Value) -> C {
    name.as_str().map_or(C::ALL[0].0, |name| C::from_name(name).unwrap())
}

fn params(options: &Value) -> Params {
    let mut params = Params::new(1);
    params.n_prototypes = options["n_prototypes"].as_u64().map(|number| number as usize);
    params.min_gain = options["min_gain"].as_f64();
    params.method = choice(&options["method"]);
    params.weights = choice(&options["weights"]);
    params.target_energy = choice(&options["target_energy"]);
    params
}

fn kernel(options: &Value) -> KernelSpec {
    let kernel = KernelSpec::new(options["kernel"].as_str().unwrap()).unwrap();
    match options["bandwidth"].as_f64() {
        Some(bandwidth) => kernel.with_bandwidth(BandwidthRule::Fixed(bandwidth)).unwrap(),
        None => kernel,
    }
}

fn document(case: &Value) -> SelectionDocument {
    let (options, source) = (&case["options"], rows(&case["source"], &Value::Null));
    let target = case.get("target").map(|target| rows(target, &case["repeat_target"]));
    let kernel = kernel(options);
    let (n_source, has_target) = (source.nrows(), target.is_some());
    let dataset = Dataset::from_f64(source, target.map(Into::into), &kernel, 0).unwrap();
    let params = params(options);
    let selection = dataset.select(&params, &mut Unobserved).unwrap();
    let baseline = dataset.baseline(&selection, &BaselineParams::of_run(&params), &mut Unobserved).unwrap();
    let provenance = Provenance {
        kernel: SavedKernel::new(dataset.kernel()),
        n_features: 1,
        source_rows: &RowMap::identity(n_source),
        data: DataRecord::in_memory("array", has_target),
        oversample: 1.0,
        seed: 0,
        notes: Vec::new(),
    };
    let mut document = SelectionDocument::new(&selection, provenance);
    document.set_baseline(&baseline);
    document
}

/// Rows whose cells nobody reads.
struct NoCells;

impl RowSource for NoCells {
    fn is_one(&self) -> bool {
        false
    }

    fn rows(&self, _: Role, _: &[u64]) -> protodash_report::Result<RecordBatch> {
        Ok(RecordBatch::new_empty(Schema::empty().into()))
    }
}

fn explanations(case: &Value) -> ExplanationDocument {
    let (options, source, rows) =
        (&case["options"], rows(&case["source"], &Value::Null), rows(&case["rows"], &Value::Null));
    let (source_rows, target_rows) = (RowMap::identity(source.nrows()), RowMap::identity(rows.nrows()));
    let matrices = Dataset::from_f64(source, Some(rows.into()), &kernel(options), 0).unwrap();
    let mut params = ExplainParams::default();
    params.n_prototypes = options["n_prototypes"].as_u64().unwrap() as usize;
    let explained = matrices.explain(None, &params, &mut Unobserved).unwrap();
    let data = RowData {
        matrices: &matrices,
        source_rows: &source_rows,
        target_rows: Some(&target_rows),
        features: &[],
        codes: false,
        target_weights: None,
        tables: &NoCells,
    };
    let origin = ExplanationOrigin {
        same_class: false,
        similar_share: params.similar_share,
        data: DataRecord::in_memory("array", true),
        seed: 0,
        notes: Vec::new(),
    };
    ExplanationDocument::new(&explained, &data, origin, &mut Unobserved).unwrap()
}

/// The numbers and words of explanations that the table lists, one entry for each row.
fn explained(document: &ExplanationDocument) -> Value {
    let rows = document.explanations.iter().map(|row| {
        let column = |header| {
            let columns = explaining_columns(row);
            columns.into_iter().find(|column| column.header == header).unwrap().cells
        };
        let indices: Vec<u64> = row.prototypes.iter().map(|one| one.source_index).collect();
        json!({
            "sentence": row.sentence(),
            "explained": row.explained,
            "indices": indices,
            "shares_text": column("of weight"),
            "distances_text": column("distance"),
        })
    });
    json!({ "sentence": document.sentence(), "rows": rows.collect::<Vec<Value>>() })
}

/// The numbers and words of a document that the table lists.
fn found(document: &SelectionDocument, request: Request) -> Value {
    let each = |number: fn(&protodash_report::PrototypeRecord) -> Value| -> Vec<Value> {
        document.prototypes.iter().map(number).collect()
    };
    let shares = prototype_columns(document).into_iter().find(|column| column.header == "of weight").unwrap().cells;
    let mut sentences = findings(document, request);
    sentences.push(settings_sentence(document, request));
    json!({
        "indices": each(|prototype| json!(prototype.source_index)),
        "weights": each(|prototype| json!(prototype.weight)),
        "shares": each(|prototype| json!(prototype.share)),
        "shares_text": shares,
        "objective_final": document.objective_final,
        "target_energy": document.target_energy,
        "target_energy_standard_error": document.target_energy_standard_error,
        "mmd2": document.mmd2,
        "explained": document.explained,
        "explained_standard_error": document.explained_standard_error,
        "stopped": document.stopped,
        "sentences": sentences,
    })
}

#[test]
fn odd_results_have_these_numbers_and_words() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../testdata/odd_results.json");
    let mut cases: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let renew = std::env::var_os("PROTODASH_RENEW").is_some();
    for case in cases.as_array_mut().unwrap() {
        if case.get("rows").is_some() {
            let document = explanations(case);
            let found = explained(&document);
            if renew {
                case["expected"] = found;
                continue;
            }
            assert_eq!(found, case["expected"], "{}", case["name"]);
            let again = ExplanationDocument::from_json(&document.to_json().unwrap()).unwrap();
            assert_eq!(again, document, "{}", case["name"]);
            continue;
        }
        let options = &case["options"];
        let request = Request {
            n_prototypes: options["n_prototypes"].as_u64().map(|number| number as usize),
            min_gain: options["min_gain"].as_f64(),
            median_multiple: None,
        };
        let document = document(case);
        let found = found(&document, request);
        if renew {
            case["expected"] = found;
            continue;
        }
        assert_eq!(found, case["expected"], "{}", case["name"]);
        // What is written is read back as the same document.
        let again = SelectionDocument::from_json(&document.to_json().unwrap()).unwrap();
        assert_eq!(again, document, "{}", case["name"]);
    }
    if renew {
        std::fs::write(path, serde_json::to_string_pretty(&cases).unwrap() + "\n").unwrap();
    }
}
