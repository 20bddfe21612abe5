//! Hints and notes, which name settings independently of how a front end writes them.

use std::borrow::Cow;
use std::path::Path;

use crate::encode::{MissingRule, Scaling};

/// A setting, with the value that a hint suggests, if any.
///
/// This crate does not know how a setting is written: a command may say `--drop a,b`, Python `drop=["a", "b"]`. To add a
/// setting, add a variant here, with its [`name`](Setting::name) and its [`value`](Setting::value).
///
/// # Examples
///
/// ```
/// use protodash_table::Setting;
///
/// let in_a_config_file = |setting: &Setting| match setting {
///     Setting::Drop(names) => Some(format!("drop: {}", names.join(" "))),
///     _ => None, // there is no such setting
/// };
/// assert_eq!(in_a_config_file(&Setting::Drop(vec!["age".into()])).unwrap(), "drop: age");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The columns that are features.
    Columns,
    /// Columns that are not features; if empty, the user has to choose them.
    Drop(Vec<String>),
    /// Columns whose values are categories; if empty, the user has to choose them.
    Categorical(Vec<String>),
    /// The column that names the rows.
    Id(Option<String>),
    /// The column with the class of each row.
    Label(Option<String>),
    /// The column with the weight of each target row.
    TargetWeight,
    /// Columns that reports show and that are not features; if empty, the user has to choose them.
    Show(Vec<String>),
    /// The rule for missing values.
    Missing(Option<MissingRule>),
    /// How numbers are scaled.
    Scale(Option<Scaling>),
    /// The condition on source rows.
    SourceWhere,
    /// The memory that may be used.
    Memory,
    /// The first line of a CSV file is data.
    NoHeader,
    /// The character between the cells of a CSV file.
    Delimiter(Option<char>),
    /// The column with the key of each row, in tables that are matched by keys.
    Key,
    /// The file that restricts the keys.
    KeysOf,
    /// How to compute the kernel means, by name.
    Means(&'static str),
    /// How to choose rows, by name.
    Method(Option<&'static str>),
    /// How many prototypes to choose.
    NPrototypes(Option<usize>),
    /// How many prototypes each class gets.
    PerLabel,
    /// The similarity between rows, by name.
    Kernel(Option<&'static str>),
    /// The bandwidth of the kernel: a rule or a number.
    Bandwidth(Option<&'static str>),
    /// The data to represent.
    Target,
    /// The largest share of the total that a weight may have.
    MaxWeight,
    /// The smallest effective sample size that the weights may have.
    MinEffective,
    /// The smallest number of prototypes with a value.
    AtLeast,
    /// The largest sum of the prototypes' costs.
    Budget(Option<String>),
    /// Columns whose means are estimated from the prototypes.
    Estimate,
    /// The size of a random sample of the source rows.
    SourceSample(usize),
    /// The same of the target rows.
    TargetSample(usize),
}

/// The value that a [`Setting`] suggests; each front end quotes it in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingValue {
    /// Names of columns.
    Names(Vec<String>),
    /// A text.
    Text(String),
    /// A number.
    Number(String),
}

impl Setting {
    /// The name of the setting, in the words that flags and keywords share.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::{Setting, SettingValue};
    ///
    /// let setting = Setting::SourceSample(500);
    /// assert_eq!(setting.name(), "source_sample");
    /// assert_eq!(setting.value(), Some(SettingValue::Number("500".into())));
    /// ```
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Setting::Columns => "columns",
            Setting::Drop(_) => "drop",
            Setting::Categorical(_) => "categorical",
            Setting::Id(_) => "id",
            Setting::Label(_) => "label",
            Setting::TargetWeight => "target_weight",
            Setting::Show(_) => "show",
            Setting::Missing(_) => "missing",
            Setting::Scale(_) => "scale",
            Setting::SourceWhere => "source_where",
            Setting::Memory => "memory",
            Setting::NoHeader => "no_header",
            Setting::Delimiter(_) => "delimiter",
            Setting::Key => "key",
            Setting::KeysOf => "keys_of",
            Setting::Means(_) => "means",
            Setting::Method(_) => "method",
            Setting::NPrototypes(_) => "n_prototypes",
            Setting::PerLabel => "per_label",
            Setting::Kernel(_) => "kernel",
            Setting::Bandwidth(_) => "bandwidth",
            Setting::Target => "target",
            Setting::MaxWeight => "max_weight",
            Setting::MinEffective => "min_effective",
            Setting::AtLeast => "at_least",
            Setting::Budget(_) => "budget",
            Setting::Estimate => "estimate",
            Setting::SourceSample(_) => "source_sample",
            Setting::TargetSample(_) => "target_sample",
        }
    }

    /// The value that the setting suggests, if any.
    ///
    /// # Examples
    ///
    /// See [`Setting::name`].
    #[must_use]
    pub fn value(&self) -> Option<SettingValue> {
        let text = |text: &str| SettingValue::Text(text.to_owned());
        match self {
            Setting::Drop(names) | Setting::Categorical(names) | Setting::Show(names) => {
                (!names.is_empty()).then(|| SettingValue::Names(names.clone()))
            }
            Setting::Id(name) | Setting::Label(name) => name.as_deref().map(text),
            Setting::Missing(rule) => rule.map(|rule| text(rule.name())),
            Setting::Scale(scale) => scale.map(|scale| text(scale.name())),
            Setting::Delimiter(char) => char.map(|char| SettingValue::Text(char.to_string())),
            Setting::Means(how) => Some(text(how)),
            Setting::Method(name) | Setting::Kernel(name) => name.map(text),
            Setting::Bandwidth(value) => value.map(|value| match value.parse::<f64>() {
                Ok(_) => SettingValue::Number(value.to_owned()),
                Err(_) => text(value),
            }),
            Setting::NPrototypes(number) => number.map(|number| SettingValue::Number(number.to_string())),
            Setting::Budget(amount) => amount.clone().map(SettingValue::Number),
            Setting::SourceSample(n_rows) | Setting::TargetSample(n_rows) => {
                Some(SettingValue::Number(n_rows.to_string()))
            }
            _ => None,
        }
    }

    /// Returns the role that the setting gives a column, as in "cannot be both a feature and the label".
    pub(crate) fn role(&self) -> &'static str {
        match self {
            Setting::Columns => "a feature",
            Setting::Categorical(_) => "a categorical feature",
            Setting::Drop(_) => "dropped",
            Setting::Id(_) => "the id",
            Setting::Label(_) => "the label",
            Setting::TargetWeight => "the target weight",
            Setting::Show(_) => "shown",
            Setting::Estimate => "estimated",
            Setting::Key => "the key",
            _ => "a setting",
        }
    }
}

