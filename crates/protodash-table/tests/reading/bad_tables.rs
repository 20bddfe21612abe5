//! Tables and roles that cannot become a matrix: exact messages and hints.

use std::ops::ControlFlow;

use protodash_table::{Categories, Error, MissingRule, Part, Roles, Scaling, encode};

use crate::tables::{self, Tables, encode_alone, encode_both, encode_where, names, npy, roles};

const PEOPLE: &str = "name,age,city\nAda,20,Ulm\nEmmy,30,Bonn\nSofia,70,Ulm\n";

/// Checks message and hint of encoding `content` alone.
#[track_caller]
fn refused(content: &str, roles: &Roles, message: &str, hint: &str) {
    let tables = Tables::new();
    let input = tables.write("t.csv", content);
    assert_message(&tables, &encode_alone(&input, roles).expect_err(message), message, hint);
}

/// Checks message and hint of encoding `source` for `target`.
#[track_caller]
fn both_refused(source: &str, target: &str, roles: &Roles, message: &str, hint: &str) {
    let tables = Tables::new();
    let (source, target) = (tables.write("source.csv", source), tables.write("target.csv", target));
    assert_message(&tables, &encode_both(&source, &target, roles).expect_err(message), message, hint);
}

#[track_caller]
fn assert_message(tables: &Tables, error: &Error, message: &str, hint: &str) {
    assert_eq!(tables.message(error), message);
    assert_eq!(tables::hint(error), hint);
}

#[test]
fn an_unknown_column_in_each_setting() {
    type Change = fn(&mut Roles);
    let settings: [(&str, Change); 6] = [
        ("Columns", |roles| roles.columns = Some(names(&["age", "citty"]))),
        ("Drop([])", |roles| roles.drop = names(&["citty"])),
        ("Id(None)", |roles| roles.id = Some("citty".into())),
        ("Label(None)", |roles| roles.label = Some("citty".into())),
        ("TargetWeight", |roles| roles.target_weight = Some("citty".into())),
        ("Categorical([])", |roles| roles.categorical = names(&["citty"])),
    ];
    for (setting, change) in settings {
        let message = "t.csv: there is no column \"citty\"; the closest is \"city\"";
        refused(PEOPLE, &roles(change), message, &format!("correct the name in {setting}"));
    }
}

#[test]
fn an_unknown_column_in_a_condition() {
    let tables = Tables::new();
    let people = tables.write("people.csv", PEOPLE);
    let error = encode_where(&people, "age > 25", "citty = 'Ulm'", &roles(|roles| roles.drop = names(&["name"])));
    let message = "people.csv: condition `citty = 'Ulm'`: there is no column \"citty\"; the closest is \"city\"";
    assert_message(
        &tables,
        &error.unwrap_err(),
        message,
        "if citty is text rather than a column, write 'citty' in single quotes",
    );
}

#[test]
fn a_condition_that_does_not_fit_names_the_file() {
    let tables = Tables::new();
    let people = tables.write("people.csv", PEOPLE);
    let error = encode_where(&people, "age = 'old'", "age < 5", &Roles::default()).unwrap_err();
    let message = "people.csv: condition `age = 'old'`: = cannot compare column \"age\" (numbers) with 'old' (text); \
                   both sides must be of one kind";
    let hint = "write numbers without quotes, text in single quotes, and booleans as TRUE or FALSE";
    assert_message(&tables, &error, message, hint);
}

#[test]
fn a_column_of_a_type_that_cannot_be_read() {
    let tables = Tables::new();
    let input = tables.write("t.jsonl", "{\"x\": 1, \"tags\": [1]}\n{\"x\": 2, \"tags\": []}\n");
    let listed = encode_alone(&input, &roles(|roles| roles.columns = Some(names(&["x", "tags"]))));
    let message = "t.jsonl: column \"tags\" is of type list; only numbers, text and true/false can be read";
    assert_message(&tables, &listed.unwrap_err(), message, "remove it from Columns");
    let named = encode_where(&input, "tags = 1", "x = 1", &Roles::default());
    let message = "t.jsonl: condition `tags = 1`: column \"tags\" is of type list; only numbers, text and true/false \
                   can be used";
    assert_message(&tables, &named.unwrap_err(), message, "");
    // An unsupported column may be dropped.
    assert!(encode_alone(&input, &roles(|roles| roles.drop = names(&["tags"]))).is_ok());
}

