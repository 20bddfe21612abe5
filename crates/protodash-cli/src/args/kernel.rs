//! Kernel flags, generated from the definitions of the kernels.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use protodash::bandwidth::BandwidthRule;
use protodash::{
    BuiltInKernel, KernelDefinition, KernelSpec, Parameter, ParameterDefault, ParameterValue, Precomputed,
};
use protodash_table::Scaling;

use super::DataArgs;
use crate::error::Failure;

/// The kernel and its parameters.
#[derive(Debug, Clone, clap::Args)]
#[command(next_help_heading = "Similarity")]
pub(crate) struct KernelArgs {
    /// Similarity of two rows; with `precomputed`, SOURCE is a kernel matrix
    #[arg(
        long = "kernel",
        value_name = "KERNEL",
        value_parser = PossibleValuesParser::new(kernel_values()).map(|name| KernelChoice::named(&name)),
        default_value = BuiltInKernel::DEFAULT
    )]
    choice: KernelChoice,

    /// `auto`, `median` distance, `cv` (cross-validated) or a number [default: auto]
    #[arg(long, value_name = "X", allow_hyphen_values = true)]
    pub(crate) bandwidth: Option<BandwidthRule>,

    #[command(flatten)]
    parameters: KernelParameters,
}

impl KernelArgs {
    /// The requested kernel; `None` if the files hold kernel matrices.
    pub(crate) fn spec(&self) -> protodash::Result<Option<KernelSpec>> {
        let KernelChoice::BuiltIn(definition) = self.choice else { return Ok(None) };
        let mut spec = KernelSpec::from(definition);
        if let Some(rule) = self.bandwidth {
            spec = spec.with_bandwidth(rule)?;
        }
        for (name, value) in &self.parameters.0 {
            spec = spec.with_parameter(name, *value)?;
        }
        Ok(Some(spec))
    }

    /// True if the files hold kernel matrices.
    pub(crate) fn is_precomputed(&self) -> bool {
        matches!(self.choice, KernelChoice::Precomputed)
    }

    /// The bandwidth as a multiple of the median distance, if the rule defines it that way.
    pub(crate) fn median_multiple(&self) -> Option<f64> {
        self.bandwidth.unwrap_or_default().median_multiple(self.choice.definition()?)
    }

    /// Rejects parameters that the kernel does not have, and data flags that it cannot use.
    pub(super) fn check(&self, data: &DataArgs) -> Result<(), Failure> {
        let name = self.choice.name();
        let has = |parameter: &str| self.choice.definition().is_some_and(|kernel| kernel.parameter(parameter).is_ok());
        if self.bandwidth.is_some() && !has("bandwidth") {
            return Err(Failure::call(format!("--kernel {name} has no --bandwidth"), "omit --bandwidth"));
        }
        if let Some((parameter, _)) = self.parameters.0.iter().find(|(parameter, _)| !has(parameter)) {
            let owners = owners(parameter).join(" or ");
            let message = format!("--{parameter} applies to --kernel {owners}, not to {name}");
            return Err(Failure::call(message, format!("omit --{parameter}, or use --kernel {owners}")));
        }
        let scaled = data.scale.is_some_and(|scale| scale != Scaling::None);
        if scaled && self.choice.definition().is_some_and(|kernel| kernel.compares_codes) {
            let message = format!("--kernel {name} only tests values for equality, so --scale has no effect");
            return Err(Failure::call(message, "omit --scale"));
        }
        match data.role_flags().first() {
            Some(flag) if self.is_precomputed() => {
                let message = format!("--kernel precomputed reads kernel matrices, so {flag} does not apply");
                Err(Failure::call(message, format!("omit {flag}, or use another kernel")))
            }
            _ => Ok(()),
        }
    }
}

/// Which kernel, without its parameters.
#[derive(Debug, Clone, Copy)]
enum KernelChoice {
    BuiltIn(&'static KernelDefinition),
    Precomputed,
}

impl KernelChoice {
    fn named(name: &str) -> Self {
        BuiltInKernel::definition_of(name).map_or(KernelChoice::Precomputed, KernelChoice::BuiltIn)
    }

    fn name(self) -> &'static str {
        self.definition().map_or(Precomputed::NAME, |definition| definition.name)
    }

    fn definition(self) -> Option<&'static KernelDefinition> {
        match self {
            KernelChoice::BuiltIn(definition) => Some(definition),
            KernelChoice::Precomputed => None,
        }
    }
}

