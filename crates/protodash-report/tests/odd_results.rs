//! Odd results: the numbers and words of `testdata/odd_results.json`, which the command and Python must match as well.

#![allow(clippy::unwrap_used)]

use ndarray::Array2;
use protodash::bandwidth::BandwidthRule;
use protodash::{BaselineParams, Choice, Dataset, KernelSpec, Params, Unobserved};
use protodash_report::{
    DataRecord, Provenance, Request, SavedKernel, SelectionDocument, findings, prototype_columns, settings_sentence,
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

fn document(case: &Value) -> SelectionDocument {
    let (options, source) = (&case["options"], rows(&case["source"], &Value::Null));
    let target = case.get("target").map(|target| rows(target, &case["repeat_target"]));
    let mut kernel = KernelSpec::new(options["kernel"].as_str().unwrap()).unwrap();
    if let Some(bandwidth) = options["bandwidth"].as_f64() {
        kernel = kernel.with_bandwidth(BandwidthRule::Fixed(bandwidth)).unwrap();
    }
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
