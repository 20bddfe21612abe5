//! Related tables as CSV and as a Graphviz graph.

use std::io::Write;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};

use crate::error::WriteError;
use crate::json::relation::{Pair, Relation};
use crate::rows_output;

/// Writes one line per pair of tables.
pub(crate) fn write_csv(relation: &Relation, writer: &mut dyn Write) -> Result<(), WriteError> {
    let text = |value: fn(&Pair) -> &str| -> ArrayRef {
        Arc::new(relation.pairs.iter().map(|pair| Some(value(pair))).collect::<StringArray>())
    };
    let count = |value: fn(&Pair) -> usize| -> ArrayRef {
        Arc::new(relation.pairs.iter().map(|pair| value(pair) as u64).collect::<UInt64Array>())
    };
    let number =
        |value: fn(&Pair) -> f64| -> ArrayRef { Arc::new(relation.pairs.iter().map(value).collect::<Float64Array>()) };
    let columns: [(&str, ArrayRef); 8] = [
        ("target", text(|pair| &pair.target)),
        ("source", text(|pair| &pair.source)),
        ("n_keys", count(|pair| pair.n_keys)),
        ("n_prototypes", count(|pair| pair.prototypes.len())),
        ("objective", number(|pair| pair.objective)),
        ("explained", number(|pair| pair.explained)),
        ("own_explained", number(|pair| pair.own_explained)),
        ("rank", number(|pair| pair.rank)),
    ];
    rows_output::write_csv(&RecordBatch::try_from_iter(columns)?, writer)
}

/// Writes the graph for Graphviz: an edge from each best representative to the table it represents.
pub(crate) fn write_dot(relation: &Relation, writer: &mut dyn Write) -> Result<(), WriteError> {
    writeln!(writer, "// An edge from A to B: the prototypes of A are among the best representatives of B.")?;
    writeln!(writer, "digraph relation {{")?;
    writeln!(writer, "  node [shape=box];")?;
    for table in &relation.tables {
        let rank = table.average_rank.map_or_else(String::new, |rank| format!("\\naverage rank {rank:.2}"));
        writeln!(writer, "  {} [label=\"{}{rank}\"];", quoted(&table.name), escaped(&table.name))?;
    }
    for edge in &relation.edges {
        let percent = 100.0 * edge.explained;
        writeln!(writer, "  {} -> {} [label=\"{percent:.1} %\"];", quoted(&edge.source), quoted(&edge.target))?;
    }
    writeln!(writer, "}}")?;
    Ok(())
}

fn quoted(name: &str) -> String {
    format!("\"{}\"", escaped(name))
}

fn escaped(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"")
}
