//! Command lines that are wrong for any file: rejected before any file is read, with exit code 2.

use crate::harness::Folder;

/// Rejected by clap, which points to --help.
fn refuses(flags: &str, message: &str) {
    let more = "\n\nFor more information, try '--help'.";
    Folder::with("a.csv", "x,y\n1,2\n3,5\n").refuses(&format!("select a.csv {flags}"), 2, &format!("{message}{more}"));
}

/// Rejected by our own checks between flags.
fn contradicts(flags: &str, message: &str) {
    Folder::with("a.csv", "x,y\n1,2\n3,5\n").refuses(&format!("select a.csv {flags}"), 2, message);
}

#[test]
fn no_prototypes() {
    refuses("-m 0", "error: invalid value '0' for '--n-prototypes <N>': must be at least 1");
    refuses(
        "-m ten",
        "error: invalid value 'ten' for '--n-prototypes <N>': must be a positive integer, a percentage of the source rows such as 5%, or `all`",
    );
    refuses(
        "-m -3",
        "error: invalid value '-3' for '--n-prototypes <N>': must be a positive integer, a percentage of the source rows such as 5%, or `all`",
    );
}

#[test]
fn bandwidths_out_of_range() {
    for (given, shown) in [("-1", "-1"), ("0", "0"), ("nan", "NaN"), ("inf", "inf"), ("1e-200", "1e-200")] {
        refuses(
            &format!("--bandwidth {given}"),
            &format!(
                "error: invalid value '{given}' for '--bandwidth <X>': bandwidth is {shown}; it must be \
                 above 0 and finite (1e-150 to 1e150)"
            ),
        );
    }
    refuses(
        "--bandwidth wide",
        "error: invalid value 'wide' for '--bandwidth <X>': unknown bandwidth \"wide\"; it must be auto, \
         median, cv or a number above 0",
    );
}

#[test]
fn numbers_out_of_range() {
    let least = "must be a number of at least 0";
    refuses("--min-gain -1", &format!("error: invalid value '-1' for '--min-gain <X>': {least}"));
    refuses("--min-gain nan", &format!("error: invalid value 'nan' for '--min-gain <X>': {least}"));
    let offset = "it must be a finite number, at least 0";
    refuses("--kernel polynomial --offset -1", &format!("error: invalid value '-1' for '--offset <X>': {offset}"));
    refuses(
        "--kernel polynomial --degree 0",
        "error: invalid value '0' for '--degree <N>': it must be a whole number from 1 to 1000",
    );
    refuses("--threads 0", "error: invalid value '0' for '--threads <N>': must be at least 1");
    refuses("--threads 1025", "error: invalid value '1025' for '--threads <N>': at most 1024 are allowed");
    refuses(
        "--memory lots",
        "error: invalid value 'lots' for '--memory <SIZE>': must be a number of bytes, or a number with KB, MB, GB, \
         TB, KiB, MiB, GiB or TiB, such as 8GiB",
    );
    refuses(
        "--delimiter ,,",
        "error: invalid value ',,' for '--delimiter <CHAR>': must be one ASCII character other than a double \
         quote, or `tab`",
    );
    refuses(
        "--drop x,,y",
        "error: invalid value 'x,,y' for '--drop <A,B>': a column name is empty; separate names with single commas",
    );
}

#[test]
fn unknown_values() {
    refuses(
        "--method medoids",
        "error: invalid value 'medoids' for '--method <METHOD>'\n  [possible values: protodash, protogreedy, swap, l2c, p-lasso, k-medoids, coverage, k-means, farthest-first, random]\n\n  tip: a similar value exists: 'k-medoids'",
    );
    refuses(
        "--weights none",
        "error: invalid value 'none' for '--weights <WEIGHTS>'\n  [possible values: nonnegative, convex, equal, shares, own]\n\n  tip: a \
         similar value exists: 'nonnegative'",
    );
}

#[test]
fn a_column_with_two_roles() {
    contradicts(
        "--id x --label x",
        "error: column \"x\" appears in both --id and --label\nhint: remove it from --label or from --id",
    );
    contradicts(
        "--columns x,y --drop y",
        "error: column \"y\" appears in both --drop and --columns\nhint: remove it from --columns or from --drop",
    );
    contradicts(
        "--target-weight y --columns x,y",
        "error: column \"y\" appears in both --target-weight and --columns\nhint: remove it from --columns or from \
         --target-weight",
    );
}

