//! Random conditions on random tables, compared with an interpreter that works row by row without Arrow.

use std::cmp::Ordering;
use std::sync::Arc;

use arrow_array::{ArrayRef, BooleanArray, Float64Array, Int64Array, RecordBatch, StringArray};
use proptest::prelude::*;
use protodash_table::Condition;

/// A cell or a constant; `None` is missing.
#[derive(Clone, Debug, PartialEq)]
enum Cell {
    Null,
    Truth(bool),
    Integer(i64),
    Real(f64),
    Text(String),
}

/// A condition or a part of one, as the generator builds it.
#[derive(Clone, Debug)]
enum Node {
    Column(&'static str),
    Constant(Cell),
    Compare(&'static str, Box<Node>, Box<Node>),
    Arithmetic(char, Box<Node>, Box<Node>),
    Minus(Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Not(Box<Node>),
    IsNull(Box<Node>, bool),
    IsTruth(Box<Node>, bool, bool),
    Between(Box<Node>, Box<Node>, Box<Node>, bool),
    In(Box<Node>, Vec<Node>, bool),
    Like(Box<Node>, String, bool, bool),
}

type Row = [(&'static str, Cell); 6];

/// Returns the value of `node` in `row`, with unknown as [`Cell::Null`].
fn interpret(node: &Node, row: &Row) -> Cell {
    let truth = |node: &Node| match interpret(node, row) {
        Cell::Truth(value) => Some(value),
        _ => None,
    };
    match node {
        Node::Column(name) => row.iter().find(|(column, _)| column == name).expect("a column of the row").1.clone(),
        Node::Constant(cell) => cell.clone(),
        Node::Compare(operator, left, right) => unknown_or(compare(operator, left, right, row)),
        Node::Arithmetic(operator, left, right) => calculate(*operator, &interpret(left, row), &interpret(right, row)),
        Node::Minus(inner) => match interpret(inner, row) {
            Cell::Integer(value) => Cell::Integer(-value),
            Cell::Real(value) => Cell::Real(-value),
            _ => Cell::Null,
        },
        Node::And(left, right) => unknown_or(and(truth(left), truth(right))),
        Node::Or(left, right) => unknown_or(or(truth(left), truth(right))),
        Node::Not(inner) => unknown_or(truth(inner).map(|value| !value)),
        Node::IsNull(inner, negated) => Cell::Truth((interpret(inner, row) == Cell::Null) != *negated),
        Node::IsTruth(inner, value, negated) => Cell::Truth((truth(inner) == Some(*value)) != *negated),
        Node::Between(value, low, high, negated) => {
            let inside = and(compare(">=", value, low, row), compare("<=", value, high, row));
            unknown_or(inside.map(|inside| inside != *negated))
        }
        Node::In(value, list, negated) => {
            let mut found = Some(false);
            for item in list {
                found = or(found, compare("=", value, item, row));
            }
            unknown_or(found.map(|found| found != *negated))
        }
        Node::Like(text, pattern, ignore_case, negated) => match interpret(text, row) {
            Cell::Text(text) => {
                let fold = |text: &str| if *ignore_case { text.to_lowercase() } else { text.to_owned() };
                let (text, pattern): (Vec<_>, Vec<_>) =
                    (fold(&text).chars().collect(), fold(pattern).chars().collect());
                Cell::Truth(like(&text, &pattern) != *negated)
            }
            _ => Cell::Null,
        },
    }
}

fn unknown_or(truth: Option<bool>) -> Cell {
    truth.map_or(Cell::Null, Cell::Truth)
}

fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    if left == Some(false) || right == Some(false) { Some(false) } else { Some(left? && right?) }
}

fn or(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    if left == Some(true) || right == Some(true) { Some(true) } else { Some(left? || right?) }
}

fn compare(operator: &str, left: &Node, right: &Node, row: &Row) -> Option<bool> {
    let order = match (interpret(left, row), interpret(right, row)) {
        (Cell::Null, _) | (_, Cell::Null) => return None,
        (Cell::Integer(a), Cell::Integer(b)) => a.cmp(&b),
        (Cell::Text(a), Cell::Text(b)) => a.cmp(&b),
        (Cell::Truth(a), Cell::Truth(b)) => a.cmp(&b),
        // Halves of small numbers are exact in `f64`; larger integers have their own tests.
        (a, b) => real(&a).partial_cmp(&real(&b)).expect("no NaN"),
    };
    Some(match operator {
        "=" => order == Ordering::Equal,
        "<>" => order != Ordering::Equal,
        "<" => order == Ordering::Less,
        "<=" => order != Ordering::Greater,
        ">" => order == Ordering::Greater,
        ">=" => order != Ordering::Less,
        other => panic!("{other}"),
    })
}

fn real(cell: &Cell) -> f64 {
    match cell {
        Cell::Integer(value) => *value as f64,
        Cell::Real(value) => *value,
        other => panic!("{other:?} is not a number"),
    }
}

fn calculate(operator: char, left: &Cell, right: &Cell) -> Cell {
    match (left, right) {
        (Cell::Null, _) | (_, Cell::Null) => Cell::Null,
        (Cell::Integer(a), Cell::Integer(b)) if operator != '/' => match operator {
            '+' => Cell::Integer(a + b),
            '-' => Cell::Integer(a - b),
            '*' => Cell::Integer(a * b),
            '%' if *b == 0 => Cell::Null,
            _ => Cell::Integer(a % b),
        },
        _ => {
            let (a, b) = (real(left), real(right));
            let result = match operator {
                '+' => a + b,
                '-' => a - b,
                '*' => a * b,
                _ if b == 0.0 => f64::NAN,
                '/' => a / b,
                _ => a % b,
            };
            if result.is_nan() { Cell::Null } else { Cell::Real(result) }
        }
    }
}

/// Matches by trying every length for `%`: slow but obviously correct.
fn like(text: &[char], pattern: &[char]) -> bool {
    match pattern {
        [] => text.is_empty(),
        ['%', rest @ ..] => (0..=text.len()).any(|skipped| like(&text[skipped..], rest)),
        ['_', rest @ ..] => !text.is_empty() && like(&text[1..], rest),
        ['\\', c, rest @ ..] | [c, rest @ ..] => text.first() == Some(c) && like(&text[1..], rest),
    }
}

/// Writes `node` as SQL, with parentheses around every part.
fn sql(node: &Node) -> String {
    let not = |negated: &bool| if *negated { " NOT" } else { "" };
    match node {
        Node::Column(name) => (*name).to_owned(),
        Node::Constant(Cell::Null) => "NULL".to_owned(),
        Node::Constant(Cell::Truth(value)) => value.to_string(),
        Node::Constant(Cell::Integer(value)) => value.to_string(),
        Node::Constant(Cell::Real(value)) => format!("{value:?}"),
        Node::Constant(Cell::Text(value)) => format!("'{}'", value.replace('\'', "''")),
        Node::Compare(operator, left, right) => format!("({} {operator} {})", sql(left), sql(right)),
        Node::Arithmetic(operator, left, right) => format!("({} {operator} {})", sql(left), sql(right)),
        Node::Minus(inner) => format!("(- {})", sql(inner)),
        Node::And(left, right) => format!("({} AND {})", sql(left), sql(right)),
        Node::Or(left, right) => format!("({} OR {})", sql(left), sql(right)),
        Node::Not(inner) => format!("(NOT {})", sql(inner)),
        Node::IsNull(inner, negated) => format!("({} IS{} NULL)", sql(inner), not(negated)),
        Node::IsTruth(inner, value, negated) => format!("({} IS{} {value})", sql(inner), not(negated)),
        Node::Between(value, low, high, negated) => {
            format!("({}{} BETWEEN {} AND {})", sql(value), not(negated), sql(low), sql(high))
        }
        Node::In(value, list, negated) => {
            let list: Vec<_> = list.iter().map(sql).collect();
            format!("({}{} IN ({}))", sql(value), not(negated), list.join(", "))
        }
        Node::Like(text, pattern, ignore_case, negated) => {
            let operator = if *ignore_case { "ILIKE" } else { "LIKE" };
            format!("({}{} {operator} '{}')", sql(text), not(negated), pattern.replace('\'', "''"))
        }
    }
}

const SMALL: std::ops::Range<i64> = -4..5;

fn number() -> BoxedStrategy<Node> {
    let leaf = prop_oneof![
        Just(Node::Column("i")),
        Just(Node::Column("j")),
        Just(Node::Column("x")),
        SMALL.prop_map(|value| Node::Constant(Cell::Integer(value))),
        SMALL.prop_map(|value| Node::Constant(Cell::Real(value as f64 / 2.0))),
        Just(Node::Constant(Cell::Null)),
    ];
    // Three levels keep products of small integers far from 64 bits.
    leaf.prop_recursive(3, 8, 2, |inner| {
        let operator = prop::sample::select(vec!['+', '-', '*', '/', '%']);
        prop_oneof![
            (operator, inner.clone(), inner.clone()).prop_map(|(operator, a, b)| Node::Arithmetic(
                operator,
                Box::new(a),
                Box::new(b)
            )),
            inner.prop_map(|a| Node::Minus(Box::new(a))),
        ]
    })
    .boxed()
}

fn text() -> BoxedStrategy<Node> {
    prop_oneof![
        Just(Node::Column("s")),
        Just(Node::Column("t")),
        "[aAbé'%]{0,3}".prop_map(|value| Node::Constant(Cell::Text(value))),
        Just(Node::Constant(Cell::Null)),
    ]
    .boxed()
}

fn truth() -> BoxedStrategy<Node> {
    let constant = any::<bool>().prop_map(|value| Node::Constant(Cell::Truth(value)));
    prop_oneof![Just(Node::Column("b")), constant].boxed()
}

fn comparison(side: BoxedStrategy<Node>) -> BoxedStrategy<Node> {
    let operator = prop::sample::select(vec!["=", "<>", "<", "<=", ">", ">="]);
    let list = prop::collection::vec(side.clone(), 1..5);
    prop_oneof![
        (operator, side.clone(), side.clone()).prop_map(|(op, a, b)| Node::Compare(op, Box::new(a), Box::new(b))),
        (side.clone(), side.clone(), side.clone(), any::<bool>()).prop_map(|(a, b, c, negated)| Node::Between(
            Box::new(a),
            Box::new(b),
            Box::new(c),
            negated
        )),
        (side.clone(), list, any::<bool>()).prop_map(|(a, list, negated)| Node::In(Box::new(a), list, negated)),
        (side, any::<bool>()).prop_map(|(a, negated)| Node::IsNull(Box::new(a), negated)),
    ]
    .boxed()
}

fn condition() -> BoxedStrategy<Node> {
    let pattern = (text(), "([aAbé'_%.]|\\\\[%_]){0,4}", any::<bool>(), any::<bool>());
    let leaf = prop_oneof![
        4 => comparison(number()),
        3 => comparison(text()),
        1 => comparison(truth()),
        3 => pattern.prop_map(|(text, pattern, fold, negated)| Node::Like(Box::new(text), pattern, fold, negated)),
        1 => Just(Node::Column("b")),
        1 => Just(Node::Constant(Cell::Null)),
    ];
    leaf.prop_recursive(4, 24, 2, |inner| {
        let boxed = || inner.clone().prop_map(Box::new);
        prop_oneof![
            (boxed(), boxed()).prop_map(|(a, b)| Node::And(a, b)),
            (boxed(), boxed()).prop_map(|(a, b)| Node::Or(a, b)),
            boxed().prop_map(Node::Not),
            (boxed(), any::<bool>(), any::<bool>()).prop_map(|(a, value, negated)| Node::IsTruth(a, value, negated)),
            (boxed(), any::<bool>()).prop_map(|(a, negated)| Node::IsNull(a, negated)),
        ]
    })
    .boxed()
}

fn cell<T: std::fmt::Debug + Clone + 'static>(
    present: impl Strategy<Value = T> + 'static,
    wrap: fn(T) -> Cell,
) -> impl Strategy<Value = Cell> {
    prop_oneof![4 => present.prop_map(wrap), 1 => Just(Cell::Null)]
}

fn row() -> impl Strategy<Value = Row> {
    let halves = SMALL.prop_map(|value| value as f64 / 2.0);
    let words = || prop::sample::select(vec!["", "a", "A", "ab", "aé", "É", "a%", "b'b", "aab\nb"]);
    let word = || cell(words().prop_map(str::to_owned), Cell::Text);
    (
        cell(SMALL, Cell::Integer),
        cell(SMALL, Cell::Integer),
        cell(halves, Cell::Real),
        word(),
        word(),
        cell(any::<bool>(), Cell::Truth),
    )
        .prop_map(|(i, j, x, s, t, b)| [("i", i), ("j", j), ("x", x), ("s", s), ("t", t), ("b", b)])
}

fn batch(rows: &[Row]) -> RecordBatch {
    let column = |position: usize| rows.iter().map(move |row| row[position].1.clone());
    let integers = |position: usize| -> ArrayRef {
        let cells = column(position).map(|cell| if let Cell::Integer(value) = cell { Some(value) } else { None });
        Arc::new(cells.collect::<Int64Array>())
    };
    let texts = |position: usize| -> ArrayRef {
        let cells = column(position).map(|cell| if let Cell::Text(value) = cell { Some(value) } else { None });
        Arc::new(cells.collect::<StringArray>())
    };
    let reals = column(2).map(|cell| if let Cell::Real(value) = cell { Some(value) } else { None });
    let truths = column(5).map(|cell| if let Cell::Truth(value) = cell { Some(value) } else { None });
    let columns: [(&str, ArrayRef); 6] = [
        ("i", integers(0)),
        ("j", integers(1)),
        ("x", Arc::new(reals.collect::<Float64Array>())),
        ("s", texts(3)),
        ("t", texts(4)),
        ("b", Arc::new(truths.collect::<BooleanArray>())),
    ];
    RecordBatch::try_from_iter(columns).expect("columns of one length")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn conditions_agree_with_a_row_by_row_interpreter(
        node in condition(),
        rows in prop::collection::vec(row(), 1..12),
    ) {
        let text = sql(&node);
        let found = Condition::parse(&text).and_then(|parsed| parsed.evaluate(&batch(&rows)));
        let found: Vec<Option<bool>> = found.map_err(|error| TestCaseError::fail(error.to_string()))?.iter().collect();
        let expected: Vec<Option<bool>> = rows
            .iter()
            .map(|row| match interpret(&node, row) {
                Cell::Truth(value) => Some(value),
                _ => None,
            })
            .collect();
        prop_assert_eq!(found, expected, "{}", text);
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,60}") {
        let _ = Condition::parse(&text);
    }

    #[test]
    fn no_sequence_of_sql_words_makes_the_parser_panic(words in prop::collection::vec(
        prop::sample::select(vec![
            "(", ")", "AND", "OR", "NOT", "IN", "BETWEEN", "LIKE", "IS", "NULL", "TRUE", "i", "x", "s", "1", "-1",
            "'a'", "=", "<", "+", "-", "*", "/", "%", ",", "CASE", "WHEN", "END", "SELECT", "INTERVAL", "CAST", "AS",
            "[", "]", ".", "::", "\"i\"", "`s`", "--", "/*", "*/", "ESCAPE", "ANY", "EXISTS", "user", "DATE", "1e5",
            "9223372036854775808",
        ]),
        0..24,
    )) {
        let mut row = ["i", "j", "x", "s", "t", "b"].map(|name| (name, Cell::Null));
        (row[0].1, row[2].1) = (Cell::Integer(1), Cell::Real(0.5));
        if let Ok(condition) = Condition::parse(&words.join(" ")) {
            let _ = condition.evaluate(&batch(&[row]));
        }
    }
}
