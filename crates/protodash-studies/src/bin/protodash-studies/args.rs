//! The command line of the studies.

use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use protodash_studies::{Result, Settings, StudyObserver, Writeup, mnist, nhanes, retail};
use protodash_terminal::{Resources, at_least_one};

/// Reproduce the paper's experiments and check its claims
///
/// Each study repeats a section of the paper on public data and writes the numbers behind its figures to a folder:
/// results.json, results.md, a CSV file per figure, and a journal of finished trials. Every average has a 95 % confidence
/// interval, every random sample a seed. A study that was stopped resumes when the same command is run again.
#[derive(Debug, Parser)]
#[command(name = "protodash-studies", version, after_help = EXAMPLES, max_term_width = 100)]
pub(crate) struct Arguments {
    /// Which study
    #[command(subcommand)]
    pub(crate) study: Study,
}

const EXAMPLES: &str = "\
Examples:
  A quick version of the study of handwritten digits, in less than a minute:
    protodash-studies mnist --data data/mnist --quick --report mnist.html

  The full study, which takes hours; Ctrl-C stops it, the same command resumes it:
    protodash-studies mnist --data data/mnist -o mnist-study

  Health questionnaires, a sample of 300 people:
    protodash-studies nhanes --data data/nhanes --quick

  Customers of public shops instead of the paper's:
    protodash-studies retail --data data/retail --quick";

/// The studies.
#[derive(Debug, Subcommand)]
pub(crate) enum Study {
    /// Handwritten digits, section V-B: do prototypes adapt to a target skewed towards one digit?
    Mnist {
        /// Number of trials; missing ones are added to the folder, surplus ones ignored [default: 100; 2 with --quick]
        #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
        trials: Option<usize>,
        #[command(flatten)]
        common: Common,
    },
    /// Health questionnaires, section V-C: which represent which others, and does the finding for Income hold?
    Nhanes {
        #[command(flatten)]
        common: Common,
    },
    /// Customers of public shops, section V-A: do regular customers selected to represent the loyal ones improve
    /// predictions?
    Retail {
        /// Number of random draws of the baseline RandomW [default: 10; 2 with --quick]
        #[arg(long, value_name = "N", value_parser = at_least_one, allow_negative_numbers = true)]
        trials: Option<usize>,
        #[command(flatten)]
        common: Common,
    },
}

/// Arguments that all studies share.
#[derive(Debug, clap::Args)]
pub(crate) struct Common {
    /// Folder with the data of the study
    #[arg(long, value_name = "DIR")]
    data: PathBuf,

    /// Folder for the journal and the results [default: NAME-study, or NAME-study-quick]
    ///
    /// A study that was stopped resumes from the journal in this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,

    /// Write an HTML report to FILE
    #[arg(long, value_name = "FILE", value_parser = html_file)]
    pub(crate) report: Option<PathBuf>,

    /// Run a quick version of the study, which takes less than a minute
    #[arg(long)]
    quick: bool,

    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0, help_heading = "Running", allow_negative_numbers = true)]
    seed: u64,

    #[command(flatten)]
    pub(crate) resources: Resources,
}

impl Study {
    /// Arguments that all studies share.
    pub(crate) fn common(&self) -> &Common {
        match self {
            Study::Mnist { common, .. } | Study::Nhanes { common } | Study::Retail { common, .. } => common,
        }
    }

    /// Folder for the results.
    pub(crate) fn output(&self) -> PathBuf {
        let (name, common) = (self.name(), self.common());
        let default = || format!("{name}-study{}", if common.quick { "-quick" } else { "" }).into();
        common.output.clone().unwrap_or_else(default)
    }

    fn name(&self) -> &'static str {
        match self {
            Study::Mnist { .. } => "mnist",
            Study::Nhanes { .. } => "nhanes",
            Study::Retail { .. } => "retail",
        }
    }

    /// Runs the study on the threads of the current pool.
    pub(crate) fn run(&self, folder: &Path, observer: &dyn StudyObserver) -> Result<Writeup> {
        match self {
            Study::Mnist { trials, common } => {
                let settings = common.settings(folder, *trials);
                mnist::run(&settings, observer)?.writeup(&settings, observer)
            }
            Study::Nhanes { common } => Ok(nhanes::run(&common.settings(folder, None), observer)?.writeup()),
            Study::Retail { trials, common } => Ok(retail::run(&common.settings(folder, *trials), observer)?.writeup()),
        }
    }
}

impl Common {
    fn settings(&self, folder: &Path, size: Option<usize>) -> Settings {
        Settings {
            quick: self.quick,
            size,
            seed: self.seed,
            threads: rayon::current_num_threads(),
            memory: self.resources.memory(),
            ..Settings::new(self.data.clone(), folder.to_owned())
        }
    }
}

fn html_file(text: &str) -> std::result::Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some(extension) if ["html", "htm"].iter().any(|known| extension.eq_ignore_ascii_case(known)) => Ok(path),
        _ => Err("must end in .html".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn the_default_folder_names_the_study_and_the_quick_version() {
        let output = |line: &str| Arguments::parse_from(line.split(' ')).study.output();
        assert_eq!(output("x mnist --data d"), Path::new("mnist-study"));
        assert_eq!(output("x retail --data d --quick"), Path::new("retail-study-quick"));
        assert_eq!(output("x nhanes --data d -o elsewhere"), Path::new("elsewhere"));
    }

    #[test]
    fn a_report_is_an_html_file() {
        assert!(html_file("out.HTML").is_ok());
        assert!(html_file("out.txt").is_err() && html_file("html").is_err());
    }
}
