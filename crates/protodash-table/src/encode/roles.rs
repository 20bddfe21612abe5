//! What the caller says about columns: which are features, and how features become numbers.

/// What each column is for, and how the features are encoded.
///
/// RoleNames are matched as in a [`Condition`](crate::Condition): exactly, or else by the only column that differs in case
/// alone. An id, a label or a target weight is never a feature.
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
    /// The features; `None` (the default) means every column that has no other role.
    pub columns: Option<Vec<String>>,
    /// Columns that are not features.
    pub drop: Vec<String>,
    /// The column that names the rows.
    pub id: Option<String>,
    /// The column that says to which class a row belongs.
    pub label: Option<String>,
    /// The column of the target that says how much each of its rows counts.
    pub target_weight: Option<String>,
    /// Features that are levels although they look like numbers; text and boolean columns are levels by themselves.
    pub categorical: Vec<String>,
    /// How numbers are scaled; `None` (the default) means [`Scaling::None`] for arrays and images, [`Scaling::Standard`] for
    /// tables.
    pub scale: Option<Scaling>,
    /// What to do about missing values; an error by default.
    pub missing: MissingRule,
    /// How levels become numbers; one-hot by default.
    pub categories: Categories,
    /// How many bytes the matrices of source and target may take together; no limit by default.
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
            categorical: Vec::new(),
            scale: None,
            missing: MissingRule::default(),
            categories: Categories::default(),
            memory: u64::MAX,
        }
    }
}

/// How columns of numbers are scaled; levels never are.
///
/// Mean, spread and range are those of the source and apply to both sides. A column that is constant in source and target
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
    /// Numbers stay what they are.
    None,
    /// (x − mean) / standard deviation, the deviation taken over all n rows, not n − 1.
    Standard,
    /// (x − min) / (max − min), so that the source lies between 0 and 1; the target may lie outside.
    MinMax,
}

impl Scaling {
    /// Every way to scale.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::Scaling;
    ///
    /// assert_eq!(Scaling::ALL.map(Scaling::name), ["none", "standard", "minmax"]);
    /// ```
    pub const ALL: [Scaling; 3] = [Scaling::None, Scaling::Standard, Scaling::MinMax];

    /// Returns the name of the scaling, which is the same in every front end.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::Scaling::MinMax.name(), "minmax");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Scaling::None => "none",
            Scaling::Standard => "standard",
            Scaling::MinMax => "minmax",
        }
    }
}

/// What to do about missing values in features.
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
    /// They are an error that says which columns have them and how many.
    #[default]
    Error,
    /// They are a level of their own. A column of numbers gets the source's mean in their place, and one more feature
    /// that is 1 where the value is missing and 0 elsewhere.
    Category,
    /// They become the mean of the source. For levels, which have no mean, they are an error.
    Mean,
    /// They become 0 in the column's own unit, before scaling, and count as that 0 when scaling is learnt. For levels
    /// they are an error.
    Zero,
}

impl MissingRule {
    /// Every rule.
    ///
    /// # Examples
    ///
    /// ```
    /// use protodash_table::MissingRule;
    ///
    /// assert_eq!(MissingRule::ALL.map(MissingRule::name), ["error", "category", "mean", "zero"]);
    /// ```
    pub const ALL: [MissingRule; 4] = [MissingRule::Error, MissingRule::Category, MissingRule::Mean, MissingRule::Zero];

    /// Returns the name of the rule, which is the same in every front end.
    ///
    /// # Examples
    ///
    /// ```
    /// assert_eq!(protodash_table::MissingRule::Zero.name(), "zero");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            MissingRule::Error => "error",
            MissingRule::Category => "category",
            MissingRule::Mean => "mean",
            MissingRule::Zero => "zero",
        }
    }
}

/// How levels become numbers.
///
/// # Examples
///
/// ```
/// use protodash_table::{Categories, Roles};
///
/// let mut roles = Roles::default();
/// assert_eq!(roles.categories, Categories::OneHot);
/// roles.categories = Categories::Codes; // for a kernel that only asks whether two values are the same
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Categories {
    /// One feature for each level: 1 in rows that have it, 0 elsewhere.
    #[default]
    OneHot,
    /// One feature for each column: the position of the level among the column's levels, 0, 1, 2, ….
    Codes,
}
