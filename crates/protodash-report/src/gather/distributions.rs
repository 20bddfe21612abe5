//! How each column is distributed among the rows and among the weighted prototypes, and which groups are far away.

use std::collections::{HashMap, HashSet};

use protodash::{Prototype, Role};
use protodash_table::Feature;
use rayon::prelude::*;

use super::bars::{BarReader, ColumnBars};
use super::cells::TableCells;
use super::columns::places;
use super::coverage::FarGroup;
use super::{PageObserver, RowData, begin};
use crate::error::Result;
use crate::selection::{ColumnDistribution, CoveredGroup, DistributionBar};

/// Maximum number of categories with a bar of their own; rarer ones share one.
const MOST_LEVELS: usize = 8;

/// Maximum number of columns whose distribution is shown: those that differ most.
const MOST_COLUMNS: usize = 300;

/// Maximum number of values, one for each column and point of the map, that the bars of a page are linked with.
const MOST_LINKED: usize = 400_000;

/// Number of columns from which on those with the same name but for a number are a vector.
const LEAST_PARTS: usize = 10;

/// Smallest share and smallest number of rows of a group.
const LEAST_SHARE: f64 = 0.01;
const LEAST_ROWS: usize = 10;

/// The columns, and groups of rows by their values.
pub(super) struct ColumnFindings {
    /// Largest difference first.
    pub(super) distributions: Vec<ColumnDistribution>,
    /// Rows that share a value, in the order of the columns.
    pub(super) groups: Vec<FarGroup>,
    /// Number of columns whose distribution is not shown.
    pub(super) n_omitted: usize,
}

/// The distribution of each column, and the groups of rows that share a value of a column, each with its distance from
/// the prototypes.
pub(super) fn column_findings(
    data: RowData<'_, '_>,
    prototypes: &[Prototype],
    (distances, points): (&[f64], &[usize]),
    observer: &mut dyn PageObserver,
) -> Result<ColumnFindings> {
    begin(observer, "comparing distributions")?;
    let chosen: Vec<usize> = prototypes.iter().map(|prototype| prototype.source_index).collect();
    let rows = data.matrices.rows(Role::Source, &chosen).unwrap_or_default();
    let n_weighted = prototypes.iter().filter(|prototype| prototype.weight > 0.0).count();
    let reader = BarReader { data, prototypes: &rows, n_bars: n_weighted.clamp(8, 20) };
    let shares: Vec<f64> = prototypes.iter().map(|prototype| prototype.share).collect();
    let counter = GroupCounter { row_shares: data.target_shares(), distances, parts: parts_of_vectors(data.features) };
    let counted = |place: super::columns::ColumnPlace<'_>| {
        let bars = reader.bars(&place)?;
        let (groups, counts) = counter.groups(place.name(), &bars);
        Some((drawn(place.name(), &bars, (&counts, points)), groups))
    };
    let found: Vec<(DrawnColumn, Vec<ExampledGroup>)> =
        places(data.features).into_par_iter().filter_map(counted).collect();
    let mut findings = named(&data, found, &shares)?;
    for column in findings.distributions.iter_mut().skip(MOST_LINKED / points.len().max(1)) {
        column.points = Vec::new();
    }
    Ok(findings)
}

/// A group, and for codes a row that has its value.
type ExampledGroup = (FarGroup, Option<usize>);

/// A distribution, and for codes a row of each bar whose text is in the data.
struct DrawnColumn {
    distribution: ColumnDistribution,
    examples: Vec<(usize, usize)>,
}

/// Reads the texts of codes, and sorts the columns by difference.
fn named(
    data: &RowData<'_, '_>,
    mut found: Vec<(DrawnColumn, Vec<ExampledGroup>)>,
    shares: &[f64],
) -> Result<ColumnFindings> {
    let number = |row: usize| data.rows(Role::Target).table_row(row);
    let of_bars = found.iter().flat_map(|(drawn, _)| drawn.examples.iter().map(|(_, row)| *row));
    let of_groups = found.iter().flat_map(|(_, groups)| groups.iter().filter_map(|(_, row)| *row));
    let wanted: Vec<(Role, u64)> = of_bars.chain(of_groups).map(|row| (Role::Target, number(row))).collect();
    if !wanted.is_empty() {
        let cells = TableCells::read(data.tables, &wanted)?;
        let text = |column: &str, row: usize| {
            let texts = cells.texts(Role::Target, column, &[number(row)]);
            texts.and_then(|texts| texts.into_iter().next()).unwrap_or_default()
        };
        for (drawn, groups) in &mut found {
            for (bar, row) in &drawn.examples {
                drawn.distribution.bars[*bar].name = text(&drawn.distribution.name, *row);
            }
            for (group, row) in groups {
                row.iter().for_each(|row| group.group.value = text(&group.group.column, *row));
            }
        }
    }
    let groups = found.iter_mut().flat_map(|(_, groups)| std::mem::take(groups)).map(|(group, _)| group).collect();
    let mut distributions: Vec<(f64, ColumnDistribution)> =
        found.into_iter().map(|(drawn, _)| (drawn.distribution.difference(shares), drawn.distribution)).collect();
    distributions.sort_by(|one, other| other.0.total_cmp(&one.0));
    let n_omitted = distributions.len().saturating_sub(MOST_COLUMNS);
    let distributions = distributions.into_iter().take(MOST_COLUMNS).map(|(_, found)| found).collect();
    Ok(ColumnFindings { distributions, groups, n_omitted })
}