#[test]
fn a_name_that_matches_two_columns() {
    let roles = roles(|roles| roles.drop = names(&["age"]));
    let message = "t.csv: \"age\" matches several columns: \"Age\" and \"AGE\"";
    refused("Age,AGE,x\n1,2,3\n4,5,6\n", &roles, message, "write one of them exactly in Drop([])");
}

#[test]
fn a_column_with_two_roles() {
    let label = roles(|roles| {
        roles.columns = Some(names(&["age", "city"]));
        roles.label = Some("city".into());
    });
    let message = "t.csv: column \"city\" cannot be both a feature and the label";
    refused(PEOPLE, &label, message, "remove it from Columns, or remove it from Label(None)");

    let dropped = roles(|roles| {
        roles.categorical = names(&["City"]);
        roles.drop = names(&["city"]);
    });
    let message = "t.csv: column \"city\" cannot be both a categorical feature and dropped";
    refused(PEOPLE, &dropped, message, "remove it from Categorical([]), or remove it from Drop([])");

    let unlisted = roles(|roles| {
        roles.columns = Some(names(&["age"]));
        roles.categorical = names(&["city"]);
    });
    let message = "t.csv: column \"city\" is set to be categorical but is not one of the features";
    refused(PEOPLE, &unlisted, message, "add it to Columns, or remove it from Categorical([])");
}

#[test]
fn no_features_left() {
    let roles = roles(|roles| {
        roles.drop = names(&["name", "city"]);
        roles.id = Some("age".into());
    });
    let message = "t.csv: no features are left: all 3 columns are dropped or have another role";
    refused(PEOPLE, &roles, message, "name at least one feature with Columns, or drop fewer columns");
}

#[test]
fn text_in_a_column_of_numbers() {
    let hint = "use Categorical([\"age\"]) to treat every value as a category, exclude the column with \
                Drop([\"age\"]), or empty the cells that have no value";
    let message = "t.csv: line 4, column \"age\": found text \"old\" in a numeric column";
    refused("x,age\n1,20\n2,30\n3,old\n", &Roles::default(), message, hint);
    // A cell that spans two lines shifts the lines below.
    let message = "t.csv: line 5, column \"age\": found text \"n/k\" in a numeric column (and 2 more)";
    refused("x,age\n\"a\nb\",20\n2,30\n3,n/k\n4,?\n5,?\n", &roles(|roles| roles.drop = names(&["x"])), message, hint);
    // The target is checked too.
    let message = "target.csv: line 2, column \"age\": found text \"old\" in a numeric column";
    both_refused("x,age\n1,2\n", "x,age\n1,old\n2,3\n", &Roles::default(), message, hint);
}

#[test]
fn missing_values() {
    let message = "t.csv: missing values in column \"x\" (2 of 3 rows); the first is in line 3";
    let hint = "use Missing(Some(Category)), Missing(Some(Mean)), Missing(Some(Zero)), or exclude the columns with \
                Drop([\"x\"])";
    refused("x,y\n1,1\n,2\nNA,3\n", &Roles::default(), message, hint);

    let message =
        "t.csv: missing values in 2 columns of 3 rows: \"x\" (2), \"c\" (1); the first is in line 3, column \"x\"";
    // A category has no mean.
    let hint = "use Missing(Some(Category)), or exclude the columns with Drop([\"x\", \"c\"])";
    refused("x,y,c\n1,1,a\n,2,\nNA,3,b\n", &Roles::default(), message, hint);

    let message = "target.csv: missing values in column \"x\" (1 of 2 rows); the first is in line 2";
    let hint = "use Missing(Some(Category)), Missing(Some(Mean)), Missing(Some(Zero)), or exclude the columns with \
                Drop([\"x\"])";
    both_refused("x,y\n1,1\n2,2\n", "x,y\n,1\n2,2\n", &Roles::default(), message, hint);
}

#[test]
fn a_condition_on_a_mixed_column_names_its_first_text() {
    let tables = Tables::new();
    let input = tables.write("t.csv", "x,Age\n1,20\n2,n/k\n3,30\n");
    let error = encode_where(&input, "age >= 18", "x > 0", &roles(|roles| roles.drop = names(&["Age"])));
    let message = "t.csv: condition `age >= 18`: >= cannot compare column \"age\" (text) with 18 (a number); both sides \
                   must be of one kind; column \"Age\" was read as text because line 3 holds \"n/k\"";
    let hint = "empty or correct the cell in line 3, or compare with text, as in '5'";
    assert_message(&tables, &error.unwrap_err(), message, hint);
}

