//! The examples at the end of each long help; they run from the root of the repository.

/// Examples of `protodash select`.
pub(super) const SELECT: &str = "\
Examples:
  Ten digits that represent all 1,797:
    protodash select testdata/digits.csv --label label

  Five adults that represent 1,200, and three that they represent badly:
    protodash select testdata/nhanes_adults.csv --id id --missing category \\
        -m 5 --n-criticisms 3

  Which men best represent the women?
    protodash select testdata/nhanes_adults.csv --id id --missing category \\
        --drop gender --source-where \"gender = 'male'\" \\
        --target-where \"gender = 'female'\"

  Save the result, and an HTML report that shows the digits as images:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json \\
        --image-shape 8x8 --report digits.html

  Rows 3 and 17 are labelled; which five next?
    protodash select testdata/wine.csv --drop label --fixed 3,17 -m 5

  Reweight the other wines so that they resemble those of one class:
    protodash select testdata/wine.csv --drop label -m all --shift \\
        --source-where \"label <> 'class_0'\" --target-where \"label = 'class_0'\"

Exit codes: 0 success, 1 error in the data or the run, 2 usage error, 130 interrupted.";

/// Examples of `protodash compare`.
pub(super) const COMPARE: &str = "\
Examples:
  All methods with 10, 20 and 50 prototypes, and accuracy on held-out rows:
    protodash compare testdata/digits.csv --label label -m 10,20,50 --holdout 0.2

  Three methods, saved for programs and for spreadsheets:
    protodash compare testdata/wine.csv --label label \\
        --method protodash,protogreedy,random -o wine.json
    protodash compare testdata/wine.csv --label label \\
        --method protodash,protogreedy,random -o wine.csv

  Images with labels in separate files; choose from a sample of 1,500:
    protodash compare t10k-images-idx3-ubyte.gz --target train-images-idx3-ubyte.gz \\
        --source-labels t10k-labels-idx1-ubyte.gz \\
        --target-labels train-labels-idx1-ubyte.gz --source-sample 1500 -m 200";

/// Examples of `protodash explain`.
pub(super) const EXPLAIN: &str = "\
Examples:
  Which adults are like those over 79?
    protodash explain testdata/nhanes_adults.csv --id id --missing category \\
        --rows \"age > 79\" -m 3

  Each wine of a class by the others of that class, for a spreadsheet:
    protodash explain testdata/wine.csv --label label --same \\
        --rows \"label = 'class_1'\" -o wine.csv

  A report with each row next to the rows that explain it:
    protodash explain testdata/wine.csv --drop label \\
        --rows \"alcohol > 14\" --report wine.html";

/// Examples of `protodash criticize`.
pub(super) const CRITICIZE: &str = "\
Examples:
  The five digits that a saved selection represents worst:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json
    protodash criticize digits.json testdata/digits.csv -n 5

  The rows farthest from every prototype, with all their columns:
    protodash criticize digits.json testdata/digits.csv \\
        --criticism distance -o worst.csv";

/// Examples of `protodash relate`.
pub(super) const RELATE: &str = "\
Examples:
  Which questionnaire represents the others best?
    protodash relate testdata/relate/*.csv --key SEQN --all-categorical

  The same for all participants, including those not asked, as a graph
  (`dot -Tsvg graph.dot > graph.svg` draws it):
    protodash relate testdata/relate/*.csv --key SEQN --all-categorical \\
        --keys all --best 2 -o graph.dot

  Every pair of tables with its rank:
    protodash relate testdata/relate/*.csv --key SEQN --all-categorical \\
        -o pairs.csv";

/// Examples of `protodash report`.
pub(super) const REPORT: &str = "\
Examples:
  A report from a result alone, and one that also shows the rows as images:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json
    protodash report digits.json -o brief.html
    protodash report digits.json testdata/digits.csv --image-shape 8x8 \\
        -o digits.html

  Two selections side by side, with their rows:
    protodash select testdata/wine.csv -m 8 -o a.json
    protodash select testdata/wine.csv -m 8 --method protogreedy -o b.json
    protodash report a.json b.json --data testdata/wine.csv -o both.html

  Reports of a comparison and of related tables:
    protodash compare testdata/wine.csv --label label -m 5,10 -o wine.json
    protodash report wine.json -o wine.html
    protodash relate testdata/relate/*.csv --key SEQN --all-categorical \\
        -o tables.json
    protodash report tables.json -o tables.html";

/// Examples of `protodash completions`.
pub(super) const COMPLETIONS: &str = "\
Examples:
  In ~/.bashrc:                    source <(protodash completions bash)
  In ~/.zshrc, after compinit:     source <(protodash completions zsh)
  In ~/.config/fish/config.fish:   protodash completions fish | source";