/// Sums over the rows of each bar.
struct GroupCounter<'a> {
    row_shares: Vec<f64>,
    /// The distance of each row from its prototype; empty if unknown.
    distances: &'a [f64],
    /// Columns whose ranges say nothing on their own.
    parts: HashSet<&'a str>,
}

/// Columns of numbers that are parts of a vector, such as an embedding or the pixels of an image: many that differ only in the
/// number at the end of their name.
fn parts_of_vectors(features: &[Feature]) -> HashSet<&str> {
    let mut vectors: HashMap<&str, Vec<&str>> = HashMap::new();
    for place in places(features).iter().filter(|place| place.number.is_some()) {
        let name = place.name();
        let stem = name.trim_end_matches(']').trim_end_matches(|char: char| char.is_ascii_digit());
        if stem.len() < name.trim_end_matches(']').len() {
            vectors.entry(stem).or_default().push(name);
        }
    }
    vectors.into_values().filter(|names| names.len() >= LEAST_PARTS).flatten().collect()
}

/// The sums of one bar.
#[derive(Clone, Copy, Default)]
struct BarSums {
    share: f64,
    distance: f64,
    n_rows: usize,
}

impl GroupCounter<'_> {
    /// The groups that are large enough, for codes each with a row that has the value, and the share of rows in each bar.
    fn groups(&self, column: &str, bars: &ColumnBars) -> (Vec<ExampledGroup>, Vec<f64>) {
        let mut sums = vec![BarSums::default(); bars.names.len()];
        for (row, bar) in bars.rows.iter().enumerate() {
            let Some(sum) = bar.and_then(|bar| sums.get_mut(bar)) else { continue };
            let share = self.row_shares.get(row).copied().unwrap_or(0.0);
            sum.share += share;
            sum.distance += share * self.distances.get(row).copied().unwrap_or(0.0);
            sum.n_rows += 1;
        }
        let counts = sums.iter().map(|sum| sum.share).collect();
        let enough = |sum: &BarSums| sum.share >= LEAST_SHARE && sum.n_rows >= LEAST_ROWS;
        if self.distances.is_empty() || sums.iter().filter(|sum| sum.n_rows > 0).count() < 2 {
            return (Vec::new(), counts);
        }
        let of_bar = |at: usize| {
            let inside = |place: &Option<f64>| place.is_some_and(|place| place as usize == at);
            let own = || {
                bars.prototypes.iter().enumerate().filter(|(_, place)| inside(place)).map(|(prototype, _)| prototype)
            };
            let rows = bars.rows.iter().enumerate().filter(|(_, bar)| **bar == Some(at)).map(|(row, _)| row as u32);
            let group = CoveredGroup {
                column: column.to_owned(),
                value: bars.names[at].clone(),
                share: sums[at].share,
                distance: sums[at].distance / sums[at].share,
                prototypes: own().collect(),
                ..CoveredGroup::default()
            };
            FarGroup { group, rows: rows.collect(), is_range: at < bars.n_ordered }
        };
        let is_part = self.parts.contains(column);
        let large = (0..sums.len()).filter(|at| enough(&sums[*at]) && !(is_part && *at < bars.n_ordered));
        (large.map(|at| (of_bar(at), bars.examples.get(at).copied())).collect(), counts)
    }
}

