//! Reads the questionnaires as one-hot matrices, with the people of each group.

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use ndarray::Array2;
use protodash_table::{AlignedTables, Input, KeyRule, Keyed, MissingRule, ReadOptions, Roles};

use super::codebook::{Codebook, columns};
use super::protocol::{
    ADULTS, DEMOGRAPHICS, DESIGN, NhanesProtocol, PairBasis, PeopleGroup, Population, QUESTIONNAIRES,
};
use crate::error::{Error, Result};
use crate::observe::StudyObserver;

/// The column that identifies a person.
const KEY: &str = "SEQN";
/// Race and Hispanic origin; education from the age of 20.
const RACE: &str = "RIDRETH3";
const EDUCATION: &str = "DMDEDUC2";
const WHITE: &str = "3";
/// Codes of education up to "Some college or AA degree".
const AT_MOST_AA: [&str; 4] = ["1", "2", "3", "4"];

/// The files of the survey.
#[derive(Debug)]
pub(super) struct NhanesSurvey {
    names: Vec<String>,
    inputs: Vec<Input>,
    pub(super) codebook: Codebook,
    persons: HashMap<String, Person>,
}

/// A person according to Demographics, in the codebook's words.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub(super) struct Person {
    pub(super) race: String,
    pub(super) education: String,
    /// A white American whose education is at most an associate's degree.
    pub(super) white_at_most_aa: bool,
}

impl NhanesSurvey {
    /// Opens the survey in `folder`, or in its subfolder `nhanes/2013-2014` or `2013-2014`.
    pub(super) fn open(folder: &Path) -> Result<NhanesSurvey> {
        let folder = found(folder);
        let codebook = Codebook::load(&folder, &[RACE, EDUCATION])?;
        let names: Vec<String> = QUESTIONNAIRES.iter().chain(&[DEMOGRAPHICS]).map(|&name| name.to_owned()).collect();
        let open = |name: &String| Ok(Input::open(&file(&folder, name)?, &ReadOptions::default())?);
        let inputs = names.iter().map(open).collect::<Result<_>>()?;
        let persons = persons(&file(&folder, DEMOGRAPHICS)?, &codebook)?;
        Ok(NhanesSurvey { names, inputs, codebook, persons })
    }

    /// The files of the tables.
    pub(super) fn files(&self) -> Vec<PathBuf> {
        self.inputs.iter().map(|input| input.path().to_owned()).collect()
    }

    /// Encodes all tables.
    pub(super) fn encoded(&self, memory: u64, observer: &dyn StudyObserver) -> Result<Answers<'_>> {
        let mut keyed = Vec::new();
        for input in &self.inputs {
            let mut flow =
                |_, _| if observer.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
            let table = Keyed::new(input, KEY, &roles(input, memory), &mut flow);
            keyed.push(if observer.is_stopped() { return Err(Error::Stopped) } else { table? });
        }
        Ok(Answers { names: self.names.clone(), keyed })
    }

    /// The person with this key.
    pub(super) fn person(&self, key: &str) -> Option<&Person> {
        self.persons.get(key)
    }
}

/// All tables, encoded, with their keys.
pub(super) struct Answers<'a> {
    names: Vec<String>,
    keyed: Vec<Keyed<'a>>,
}

/// The tables of a group.
pub(super) struct Members {
    /// The keys of everybody in the group.
    pub(super) keys: Vec<String>,
    pub(super) tables: Vec<Answered>,
    /// Tables without any of these people.
    pub(super) not_asked: Vec<String>,
}

/// One table of a group.
pub(super) struct Answered {
    pub(super) name: String,
    /// One-hot answers.
    pub(super) rows: Array2<f32>,
    /// The person of each row.
    pub(super) keys: Vec<usize>,
    /// Number of people who were asked.
    pub(super) n_asked: usize,
}