#[test]
fn missing_categories_cannot_be_replaced_by_a_number() {
    let hint =
        "use Missing(Some(Category)), which adds a \"missing\" category and replaces missing numbers with the mean";
    for (rule, value) in [(MissingRule::Mean, "a mean"), (MissingRule::Zero, "zero")] {
        let roles = roles(|roles| roles.missing = rule);
        let message =
            format!("t.csv: categorical column \"c\" has 2 missing values, which cannot be replaced with {value}");
        refused("c,x\na,1\n,2\n,3\n", &roles, &message, hint);
    }
    let roles = roles(|roles| {
        roles.missing = MissingRule::Mean;
        roles.categorical = names(&["x"]);
    });
    let message = "target.csv: categorical column \"x\" has 1 missing value, which cannot be replaced with a mean";
    both_refused("x,y\n1,1\n2,2\n", "x,y\n,1\n2,2\n", &roles, message, hint);
}

#[test]
fn no_mean_without_values() {
    let message = "t.csv: column \"x\" has no values in the source, so its mean is undefined";
    let roles = roles(|roles| roles.missing = MissingRule::Mean);
    refused("x,y\n,1\n,2\n", &roles, message, "exclude it with Drop([\"x\"]), or use Missing(Some(Zero))");
}

#[test]
fn infinite_numbers() {
    let hint = "correct the cell, empty it and see Missing(None), or exclude the column with Drop([\"x\"])";
    for (cell, shown) in [("inf", "inf"), ("-inf", "-inf"), ("Infinity", "inf"), ("1e999", "inf")] {
        let message = format!("t.csv: line 3, column \"x\": found {shown}; every number must be finite");
        refused(&format!("y,x\n1,0\n2,{cell}\n3,2\n"), &Roles::default(), &message, hint);
    }
    let message = "target.csv: line 2, column \"x\": found inf; every number must be finite";
    both_refused("x\n1\n2\n", "x\ninf\n2\n", &Roles::default(), message, hint);

    // Files without lines have row numbers.
    let tables = Tables::new();
    let elements = [1.0_f32, 2.0, f32::NEG_INFINITY].map(f32::to_le_bytes).concat();
    let error = encode_alone(&tables.write("a.npy", npy("<f4", 3, &elements)), &Roles::default()).unwrap_err();
    let cell = "correct the cell, empty it and see Missing(None), or exclude the column with Drop([\"x0\"])";
    assert_message(
        &tables,
        &error,
        "a.npy: row 2 (counted from 0), column \"x0\": found -inf; every number must be finite",
        cell,
    );
    let error = encode_alone(&tables.write("n.npy", npy("<f4", 2, &[0, 0, 0xC0, 0x7F, 0, 0, 0, 0])), &Roles::default());
    let message = "n.npy: missing values in column \"x0\" (1 of 2 rows); the first is in row 0 (counted from 0)";
    assert_eq!(tables.message(&error.unwrap_err()), message);

    // The row is that of the file, also after a condition and a missing value.
    let tables = Tables::new();
    let input = tables.write("t.csv", "k,x\na,1\nb,2\na,\nb,3\na,-inf\n");
    let roles = roles(|roles| {
        roles.missing = MissingRule::Mean;
        roles.drop = names(&["k"]);
    });
    let error = encode_where(&input, "k = 'a'", "k = 'b'", &roles).unwrap_err();
    assert_message(&tables, &error, "t.csv: line 6, column \"x\": found -inf; every number must be finite", hint);
    // In an excluded row or a dropped column it is allowed.
    assert!(encode_where(&input, "k = 'b'", "k = 'a' AND x > 0", &roles).is_ok());
}

#[test]
fn only_constant_columns() {
    let hint = "choose features that differ between rows with Columns";
    let message = "t.csv: all 2 feature columns are constant, so all rows are equal";
    refused("x,c\n1,a\n1,a\n", &Roles::default(), message, hint);
    refused("x,c\n1,a\n1,a\n", &roles(|roles| roles.scale = Some(Scaling::None)), message, hint);
    refused("x,c\n1,a\n1,a\n", &roles(|roles| roles.categories = Categories::Codes), message, hint);
    // A single row need not differ from others.
    let tables = Tables::new();
    assert!(encode_alone(&tables.write("one.csv", "x,c\n1,a\n"), &Roles::default()).is_ok());
    let message = "t.csv: the only feature column is constant, so all rows are equal";
    refused("x\n1\n1\n1\n", &Roles::default(), message, hint);
    // The mean equals the other values; a missing value makes a difference only as 0 or as a category.
    let filled = |missing| roles(|roles| roles.missing = missing);
    refused("x\n1\n\"\"\n1\n", &filled(MissingRule::Mean), message, hint);
    let tables = Tables::new();
    let gap = tables.write("gap.csv", "x\n1\n\"\"\n1\n");
    assert!(
        encode_alone(&gap, &filled(MissingRule::Zero)).is_ok()
            && encode_alone(&gap, &filled(MissingRule::Category)).is_ok()
    );
    // A column that is constant in the source may differ in the target.
    let message = "source.csv: the only feature column is constant, so all rows are equal";
    both_refused("x\n1\n1\n", "x\n1\n1\n", &Roles::default(), message, hint);
    let tables = Tables::new();
    let (source, target) = (tables.write("source.csv", "x\n1\n1\n"), tables.write("target.csv", "x\n2\n2\n"));
    for scale in [Scaling::None, Scaling::Standard, Scaling::MinMax] {
        assert!(encode_both(&source, &target, &roles(|roles| roles.scale = Some(scale))).is_ok());
    }
}

