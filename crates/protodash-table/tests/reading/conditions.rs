//! Every operator on a small table, with results worked out by hand, and the exact message of every rejection.

use std::sync::Arc;

use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Date32Array, DictionaryArray, Float32Array, Float64Array, Int64Array, LargeStringArray,
    RecordBatch, StringArray, UInt64Array,
};
use protodash_table::{Condition, Error};

use crate::tables::hint;

const T: Option<bool> = Some(true);
const F: Option<bool> = Some(false);
const U: Option<bool> = None;

/// Four rows; the last has nothing but missing values.
///
/// | age | height | name | member |
/// |  17 |   1.5  | Ada  | true   |
/// |  44 |  -0.0  | bob  | false  |
/// |  60 |   2.25 | Ann_ | NULL   |
/// |NULL |   NaN  | NULL | NULL   |
fn people() -> RecordBatch {
    let age: ArrayRef = Arc::new(Int64Array::from(vec![Some(17), Some(44), Some(60), None]));
    let height: ArrayRef = Arc::new(Float64Array::from(vec![1.5, -0.0, 2.25, f64::NAN]));
    let name: ArrayRef = Arc::new(StringArray::from(vec![Some("Ada"), Some("bob"), Some("Ann_"), None]));
    let member: ArrayRef = Arc::new(BooleanArray::from(vec![Some(true), Some(false), None, None]));
    RecordBatch::try_from_iter([("age", age), ("height", height), ("name", name), ("member", member)])
        .expect("columns of one length")
}

fn truth(condition: &str) -> Vec<Option<bool>> {
    let parsed = Condition::parse(condition).unwrap_or_else(|error| panic!("{error}"));
    parsed.evaluate(&people()).unwrap_or_else(|error| panic!("{error}")).iter().collect()
}

#[track_caller]
fn check(condition: &str, expected: [Option<bool>; 4]) {
    assert_eq!(truth(condition), expected, "{condition}");
}

fn error(condition: &str) -> Error {
    Condition::parse(condition).and_then(|parsed| parsed.evaluate(&people())).expect_err(condition)
}

#[track_caller]
fn refused(condition: &str, message: &str) {
    assert_eq!(error(condition).to_string(), format!("condition `{condition}`: {message}"));
}

#[test]
fn comparisons_of_numbers() {
    check("age = 44", [F, T, F, U]);
    check("age == 44", [F, T, F, U]);
    check("age <> 44", [T, F, T, U]);
    check("age != 44", [T, F, T, U]);
    check("age < 44", [T, F, F, U]);
    check("age <= 44", [T, T, F, U]);
    check("age > 44", [F, F, T, U]);
    check("age >= 44", [F, T, T, U]);
    check("44 < age", [F, F, T, U]);
    check("age > 43.5", [F, T, T, U]);
    check("age > height", [T, T, T, U]);
    check("1 < 2", [T, T, T, T]);
}

#[test]
fn negative_zero_is_zero_and_nan_is_missing() {
    check("height = 0", [F, T, F, U]);
    check("height < 0", [F, F, F, U]);
    check("height >= -0.0", [T, T, T, U]);
    check("height IN (0)", [F, T, F, U]);
    check("height IS NULL", [F, F, F, T]);
}

#[test]
fn comparisons_of_text_and_booleans() {
    check("name = 'Ada'", [T, F, F, U]);
    // Capitals come before small letters in Unicode, so bob is the largest.
    check("name > 'Ann'", [F, T, T, U]);
    check("name = 'O''Hara'", [F, F, F, U]);
    check("member", [T, F, U, U]);
    check("member = TRUE", [T, F, U, U]);
    check("member <> TRUE", [F, T, U, U]);
    check("member > FALSE", [T, F, U, U]);
}

#[test]
fn connectives_use_three_valued_logic() {
    // Each pair of true, false and unknown, as constants.
    let spelt = [("TRUE", T), ("FALSE", F), ("NULL", U)];
    for (a, left) in spelt {
        for (b, right) in spelt {
            let and = if left == F || right == F {
                F
            } else if left == T && right == T {
                T
            } else {
                U
            };
            let or = if left == T || right == T {
                T
            } else if left == F && right == F {
                F
            } else {
                U
            };
            check(&format!("{a} AND {b}"), [and; 4]);
            check(&format!("{a} OR {b}"), [or; 4]);
        }
        check(&format!("NOT {a}"), [left.map(|value| !value); 4]);
    }
    check("member AND age > 0", [T, F, U, U]);
    check("member OR age > 50", [T, F, T, U]);
    check("NOT member", [F, T, U, U]);
    check("NOT age = 17 AND age < 50", [F, T, F, U]);
    check("age = 17 OR age = 44 AND member", [T, F, F, U]);
    check("(age = 17 OR age = 60) AND name LIKE 'A%'", [T, F, T, U]);
}

