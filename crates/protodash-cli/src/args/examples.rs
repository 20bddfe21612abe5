//! The examples at the end of each long help, to be run in the project's own folder.

/// Examples of `protodash select`.
pub(super) const SELECT: &str = "\
Examples:
  Ten handwritten digits that stand for all 1,797; `label` is only shown:
    protodash select testdata/digits.csv --label label

  Five adults that stand for 1,200, and three that they represent badly:
    protodash select testdata/nhanes_adults.csv --id id --missing category \\
        -m 5 --n-criticisms 3

  One file as both sides: which men best represent the women?
    protodash select testdata/nhanes_adults.csv --id id --missing category \\
        --drop gender --source-where \"gender = 'male'\" \\
        --target-where \"gender = 'female'\"

  As many prototypes as are worth their while, with weights that sum to 1:
    protodash select testdata/wine.csv --label label --min-gain 0.001 \\
        --method protogreedy --weights convex

  Keep the result for programs and `protodash criticize`, or for spreadsheets:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json
    protodash select testdata/digits.csv --label label -m 20 -o digits.csv

  A page for the browser, complete in one file, with the digits as pictures:
    protodash select testdata/digits.csv --label label -m 20 \\
        --image-shape 8x8 --report digits.html

  Two prototypes for each class, with the bandwidth that classifies best:
    protodash select testdata/wine.csv --label label -m 6 --per-label equal \\
        --bandwidth cv

  Weights with which the other wines look like those of one class:
    protodash select testdata/wine.csv --drop label -m all --shift \\
        --source-where \"label <> 'class_0'\" --target-where \"label = 'class_0'\"

  Answers given as codes, compared by how many of them agree:
    protodash select testdata/income.csv --kernel hamming --missing category

Exit codes:
  0  done                       2    the call is wrong, whatever the files hold
  1  the data or the run failed 130  interrupted
An output file appears whole or not at all.";

/// Examples of `protodash compare`.
pub(super) const COMPARE: &str = "\
Examples:
  All methods on the handwritten digits, for three numbers of prototypes, judged
  by how well a fifth of the rows, held out, are classified:
    protodash compare testdata/digits.csv --label label -m 10,20,50 --holdout 0.2

  Three methods, for programs and for spreadsheets:
    protodash compare testdata/wine.csv --label label \\
        --methods protodash,protogreedy,random -o wine.json
    protodash compare testdata/wine.csv --label label \\
        --methods protodash,protogreedy,random -o wine.csv

  Images whose classes stand in files of their own, 1,500 of them to choose from:
    protodash compare t10k-images-idx3-ubyte.gz --target train-images-idx3-ubyte.gz \\
        --source-labels t10k-labels-idx1-ubyte.gz \\
        --target-labels train-labels-idx1-ubyte.gz --source-sample 1500 -m 200";

/// Examples of `protodash criticize`.
pub(super) const CRITICIZE: &str = "\
Examples:
  The five digits that a finished selection represents worst:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json
    protodash criticize digits.json testdata/digits.csv -n 5

  Those farthest from every prototype, as a table with all their columns:
    protodash criticize digits.json testdata/digits.csv \\
        --criticism distance -o worst.csv";

/// Examples of `protodash relate`.
pub(super) const RELATE: &str = "\
Examples:
  Which of three questionnaires stands best for the others?
    protodash relate testdata/relate/*.csv --key SEQN --all-categorical

  The same for everybody, those not asked included, and the graph as a picture
  (`dot -Tsvg graph.dot > graph.svg` draws it):
    protodash relate testdata/relate/*.csv --key SEQN --all-categorical \\
        --keys all --best 2 -o graph.dot

  Every pair of tables with its rank, for programs:
    protodash relate testdata/relate/*.csv --key SEQN --all-categorical \\
        -o pairs.csv";

/// Examples of `protodash report`.
pub(super) const REPORT: &str = "\
Examples:
  A page from a result alone, and one that shows the rows and pictures as well:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json
    protodash report digits.json -o brief.html
    protodash report digits.json testdata/digits.csv --image-shape 8x8 \\
        -o digits.html

  Methods side by side, and tables that represent each other:
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