/// The values of `--kernel`, with their help.
fn kernel_values() -> Vec<PossibleValue> {
    let precomputed = "SOURCE is the n x n kernel matrix itself; --target has one row per target row and one column \
                       per source row; tables must not have a header";
    let built_in = BuiltInKernel::DEFINITIONS.iter().map(|kernel| (kernel.name, kernel.formula));
    let all = built_in.chain([(Precomputed::NAME, precomputed)]);
    all.map(|(name, help)| PossibleValue::new(name).help(help)).collect()
}

/// Kernel parameters other than the bandwidth; each has a flag of the same name.
#[derive(Debug, Clone)]
struct KernelParameters(Vec<(&'static str, ParameterValue)>);

/// The parameters that have a flag, without repeats.
///
/// `--scale` scales columns, and the scale of the polynomial kernel follows from their number.
fn flagged() -> Vec<&'static Parameter> {
    let mut parameters: Vec<&'static Parameter> = Vec::new();
    for parameter in BuiltInKernel::DEFINITIONS.iter().flat_map(|kernel| kernel.parameters) {
        let fixed = matches!(parameter.default, ParameterDefault::Value(_));
        if fixed && parameters.iter().all(|other| other.name != parameter.name) {
            parameters.push(parameter);
        }
    }
    parameters
}

/// Names of the kernels that have a parameter.
fn owners(parameter: &str) -> Vec<&'static str> {
    let having = BuiltInKernel::DEFINITIONS.iter().filter(|kernel| kernel.parameter(parameter).is_ok());
    having.map(|kernel| kernel.name).collect()
}

fn flag(parameter: &'static Parameter) -> Arg {
    let parse = |text: &str| {
        let refused = || format!("it must be {}", parameter.allowed);
        let value: f64 = text.parse().map_err(|_| refused())?;
        parameter.check(value).map_err(|_| refused())?;
        // The check above ensures an integer in range.
        Ok::<_, String>(if parameter.is_whole {
            ParameterValue::Whole(value as u32)
        } else {
            ParameterValue::Number(value)
        })
    };
    let default = match parameter.default {
        ParameterDefault::Value(value) => format!(" [default: {value}]"),
        _ => String::new(),
    };
    let mut help = parameter.help.to_owned();
    help[..1].make_ascii_uppercase();
    Arg::new(parameter.name)
        .long(parameter.name)
        .value_name(if parameter.is_whole { "N" } else { "X" })
        .help(format!("{help}{default}"))
        .value_parser(parse)
        .allow_hyphen_values(true)
}

impl clap::Args for KernelParameters {
    fn augment_args(command: Command) -> Command {
        flagged().into_iter().fold(command, |command, parameter| command.arg(flag(parameter)))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for KernelParameters {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |parameter: &&'static Parameter| {
            matches.get_one::<ParameterValue>(parameter.name).map(|value| (parameter.name, *value))
        };
        Ok(KernelParameters(flagged().iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Args;
    use protodash_report::SavedKernel;

    fn parsed(arguments: &[&str]) -> KernelArgs {
        let command = KernelArgs::augment_args(Command::new("test").no_binary_name(true));
        KernelArgs::from_arg_matches(&command.get_matches_from(arguments)).unwrap()
    }

    #[test]
    fn every_built_in_kernel_is_a_flag_value_and_survives_a_round_trip() {
        let rows = ndarray::array![[0.0, 1.0], [2.0, 5.0], [3.0, 3.0]];
        for definition in BuiltInKernel::DEFINITIONS {
            let kernel =
                parsed(&["--kernel", definition.name]).spec().unwrap().unwrap().resolve(None, &rows, 0).unwrap();
            assert_eq!(kernel.definition().name, definition.name);
            let json = serde_json::to_string(&SavedKernel::new(Some(kernel))).unwrap();
            assert_eq!(serde_json::from_str::<SavedKernel>(&json).unwrap().kernel, Some(kernel), "{json}");
        }
        assert!(parsed(&["--kernel", "precomputed"]).is_precomputed());
    }

    #[test]
    fn parameters_reach_the_kernel() {
        let kernel = parsed(&["--kernel", "polynomial", "--degree", "2", "--offset", "0.5"]);
        let kernel = kernel.spec().unwrap().unwrap().resolve(None, &ndarray::array![[1.0, 2.0]], 0).unwrap();
        assert_eq!(kernel, protodash::Polynomial::new(2, 0.5, 0.5).unwrap().into());
    }

    #[test]
    fn without_flags_the_defaults_apply() {
        let kernel = parsed(&[]);
        assert_eq!(kernel.choice.name(), BuiltInKernel::DEFAULT);
        assert_eq!(kernel.spec().unwrap().unwrap().bandwidth(), Some(BandwidthRule::default()));
    }
}
