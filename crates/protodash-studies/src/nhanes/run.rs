//! Runs the study from data files to findings.

use std::sync::{Mutex, PoisonError};

use protodash::{BuiltInKernel, Gaussian, Linear};

use super::NhanesFindings;
use super::claims::claims;
use super::data::{Answers, Members, NhanesSurvey};
use super::evidence::{NhanesEvidence, NhanesReading, NhanesResult, NhanesUnit};
use super::notes::notes;
use super::protocol::{NhanesProtocol, NhanesTask, PeopleGroup, StudyKernel, StudySetting};
use super::statements::statements;
use super::trial::TableContext;
use crate::counter::UnitCounter;
use crate::error::{Error, Result};
use crate::journal::{Journal, OpenedJournal};
use crate::methods::method;
use crate::observe::StudyObserver;
use crate::outputs;
use crate::settings::Settings;
use crate::units::run_all;

/// Runs the units that the journal in the output folder does not have yet, and writes the findings.
///
/// Writes `journal.jsonl`, `results.json`, `results.md`, `figure_6b.csv`, a CSV file for each table, `pairs.csv` and a
/// graph for each setting into the output folder. Apart from times, the figures depend neither on the number of threads
/// nor on interruptions.
///
/// # Errors
///
/// If the data are missing, wrong or too large for the memory, if the output folder cannot be written or belongs to a
/// run with other settings, and [`Error::Stopped`] when the observer stops the study; finished units are kept.
///
/// # Examples
///
/// ```
/// use protodash_studies::{Settings, UnobservedStudy, nhanes::run};
///
/// let folder = tempfile::tempdir()?;
/// let settings = Settings::new(folder.path().join("nothing"), folder.path().join("out"));
/// assert!(run(&settings, &UnobservedStudy).unwrap_err().to_string().contains("not found"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn run(settings: &Settings, observer: &dyn StudyObserver) -> Result<NhanesFindings> {
    let protocol =
        if settings.quick { NhanesProtocol::quick(settings.seed) } else { NhanesProtocol::full(settings.seed) };
    let protocol = NhanesProtocol { n_people: settings.size.or(protocol.n_people), ..protocol };
    if let Some(given @ ..2) = protocol.n_people {
        return Err(Error::Setting { name: "the number of people", given, allowed: "at least 2" });
    }
    observer.on_unit("reading answers");
    let survey = NhanesSurvey::open(&settings.data)?;
    outputs::make_folder(&settings.output)?;
    let path = settings.output.join("journal.jsonl");
    let OpenedJournal { journal, units } = Journal::open(&path, ("nhanes", &protocol), &survey.files(), observer)?;
    let evidence = Mutex::new(NhanesEvidence::of(units));
    let conductor = Conductor { settings, protocol: &protocol, survey: &survey, journal: &journal, observer };
    conductor.conduct(&evidence)?;
    let evidence = evidence.into_inner().unwrap_or_else(PoisonError::into_inner);
    let reading =
        NhanesReading { evidence: &evidence, codebook: &survey.codebook, n_prototypes: protocol.n_prototypes };
    let findings = findings(&protocol, &reading)?;
    write(settings, &findings, &reading)?;
    Ok(findings)
}

/// Runs the missing units.
struct Conductor<'a> {
    settings: &'a Settings,
    protocol: &'a NhanesProtocol,
    survey: &'a NhanesSurvey,
    journal: &'a Journal,
    observer: &'a dyn StudyObserver,
}

impl Conductor<'_> {
    fn conduct(&self, evidence: &Mutex<NhanesEvidence>) -> Result<()> {
        let unfinished: Vec<PeopleGroup> = PeopleGroup::all().filter(|group| !is_complete(evidence, *group)).collect();
        if unfinished.is_empty() {
            let n_units = locked(evidence).len();
            UnitCounter::new(self.observer, n_units, n_units);
            return Ok(());
        }
        let mut answers = self.survey.encoded(self.settings.memory, self.observer)?;
        let counter = UnitCounter::new(self.observer, locked(evidence).len(), self.planned(&answers));
        for group in unfinished {
            let members = answers.members(group, self.protocol, self.settings.memory)?;
            self.group(group, &members, evidence, &counter)?;
        }
        Ok(())
    }

    /// Total number of units.
    fn planned(&self, answers: &Answers<'_>) -> usize {
        PeopleGroup::all().map(|group| n_units(group, &answers.asked(group, self.protocol))).sum()
    }

    /// Runs the missing units of one group.
    fn group(
        &self,
        group: PeopleGroup,
        members: &Members,
        evidence: &Mutex<NhanesEvidence>,
        counter: &UnitCounter<'_>,
    ) -> Result<()> {
        let context = TableContext { survey: self.survey, members, protocol: self.protocol, observer: self.observer };
        let names: Vec<String> = members.tables.iter().map(|table| table.name.clone()).collect();
        let phases =
            [vec![NhanesTask::People { group }], NhanesTask::widths(group, &names), NhanesTask::others(group, &names)];
        for tasks in phases {
            let missing = locked(evidence).missing(tasks);
            let widths: Vec<f64> =
                names.iter().map(|name| locked(evidence).width(group, name).unwrap_or(1.0)).collect();
            let job = |task: &NhanesTask| {
                let unit = NhanesUnit { task: task.clone(), found: result(&context, &names, &widths, task)? };
                self.journal.append(&unit)?;
                locked(evidence).add(vec![unit]);
                Ok(())
            };
            let name = |task: &NhanesTask| task.shown(&self.survey.codebook);
            run_all(&missing, self.settings.threads, || (), |(), task| counter.unit(name(task), || job(task)))?;
        }
        Ok(())
    }
}

