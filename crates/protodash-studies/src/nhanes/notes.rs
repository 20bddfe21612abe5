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
                "40 of 43, as in the authors' toolkit AIX360; left out: {}. In the last a person has a row for each drug, so \
                 that no row is the person's answer.",
                titles(&LEFT_OUT)
            ),
        ),
        (
            "people",
            format!(
                "Adults are the people of Alcohol Use ({adults}), the number that the paper gives; everybody is whoever is in \
                 any table ({everybody}). The questionnaires were not put to the same people: a pair is compared on those \
                 that both have. In \"another reading\" every pair rests on the whole population, with \"not asked\" as a \
                 level of every column."
            ),
        ),
        ("not asked of adults", format!("{}; left out there", titles(&not_asked))),
        (
            "encoding",
            format!(
                "Every column is one-hot with missing as a level, as in the paper's code, but for the {} columns of the \
                 sampling design (survey weights, strata), which nobody was asked.",
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
            "by explained, the objective as a part of what the target's energy allows. With the same people the order is \
             that of the objective; with different people objectives cannot be compared. Nor can explained be without \
             care: some people are easier to explain than others, and their questionnaire is then a good representative \
             whomever it chooses. So a second table ranks by explained over what the target's own prototypes explain of \
             the same people: how near a representative comes to what can be had. In \"another reading\" people are the \
             same, and so are both orders."
                .to_owned(),
        ),
        (
            "methods",
            "All take part in times. P-Lasso has no ranks, here as in the paper: its path does not have exactly m \
             prototypes for every set of people. K-Medoids relates questionnaires in \"another reading\" only, where it \
             chooses once for each table and not for each set of people that two tables share."
                .to_owned(),
        ),
        (
            "intervals",
            "All questionnaires are judged, so that counts of them need none. Times differ from run to run, and have one \
             over questionnaires. That of the heaviest prototypes takes questionnaires as independent; those of the same \
             people share candidates, so that it is too short rather than too long."
                .to_owned(),
        ),
        ("seed", format!("{}, from which each table derives its own", protocol.seed)),
    ];
    lines.map(|(name, value)| (name.to_owned(), value)).into()
}