#[test]
fn source_and_target_with_different_columns() {
    both_refused(
        "a,b,c\n1,2,3\n4,5,6\n",
        "a,d\n1,2\n3,4\n",
        &Roles::default(),
        "source and target must have the same features; not in target.csv: \"b\" and \"c\"; not in source.csv: \"d\"",
        "exclude them with Drop([\"b\", \"c\", \"d\"]), or name the features with Columns",
    );
    both_refused(
        "a,b\n1,2\n4,5\n",
        "a\n1\n3\n",
        &Roles::default(),
        "source and target must have the same features; not in target.csv: \"b\"",
        "exclude them with Drop([\"b\"]), or name the features with Columns",
    );
    both_refused(
        "a,b\n1,2\n4,5\n",
        "a\n1\n3\n",
        &roles(|roles| roles.columns = Some(names(&["a", "b"]))),
        "target.csv: there is no column \"b\"; the closest is \"a\"",
        "correct the name in Columns",
    );
}

#[test]
fn a_column_that_is_numeric_on_one_side_only() {
    let hint = "use Categorical([\"c\"]) to treat every value as a category, or exclude it with Drop([\"c\"])";
    let message = "column \"c\" is numeric in source.csv but not in target.csv";
    both_refused("c\n1\n2\n", "c\nx\ny\n", &Roles::default(), message, hint);
    let message = "column \"c\" is numeric in target.csv but not in source.csv";
    both_refused("c\ntrue\nfalse\n", "c\n1\n0\n", &Roles::default(), message, hint);
}

#[test]
fn a_text_column_in_which_every_value_is_distinct() {
    let rows: String = (0..21).map(|row| format!("n{row},{row}\n")).collect();
    refused(
        &format!("name,x\n{rows}"),
        &Roles::default(),
        "t.csv: every value of text column \"name\" is unique, so it cannot be used as a category",
        "use Id(Some(\"name\")) if it names the rows, exclude it with Drop([\"name\"]), or use it anyway with \
         Categorical([\"name\"])",
    );
}

#[test]
fn more_levels_than_fit_the_memory() {
    // 100 rows of 50 levels and one number at 8 bytes are 40,800 bytes.
    let rows: String = (0..100).map(|row| format!("k{},{row}\n", row % 50)).collect();
    let content = format!("c,x\n{rows}");
    let roles = |memory| roles(|roles| roles.memory = memory);
    refused(
        &content,
        &roles(30 << 10),
        "t.csv: 100 rows of 51 features need at least 39.8 KiB, more than the 30.0 KiB allowed; 50 of the \
         features come from column \"c\"",
        "exclude it with Drop([\"c\"]), use Id(Some(\"c\")) if it names the rows, or allow more with Memory",
    );
    let tables = Tables::new();
    let input = tables.write("t.csv", &content);
    assert!(encode_alone(&input, &roles(40_799)).is_err());
    assert_eq!(encode_alone(&input, &roles(40_800)).unwrap().features.len(), 51);
    // Codes take one column whatever the number of levels.
    let mut codes = roles(1_600);
    codes.categories = Categories::Codes;
    assert_eq!(encode_alone(&input, &codes).unwrap().features.len(), 2);
}

#[test]
fn a_table_of_numbers_that_does_not_fit_the_memory() {
    refused(
        "x,y\n1,2\n3,4\n",
        &roles(|roles| roles.memory = 31),
        "t.csv: 2 rows of 2 features need at least 32 bytes, more than the 31 bytes allowed",
        "use fewer columns with Columns, use fewer rows with SourceWhere, use fewer keys with KeysOf, or allow more with \
         Memory",
    );
}

