//! What the caller decides about columns: their roles, and how features become numbers.

/// The roles of columns, and how features are encoded.
///
/// Names are matched as in a [`Condition`](crate::Condition): exactly, or else by the only column that differs only in
/// case. An id, a label, a target weight or a shown column is never a feature.
///
/// # Examples
///
/// ```
/// use protodash_table::{MissingRule, Roles};
///
/// let mut roles = Roles::default();
/// roles.id = Some("customer".into());
/// roles.categorical = vec!["region".into()];
/// roles.missing = MissingRule::Category;
/// assert_eq!(roles.columns, None); // every other column is a feature
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Roles {
    /// The features; `None` (the default) means every column without another role.
    pub columns: Option<Vec<String>>,
    /// Columns that are not features.
    pub drop: Vec<String>,
    /// The column that names the rows.
    pub id: Option<String>,
    /// The column with the class of each row.
    pub label: Option<String>,
    /// The column with the weight of each target row.
    pub target_weight: Option<String>,
    /// Columns that reports show next to the rows, such as titles, texts or images.
    pub show: Vec<String>,
    /// Columns whose means are estimated from the prototypes; features only if listed in `columns`.
    pub estimate: Vec<String>,
    /// Numeric features to treat as categorical; text and boolean columns always are.
    pub categorical: Vec<String>,
    /// How numbers are scaled; `None` (the default) means [`Scaling::None`] for arrays, images and columns of lists,
    /// [`Scaling::Standard`] for all others.
    pub scale: Option<Scaling>,
    /// Whether each row is divided by its length after scaling, so that all have length 1, as is usual for embeddings.
    pub normalize: bool,
    /// The rule for missing values; an error by default.
    pub missing: MissingRule,
    /// How categories are encoded; one-hot by default.
    pub categories: Categories,
    /// Whether target rows are single rows rather than a data set, which is no reason to note the categories that they lack;
    /// false by default.
    pub single_target_rows: bool,
    /// The maximum size of the matrices of source and target together, in bytes; unlimited by default.
    pub memory: u64,
}

impl Default for Roles {
    fn default() -> Roles {
        Roles {
            columns: None,
            drop: Vec::new(),
            id: None,
            label: None,
            target_weight: None,
            show: Vec::new(),
            estimate: Vec::new(),
            categorical: Vec::new(),
            scale: None,
            normalize: false,
            missing: MissingRule::default(),
            categories: Categories::default(),
            single_target_rows: false,
            memory: u64::MAX,
        }
    }
}

/// How numeric columns are scaled; categories never are.
///
/// Means, quantiles and ranks are those of the source and apply to both sides. A column that is constant in source and target
/// becomes 0. If it is constant in the source but not in the target, the spread or range of both together is used, so that
/// it still tells them apart.
///
/// # Examples
///
/// ```
/// use protodash_table::{Roles, Scaling};
///
/// let mut roles = Roles::default();
/// roles.scale = Some(Scaling::MinMax);
/// assert_ne!(roles.scale, Some(Scaling::Standard));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// Numbers stay as they are.
    None,
    /// (x − mean) / standard deviation, the latter with n and not n − 1.
    Standard,
    /// (x − min) / (max − min): the source is between 0 and 1, the target may be outside.
    MinMax,
    /// (x − median) / interquartile range: a few extreme values do not change the scale, but stay far away. If the quartiles
    /// are equal, as in a column that is mostly 0, the standard deviation is used instead.
    Robust,
    /// The mid-rank of x among the values of the source, between 0 and 1, interpolated for values that are not among them;
    /// see [`RankScale`](crate::RankScale). For columns with heavy tails: only the order of values counts.
    Rank,
}