#[test]
fn flags_without_effect() {
    contradicts("--kernel linear --bandwidth 2", "error: --kernel linear has no --bandwidth\nhint: omit --bandwidth");
    contradicts(
        "--degree 2",
        "error: --degree applies to --kernel polynomial, not to inverse-multiquadric\nhint: omit --degree, or use \
         --kernel polynomial",
    );
    contradicts(
        "--kernel hamming --scale standard",
        "error: --kernel hamming only tests values for equality, so --scale has no effect\nhint: omit --scale",
    );
    contradicts(
        "--kernel precomputed --drop x",
        "error: --kernel precomputed reads kernel matrices, so --drop does not apply\nhint: omit --drop, or use \
         another kernel",
    );
    contradicts(
        "--criticism distance",
        "error: flags for criticisms have no effect while --n-criticisms is 0\nhint: add --n-criticisms 5 or another \
         number",
    );
    contradicts(
        "--n-criticisms 2 --criticism distance --diversity 2",
        "error: --diversity applies to --criticism witness, not to distance\nhint: omit --diversity, or use \
         --criticism witness",
    );
}

#[test]
fn similarities_that_kernel_matrices_lack() {
    let unknown = "the given kernel matrices do not contain the similarities between target rows";
    contradicts(
        "--kernel precomputed --target b.csv --target-energy exact",
        &format!("error: --target-energy cannot be computed: {unknown}\nhint: omit --target-energy"),
    );
    contradicts(
        "--kernel precomputed --target b.csv --n-criticisms 1 --criticize-among target",
        &format!("error: --criticize-among target is not possible: {unknown}\nhint: use --criticize-among source"),
    );
}

#[test]
fn an_invalid_condition() {
    contradicts(
        "--target-where x{}>",
        "error: --target-where: condition `x >`: expected an expression, found the end of the condition\nhint: a condition looks like: \
         age >= 18 AND tier = 'gold'; put column names that contain spaces or are SQL keywords in double quotes",
    );
}

#[test]
fn outputs_of_an_unknown_kind() {
    let hint = "hint: use .json for the result, .csv or .parquet for the rows with their weights";
    contradicts(
        "-o out.xlsx",
        &format!("error: --output out.xlsx ends in .xlsx; allowed are .json, .csv and .parquet\n{hint}"),
    );
    contradicts(
        "-o out",
        &format!("error: --output out has no extension; allowed are .json, .csv and .parquet\n{hint}"),
    );
}

#[test]
fn criticisms_that_would_be_lost() {
    contradicts(
        "--n-criticisms 3 -o out.csv",
        "error: --output out.csv can hold only prototypes, not --n-criticisms\nhint: use a .json file, then write its \
         criticisms with `protodash criticize`",
    );
}

#[test]
fn an_output_that_would_replace_its_input() {
    contradicts(
        "-o ./a.csv",
        "error: --output ./a.csv would overwrite the input a.csv\nhint: choose another name for the output",
    );
}

#[test]
fn an_output_that_cannot_be_written() {
    let folder = Folder::with("a.csv", "x,y\n1,2\n3,5\n");
    folder.refuses(
        "select a.csv -o nowhere/out.json",
        1,
        "error: cannot write nowhere/out.json\nCaused by: No such file or directory (os error 2)\nhint: create the \
         folder first, or use another one",
    );
    std::fs::create_dir(folder.path("folder.json")).unwrap();
    folder.refuses(
        "select a.csv -o folder.json",
        1,
        "error: cannot write folder.json\nCaused by: is a directory\nhint: specify a file name",
    );
    folder.refuses(
        "select a.csv -o a.csv/out.json",
        1,
        "error: cannot write a.csv/out.json\nCaused by: Not a directory (os error 20)\nhint: create the folder first, \
         or use another one",
    );
}

#[test]
fn an_oversampling_factor_below_one_or_without_a_number() {
    for factor in ["0.5", "-2", "nan", "inf", "twice"] {
        let message = "must be a number of at least 1";
        refuses(
            &format!("--oversample {factor}"),
            &format!("error: invalid value '{factor}' for '--oversample <R>': {message}"),
        );
    }
    contradicts(
        "--oversample 2 --min-gain 0.1",
        "error: --oversample multiplies the number of prototypes, which --min-gain alone does not set\nhint: add -m, \
         or omit --oversample",
    );
}
