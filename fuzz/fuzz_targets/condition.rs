//! SQL conditions: parsed and, if valid, evaluated on a small table.
#![no_main]

use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use libfuzzer_sys::fuzz_target;
use protodash_table::Condition;

fuzz_target!(|text: &str| {
    let condition = match Condition::parse(text) {
        Ok(condition) => condition,
        Err(error) => return drop((error.to_string(), error.hint().map(|hint| hint.render(|setting| Some(format!("{setting:?}")))))),
    };
    condition.columns().for_each(drop);
    let columns: [(&str, ArrayRef); 4] = [
        ("a", Arc::new(Int64Array::from(vec![Some(i64::MIN), None, Some(0), Some(7)]))),
        ("b", Arc::new(Float64Array::from(vec![Some(-1.5), Some(f64::NAN), None, Some(f64::INFINITY)]))),
        ("c", Arc::new(StringArray::from(vec![Some("x%_"), Some(""), None, Some("7")]))),
        ("d", Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, None]))),
    ];
    let table = RecordBatch::try_from_iter(columns).expect("columns of one length");
    match condition.evaluate(&table) {
        Ok(rows) => assert_eq!(rows.len(), table.num_rows()),
        Err(error) => drop((error.to_string(), error.hint().map(|hint| hint.render(|setting| Some(format!("{setting:?}")))))),
    }
});
