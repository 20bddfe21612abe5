//! The tables, people and settings of the study: section V-C of the paper.

use protodash::Method;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::codebook::Codebook;
use crate::methods::name;

/// The 40 questionnaires: the 43 of 2013–2014 except those that the authors' toolkit excludes.
pub(super) const QUESTIONNAIRES: [&str; 40] = [
    "ACQ_H", "ALQ_H", "BPQ_H", "CBQ_H", "CDQ_H", "CFQ_H", "CKQ_H", "CSQ_H", "DBQ_H", "DEQ_H", "DIQ_H", "DLQ_H",
    "DPQ_H", "DUQ_H", "ECQ_H", "FSQ_H", "HEQ_H", "HIQ_H", "HOQ_H", "HSQ_H", "HUQ_H", "IMQ_H", "INQ_H", "KIQ_U_H",
    "MCQ_H", "OCQ_H", "OHQ_H", "OSQ_H", "PAQ_H", "PFQ_H", "RHQ_H", "RXQASA_H", "SLQ_H", "SMQFAM_H", "SMQRTU_H",
    "SMQSHS_H", "SXQ_H", "VTQ_H", "WHQMEC_H", "WHQ_H",
];
/// The three that are excluded. The last has a row per drug instead of a row per person.
pub(super) const LEFT_OUT: [&str; 3] = ["PUQMEC_H", "SMQ_H", "RXQ_RX_H"];
/// The table that is compared with all of them.
pub(super) const DEMOGRAPHICS: &str = "DEMO_H";
/// The table whose people are the paper's 5,924.
pub(super) const ADULTS: &str = "ALQ_H";
pub(super) const INCOME: &str = "INQ_H";
pub(super) const EARLY_CHILDHOOD: &str = "ECQ_H";
pub(super) const OCCUPATION: &str = "OCQ_H";
/// Columns of the sampling design, which are not answers: almost every person has a different weight.
pub(super) const DESIGN: [&str; 5] = ["WTINT2YR", "WTMEC2YR", "WTSVOC2Y", "SDMVPSU", "SDMVSTRA"];
/// The questionnaires that Demographics represents best, listed in a comment of the paper's LaTeX source.
pub(super) const STRESS: [&str; 13] = [
    "ALQ_H", "BPQ_H", "SMQFAM_H", "SMQSHS_H", "VTQ_H", "WHQMEC_H", "DLQ_H", "RXQASA_H", "KIQ_U_H", "HEQ_H", "HOQ_H",
    "IMQ_H", "DEQ_H",
];
/// The methods that relate questionnaires on shared people. The paper has no ranks by P-Lasso, and a relation needs
/// exactly m prototypes for every set of people, which its path does not always have. K-Medoids takes hundreds of times
/// as long as the others, for each set of people that a pair shares.
const RELATING: [Method; 5] = [Method::ProtoDash, Method::ProtoGreedy, Method::Swap, Method::L2c, Method::Random];
/// The methods that relate them on all people, where each table is used once.
const RELATING_ALL: [Method; 2] = [Method::ProtoDash, Method::KMedoids];

/// Settings that determine the outcome of a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct NhanesProtocol {
    /// Random seed.
    pub(super) seed: u64,
    /// Sample size of each population; `None` takes everybody.
    pub(super) n_people: Option<usize>,
    /// Number of prototypes of each table (m).
    pub(super) n_prototypes: usize,
    /// Rows used to choose a bandwidth.
    pub(super) n_bandwidth: usize,
    /// How random methods use the seed.
    pub(super) draws: Draws,
}

/// How random methods use the seed.
///
/// There is only one rule; it is part of the protocol so that journals made with another rule are rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Draws {
    /// Each table has its own seed.
    EachTable,
}

impl NhanesProtocol {
    /// The paper's protocol.
    pub(super) fn full(seed: u64) -> NhanesProtocol {
        NhanesProtocol { seed, n_people: None, n_prototypes: 10, n_bandwidth: 1000, draws: Draws::EachTable }
    }

    /// A smaller protocol for a quick version.
    pub(super) fn quick(seed: u64) -> NhanesProtocol {
        NhanesProtocol { seed, n_people: Some(300), n_prototypes: 10, n_bandwidth: 200, draws: Draws::EachTable }
    }

    /// A random sample of a population, or all of it in the given order.
    pub(super) fn people(&self, population: Population, mut all: Vec<String>) -> Vec<String> {
        let Some(wanted) = self.n_people.filter(|wanted| *wanted < all.len()) else { return all };
        let mut generator = ChaCha8Rng::seed_from_u64(self.seed);
        generator.set_stream(population as u64);
        for place in 0..wanted {
            // u64 on every machine, so that the sample does not depend on the word size.
            let drawn = generator.random_range(place as u64..all.len() as u64) as usize;
            all.swap(place, drawn);
        }
        all.truncate(wanted);
        all
    }
}

/// The people in the study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Population {
    /// The people of Alcohol Use, the number given in the paper.
    Adults,
    /// Everybody in any table.
    Everybody,
}

/// The people on which two tables are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum PairBasis {
    /// The people in both tables.
    Shared,
    /// The whole population; "not asked" is a separate category.
    All,
}

/// A set of tables with their rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct PeopleGroup {
    pub(super) basis: PairBasis,
    pub(super) population: Population,
}

/// The kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum StudyKernel {
    Gaussian,
    Linear,
}