/// What to try next: one or more options, some of which name settings.
///
/// # Examples
///
/// ```
/// use protodash_table::{Input, ReadOptions};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("a.csv");
/// std::fs::write(&path, "x,y\n")?;
/// let hint = Input::open(&path, &ReadOptions::default()).unwrap_err().hint().unwrap();
/// assert_eq!(hint.render(|_| Some("--no-header".into())).unwrap(), "if its only line is data, use --no-header");
/// assert_eq!(hint.render(|_| None), None); // useless in a program without that setting
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hint {
    options: Vec<HintOption>,
}

/// One thing to try: text and settings in reading order.
pub(crate) type HintOption = Vec<HintPart>;

/// A piece of a [`Hint`]: some text, or a setting that each front end writes in its own way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HintPart {
    /// Text.
    Words(Cow<'static, str>),
    /// A setting.
    Setting(Setting),
}

impl From<&'static str> for HintPart {
    fn from(words: &'static str) -> HintPart {
        HintPart::Words(words.into())
    }
}

impl From<String> for HintPart {
    fn from(words: String) -> HintPart {
        HintPart::Words(words.into())
    }
}

impl From<Setting> for HintPart {
    fn from(setting: Setting) -> HintPart {
        HintPart::Setting(setting)
    }
}

/// A [`Hint`] of one or more options, each a list of words and settings in brackets.
///
/// # Examples
///
/// ```
/// use protodash_table::{Setting, hint};
///
/// let hint = hint!(["use ", Setting::NPrototypes(Some(5)), " or fewer"], ["add rows"]);
/// assert_eq!(hint.render(|_| Some("-m 5".into())).unwrap(), "use -m 5 or fewer, or add rows");
/// ```
#[macro_export]
macro_rules! hint {
    ($([$($part:expr),+ $(,)?]),+ $(,)?) => {
        $crate::Hint::new(vec![$(vec![$($crate::HintPart::from($part)),+]),+])
    };
}

