//! Who represents whom how well, in order.

use super::trial::Judged;

/// A source among all sources of its target.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ranked<'a> {
    pub(super) pair: &'a Judged,
    /// 1 is the best; equal ones share the mean of their ranks.
    pub(super) rank: f64,
}

/// The pairs with their ranks when the tables that `takes_part` refuses are neither sources nor targets.
pub(super) fn ranked<'a>(pairs: &'a [Judged], takes_part: &dyn Fn(&str) -> bool) -> Vec<Ranked<'a>> {
    let counted: Vec<&Judged> =
        pairs.iter().filter(|pair| takes_part(&pair.source) && takes_part(&pair.target)).collect();
    let rank = |pair: &Judged| {
        let rivals = || counted.iter().filter(|rival| rival.target == pair.target);
        let better = rivals().filter(|rival| rival.explained > pair.explained).count();
        let equal = rivals().filter(|rival| rival.explained == pair.explained).count();
        // Ranks better + 1 to better + equal, on average.
        better as f64 + (equal as f64 + 1.0) / 2.0
    };
    let mut all: Vec<Ranked<'a>> = counted.iter().map(|pair| Ranked { pair, rank: rank(pair) }).collect();
    all.sort_by(|one, other| {
        let place = |ranked: &Ranked<'_>| (ranked.pair.target.clone(), ranked.pair.source.clone());
        one.pair
            .target
            .cmp(&other.pair.target)
            .then(one.rank.total_cmp(&other.rank))
            .then(place(one).cmp(&place(other)))
    });
    all
}

/// The mean of the ranks that a table has as a source: r_j of the paper.
pub(super) fn average(ranked: &[Ranked<'_>], source: &str) -> Option<f64> {
    let ranks: Vec<f64> =
        ranked.iter().filter(|ranked| ranked.pair.source == source).map(|ranked| ranked.rank).collect();
    (!ranks.is_empty()).then(|| ranks.iter().sum::<f64>() / ranks.len() as f64)
}

/// All sources in the order of their average ranks, the most important first.
pub(super) fn by_importance(ranked: &[Ranked<'_>]) -> Vec<(String, f64)> {
    let sources: std::collections::BTreeSet<&str> = ranked.iter().map(|ranked| ranked.pair.source.as_str()).collect();
    let mut averages: Vec<(String, f64)> =
        sources.into_iter().filter_map(|source| Some((source.to_owned(), average(ranked, source)?))).collect();
    averages.sort_by(|one, other| one.1.total_cmp(&other.1).then_with(|| one.0.cmp(&other.0)));
    averages
}

/// The sources of a target, best first.
pub(super) fn of_target<'a, 'b>(ranked: &'b [Ranked<'a>], target: &str) -> Vec<&'b Ranked<'a>> {
    ranked.iter().filter(|ranked| ranked.pair.target == target).collect()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::nhanes) fn pair(target: &str, source: &str, explained: f64) -> Judged {
        let (target, source) = (target.to_owned(), source.to_owned());
        Judged { target, source, n_people: 7, explained, own_explained: 1.0, heaviest: None }
    }

    /// Three tables and demographics: in A, D is best, then B and C equal; in B, C before A; in C, A and B equal.
    fn pairs() -> Vec<Judged> {
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
        let three = ranked(&pairs, &|table| table != "D");
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
    fn another_table_moves_the_ranks_of_those_behind_it() {
        let pairs = pairs();
        let all = ranked(&pairs, &|_| true);
        let of_a: Vec<(&str, f64)> =
            of_target(&all, "A").iter().map(|ranked| (&*ranked.pair.source, ranked.rank)).collect();
        assert_eq!(of_a, [("D", 1.0), ("B", 2.5), ("C", 2.5)]);
        assert_eq!((average(&all, "D"), average(&all, "X")), (Some((1.0 + 3.0 + 3.0) / 3.0), None));
    }
}