/// One reading of the paper's protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub(super) struct StudySetting {
    pub(super) group: PeopleGroup,
    pub(super) kernel: StudyKernel,
}

impl PeopleGroup {
    /// All groups; shared people first, since they give the four settings of the study.
    pub(super) fn all() -> impl Iterator<Item = PeopleGroup> {
        let populations =
            |basis| [Population::Adults, Population::Everybody].map(|population| PeopleGroup { basis, population });
        [PairBasis::Shared, PairBasis::All].into_iter().flat_map(populations)
    }

    /// The group with each kernel.
    pub(super) fn settings(self) -> [StudySetting; 2] {
        [StudyKernel::Gaussian, StudyKernel::Linear].map(|kernel| StudySetting { group: self, kernel })
    }

    /// The methods that relate the tables of the group.
    pub(super) fn methods(self) -> &'static [Method] {
        match self.basis {
            PairBasis::Shared => &RELATING,
            PairBasis::All => &RELATING_ALL,
        }
    }
}

impl StudySetting {
    /// All settings.
    pub(super) fn all() -> impl Iterator<Item = StudySetting> {
        PeopleGroup::all().flat_map(PeopleGroup::settings)
    }
}

impl std::fmt::Display for PeopleGroup {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(match self.population {
            Population::Adults => "adults",
            Population::Everybody => "everybody",
        })?;
        formatter.write_str(match self.basis {
            PairBasis::Shared => "",
            PairBasis::All => " (not asked as a category)",
        })
    }
}

impl std::fmt::Display for StudySetting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let kernel = match self.kernel {
            StudyKernel::Gaussian => "Gaussian",
            StudyKernel::Linear => "linear",
        };
        write!(formatter, "{}, {kernel}", self.group)
    }
}

/// A unit of work.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum NhanesTask {
    /// The people of a group, by table.
    People { group: PeopleGroup },
    /// The bandwidth of a table.
    Width { group: PeopleGroup, table: String },
    /// Every method on one table, with times.
    Table { setting: StudySetting, table: String },
    /// How well the prototypes of each table represent each other table, by one method.
    Relation { setting: StudySetting, method: String },
}

impl NhanesTask {
    /// Description with the codebook's names.
    pub(super) fn shown(&self, codebook: &Codebook) -> String {
        match self {
            NhanesTask::People { group } => format!("people, {group}"),
            NhanesTask::Width { group, table } => format!("bandwidth of {}, {group}", codebook.table(table)),
            NhanesTask::Table { setting, table } => format!("{}, {setting}", codebook.table(table)),
            NhanesTask::Relation { setting, method } => format!("relation by {method}, {setting}"),
        }
    }

    /// The tasks for the bandwidths of a group, which run first.
    pub(super) fn widths(group: PeopleGroup, tables: &[String]) -> Vec<NhanesTask> {
        tables.iter().map(|table| NhanesTask::Width { group, table: table.clone() }).collect()
    }

    /// The other tasks of a group.
    pub(super) fn others(group: PeopleGroup, tables: &[String]) -> Vec<NhanesTask> {
        let of_tables =
            |setting: StudySetting| tables.iter().map(move |table| NhanesTask::Table { setting, table: table.clone() });
        let relations = |setting: StudySetting| {
            group.methods().iter().map(move |method| NhanesTask::Relation { setting, method: name(*method).to_owned() })
        };
        let relations = group.settings().into_iter().flat_map(relations);
        match group.basis {
            PairBasis::Shared => group.settings().into_iter().flat_map(of_tables).chain(relations).collect(),
            PairBasis::All => relations.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forty_of_43_questionnaires_are_used() {
        let all: std::collections::BTreeSet<&str> = QUESTIONNAIRES.into_iter().chain(LEFT_OUT).collect();
        assert_eq!((all.len(), all.contains(DEMOGRAPHICS)), (43, false));
        assert!(STRESS.iter().all(|table| QUESTIONNAIRES.contains(table)));
    }

    #[test]
    fn samples_have_no_repetition_and_depend_on_the_seed() {
        let all: Vec<String> = (0..50).map(|number| number.to_string()).collect();
        let drawn = |seed, population| {
            NhanesProtocol { n_people: Some(20), ..NhanesProtocol::quick(seed) }.people(population, all.clone())
        };
        let people = drawn(0, Population::Adults);
        assert_eq!(people.iter().collect::<std::collections::BTreeSet<_>>().len(), 20);
        assert_eq!(people, drawn(0, Population::Adults));
        assert_ne!(people, drawn(1, Population::Adults));
        assert_ne!(people, drawn(0, Population::Everybody));
        assert_eq!(NhanesProtocol::full(0).people(Population::Adults, all.clone()), all);
    }

    #[test]
    fn four_settings_have_shared_people_and_four_have_all() {
        let names: Vec<String> = StudySetting::all().map(|setting| setting.to_string()).collect();
        assert_eq!(names[..4], ["adults, Gaussian", "adults, linear", "everybody, Gaussian", "everybody, linear"]);
        assert_eq!(names[4], "adults (not asked as a category), Gaussian");
        let tables = ["a".to_owned(), "b".to_owned()];
        let n_tasks = |group| NhanesTask::others(group, &tables).len();
        assert_eq!(PeopleGroup::all().map(n_tasks).collect::<Vec<_>>(), [14, 14, 4, 4]);
    }
}
