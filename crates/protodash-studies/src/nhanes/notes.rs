//! Notes on the data, the ranks and the methods.

use super::evidence::NhanesReading;
use super::protocol::{DESIGN, LEFT_OUT, NhanesProtocol, PairBasis, PeopleGroup, Population};

/// The notes, as names with text.
pub(super) fn notes(protocol: &NhanesProtocol, reading: &NhanesReading<'_>) -> Vec<(String, String)> {
    let titles = |names: &[&str]| names.iter().map(|name| reading.title(name)).collect::<Vec<_>>().join(", ");
    let people = |population| reading.evidence.people(PeopleGroup { basis: PairBasis::Shared, population });
    let n_people = |population| people(population).map_or(0, |people| people.n_people);
    let (adults, everybody) = (n_people(Population::Adults), n_people(Population::Everybody));
    let not_asked: Vec<&str> = people(Population::Adults)
        .map_or_else(Vec::new, |people| people.not_asked.iter().map(String::as_str).collect());
    let lines = [
        (
            "questionnaires",
            format!(
                "40 of 43, as in the authors' toolkit AIX360; excluded: {}. The last has a row per drug \
                 instead of a row per person.",
                titles(&LEFT_OUT)
            ),
        ),
        (
            "people",
            format!(
                "Adults are the people of Alcohol Use ({adults}), the number in the paper; everybody means all people in any \
                 table ({everybody}). Not everybody answered every questionnaire: a pair is compared on the people in both. In \
                 \"another reading\" every pair is compared on the whole population, with \"not asked\" as a category of every \
                 column."
            ),
        ),
        ("not asked of adults", format!("{}; excluded there", titles(&not_asked))),
        (
            "encoding",
            format!(
                "Every column is one-hot with a \"missing\" category, as in the paper's code, except the {} columns of the \
                 sampling design (survey weights, strata), which are not answers.",
                DESIGN.len()
            ),
        ),
        ("prototypes", format!("m = {}", protocol.n_prototypes)),
        (
            "bandwidth of the Gaussian kernel",
            format!(
                "chosen for each table by 5-fold cross-validation on {} people: mean distance of held-out people from the \
                 nearest prototype",
                protocol.n_bandwidth
            ),
        ),
        (
            "ranks",
            "by explained share, the objective relative to the target's energy. On the same people this is the order of the \
             objective; on different people objectives are not comparable. Explained shares need care too: some people \
             are easier to explain than others, and their questionnaire is then a good representative whichever \
             people it selects. \
             So a second table divides by what the target's own prototypes explain on the same people: how close a \
             representative comes to what is possible. In \"another reading\" the people are the same, and so are both \
             orders."
                .to_owned(),
        ),
        (
            "methods",
            "Times cover all methods. P-Lasso has no ranks, as in the paper: its path does not have exactly m prototypes \
             for every set of people. K-Medoids relates questionnaires in \"another reading\" only, where it selects once \
             per table instead of once per set of shared people."
                .to_owned(),
        ),
        (
            "intervals",
            "Counts of questionnaires need none, since all are evaluated. Times vary between runs and have intervals over \
             questionnaires. The interval for the heaviest prototypes treats questionnaires as independent; those of the \
             same people share candidates, so it is, if anything, too narrow."
                .to_owned(),
        ),
        ("seed", format!("{}, from which each table derives its own", protocol.seed)),
    ];
    lines.map(|(name, value)| (name.to_owned(), value)).into()
}