impl Scaling {
    /// Every way to scale, with its name and a summary for help texts.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::Scaling;
    ///
    /// let names: Vec<_> = Scaling::ALL.iter().map(|(_, name, _)| *name).collect();
    /// assert_eq!(names, ["none", "standard", "minmax", "robust", "rank"]);
    /// ```
    pub const ALL: &[(Scaling, &'static str, &'static str)] = &[
        (Scaling::None, "none", "Leave values as they are"),
        (Scaling::Standard, "standard", "Mean 0 and standard deviation 1 over the source rows"),
        (Scaling::MinMax, "minmax", "Range 0 to 1 over the source rows"),
        (Scaling::Robust, "robust", "Median 0 and interquartile range 1 over the source rows"),
        (Scaling::Rank, "rank", "Ranks among the source rows, for heavy tails"),
    ];

    /// Returns the name of the scaling, which is the same in every front end.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::Scaling::MinMax.name(), "minmax");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        name_in(Scaling::ALL, self)
    }

    /// Returns the scaling of this name.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::Scaling;
    ///
    /// assert_eq!((Scaling::from_name("rank"), Scaling::from_name("log")), (Some(Scaling::Rank), None));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<Scaling> {
        value_in(Scaling::ALL, name)
    }

    /// Returns whether the scale depends on the order of the values, so that all of them have to be kept.
    pub(super) fn needs_values(self) -> bool {
        matches!(self, Scaling::Robust | Scaling::Rank)
    }
}

/// The rule for missing values in features.
///
/// # Examples
///
/// ```
/// use protodash_table::{MissingRule, Roles};
///
/// assert_eq!(Roles::default().missing, MissingRule::Error);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MissingRule {
    /// They are an error that names the columns and the number of missing values in each.
    #[default]
    Error,
    /// They are a separate category. In numeric columns they become the mean of the source, and one more feature is 1
    /// where the value is missing and 0 elsewhere.
    Category,
    /// They become the mean of the source. In categorical columns, which have no mean, they are an error.
    Mean,
    /// They become 0 before scaling, and count as 0 in mean and spread. In categorical columns they are an error.
    Zero,
}

impl MissingRule {
    /// Every rule, with its name and a summary for help texts; the first is the default.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::MissingRule;
    ///
    /// let names: Vec<_> = MissingRule::ALL.iter().map(|(_, name, _)| *name).collect();
    /// assert_eq!(names, ["error", "category", "mean", "zero"]);
    /// ```
    pub const ALL: &[(MissingRule, &'static str, &'static str)] = &[
        (MissingRule::Error, "error", "Stop with an error that names the columns"),
        (MissingRule::Category, "category", "Treat missing as a separate category"),
        (MissingRule::Mean, "mean", "Use the column's mean over the source rows"),
        (MissingRule::Zero, "zero", "Use 0"),
    ];

    /// Returns the name of the rule, which is the same in every front end.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::MissingRule::Zero.name(), "zero");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        name_in(MissingRule::ALL, self)
    }

    /// Returns the rule of this name.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::MissingRule;
    ///
    /// assert_eq!(MissingRule::from_name("mean"), Some(MissingRule::Mean));
    /// ```
    #[must_use]
    pub fn from_name(name: &str) -> Option<MissingRule> {
        value_in(MissingRule::ALL, name)
    }
}

/// Returns the name of `value` in its list, which has every value.
fn name_in<T: Copy + PartialEq>(all: &[(T, &'static str, &'static str)], value: T) -> &'static str {
    all.iter().find(|(other, ..)| *other == value).map_or("unknown", |(_, name, _)| name)
}

fn value_in<T: Copy>(all: &[(T, &'static str, &'static str)], name: &str) -> Option<T> {
    all.iter().find(|(_, known, _)| *known == name).map(|(value, ..)| *value)
}

/// How categories are encoded.
///
/// # Examples
///
/// ```
/// use protodash_table::{Categories, Roles};
///
/// let mut roles = Roles::default();
/// assert_eq!(roles.categories, Categories::OneHot);
/// roles.categories = Categories::Codes; // for a kernel that only compares values for equality
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Categories {
    /// One feature per level: 1 in rows that have it, 0 elsewhere.
    #[default]
    OneHot,
    /// One feature per column: the position of the level among the column's levels, 0, 1, 2, ….
    Codes,
}
