//! Resolves names to columns: the features, id, label and weight of each file.

use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

use super::Part;
use super::levels::TableRole;
use super::problem::EncodeProblem;
use super::roles::{Roles, Scaling};
use crate::advice::Setting;
use crate::error::shortened;
use crate::input::{ColumnKind, Input, TableColumn, UnreadColumn};
use crate::names::{Lookup, look_up};

type Result<T> = std::result::Result<T, EncodeProblem>;

/// The role of every column, checked against the files.
#[derive(Debug)]
pub(super) struct ColumnPlan {
    pub(super) features: Vec<FeatureColumn>,
    pub(super) source: SideColumns,
    pub(super) target: Option<SideColumns>,
}

/// A column that is a feature in source and target.
#[derive(Debug)]
pub(super) struct FeatureColumn {
    pub(super) name: String,
    pub(super) kind: FeatureKind,
    /// Whether the caller set it to be categorical.
    pub(super) is_listed: bool,
    /// The column of lists that it is an element of.
    pub(super) list: Option<String>,
    /// How it is scaled if it is a number.
    pub(super) scale: Scaling,
    /// The only side on which it is numeric; an error unless all values of the other side are missing.
    pub(super) numbers_only_in: Option<TableRole>,
}

/// The kind of a feature, as far as the files tell; a categorical one whose values are all dates becomes numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FeatureKind {
    Number,
    Categorical,
}

/// The columns of one file by role.
#[derive(Debug)]
pub(super) struct SideColumns {
    /// The file's column for each feature of the plan.
    features: Vec<usize>,
    id: Option<usize>,
    label: Option<usize>,
    weight: Option<usize>,
}

impl SideColumns {
    /// Returns the columns to read: features, then id, label and weight if there are any.
    pub(super) fn columns(&self) -> Vec<usize> {
        self.features.iter().copied().chain(self.id).chain(self.label).chain(self.weight).collect()
    }

    /// Returns the position of the id in [`SideColumns::columns`].
    pub(super) fn id(&self) -> Option<usize> {
        self.id.map(|_| self.features.len())
    }

    /// Returns the position of the label in [`SideColumns::columns`].
    pub(super) fn label(&self) -> Option<usize> {
        self.label.map(|_| self.features.len() + usize::from(self.id.is_some()))
    }

    /// Returns the position of the target weight in [`SideColumns::columns`].
    pub(super) fn weight(&self) -> Option<usize> {
        let before = usize::from(self.id.is_some()) + usize::from(self.label.is_some());
        self.weight.map(|_| self.features.len() + before)
    }

    /// Returns the file's column for feature `feature`.
    pub(super) fn file_column(&self, feature: usize) -> usize {
        self.features[feature]
    }
}

impl ColumnPlan {
    /// Returns the plan for these files; `target` is `None` if it is the source.
    pub(super) fn new(source: Part<'_>, target: Option<Part<'_>>, roles: &Roles) -> Result<ColumnPlan> {
        let roles = &with_elements(roles, source.input, target.map(|part| part.input));
        let names = RoleNames::new(source.input, target.map(|part| part.input), roles);
        names.check_roles()?;
        let source_features = names.features_of(source.input)?;
        let features = match target {
            Some(target) => {
                let target_features = names.features_of(target.input)?;
                check_one_sided(source.input, &source_features, target.input, &target_features)?;
                source_features
            }
            None => source_features,
        };
        let n_columns = source.input.columns().len();
        if features.is_empty() {
            let mut unread = source.input.unread().to_vec();
            unread.retain(|column| !roles.drop.contains(&column.name));
            return Err(EncodeProblem::NoFeatures { path: source.input.path().to_owned(), n_columns, unread });
        }
        let listed = names.listed_as_categorical(&features)?;
        let source_side = names.side(source.input, &features, target.is_none())?;
        let target_side = target.map(|part| names.side(part.input, &features, true)).transpose()?;
        let sides = [Some((source.input, &source_side)), target.map(|part| part.input).zip(target_side.as_ref())];
        let features = features.into_iter().enumerate().map(|(feature, name)| {
            let columns =
                sides.iter().flatten().map(|(input, side)| (*input, &input.columns()[side.features[feature]]));
            let list = source.input.list_of(source_side.features[feature]);
            feature_column(
                listed.contains(&name),
                name,
                list,
                scaling(roles, source.input, list),
                &columns.collect::<Vec<_>>(),
            )
        });
        Ok(ColumnPlan { features: features.collect::<Result<_>>()?, source: source_side, target: target_side })
    }
}

