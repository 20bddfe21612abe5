//! Ranks of tables as representatives of each other.

use std::collections::BTreeMap;

use protodash::relate::ranks;

use super::trial::JudgedPair;

/// The quantity by which the sources of a target are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RankMeasure {
    /// Explained share of the target.
    Explained,
    /// Explained share divided by what the target's own prototypes explain on the same people.
    ///
    /// Some people are easier to explain than others; this measures how close a source comes to what is possible.
    OfOwn,
}

impl RankMeasure {
    fn of(self, pair: &JudgedPair) -> f64 {
        match self {
            RankMeasure::OfOwn if pair.own_explained > 0.0 => pair.explained / pair.own_explained,
            _ => pair.explained,
        }
    }
}

/// A pair with the rank of its source among all sources of the target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct RankedPair<'a> {
    pub(super) pair: &'a JudgedPair,
    /// 1 is best; ties, up to rounding, share the mean of their ranks.
    pub(super) rank: f64,
}

/// Ranks the pairs whose source and target both pass `takes_part`.
pub(super) fn ranked<'a>(
    pairs: &'a [JudgedPair],
    measure: RankMeasure,
    takes_part: &dyn Fn(&str) -> bool,
) -> Vec<RankedPair<'a>> {
    let mut of_target: BTreeMap<&str, Vec<&JudgedPair>> = BTreeMap::new();
    for pair in pairs.iter().filter(|pair| takes_part(&pair.source) && takes_part(&pair.target)) {
        of_target.entry(&pair.target).or_default().push(pair);
    }
    let with_ranks = |rivals: Vec<&'a JudgedPair>| {
        let ranks = ranks(&rivals.iter().map(|pair| measure.of(pair)).collect::<Vec<_>>());
        rivals.into_iter().zip(ranks).map(|(pair, rank)| RankedPair { pair, rank }).collect::<Vec<_>>()
    };
    let mut all: Vec<RankedPair<'a>> = of_target.into_values().flat_map(with_ranks).collect();
    all.sort_by(|one, other| {
        let place = |ranked: &RankedPair<'_>| (ranked.pair.target.clone(), ranked.pair.source.clone());
        one.pair
            .target
            .cmp(&other.pair.target)
            .then(one.rank.total_cmp(&other.rank))
            .then(place(one).cmp(&place(other)))
    });
    all
}

/// Average rank of a table as a source: r_j of the paper.
pub(super) fn average(ranked: &[RankedPair<'_>], source: &str) -> Option<f64> {
    let ranks: Vec<f64> =
        ranked.iter().filter(|ranked| ranked.pair.source == source).map(|ranked| ranked.rank).collect();
    (!ranks.is_empty()).then(|| ranks.iter().sum::<f64>() / ranks.len() as f64)
}

/// All sources by average rank, the most important first.
pub(super) fn by_importance(ranked: &[RankedPair<'_>]) -> Vec<(String, f64)> {
    let sources: std::collections::BTreeSet<&str> = ranked.iter().map(|ranked| ranked.pair.source.as_str()).collect();
    let mut averages: Vec<(String, f64)> =
        sources.into_iter().filter_map(|source| Some((source.to_owned(), average(ranked, source)?))).collect();
    averages.sort_by(|one, other| one.1.total_cmp(&other.1).then_with(|| one.0.cmp(&other.0)));
    averages
}

/// The sources of a target, best first.
pub(super) fn of_target<'a, 'b>(ranked: &'b [RankedPair<'a>], target: &str) -> Vec<&'b RankedPair<'a>> {
    ranked.iter().filter(|ranked| ranked.pair.target == target).collect()
}

/// The best source of each target; all of them if several are equal.
pub(super) fn best<'a, 'b>(ranked: &'b [RankedPair<'a>]) -> impl Iterator<Item = &'b RankedPair<'a>> {
    let is_beaten =
        |one: &RankedPair<'_>| ranked.iter().any(|rival| rival.pair.target == one.pair.target && rival.rank < one.rank);
    ranked.iter().filter(move |one| !is_beaten(one))
}

