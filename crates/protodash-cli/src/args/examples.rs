//! The examples at the end of each long help, to be run in the project's own folder.

/// Examples of `protodash select`.
pub(super) const SELECT: &str = "\
Examples:
  Ten handwritten digits that stand for all 1,797; `label` is shown but not looked at:
    protodash select testdata/digits.csv --label label

  Five adults that stand for 1,200, and the three worst represented; rows that lack a value form a category:
    protodash select testdata/nhanes_adults.csv -m 5 --id id --missing category --n-criticisms 3

  One file as both sides: which men best represent the women?
    protodash select testdata/nhanes_adults.csv --id id --drop gender --missing category \\
        --source-where \"gender = 'male'\" --target-where \"gender = 'female'\"

  As many prototypes as are worth their while, by the exact greedy method, with weights that sum to 1:
    protodash select testdata/wine.csv --label label --min-gain 0.001 --method protogreedy --weights convex

  Keep the result: for programs, for spreadsheets, and for `protodash criticize`:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json
    protodash select testdata/digits.csv --label label -m 20 -o digits.csv

  Survey answers given as codes, compared by how many of them agree:
    protodash select testdata/income.csv --kernel hamming --missing category

Exit codes: 0 done; 1 the data or the run failed; 2 the call is wrong; 130 interrupted. An output file appears whole or
not at all.";

/// Examples of `protodash criticize`.
pub(super) const CRITICIZE: &str = "\
Examples:
  The five digits that a finished selection represents worst:
    protodash select testdata/digits.csv --label label -m 20 -o digits.json
    protodash criticize digits.json testdata/digits.csv -n 5

  Those farthest from every prototype, as a table with all their columns:
    protodash criticize digits.json testdata/digits.csv --criticism distance -o worst.csv";

/// Examples of `protodash completions`.
pub(super) const COMPLETIONS: &str = "\
Examples:
  bash: protodash completions bash > ~/.local/share/bash-completion/completions/protodash
  zsh:  protodash completions zsh > ~/.zfunc/_protodash      (a folder of $fpath)
  fish: protodash completions fish > ~/.config/fish/completions/protodash.fish";
