//! The figure of times and the tables of people, ranks and representatives.

use std::collections::BTreeSet;

use protodash_report::{RelatedPair, RelatedTable, RelationPage};

use super::evidence::{Demographics, NhanesReading};
use super::protocol::{DEMOGRAPHICS, INCOME, PairBasis, PeopleGroup, QUESTIONNAIRES, StudySetting};
use super::ranks::{RankMeasure, RankedPair, average, best, by_importance, correlation, of_target};
use super::trial::{AskedTable, TableOutcome};
use crate::figure::{Figure, FigureCurve, Point};
use crate::interval::Estimate;
use crate::methods::{METHODS, name};
use crate::table::ResultTable;

/// Number of most important questionnaires that are compared, as in the paper.
const FOREMOST: usize = 10;
/// Number of representatives of Income that are shown.
const OF_INCOME: usize = 5;

impl NhanesReading<'_> {
    /// The figures.
    pub(super) fn figures(&self) -> Vec<Figure> {
        vec![self.times()]
    }

    /// The tables.
    pub(super) fn tables(&self) -> Vec<ResultTable> {
        vec![
            self.people(),
            self.average_ranks(),
            self.average_ranks_of_own(),
            self.income(),
            self.representatives(),
            self.demographics(),
            self.agreement(),
            self.explained(),
            self.widths(),
        ]
    }

    /// Every pair of every setting with its rank; only written as CSV.
    pub(super) fn pairs(&self) -> ResultTable {
        let columns = ["setting", "method", "target", "source", "n_people", "explained", "own_explained", "rank"];
        let mut table = ResultTable::new("pairs", "Every pair, with Demographics among the sources", &columns);
        for setting in StudySetting::all() {
            for method in setting.group.methods() {
                for ranked in self.evidence.ranked(setting, name(*method), Demographics::With) {
                    let pair = ranked.pair;
                    table.push(vec![
                        setting.to_string(),
                        name(*method).to_owned(),
                        self.title(&pair.target),
                        self.title(&pair.source),
                        pair.n_people.to_string(),
                        pair.explained.to_string(),
                        pair.own_explained.to_string(),
                        ranked.rank.to_string(),
                    ]);
                }
            }
        }
        table
    }

    /// The graph of a setting for Graphviz: an arrow leads from the best representative to the table it represents.
    pub(super) fn graph(&self, setting: StudySetting) -> String {
        let ranked = self.evidence.ranked(setting, "ProtoDash", Demographics::Without);
        let mut text =
            String::from("// An arrow from A to B: the prototypes of A represent B best.\ndigraph relation {\n");
        for (table, rank) in by_importance(&ranked) {
            let title = self.title(&table).replace('"', "'");
            text += &format!("  {table} [shape=box, label=\"{title}\\naverage rank {rank:.2}\"];\n");
        }
        for ranked in best(&ranked) {
            let percent = 100.0 * ranked.pair.explained;
            text += &format!("  {} -> {} [label=\"{percent:.1} %\"];\n", ranked.pair.source, ranked.pair.target);
        }
        text + "}\n"
    }

    /// The graph of a setting for the report.
    pub(super) fn relation(&self, setting: StudySetting) -> RelationPage {
        let ranked = self.evidence.ranked(setting, "ProtoDash", Demographics::Without);
        let asked = self.evidence.people(setting.group).map_or(&[][..], |people| &people.tables);
        let asked: Vec<&AskedTable> = asked.iter().filter(|asked| asked.table != DEMOGRAPHICS).collect();
        let place = |name: &str| asked.iter().position(|asked| asked.table == name);
        let explained = |name: &str| {
            let outcome = self.evidence.tables(setting).find(|(table, _)| *table == name)?.1;
            outcome.methods.iter().find(|found| found.method == "ProtoDash")?.explained
        };
        let table = |asked: &&AskedTable| RelatedTable {
            name: self.title(&asked.table),
            n_keys: asked.n_people,
            n_features: asked.n_features,
            explained: explained(&asked.table).unwrap_or(0.0),
            average_rank: average(&ranked, &asked.table),
        };
        let pair = |ranked: &RankedPair<'_>| {
            Some(RelatedPair {
                target: place(&ranked.pair.target)?,
                source: place(&ranked.pair.source)?,
                n_keys: ranked.pair.n_people,
                explained: ranked.pair.explained,
                own_explained: ranked.pair.own_explained,
                rank: ranked.rank,
            })
        };
        RelationPage {
            tables: asked.iter().map(table).collect(),
            pairs: ranked.iter().filter_map(pair).collect(),
            // The best representatives of each.
            n_edges: best(&ranked).count(),
            remark: format!(
                "{setting} kernel, by ProtoDash, without Demographics. The files graph_*.dot in the folder of results have \
                 the other settings."
            ),
        }
    }

    /// Name of a table.
    pub(super) fn title(&self, table: &str) -> String {
        self.codebook.table(table).to_owned()
    }

    fn times(&self) -> Figure {
        let settings: Vec<StudySetting> = shared().collect();
        let series = |label: &str, seconds: &dyn Fn(&TableOutcome) -> Option<f64>| {
            let point = |setting: &StudySetting| {
                let values: Vec<f64> = self.evidence.questionnaires(*setting).filter_map(seconds).collect();
                Some(Point { x: setting.to_string().replace(", ", " "), estimate: Estimate::of(&values)? })
            };
            FigureCurve { name: label.to_owned(), points: settings.iter().filter_map(point).collect() }
        };
        let mut all =
            vec![series("kernel mean, shared by all but K-Medoids", &|outcome| Some(outcome.kernel_mean_seconds))];
        for method in METHODS.map(name) {
            all.push(series(method, &|outcome| {
                outcome.methods.iter().find(|found| found.method == method).map(|found| found.seconds)
            }));
        }
        let title = "CPU seconds to select the prototypes of a questionnaire, without the kernel mean; mean over \
                     questionnaires";
        Figure { name: "6b".into(), title: title.into(), x: "setting".into(), y: "seconds".into(), series: all }
    }

    fn people(&self) -> ResultTable {
        let columns = ["questionnaire", "adults", "everybody", "features"];
        let mut table = ResultTable::new("people", "Number of people in each table", &columns);
        let groups: Vec<_> = PeopleGroup::all().filter(|group| group.basis == PairBasis::Shared).collect();
        let all = |group: &PeopleGroup| self.evidence.people(*group).map_or(0, |people| people.n_people).to_string();
        table.push([vec!["everybody in the population".to_owned()], groups.iter().map(all).collect()].concat());
        for name in QUESTIONNAIRES.iter().chain(&[DEMOGRAPHICS]) {
            let asked =
                |group: &PeopleGroup| self.evidence.people(*group)?.tables.iter().find(|asked| asked.table == *name);
            let number = |group| asked(group).map_or_else(|| "nobody".to_owned(), |asked| asked.n_people.to_string());
            let features = groups.iter().find_map(asked).map_or_else(String::new, |asked| asked.n_features.to_string());
            let counts: Vec<String> = groups.iter().map(number).collect();
            table.push([vec![self.title(name)], counts, vec![features]].concat());
        }
        table
    }

    fn average_ranks(&self) -> ResultTable {
        let title =
            "Average rank as a representative of the others (ProtoDash; lower is better), the most important first";
        self.ranks_by(RankMeasure::Explained, &StudySetting::all().collect::<Vec<_>>(), ("average_ranks", title))
    }

    fn average_ranks_of_own(&self) -> ResultTable {
        let title = "The same, ranked relative to what the target's own prototypes explain on the same people";
        // If all pairs have the same people, the order is the same.
        self.ranks_by(RankMeasure::OfOwn, &shared().collect::<Vec<_>>(), ("average_ranks_of_own", title))
    }

    /// Average ranks by a measure, in a table of this name and title.
    fn ranks_by(&self, measure: RankMeasure, settings: &[StudySetting], (name, title): (&str, &str)) -> ResultTable {
        let ranked =
            |setting: &StudySetting| self.evidence.ranked_by(*setting, "ProtoDash", Demographics::Without, measure);
        let ranked: Vec<_> = settings.iter().map(ranked).collect();
        let names: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let columns: Vec<&str> = [vec!["questionnaire"], names.iter().map(String::as_str).collect()].concat();
        let mut table = ResultTable::new(name, title, &columns);
        let mean = |name: &str| {
            let ranks: Vec<f64> = ranked[..4].iter().filter_map(|ranked| average(ranked, name)).collect();
            ranks.iter().sum::<f64>() / ranks.len() as f64
        };
        let mut order: Vec<&str> = QUESTIONNAIRES.to_vec();
        order.sort_by(|one, other| mean(one).total_cmp(&mean(other)));
        for questionnaire in order {
            let rank = |ranked: &Vec<_>| {
                average(ranked, questionnaire).map_or_else(|| "–".to_owned(), |rank| format!("{rank:.2}"))
            };
            table.push([vec![self.title(questionnaire)], ranked.iter().map(rank).collect()].concat());
        }
        table
    }

    fn income(&self) -> ResultTable {
        let columns = ["setting", "method", "rank correlation", "best", "second", "third", "fourth", "fifth"];
        let title = "Representatives of Income, best first, with explained share and number of people; the correlation \
                     (Spearman's) is that of all ranks with ProtoDash's";
        let mut table = ResultTable::new("income", title, &columns);
        for setting in StudySetting::all() {
            let dash = self.evidence.ranked(setting, "ProtoDash", Demographics::Without);
            for method in setting.group.methods() {
                let ranked = self.evidence.ranked(setting, name(*method), Demographics::Without);
                let sources = of_target(&ranked, INCOME);
                let alike = correlation(&of_target(&dash, INCOME), &sources)
                    .map_or_else(|| "–".to_owned(), |alike| format!("{alike:.2}"));
                let shown = sources.into_iter().take(OF_INCOME).map(|ranked| self.cell(ranked.pair));
                table.push([vec![setting.to_string(), name(*method).to_owned(), alike], shown.collect()].concat());
            }
        }
        table
    }

    fn representatives(&self) -> ResultTable {
        let settings: Vec<StudySetting> = shared().collect();
        let names: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let columns: Vec<&str> = [vec!["questionnaire"], names.iter().map(String::as_str).collect()].concat();
        let title = "Best representative of each questionnaire (ProtoDash), with explained share and number of people";
        let mut table = ResultTable::new("representatives", title, &columns);
        for questionnaire in QUESTIONNAIRES {
            let best = |setting: &StudySetting| {
                let ranked = self.evidence.ranked(*setting, "ProtoDash", Demographics::Without);
                of_target(&ranked, questionnaire).first().map_or_else(|| "–".to_owned(), |best| self.cell(best.pair))
            };
            table.push([vec![self.title(questionnaire)], settings.iter().map(best).collect()].concat());
        }
        table
    }

    fn demographics(&self) -> ResultTable {
        let settings: Vec<StudySetting> = StudySetting::all().collect();
        let names: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let columns: Vec<&str> = [vec!["questionnaire"], names.iter().map(String::as_str).collect()].concat();
        let title = "Rank of Demographics among all representatives of each questionnaire (ProtoDash)";
        let mut table = ResultTable::new("demographics", title, &columns);
        for questionnaire in QUESTIONNAIRES {
            let rank = |setting: &StudySetting| {
                let ranked = self.evidence.ranked(*setting, "ProtoDash", Demographics::With);
                let of_target = of_target(&ranked, questionnaire);
                let found = of_target.iter().find(|ranked| ranked.pair.source == DEMOGRAPHICS);
                found.map_or_else(|| "–".to_owned(), |found| format!("{} of {}", found.rank, of_target.len()))
            };
            table.push([vec![self.title(questionnaire)], settings.iter().map(rank).collect()].concat());
        }
        table
    }

    /// A substitute for figure 6a: the expert's list was not published.
    fn agreement(&self) -> ResultTable {
        let settings: Vec<StudySetting> = shared().collect();
        let names: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let columns: Vec<&str> = [vec!["method"], names.iter().map(String::as_str).collect()].concat();
        let title = "Number of the ten most important questionnaires that are among ProtoDash's ten";
        let mut table = ResultTable::new("agreement", title, &columns);
        let foremost = |setting: StudySetting, method: &str| -> BTreeSet<String> {
            let ranked = self.evidence.ranked(setting, method, Demographics::Without);
            by_importance(&ranked).into_iter().take(FOREMOST).map(|(name, _)| name).collect()
        };
        for method in PeopleGroup::all().next().map_or(&[][..], PeopleGroup::methods) {
            let common = |setting: &StudySetting| {
                let both = foremost(*setting, name(*method));
                both.intersection(&foremost(*setting, "ProtoDash")).count().to_string()
            };
            table.push([vec![name(*method).to_owned()], settings.iter().map(common).collect()].concat());
        }
        table
    }

    fn explained(&self) -> ResultTable {
        let settings: Vec<StudySetting> = shared().collect();
        let names: Vec<String> = settings.iter().map(ToString::to_string).collect();
        let columns: Vec<&str> = [vec!["method"], names.iter().map(String::as_str).collect()].concat();
        let title = "Share of a questionnaire explained by its own prototypes, with the method's own weights; mean \
                     over questionnaires, and the number of questionnaires for which a method has prototypes";
        let mut table = ResultTable::new("explained", title, &columns);
        for method in METHODS.map(name) {
            let cell = |setting: &StudySetting| {
                let explained =
                    |outcome: &TableOutcome| outcome.methods.iter().find(|found| found.method == method)?.explained;
                let values: Vec<f64> = self.evidence.questionnaires(*setting).filter_map(explained).collect();
                Estimate::of(&values)
                    .map_or_else(|| "–".to_owned(), |mean| format!("{:.1} % of {}", 100.0 * mean.mean, mean.n))
            };
            table.push([vec![method.to_owned()], settings.iter().map(cell).collect()].concat());
        }
        table
    }

    fn widths(&self) -> ResultTable {
        let groups: Vec<PeopleGroup> = PeopleGroup::all().collect();
        let names: Vec<String> = groups.iter().map(ToString::to_string).collect();
        let columns: Vec<&str> = [vec!["questionnaire"], names.iter().map(String::as_str).collect()].concat();
        let mut table = ResultTable::new("widths", "Bandwidth of the Gaussian kernel, by cross-validation", &columns);
        for questionnaire in QUESTIONNAIRES.iter().chain(&[DEMOGRAPHICS]) {
            let width = |group: &PeopleGroup| {
                let width = self.evidence.width(*group, questionnaire);
                width.map_or_else(|| "–".to_owned(), |width| format!("{width:.3}"))
            };
            table.push([vec![self.title(questionnaire)], groups.iter().map(width).collect()].concat());
        }
        table
    }

    /// A representative with its explained share and number of people.
    pub(super) fn cell(&self, pair: &super::trial::JudgedPair) -> String {
        format!("{} ({:.1} % of {})", self.title(&pair.source), 100.0 * pair.explained, pair.n_people)
    }
}

/// The four settings of the study.
pub(super) fn shared() -> impl Iterator<Item = StudySetting> {
    StudySetting::all().filter(|setting| setting.group.basis == PairBasis::Shared)
}

#[cfg(test)]
mod tests {
    use super::super::evidence::tests::{Fixture, adults};
    use super::super::ranks::tests::pair;

    #[test]
    fn ties_have_an_arrow_each() {
        let mut fixture = Fixture::default();
        let pairs = ["B", "C", "D"].map(|source| pair("A", source, 0.5)).into();
        fixture.relation(adults(), "ProtoDash", pairs);
        let graph = fixture.read(|reading| reading.graph(adults()));
        assert_eq!(graph.matches(" -> A [label=\"50.0 %\"]").count(), 3, "{graph}");
    }
}