/// Spearman's rank correlation over common sources; `None` with fewer than two or without variation.
pub(super) fn correlation(one: &[&RankedPair<'_>], other: &[&RankedPair<'_>]) -> Option<f64> {
    let both: Vec<(f64, f64)> = one
        .iter()
        .filter_map(|one| Some((one.rank, other.iter().find(|other| other.pair.source == one.pair.source)?.rank)))
        .collect();
    let mean = |value: fn(&(f64, f64)) -> f64| both.iter().map(value).sum::<f64>() / both.len() as f64;
    let (first, second) = (mean(|ranks| ranks.0), mean(|ranks| ranks.1));
    let product = |value: &dyn Fn(f64, f64) -> f64| both.iter().map(|(a, b)| value(a - first, b - second)).sum::<f64>();
    let scale = (product(&|a, _| a * a) * product(&|_, b| b * b)).sqrt();
    (scale > 0.0).then(|| product(&|a, b| a * b) / scale)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::nhanes) fn pair(target: &str, source: &str, explained: f64) -> JudgedPair {
        let (target, source) = (target.to_owned(), source.to_owned());
        JudgedPair { target, source, n_people: 7, explained, own_explained: 1.0, heaviest: None }
    }

    /// Three tables and demographics: in A, D is best, then B and C equal; in B, C before A; in C, A and B equal.
    fn pairs() -> Vec<JudgedPair> {
        vec![
            pair("A", "B", 0.5),
            pair("A", "C", 0.5),
            pair("A", "D", 0.9),
            pair("B", "A", 0.2),
            pair("B", "C", 0.7),
            pair("B", "D", 0.1),
            pair("C", "A", 0.4),
            pair("C", "B", 0.4),
            pair("C", "D", 0.3),
            pair("D", "A", 0.1),
            pair("D", "B", 0.2),
            pair("D", "C", 0.3),
        ]
    }

    #[test]
    fn ranks_and_their_averages_worked_by_hand() {
        let pairs = pairs();
        let three = ranked(&pairs, RankMeasure::Explained, &|table| table != "D");
        let ranks: Vec<(&str, &str, f64)> =
            three.iter().map(|ranked| (&*ranked.pair.target, &*ranked.pair.source, ranked.rank)).collect();
        let expected =
            [("A", "B", 1.5), ("A", "C", 1.5), ("B", "C", 1.0), ("B", "A", 2.0), ("C", "A", 1.5), ("C", "B", 1.5)];
        assert_eq!(ranks, expected);
        // A: (2 + 1.5)/2, B: (1.5 + 1.5)/2, C: (1.5 + 1)/2.
        let averages = [("C".to_owned(), 1.25), ("B".to_owned(), 1.5), ("A".to_owned(), 1.75)];
        assert_eq!(by_importance(&three), averages);
    }

    #[test]
    fn another_table_shifts_the_ranks_behind_it() {
        let pairs = pairs();
        let all = ranked(&pairs, RankMeasure::Explained, &|_| true);
        let of_a: Vec<(&str, f64)> =
            of_target(&all, "A").iter().map(|ranked| (&*ranked.pair.source, ranked.rank)).collect();
        assert_eq!(of_a, [("D", 1.0), ("B", 2.5), ("C", 2.5)]);
        assert_eq!((average(&all, "D"), average(&all, "X")), (Some((1.0 + 3.0 + 3.0) / 3.0), None));
    }

    #[test]
    fn ties_for_the_best_are_all_best() {
        // Three equal ones have rank 2 each.
        let pairs = [pair("A", "B", 0.5), pair("A", "C", 0.5), pair("A", "D", 0.5), pair("B", "A", 0.1)];
        let ranked = ranked(&pairs, RankMeasure::Explained, &|_| true);
        let found: Vec<(&str, f64)> = best(&ranked).map(|ranked| (&*ranked.pair.source, ranked.rank)).collect();
        assert_eq!(found, [("B", 2.0), ("C", 2.0), ("D", 2.0), ("A", 1.0)]);
    }

    #[test]
    fn dividing_by_own_explained_can_change_the_order() {
        // 0.5 of 0.5 is all that is possible, 0.6 of 1.0 is not.
        let pairs = [JudgedPair { own_explained: 0.5, ..pair("A", "B", 0.5) }, pair("A", "C", 0.6)];
        let first = |measure| ranked(&pairs, measure, &|_| true)[0].pair.source.clone();
        assert_eq!((first(RankMeasure::Explained), first(RankMeasure::OfOwn)), ("C".to_owned(), "B".to_owned()));
    }

    #[test]
    fn correlations_of_ranks_worked_by_hand() {
        let of = |values: [f64; 3]| {
            ["B", "C", "D"].into_iter().zip(values).map(|(source, value)| pair("A", source, value)).collect::<Vec<_>>()
        };
        let correlated = |one: [f64; 3], other: [f64; 3]| {
            let (one, other) = (of(one), of(other));
            let [one, other] = [&one, &other].map(|pairs| ranked(pairs, RankMeasure::Explained, &|_| true));
            correlation(&of_target(&one, "A"), &of_target(&other, "A"))
        };
        assert_eq!(correlated([0.3, 0.2, 0.1], [0.9, 0.8, 0.7]), Some(1.0));
        assert_eq!(correlated([0.3, 0.2, 0.1], [0.7, 0.8, 0.9]), Some(-1.0));
        // Ranks 1, 2, 3 against 2, 1, 3: the products of the deviations are 0, 0 and 1, the squares 2 and 2.
        assert_eq!(correlated([0.3, 0.2, 0.1], [0.8, 0.9, 0.7]), Some(0.5));
        assert_eq!(correlated([0.3, 0.2, 0.1], [0.5, 0.5, 0.5]), None);
    }
}