/// The bars as they are drawn: of many categories only the most frequent ones.
fn drawn(name: &str, bars: &ColumnBars, (counts, points): (&[f64], &[usize])) -> DrawnColumn {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    let unseen = (1.0 - counts.iter().sum::<f64>()).max(0.0);
    let has_unseen = unseen > 1e-9 || bars.prototypes.iter().any(Option::is_none);
    if bars.n_ordered == 0 {
        order.sort_by(|one, other| counts[*other].total_cmp(&counts[*one]));
    }
    let n_own = if bars.n_ordered > 0 || counts.len() + usize::from(has_unseen) <= MOST_LEVELS + 1 {
        counts.len()
    } else {
        MOST_LEVELS
    };
    let mut place_of = vec![n_own; counts.len()];
    order.iter().take(n_own).enumerate().for_each(|(place, bar)| place_of[*bar] = place);
    let mut shown: Vec<DistributionBar> = order[..n_own]
        .iter()
        .map(|bar| DistributionBar { name: bars.names[*bar].clone(), share: counts[*bar] })
        .collect();
    if n_own < counts.len() || has_unseen {
        let share = order[n_own..].iter().map(|bar| counts[*bar]).sum::<f64>() + unseen;
        let n_more = counts.len() - n_own;
        let name = if n_more > 0 { format!("{n_more} other categories") } else { "not in the source".to_owned() };
        shown.push(DistributionBar { name, share });
    }
    let drawn_place = |place: &Option<f64>| match place {
        Some(place) => place_of[*place as usize] as f64 + place.fract(),
        None => n_own as f64 + 0.5,
    };
    let examples = order[..n_own].iter().enumerate();
    let distribution = ColumnDistribution {
        name: name.to_owned(),
        bars: shown,
        n_ordered: bars.n_ordered,
        places: bars.prototypes.iter().map(drawn_place).collect(),
        points: points.iter().map(|row| bars.rows[*row].map_or(n_own, |bar| place_of[bar])).collect(),
    };
    let examples = examples.filter_map(|(at, bar)| Some((at, *bars.examples.get(*bar)?))).collect();
    DrawnColumn { distribution, examples }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn categories(rows: &[usize], n_levels: usize, prototypes: &[usize]) -> ColumnBars {
        ColumnBars {
            names: (0..n_levels).map(|level| format!("level {level}")).collect(),
            examples: Vec::new(),
            n_ordered: 0,
            rows: rows.iter().map(|level| Some(*level).filter(|level| *level < n_levels)).collect(),
            prototypes: prototypes.iter().map(|level| Some(*level as f64 + 0.5)).collect(),
        }
    }

    fn counter(n_rows: usize, distances: &[f64]) -> GroupCounter<'_> {
        GroupCounter { row_shares: vec![1.0 / n_rows as f64; n_rows], distances, parts: HashSet::new() }
    }

    #[test]
    fn rare_categories_share_a_bar() {
        let rows: Vec<usize> = (0..20).flat_map(|level| vec![level; level + 1]).collect();
        let bars = categories(&rows, 20, &[19, 0, 12]);
        let (_, counts) = counter(rows.len(), &[]).groups("c", &bars);
        let shown = drawn("c", &bars, (&counts, &[0, 209])).distribution;
        assert_eq!((shown.bars.len(), shown.points), (9, vec![8, 0]));
        assert_eq!((shown.bars[0].name.as_str(), shown.bars[8].name.as_str()), ("level 19", "12 other categories"));
        assert!((shown.bars.iter().map(|bar| bar.share).sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(shown.places, [0.5, 8.5, 7.5]);
    }

    #[test]
    fn ranges_of_embeddings_are_no_groups_but_their_categories_are() {
        let mut features: Vec<Feature> = (0..16).map(|at| Feature::new(&format!("e[{at}]"), None)).collect();
        features.extend(["x1", "x2", "age"].map(|name| Feature::new(name, None)));
        let parts = parts_of_vectors(&features);
        assert!(parts.len() == 16 && parts.contains("e[15]") && !parts.contains("x1"));
        let bars = ColumnBars { n_ordered: 1, ..categories(&[vec![0; 20], vec![1; 20]].concat(), 2, &[0]) };
        let distances = vec![1.0; 40];
        let found = |name: &str| {
            let (groups, _) =
                GroupCounter { parts: parts_of_vectors(&features), ..counter(40, &distances) }.groups(name, &bars);
            groups.iter().map(|(far, _)| (far.group.value.clone(), far.is_range)).collect::<Vec<_>>()
        };
        let (range, category) = (("level 0".to_owned(), true), ("level 1".to_owned(), false));
        assert_eq!((found("age"), found("e[3]")), (vec![range, category.clone()], vec![category]));
    }

    #[test]
    fn rows_with_a_level_that_the_source_lacks_have_a_bar() {
        let bars = categories(&[0, 1, 1, 9], 2, &[0]);
        let (_, counts) = counter(4, &[]).groups("c", &bars);
        let shown = drawn("c", &bars, (&counts, &[3])).distribution;
        let names: Vec<(&str, f64)> = shown.bars.iter().map(|bar| (bar.name.as_str(), bar.share)).collect();
        assert_eq!(names, [("level 1", 0.5), ("level 0", 0.25), ("not in the source", 0.25)]);
    }

    #[test]
    fn groups_have_their_mean_distance_and_their_weight() {
        let rows = [vec![0; 30], vec![1; 10], vec![2; 5]].concat();
        let distances: Vec<f64> = (0..45).map(|row| if row < 30 { 1.0 } else { 2.0 + f64::from(row % 2) }).collect();
        let bars = categories(&rows, 3, &[0, 0, 1]);
        let (groups, _) = counter(45, &distances).groups("c", &bars);
        // Five rows are too few for a group.
        let groups: Vec<&FarGroup> = groups.iter().map(|(group, _)| group).collect();
        let found: Vec<(&str, &[usize], usize)> =
            groups.iter().map(|far| (far.group.value.as_str(), &far.group.prototypes[..], far.rows.len())).collect();
        assert_eq!(found, [("level 0", &[0, 1][..], 30), ("level 1", &[2], 10)]);
        let distance = |at: usize| groups[at].group.distance;
        assert!((distance(1) - 2.5).abs() < 1e-12 && (distance(0) - 1.0).abs() < 1e-12);
    }
}