#[test]
fn membership() {
    check("age IN (17, 60)", [T, F, T, U]);
    check("age NOT IN (17, 60)", [F, T, F, U]);
    check("age IN (17, NULL)", [T, U, U, U]);
    check("age NOT IN (17, NULL)", [F, U, U, U]);
    check("age IN (17.0, 43.9)", [T, F, F, U]);
    check("height IN (1.5, -2, 2.25)", [T, F, T, U]);
    check("name IN ('Ada', 'bob')", [T, T, F, U]);
    check("member IN (TRUE)", [T, F, U, U]);
    check("age IN (10 + 7, height, 60)", [T, F, T, U]);
    check("NULL IN (1, 2)", [U; 4]);
    check("3 IN (1, 2)", [F; 4]);
}

#[test]
fn ranges() {
    check("age BETWEEN 17 AND 44", [T, T, F, U]);
    check("age NOT BETWEEN 17 AND 44", [F, F, T, U]);
    check("age BETWEEN 44 AND 17", [F, F, F, U]);
    check("name BETWEEN 'A' AND 'B'", [T, F, T, U]);
    // If one end is unknown, the result is false where the other end excludes the row, else unknown.
    check("age BETWEEN 40 AND NULL", [F, U, U, U]);
    check("age NOT BETWEEN 40 AND NULL", [T, U, U, U]);
    check("age BETWEEN 17 AND 44 AND member", [T, F, F, U]);
}

#[test]
fn patterns() {
    check("name LIKE 'A%'", [T, F, T, U]);
    check("name LIKE '%a'", [T, F, F, U]);
    check("name LIKE '%d%'", [T, F, F, U]);
    check("name LIKE 'A__'", [T, F, F, U]);
    check("name LIKE 'Ann\\_'", [F, F, T, U]);
    check("name LIKE 'ada'", [F, F, F, U]);
    check("name ILIKE 'aDA'", [T, F, F, U]);
    check("name ILIKE '%N%'", [F, F, T, U]);
    check("name NOT LIKE 'A%'", [F, T, F, U]);
    check("name NOT ILIKE 'a%'", [F, T, F, U]);
    check("name LIKE NULL", [U; 4]);
    check("'xAday' LIKE name", [F, F, F, U]);
    check("'Ada' LIKE name", [T, F, F, U]);
    check("'abc' LIKE 'a%'", [T; 4]);
}

#[test]
fn tests_for_null_and_booleans_are_never_unknown() {
    check("age IS NULL", [F, F, F, T]);
    check("age IS NOT NULL", [T, T, T, F]);
    check("NULL IS NULL", [T; 4]);
    check("age = NULL", [U; 4]);
    check("member IS TRUE", [T, F, F, F]);
    check("member IS NOT TRUE", [F, T, T, T]);
    check("member IS FALSE", [F, T, F, F]);
    check("member IS NOT FALSE", [T, F, T, T]);
    check("(age > 20) IS NOT TRUE", [T, F, F, T]);
    check("NULL IS TRUE", [F; 4]);
}

#[test]
fn arithmetic() {
    check("age + 1 = 18", [T, F, F, U]);
    check("age - 44 = 0", [F, T, F, U]);
    check("age * 2 = 120", [F, F, T, U]);
    // 17 / 2 = 8.5: division never truncates.
    check("age / 2 = 8.5", [T, F, F, U]);
    check("age % 10 = 4", [F, T, F, U]);
    check("-age % 10 = -7", [T, F, F, U]);
    check("height % 1 = 0.25", [F, F, T, U]);
    check("-age = -17", [T, F, F, U]);
    check("-height = -1.5", [T, F, F, U]);
    check("1 + 2 * 3 = 7", [T; 4]);
    check("(1 + 2) * 3 = 9", [T; 4]);
    check("age + NULL > 0", [U; 4]);
    check("-NULL > 0", [U; 4]);
    check("+5 > 4", [T; 4]);
}