impl Answers<'_> {
    /// The tables of a group.
    pub(super) fn members(&mut self, group: PeopleGroup, protocol: &NhanesProtocol, memory: u64) -> Result<Members> {
        let wanted = self.wanted(group, protocol);
        let n_tables = self.asked_first(&wanted);
        let rule = match group.basis {
            PairBasis::Shared => KeyRule::Own,
            PairBasis::All => KeyRule::All,
        };
        let aligned = AlignedTables::new(&self.keyed[..n_tables], rule, Some(&wanted), memory)?;
        let answered = |(name, table): (&String, protodash_table::AlignedTable)| Answered {
            name: name.clone(),
            // 0 and 1 are exact in f32.
            rows: table.matrix.mapv(|level| level as f32),
            keys: table.keys,
            n_asked: table.n_asked,
        };
        let tables = self.names.iter().zip(aligned.tables).map(answered).collect();
        Ok(Members { keys: aligned.keys, tables, not_asked: self.names[n_tables..].to_vec() })
    }

    /// The tables with anybody of the group.
    pub(super) fn asked(&self, group: PeopleGroup, protocol: &NhanesProtocol) -> Vec<String> {
        let wanted = self.wanted(group, protocol);
        let tables = self.names.iter().zip(&self.keyed).filter(|(_, table)| is_asked(table, &wanted));
        tables.map(|(name, _)| name.clone()).collect()
    }

    /// The keys of a group.
    fn wanted(&self, group: PeopleGroup, protocol: &NhanesProtocol) -> HashSet<String> {
        protocol.people(group.population, self.people(group.population)).into_iter().collect()
    }

    /// The keys of a population, ascending.
    fn people(&self, population: Population) -> Vec<String> {
        let is_part = |name: &str| population == Population::Everybody || name == ADULTS;
        let tables = self.names.iter().zip(&self.keyed).filter(|(name, _)| is_part(name));
        let keys: HashSet<&String> = tables.flat_map(|(_, table)| table.keys()).collect();
        let mut keys: Vec<String> = keys.into_iter().cloned().collect();
        keys.sort_unstable();
        keys
    }

    /// Moves the tables with any of the wanted people to the front, ordered by name, and returns their number.
    fn asked_first(&mut self, wanted: &HashSet<String>) -> usize {
        let tables = self.names.drain(..).zip(self.keyed.drain(..));
        let mut tables: Vec<_> = tables.map(|(name, table)| (!is_asked(&table, wanted), name, table)).collect();
        tables.sort_by(|one, other| (one.0, &one.1).cmp(&(other.0, &other.1)));
        let n_asked = tables.iter().filter(|(not_asked, ..)| !not_asked).count();
        for (_, name, table) in tables {
            self.names.push(name);
            self.keyed.push(table);
        }
        n_asked
    }
}

/// Whether any of these people is in a table.
fn is_asked(table: &Keyed<'_>, people: &HashSet<String>) -> bool {
    table.keys().iter().any(|key| people.contains(key))
}

/// Every column is categorical with a separate "missing" category, as in the paper's code.
fn roles(input: &Input, memory: u64) -> Roles {
    let mut roles = Roles::default();
    let names = || input.columns().iter().map(|column| column.name.clone());
    roles.drop = names().filter(|name| DESIGN.contains(&name.as_str())).collect();
    roles.categorical = names().filter(|name| name != KEY && !roles.drop.contains(name)).collect();
    roles.missing = MissingRule::Category;
    roles.memory = memory;
    roles
}

fn persons(path: &Path, codebook: &Codebook) -> Result<HashMap<String, Person>> {
    let [keys, races, educations] = columns(path, [KEY, RACE, EDUCATION])?;
    let person = |(race, education): (String, String)| Person {
        white_at_most_aa: race == WHITE && AT_MOST_AA.contains(&education.as_str()),
        race: codebook.answer(DEMOGRAPHICS, RACE, &race).unwrap_or("not known").to_owned(),
        // Younger people have another variable, their grade.
        education: match education.as_str() {
            "" => "under 20 years".to_owned(),
            code => codebook.answer(DEMOGRAPHICS, EDUCATION, code).unwrap_or("not known").to_owned(),
        },
    };
    Ok(keys.into_iter().zip(races.into_iter().zip(educations).map(person)).collect())
}

/// The folder with the survey.
fn found(folder: &Path) -> PathBuf {
    let inner = ["nhanes/2013-2014", "2013-2014"].map(|inner| folder.join(inner));
    inner.into_iter().find(|inner| inner.is_dir()).unwrap_or_else(|| folder.to_owned())
}

/// The file of a table, in any of the usual formats.
fn file(folder: &Path, name: &str) -> Result<PathBuf> {
    let paths = ["csv.xz", "csv.gz", "csv", "XPT", "xpt"].map(|ending| folder.join(format!("{name}.{ending}")));
    let message = "not found; the folder must contain the 40 questionnaires of 2013-2014, DEMO_H and the codebook";
    let missing = Error::Data { path: paths[0].clone(), message: message.to_owned() };
    paths.into_iter().find(|path| path.is_file()).ok_or(missing)
}