impl Hint {
    /// The hint that consists of these options, each of them words and settings in reading order.
    ///
    /// # Examples
    ///
    /// See [`hint!`](crate::hint).
    pub fn new(options: Vec<Vec<HintPart>>) -> Hint {
        Hint { options }
    }

    /// Returns the hint as one sentence without a full stop; `None` if no option is left.
    ///
    /// `write` returns a setting as the user writes it, or `None` if there is no such setting: options that name it are
    /// then omitted.
    ///
    /// # Examples
    ///
    /// See [`Hint`].
    pub fn render(&self, write: impl Fn(&Setting) -> Option<String>) -> Option<String> {
        let written = |option: &HintOption| option.iter().map(|part| part.render(&write)).collect::<Option<String>>();
        let mut options: Vec<String> = self.options.iter().filter_map(written).collect();
        let last = options.pop()?;
        Some(if options.is_empty() { last } else { format!("{}, or {last}", options.join(", ")) })
    }
}

impl HintPart {
    fn render(&self, write: impl Fn(&Setting) -> Option<String>) -> Option<Cow<'_, str>> {
        match self {
            HintPart::Words(words) => Some(Cow::Borrowed(words)),
            HintPart::Setting(setting) => write(setting).map(Cow::Owned),
        }
    }
}

/// A note on how a table was read or encoded, with a hint if something can be done about it.
///
/// # Examples
///
/// ```
/// use protodash_table::{Input, ReadOptions};
///
/// let directory = tempfile::tempdir()?;
/// let path = directory.path().join("a.csv");
/// std::fs::write(&path, "1,2\n3,4\n")?;
/// let input = Input::open(&path, &ReadOptions::default())?;
/// let note = &input.notes()[0];
/// assert_eq!(note.render(|_| None), "line 1 was read as the header although it holds only numbers");
/// let with_hint = note.render(|_| Some("--no-header".into()));
/// assert!(with_hint.ends_with("only numbers; if it is data, use --no-header"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    text: String,
    hint: Option<Hint>,
}

impl Note {
    pub(crate) fn new(text: impl Into<String>) -> Note {
        Note { text: text.into(), hint: None }
    }

    /// Returns the note on an integer column that was read as text.
    pub(crate) fn long_integers(column: &str) -> Note {
        Note::new(format!("column {column:?} holds integers of more than 64 bits and was read as text"))
    }

    pub(crate) fn with_hint(self, hint: Hint) -> Note {
        Note { hint: Some(hint), ..self }
    }

    /// Returns the note with the file that it is about, one of several.
    pub(crate) fn about(self, file: &Path) -> Note {
        Note { text: format!("{}: {}", file.display(), self.text), ..self }
    }

    /// Returns the note as one sentence without a full stop; `write` is that of [`Hint::render`].
    ///
    /// # Examples
    ///
    /// See [`Note`].
    pub fn render(&self, write: impl Fn(&Setting) -> Option<String>) -> String {
        match self.hint.as_ref().and_then(|hint| hint.render(write)) {
            Some(hint) => format!("{}; {hint}", self.text),
            None => self.text.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_that_need_an_absent_setting_are_omitted() {
        let hint = hint!(
            ["use ", Setting::Missing(Some(MissingRule::Zero))],
            ["exclude it with ", Setting::Drop(vec!["a".into()])],
            ["fill it in"],
        );
        let all = hint.render(|setting| Some(format!("<{setting:?}>")));
        assert_eq!(all.unwrap(), "use <Missing(Some(Zero))>, exclude it with <Drop([\"a\"])>, or fill it in");
        let without_missing = |setting: &Setting| matches!(setting, Setting::Drop(_)).then(|| "drop".to_owned());
        assert_eq!(hint.render(without_missing).unwrap(), "exclude it with drop, or fill it in");
        assert_eq!(hint.render(|_| None).unwrap(), "fill it in");
    }
}