#[test]
fn division_by_zero_is_null() {
    check("age / 0 > 0", [U; 4]);
    check("age % 0 = 0", [U; 4]);
    check("1 / height > 0", [T, U, T, U]);
    check("1 % height >= 0", [T, U, T, U]);
    check("(age / 0) IS NULL", [T; 4]);
    // ∞ − ∞ is not a number, hence missing.
    check("(1e308 * 10 - 1e308 * 10) IS NULL", [T; 4]);
}

#[test]
fn integers_are_exact_to_the_last_of_64_bits() {
    check("9007199254740993 = 9007199254740992", [F; 4]);
    check("9007199254740993 IN (9007199254740992)", [F; 4]);
    check("-9223372036854775808 < -9223372036854775807", [T; 4]);
    check("9223372036854775807 - 1 = 9223372036854775806", [T; 4]);
    // The smallest integer by -1 would overflow, but its remainder is 0.
    check("-9223372036854775808 % -1 = 0", [T; 4]);
    // One beyond the range is read as f64.
    check("9223372036854775808 > 9223372036854775807.0", [F; 4]);

    let id: ArrayRef = Arc::new(Int64Array::from(vec![9_007_199_254_740_992, 9_007_199_254_740_993]));
    let code: ArrayRef = Arc::new(UInt64Array::from(vec![1, u64::MAX]));
    let batch = RecordBatch::try_from_iter([("id", id), ("code", code)]).unwrap();
    let rows = |text: &str| Condition::parse(text).unwrap().evaluate(&batch).unwrap().iter().collect::<Vec<_>>();
    assert_eq!(rows("id = 9007199254740993"), [F, T]);
    assert_eq!(rows("code > 1"), [F, T]);
    // Also beside a decimal point, where 2⁵³ + 1 rounded to f64 would equal 2⁵³.
    assert_eq!(rows("id = 9007199254740992.0"), [T, F]);
    assert_eq!(rows("9007199254740992.0 < id"), [F, T]);
    assert_eq!(rows("id > 9007199254740992.0"), [F, T]);
    assert_eq!(rows("id BETWEEN 1.5 AND 9007199254740992.0"), [T, F]);
    assert_eq!(rows("id IN (9007199254740992.0, 0.5)"), [T, F]);
    assert_eq!(rows("id NOT IN (0.5, -1e300)"), [T, T]);
    check("height IN (-0.0, 0.5)", [F, T, F, U]);
    check("height IN (0, 2.25)", [F, T, T, U]);
    check("age > height", [T, T, T, U]);
    check("height >= age - 16", [T, F, F, U]);
    check("2 < 2.5", [T; 4]);
}

#[test]
fn overflow_is_an_error() {
    refused("9223372036854775807 + age > 0", "+ gives an integer beyond ±9223372036854775807 in some row");
    refused("age * 9223372036854775807 > 0", "* gives an integer beyond ±9223372036854775807 in some row");
    refused("-(-9223372036854775808) > 0", "- gives an integer beyond ±9223372036854775807 in some row");
    let hint = hint(&error("age * 9223372036854775807 > 0"));
    assert_eq!(hint, "write one number with a decimal point, as in id * 2.0, to calculate in floating point");
}