/// Result of a task.
fn result(context: &TableContext<'_>, names: &[String], widths: &[f64], task: &NhanesTask) -> Result<NhanesResult> {
    let width = |table: &str| names.iter().position(|name| name == table).map_or(1.0, |place| widths[place]);
    Ok(match task {
        NhanesTask::People { .. } => NhanesResult::People(context.people()),
        NhanesTask::Width { table, .. } => NhanesResult::Width(context.width(table)?),
        NhanesTask::Table { setting, table } => {
            let outcome = match setting.kernel {
                StudyKernel::Gaussian => context.table(table, &Gaussian::new(width(table))?)?,
                StudyKernel::Linear => context.table(table, &Linear)?,
            };
            outcome.map_or(NhanesResult::Nothing, NhanesResult::Table)
        }
        NhanesTask::Relation { setting, method: named } => {
            let Some(method) = method(named) else { return Ok(NhanesResult::Nothing) };
            let kernels: Vec<BuiltInKernel> = match setting.kernel {
                StudyKernel::Gaussian => {
                    widths.iter().map(|width| Ok(Gaussian::new(*width)?.into())).collect::<Result<_>>()?
                }
                StudyKernel::Linear => vec![Linear.into(); names.len()],
            };
            NhanesResult::Relation(context.relation(&kernels, method)?)
        }
    })
}

/// Whether all units of a group are finished.
fn is_complete(evidence: &Mutex<NhanesEvidence>, group: PeopleGroup) -> bool {
    let evidence = locked(evidence);
    let Some(people) = evidence.people(group) else { return false };
    let names: Vec<String> = people.tables.iter().map(|asked| asked.table.clone()).collect();
    evidence.missing([NhanesTask::widths(group, &names), NhanesTask::others(group, &names)].concat()).is_empty()
}

/// Number of units of a group with these tables.
fn n_units(group: PeopleGroup, tables: &[String]) -> usize {
    1 + NhanesTask::widths(group, tables).len() + NhanesTask::others(group, tables).len()
}

fn locked(evidence: &Mutex<NhanesEvidence>) -> std::sync::MutexGuard<'_, NhanesEvidence> {
    evidence.lock().unwrap_or_else(PoisonError::into_inner)
}

fn findings(protocol: &NhanesProtocol, reading: &NhanesReading<'_>) -> Result<NhanesFindings> {
    let value = serde_json::to_value(protocol)
        .map_err(|cause| Error::Write { path: "results.json".into(), cause: cause.into() })?;
    Ok(NhanesFindings {
        schema: 1,
        study: "nhanes".into(),
        protocol: value,
        statements: statements(reading),
        notes: notes(protocol, reading),
        figures: reading.figures(),
        tables: reading.tables(),
        claims: claims(reading),
        relation: StudySetting::all().next().map(|setting| reading.relation(setting)),
    })
}

fn write(settings: &Settings, findings: &NhanesFindings, reading: &NhanesReading<'_>) -> Result<()> {
    let folder = &settings.output;
    outputs::write_figures(folder, &findings.figures)?;
    for table in findings.tables.iter().chain(&[reading.pairs()]) {
        outputs::write_text(folder, &format!("{}.csv", table.name), &table.csv())?;
    }
    for setting in StudySetting::all() {
        let name: String = setting.to_string().replace([',', '(', ')'], "").replace(' ', "_").to_lowercase();
        outputs::write_text(folder, &format!("graph_{name}.dot"), &reading.graph(setting))?;
    }
    outputs::write_text(folder, "results.md", &findings.writeup().markdown())?;
    outputs::write_json(folder, findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nhanes::protocol::{PairBasis, Population};

    #[test]
    fn units_are_those_of_the_tables_that_were_asked() {
        let n_units = |basis, population, n_tables: usize| {
            let tables: Vec<String> = (0..n_tables).map(|table| table.to_string()).collect();
            n_units(PeopleGroup { basis, population }, &tables)
        };
        // People, a bandwidth per table, each table in two settings, and 5 methods in two settings.
        assert_eq!(n_units(PairBasis::Shared, Population::Adults, 39), 1 + 39 + 2 * 39 + 2 * 5);
        // On all people, tables have no units of their own, and 2 methods relate them.
        assert_eq!(n_units(PairBasis::All, Population::Everybody, 41), 1 + 41 + 2 * 2);
    }
}