/// Returns the columns of files of sparse rows, which have no features among them.
pub(super) fn sides_without_features(
    source: Part<'_>,
    target: Option<Part<'_>>,
    roles: &Roles,
) -> Result<(SideColumns, Option<SideColumns>)> {
    let names = RoleNames::new(source.input, target.map(|part| part.input), roles);
    names.check_roles()?;
    let of_source = names.side(source.input, &[], target.is_none())?;
    let of_target = target.map(|part| names.side(part.input, &[], true)).transpose()?;
    Ok((of_source, of_target))
}

/// The roles, and the files in which their names are looked up.
struct RoleNames<'a> {
    source: &'a Input,
    target: Option<&'a Input>,
    roles: &'a Roles,
}

impl<'a> RoleNames<'a> {
    fn new(source: &'a Input, target: Option<&'a Input>, roles: &'a Roles) -> RoleNames<'a> {
        RoleNames { source, target, roles }
    }

    /// Checks that the named columns exist.
    fn check_roles(&self) -> Result<()> {
        for name in &self.roles.drop {
            self.check_in_either(Setting::Drop(Vec::new()), name)?;
        }
        for name in &self.roles.show {
            self.check_in_either(Setting::Show(Vec::new()), name)?;
        }
        for name in &self.roles.estimate {
            self.check_in_either(Setting::Estimate, name)?;
        }
        for (setting, name) in [(Setting::Id(None), &self.roles.id), (Setting::Label(None), &self.roles.label)] {
            name.as_deref().map(|name| find(self.source, &setting, name)).transpose()?;
        }
        if let Some(name) = &self.roles.target_weight {
            find(self.target.unwrap_or(self.source), &Setting::TargetWeight, name)?;
        }
        Ok(())
    }

    /// Checks that the column `name` exists in one of the files; a dropped one need not be readable.
    fn check_in_either(&self, setting: Setting, name: &str) -> Result<()> {
        let may_be_unread = matches!(setting, Setting::Drop(_));
        let look = |input| match find(input, &setting, name) {
            Err(EncodeProblem::UnreadColumn { .. }) if may_be_unread => Ok(()),
            other => other.map(|_| ()),
        };
        match (look(self.source), self.target) {
            (Err(_), Some(target)) if look(target).is_ok() => Ok(()),
            (outcome, _) => outcome,
        }
    }

    /// Returns the columns of `input` that are not features, each with the setting that says so.
    fn others_of(&self, input: &Input) -> Result<Vec<(usize, Setting)>> {
        let Roles { columns, drop, id, label, target_weight, show, estimate, .. } = self.roles;
        let shown = show.iter().map(|name| (Setting::Show(Vec::new()), name));
        let dropped = drop.iter().map(|name| (Setting::Drop(Vec::new()), name)).chain(shown);
        let estimated = estimate.iter().filter(|_| columns.is_none()).map(|name| (Setting::Estimate, name));
        let single = [(Setting::Id(None), id), (Setting::Label(None), label), (Setting::TargetWeight, target_weight)];
        let single = single.into_iter().filter_map(|(setting, name)| Some((setting, name.as_ref()?)));
        let found =
            dropped.chain(estimated).chain(single).filter_map(|(setting, name)| match find(input, &setting, name) {
                Ok(column) => Some(Ok((column, setting))),
                Err(EncodeProblem::UnknownColumn { .. } | EncodeProblem::UnreadColumn { .. }) => None,
                Err(problem) => Some(Err(problem)),
            });
        found.collect()
    }

    /// Returns the names of the features of `input`, in the order of the file.
    fn features_of(&self, input: &Input) -> Result<Vec<String>> {
        let others = self.others_of(input)?;
        let Some(wanted) = &self.roles.columns else {
            let others: HashSet<usize> = others.into_iter().map(|(column, _)| column).collect();
            let features = input.columns().iter().enumerate().filter(|(column, _)| !others.contains(column));
            return Ok(features.map(|(_, column)| column.name.clone()).collect());
        };
        let mut columns = Vec::new();
        for name in wanted {
            let column = find(input, &Setting::Columns, name)?;
            check_conflict(input, column, Setting::Columns, &others)?;
            columns.push(column);
        }
        columns.sort_unstable();
        columns.dedup();
        Ok(columns.into_iter().map(|column| input.columns()[column].name.clone()).collect())
    }

    /// Returns the features that the caller set to be categorical.
    fn listed_as_categorical(&self, features: &[String]) -> Result<HashSet<String>> {
        let others = self.others_of(self.source)?;
        let features: HashSet<&String> = features.iter().collect();
        let mut listed = HashSet::new();
        for name in &self.roles.categorical {
            let setting = Setting::Categorical(Vec::new());
            let column = find(self.source, &setting, name)?;
            check_conflict(self.source, column, setting, &others)?;
            let column = self.source.columns()[column].name.clone();
            if !features.contains(&column) {
                return Err(EncodeProblem::NotAFeature { path: self.source.path().to_owned(), column });
            }
            listed.insert(column);
        }
        Ok(listed)
    }

    /// Returns the columns of one file; `is_target` tells whether it is the target.
    fn side(&self, input: &Input, features: &[String], is_target: bool) -> Result<SideColumns> {
        let optional = |name: &Option<String>| name.as_ref().and_then(|name| position(input, name));
        let weight = if is_target { optional(&self.roles.target_weight) } else { None };
        if let Some(column) = weight {
            check_weights_are_numbers(input, column)?;
        }
        let positions: HashMap<_, _> = input.columns().iter().map(|column| &column.name).zip(0..).collect();
        Ok(SideColumns {
            // Both files have all features.
            features: features.iter().map(|name| positions[name]).collect(),
            id: optional(&self.roles.id),
            label: optional(&self.roles.label),
            weight,
        })
    }
}

fn look_up_in(input: &Input, name: &str) -> Lookup {
    look_up(input.columns().iter().map(|column| column.name.as_str()), name)
}

/// Returns the column of `input` called `name`, if there is exactly one.
fn position(input: &Input, name: &str) -> Option<usize> {
    match look_up_in(input, name) {
        Lookup::Found(column) => Some(column),
        _ => None,
    }
}

/// Returns the column of `input` that `setting` calls `name`.
pub(super) fn find(input: &Input, setting: &Setting, name: &str) -> Result<usize> {
    let (path, name, setting) = (input.path().to_owned(), name.to_owned(), setting.clone());
    match look_up_in(input, &name) {
        Lookup::Found(column) => Ok(column),
        Lookup::Ambiguous(candidates) => Err(EncodeProblem::AmbiguousColumn { path, setting, name, candidates }),
        Lookup::Unknown(closest) => Err(match input.unread().iter().find(|unread| unread.name == name) {
            Some(UnreadColumn { data_type, .. }) => {
                EncodeProblem::UnreadColumn { path, setting, name, data_type: data_type.clone() }
            }
            None => EncodeProblem::UnknownColumn { path, setting, name, closest },
        }),
    }
}

fn check_conflict(input: &Input, column: usize, setting: Setting, others: &[(usize, Setting)]) -> Result<()> {
    match others.iter().find(|(other, _)| *other == column) {
        Some((_, other)) => {
            let (path, column) = (input.path().to_owned(), input.columns()[column].name.clone());
            Err(EncodeProblem::Conflict { path, column, setting, other: other.clone() })
        }
        None => Ok(()),
    }
}

fn check_one_sided(source: &Input, in_source: &[String], target: &Input, in_target: &[String]) -> Result<()> {
    let without = |names: &[String], others: &[String]| -> Vec<String> {
        let others: HashSet<_> = others.iter().collect();
        names.iter().filter(|name| !others.contains(name)).cloned().collect()
    };
    let (only_source, only_target) = (without(in_source, in_target), without(in_target, in_source));
    if only_source.is_empty() && only_target.is_empty() {
        return Ok(());
    }
    let (source_path, target_path): (PathBuf, PathBuf) = (source.path().to_owned(), target.path().to_owned());
    Err(EncodeProblem::OneSided { source_path, only_source, target_path, only_target })
}

fn check_weights_are_numbers(input: &Input, column: usize) -> Result<()> {
    let TableColumn { name, kind } = &input.columns()[column];
    let found = match kind {
        ColumnKind::Number => return Ok(()),
        ColumnKind::Boolean => "true and false",
        ColumnKind::Text => "text",
        ColumnKind::Mixed { row, value, .. } => {
            let (path, place) = (input.path().to_owned(), input.place(*row));
            return Err(EncodeProblem::BadWeight {
                path,
                place,
                column: name.clone(),
                found: format!("{:?}", shortened(value)),
            });
        }
    };
    Err(EncodeProblem::WeightsNotNumbers { path: input.path().to_owned(), column: name.clone(), found })
}

/// Returns how a column of numbers is scaled: as the roles say, or else not at all in arrays and lists, whose numbers are
/// comparable as they are.
fn scaling(roles: &Roles, source: &Input, list: Option<&str>) -> Scaling {
    let is_array = source.is_array() || list.is_some();
    roles.scale.unwrap_or(if is_array { Scaling::None } else { Scaling::Standard })
}

/// Returns the roles with the elements of a column of lists where its name is given.
fn with_elements(roles: &Roles, source: &Input, target: Option<&Input>) -> Roles {
    let inputs: Vec<&Input> = [Some(source), target].into_iter().flatten().collect();
    let elements = |name: &String| -> Vec<String> {
        let is_named = |list: &str| list.to_lowercase() == name.to_lowercase();
        let of = |input: &&Input| -> Vec<String> {
            let columns = input.columns().iter().enumerate();
            let columns = columns.filter(|(at, _)| input.list_of(*at).is_some_and(is_named));
            columns.map(|(_, column)| column.name.clone()).collect()
        };
        let found = inputs.iter().map(of).max_by_key(Vec::len).unwrap_or_default();
        if found.is_empty() { vec![name.clone()] } else { found }
    };
    let all = |names: &[String]| names.iter().flat_map(elements).collect::<Vec<_>>();
    Roles {
        columns: roles.columns.as_deref().map(all),
        drop: all(&roles.drop),
        show: all(&roles.show),
        estimate: all(&roles.estimate),
        ..roles.clone()
    }
}

/// Returns the feature made of these columns of the files.
fn feature_column(
    is_listed: bool,
    name: String,
    list: Option<&str>,
    scale: Scaling,
    columns: &[(&Input, &TableColumn)],
) -> Result<FeatureColumn> {
    if !is_listed {
        columns.iter().try_for_each(|(input, column)| check_not_mixed(input, column))?;
    }
    let is_number = !is_listed && columns.iter().all(|(_, column)| column.kind == ColumnKind::Number);
    Ok(FeatureColumn {
        name,
        kind: if is_number { FeatureKind::Number } else { FeatureKind::Categorical },
        is_listed,
        list: list.map(str::to_owned),
        scale,
        numbers_only_in: match columns {
            [(_, source), (_, target)] if !is_listed => numbers_only_in(&source.kind, &target.kind),
            _ => None,
        },
    })
}

fn numbers_only_in(source: &ColumnKind, target: &ColumnKind) -> Option<TableRole> {
    match (source, target) {
        (ColumnKind::Number, ColumnKind::Number) => None,
        (ColumnKind::Number, _) => Some(TableRole::Source),
        (_, ColumnKind::Number) => Some(TableRole::Target),
        _ => None,
    }
}

fn check_not_mixed(input: &Input, column: &TableColumn) -> Result<()> {
    match &column.kind {
        ColumnKind::Mixed { row, value, n_text } => Err(EncodeProblem::Mixed {
            path: input.path().to_owned(),
            place: input.place(*row),
            column: column.name.clone(),
            value: value.clone(),
            n_text: *n_text,
        }),
        _ => Ok(()),
    }
}