#[test]
fn columns_of_every_type_a_file_may_have() {
    let columns: [(&str, ArrayRef); 5] = [
        ("f32", Arc::new(Float32Array::from(vec![0.5, f32::NAN]))),
        ("day", Arc::new(Date32Array::from(vec![0, 19_000]))),
        ("word", Arc::new(vec!["a", "b"].into_iter().collect::<DictionaryArray<Int32Type>>())),
        ("large", Arc::new(LargeStringArray::from(vec!["x", "y"]))),
        ("user", Arc::new(Int64Array::from(vec![1, 2]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let rows = |text: &str| Condition::parse(text).unwrap().evaluate(&batch).unwrap().iter().collect::<Vec<_>>();
    assert_eq!(rows("f32 = 0.5"), [T, U]);
    assert_eq!(rows("day >= '2000-01-01'"), [F, T]);
    assert_eq!(rows("word = 'b'"), [F, T]);
    assert_eq!(rows("large <> 'x'"), [F, T]);
    assert_eq!(rows("user = 2"), [F, T]);
}

#[test]
fn names_are_matched_exactly_then_without_case() {
    let columns: [(&str, ArrayRef); 5] = [
        ("Age", Arc::new(Int64Array::from(vec![1]))),
        ("AGE", Arc::new(Int64Array::from(vec![2]))),
        ("Sepal.Length", Arc::new(Int64Array::from(vec![3]))),
        ("zip code", Arc::new(Int64Array::from(vec![4]))),
        ("größe", Arc::new(Int64Array::from(vec![5]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let evaluate = |text: &str| Condition::parse(text).unwrap().evaluate(&batch);
    for holds in ["AGE = 2", "Age = 1", "sepal.length = 3", "\"ZIP code\" = 4", "`zip code` = 4", "GRÖßE = 5"] {
        assert_eq!(evaluate(holds).unwrap(), BooleanArray::from(vec![true]), "{holds}");
    }
    assert_eq!(
        evaluate("age = 1").unwrap_err().to_string(),
        "condition `age = 1`: \"age\" matches \"Age\" and \"AGE\"; write one of them exactly"
    );
}

#[test]
fn an_unknown_column_is_named_with_the_closest() {
    refused("hieght > 1", "there is no column \"hieght\"; the closest is \"height\"");
    refused("name = \"Ada\"", "there is no column \"Ada\"; the closest are \"age\" and \"name\"");
    let hint = hint(&error("name = \"Ada\""));
    assert_eq!(hint, "if Ada is text rather than a column, write 'Ada' in single quotes");
}

#[test]
fn different_kinds_are_named_on_both_sides() {
    let one_kind = "both sides must be of one kind";
    refused("age = '44'", &format!("= cannot compare column \"age\" (numbers) with '44' (text); {one_kind}"));
    refused("'x' < age + 1", &format!("< cannot compare 'x' (text) with the result of + (numbers); {one_kind}"));
    refused("member = 1", &format!("= cannot compare column \"member\" (true/false) with 1 (a number); {one_kind}"));
    refused("name IN ('a', 2)", &format!("IN cannot compare column \"name\" (text) with 2 (a number); {one_kind}"));
    refused(
        "age IN (1, name)",
        &format!("IN cannot compare column \"age\" (numbers) with column \"name\" (text); {one_kind}"),
    );
    refused(
        "age BETWEEN 1 AND 'z'",
        &format!("BETWEEN cannot compare column \"age\" (numbers) with 'z' (text); {one_kind}"),
    );
    let hint = hint(&error("age = '44'"));
    assert_eq!(hint, "write numbers without quotes, text in single quotes, and booleans as TRUE or FALSE");
}

#[test]
fn operators_reject_operands_of_the_wrong_kind() {
    refused("age LIKE '4%'", "LIKE needs text, not column \"age\" (numbers)");
    refused("name ILIKE 4", "ILIKE needs text, not 4 (a number)");
    refused("name + 1 > 2", "+ needs numbers, not column \"name\" (text)");
    refused("-name = 2", "- needs numbers, not column \"name\" (text)");
    refused("age AND member", "AND needs true or false, not column \"age\" (numbers)");
    refused("member OR 'x'", "OR needs true or false, not 'x' (text)");
    refused("NOT age", "NOT needs true or false, not column \"age\" (numbers)");
    refused("age IS TRUE", "IS TRUE needs true or false, not column \"age\" (numbers)");
    refused("age", "it must be true or false for each row, but it is column \"age\" (numbers)");
    refused("age + 1", "it must be true or false for each row, but it is the result of + (numbers)");
    assert_eq!(hint(&error("age")), "compare it with something, as in: age >= 18");
}

#[test]
fn invalid_sql_is_rejected_with_its_position() {
    refused("", "expected an expression, found the end of the condition");
    refused("age >", "expected an expression, found the end of the condition");
    refused("(age > 1", "expected ), found the end of the condition");
    refused("age > 1)", "\")\" at character 8 is unexpected");
    refused("age > 1; DROP TABLE people", "\";\" at character 8 is unexpected");
    refused("age 5", "\"5\" at character 5 is unexpected");
    refused("name = 'Ada", "unterminated string literal at character 8");
    refused("age > 1e999", "the number 1e999 is too large; at most 1.797e308 is allowed");
    refused("age IN ()", "expected an expression, found ) at character 9");
    let hint = hint(&error("age >"));
    assert!(hint.starts_with("a condition looks like: age >= 18 AND tier = 'gold'"), "{hint}");
}

#[test]
fn unsupported_sql_is_named() {
    let allowed = "is not supported; allowed are = <> < <= > >=, AND, OR, NOT, IN (...), BETWEEN, LIKE, ILIKE, \
                   IS NULL, IS TRUE, IS FALSE, + - * / %, parentheses, columns and constants";
    let found = [
        ("upper(name) = 'ADA'", "the function UPPER"),
        ("substring(name, 1) = 'A'", "the function SUBSTRING"),
        ("floor(age) = 1", "the function FLOOR"),
        ("age IN (SELECT age FROM people)", "a subquery"),
        ("EXISTS (SELECT 1)", "a subquery"),
        ("age = (SELECT 1)", "a subquery"),
        ("age > ANY (1)", "a comparison with ANY or ALL"),
        ("CASE WHEN age > 1 THEN TRUE ELSE FALSE END", "CASE"),
        ("CAST(age AS TEXT) = '1'", "CAST"),
        ("age::text = '1'", "CAST"),
        ("name || 'x' = 'y'", "the operator ||"),
        ("age ^ 2 = 4", "the operator ^"),
        ("member XOR member", "the operator XOR"),
        ("name = DATE '2020-01-01'", "a typed constant"),
        ("name LIKE 'a!%' ESCAPE '!'", "ESCAPE (a backslash makes % and _ ordinary)"),
        ("name SIMILAR TO 'a'", "SIMILAR TO"),
        ("name REGEXP 'a'", "REGEXP"),
        ("member IS UNKNOWN", "IS UNKNOWN (use IS NULL)"),
        ("age IS DISTINCT FROM 1", "IS DISTINCT FROM"),
        ("(age, 1) = (1, 1)", "a list outside IN (...)"),
        ("age = x'1f'", "the constant X'1f'"),
        ("age = ?", "the constant ?"),
        ("+age > 1", "the sign + before a column"),
        ("age[1] = 2", "an array or an array element"),
    ];
    for (condition, what) in found {
        refused(condition, &format!("{what} {allowed}"));
    }
}

#[test]
fn no_condition_overflows_the_stack() {
    // The thread of a test has 2 MiB of stack, less than a deep tree would need.
    let nested = |open: &str, inner: &str, close: &str, n: usize| open.repeat(n) + inner + &close.repeat(n);
    for n in [40, 1_000, 30_000] {
        let texts = [
            nested("(", "age = 1", ")", n),
            nested("NOT ", "member", "", n),
            nested("- ", "age", "", n) + " > 0",
            nested("age = 1 OR ", "age = 2", "", n),
            nested("age IN (", "1", ")", n),
            nested("", "member", " IS TRUE", n),
            nested("1+", "1", "", n) + " > 0",
            nested("f(", "age", ")", n),
            nested("(SELECT ", "age", ")", n),
            nested("CASE WHEN ", "age", " THEN 1 END", n),
            nested("age = 1 AND ", ")", "", n),
        ];
        for text in texts {
            // Whatever the result, the process must survive, also when the condition is dropped.
            let outcome = Condition::parse(&text).and_then(|condition| condition.evaluate(&people()));
            if let Err(error) = outcome {
                assert!(error.to_string().starts_with("condition `"), "{error}");
            }
        }
    }
    assert_eq!(truth(&(nested("", "age = 17", " OR age = 44", 5_000))), [T, T, F, U]);
    assert_eq!(truth(&nested("(", "age = 17", ")", 40)), [T, F, F, U]);
}

#[test]
fn depth_is_limited_and_length_is_not() {
    let deep = "(".repeat(60) + "age = 1" + &")".repeat(60);
    let message = error(&deep).to_string();
    assert!(message.ends_with(": it is nested more than 50 levels deep; at most 50 are allowed"), "{message}");
    assert_eq!(truth(&format!("age IN ({}17)", "1, ".repeat(200_000))), [T, F, F, U]);
    assert_eq!(truth(&format!("{}age = 17", "age = 1 OR ".repeat(50_000))), [T, F, F, U]);
}

#[test]
fn conditions_are_equal_regardless_of_spacing() {
    let parse = |text: &str| Condition::parse(text).unwrap();
    assert_eq!(parse("age=1 and name in ('a')"), parse("((age = 1) AND name IN ('a'))"));
    assert_ne!(parse("age = 1"), parse("age = 2"));
    assert_ne!(parse("age = 1"), parse("AGE = 1"));
    assert_eq!(parse("age  = 1").to_string(), "age  = 1");
}

#[test]
fn an_empty_batch_gives_an_empty_result() {
    let none = people().slice(0, 0);
    for condition in ["age > 1", "TRUE", "name LIKE 'a%'", "age IN (1)", "age IS NULL", "NULL"] {
        assert_eq!(Condition::parse(condition).unwrap().evaluate(&none).unwrap().len(), 0, "{condition}");
    }
}