#[test]
fn a_condition_that_selects_no_rows() {
    let tables = Tables::new();
    let people = tables.write("people.csv", PEOPLE);
    let roles = roles(|roles| roles.drop = names(&["name"]));
    let error = encode_where(&people, "city = 'ulm'", "age > 1", &roles).unwrap_err();
    let hint = "comparisons of text are case-sensitive; ILIKE ignores case";
    assert_message(&tables, &error, "people.csv: none of the 3 rows satisfies the condition `city = 'ulm'`", hint);
    let error = encode_where(&people, "age > 1", "city = NULL", &roles).unwrap_err();
    let message = "people.csv: none of the 3 rows satisfies the condition `city = NULL`";
    assert_message(&tables, &error, message, "nothing equals NULL; write IS NULL instead");
}

#[test]
fn a_file_that_changes_between_the_passes() {
    let after = [
        ("c,x\na,1\nz,2\nb,3\n", "line 3"),            // a level that was not there
        ("c,x\na,1\nb,2\n", "row 2 (counted from 0)"), // one row fewer: the reader itself notices
    ];
    for (content, place) in after {
        let tables = Tables::new();
        let input = tables.write("t.csv", "c,x\na,1\nb,2\nb,3\n");
        let mut rewrite = |done, _| {
            if done == 3 {
                std::fs::write(tables.path("t.csv"), content).unwrap();
            }
            ControlFlow::Continue(())
        };
        let error = encode(Part::from(&input), None, &Roles::default(), &mut rewrite).unwrap_err();
        let message = format!("t.csv: changed while it was being read, at {place}");
        assert_message(&tables, &error, &message, "wait until the file is complete, then run again");
    }
}

#[test]
fn bad_target_weights() {
    let roles = roles(|roles| roles.target_weight = Some("w".into()));
    let hint = "omit TargetWeight to weight all rows equally";
    let allowed = "it must be a number of at least 0";
    for (cell, found) in [("-1", "-1"), ("", "missing"), ("inf", "inf"), ("nan", "missing")] {
        let message = format!("t.csv: line 3, column \"w\": the target weight is {found}; {allowed}");
        refused(&format!("x,w\n1,1\n2,{cell}\n3,1\n"), &roles, &message, hint);
    }
    let message = format!("t.csv: line 3, column \"w\": the target weight is \"heavy\"; {allowed}");
    refused("x,w\n1,1\n2,heavy\n", &roles, &message, hint);
    let message = "t.csv: column \"w\" holds text; target weights must be numbers";
    refused("x,w\n1,light\n2,heavy\n", &roles, message, hint);
    let message = "t.csv: column \"w\" holds true and false; target weights must be numbers";
    refused("x,w\n1,true\n2,false\n", &roles, message, hint);
    let message = "t.csv: all 2 target weights in column \"w\" are 0; at least one must be larger";
    refused("x,w\n1,0\n2,0\n", &roles, message, hint);
    let message = "target.csv: line 2, column \"w\": the target weight is -2.5; it must be a number of at least 0";
    both_refused("x\n1\n2\n", "x,w\n1,-2.5\n2,1\n", &roles, message, hint);
}

#[test]
fn ranges_that_cannot_be_scaled() {
    let hint = "use Scale(Some(Rank)) to compare ranks, change its unit, or exclude it with Drop([\"x\"])";
    let message = "t.csv: column \"x\" ranges from -1.7e308 to 1.7e308, which is too wide or too narrow to scale";
    let by_range = roles(|roles| roles.scale = Some(Scaling::MinMax));
    refused("x\n-1.7e308\n1.7e308\n", &by_range, message, hint);
    let message = "t.csv: column \"x\" ranges from 1e-320 to 3e-320, which is too wide or too narrow to scale";
    refused("x\n1e-320\n3e-320\n", &Roles::default(), message, hint);
    // The target is scaled like the source and must not leave the range either.
    let message = "source.csv: column \"x\" ranges from 0e0 to 1e300, which is too wide or too narrow to scale";
    both_refused("x\n0\n1e-20\n", "x\n1e300\n", &Roles::default(), message, hint);
    // Values around 1e±200 are fine, although their squares are out of range.
    for unit in ["e30", "e-30", "e200", "e-200"] {
        let tables = Tables::new();
        let input = tables.write("t.csv", format!("x\n1{unit}\n3{unit}\n"));
        for scale in [Scaling::None, Scaling::Standard, Scaling::MinMax] {
            assert!(encode_alone(&input, &roles(|roles| roles.scale = Some(scale))).is_ok());
        }
    }
}
