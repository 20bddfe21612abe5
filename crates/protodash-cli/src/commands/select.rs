//! `protodash select`: from a file to weighted prototypes.

use protodash::criticisms::CriticismParams;
use protodash::{
    Baseline, BaselineParams, ClassNumbers, ClassSummary, Criticism, Dataset, Error, Params, Role, Selection,
    TargetEnergy,
};
use protodash_meter::RunMeter;
use protodash_report::{
    CrossValidationRecord, PrototypeRecord, Report, RowSource, SelectionDocument, ShiftRecord, long_run_note,
};

use super::view;
use crate::args::{PerLabelValue, SelectArgs};
use crate::classes::{Classes, cross_validated};
use crate::constraints;
use crate::data::Data;
use crate::error::Failure;
use crate::estimates::estimates;
use crate::given;
use crate::output::{Kind, Output};
use crate::progress::Progress;
use crate::report::{self, PageInput, selection_report};
use crate::result;
use crate::rows_output::{prototype_rows, write_csv, write_parquet};
use crate::settings::flag;
use crate::terminal::{self, Request};

/// Selects prototypes, and shows or writes them.
pub(super) fn run(call: &SelectArgs) -> Result<(), Failure> {
    call.check()?;
    let output = call.output.as_deref().map(Output::new).transpose()?;
    if let Some(output) = &output {
        reject_lost_reports(call, output)?;
        // The run to continue may be overwritten by its continuation.
        output.check(&Data::paths(&call.source, &call.data))?;
    }
    let inputs = Data::paths(&call.source, &call.data);
    let page = report::destination(call.page.report.as_deref(), &inputs, output.as_ref())?;
    let kernel = call.kernel.spec().map_err(|error| Failure::core(&call.source, error))?;
    let known_size = call.search.n_prototypes(usize::MAX).is_some();
    let mut progress = Progress::new(call.run.quiet, known_size);
    let mut data =
        Data::load(&call.source, &call.data, kernel.as_ref(), (call.run.memory(), call.seed), &mut progress)?;
    report::check_shape(&data, call.page.image_shape)?;
    let mut params = params(call, &data);
    given::set_rows(&mut params, call, &mut data, &progress)?;
    constraints::set(&mut params, call, &data, &mut progress)?;
    let curve = cross_validated(&mut data, &call.kernel, &params, call.seed, &mut progress)?;
    given::set_resumed(&mut params, call, &data, &mut progress)?;
    let (mut document, chosen) = choose(call, &data, &params, &mut progress)?;
    curve.iter().for_each(|curve| document.set_cross_validation(CrossValidationRecord::new(curve)));
    let made = page.as_ref().map(|_| picture(call, &data, (&document, &chosen), &mut progress)).transpose()?;
    match output {
        None => terminal::print(&shown(call, &data, (&document, &chosen), &mut progress)?)?,
        Some(output) => {
            write(&output, &data, &document, &mut progress)?;
            if !call.run.quiet {
                let lines = terminal::findings(&document, request(call, &data)).join("\n");
                protodash_terminal::say(&format!("{lines}\nwritten to {}", output.path().display()));
            }
        }
    }
    report::finish(page.as_ref().zip(made.as_ref()), call.run.quiet)
}

/// The report, created before anything is shown or written so that errors come first.
fn picture(
    call: &SelectArgs,
    data: &Data,
    (document, chosen): (&SelectionDocument, &Chosen),
    progress: &mut Progress,
) -> Result<Report, Failure> {
    let prototypes = &chosen.selection.prototypes;
    let input = PageInput {
        data: Some((data, prototypes)),
        image_shape: call.page.image_shape,
        request: request(call, data),
        kernel_mean: chosen.selection.kernel_mean(),
    };
    selection_report(document, input, progress)
}

/// Rejects flags whose results the output format cannot hold.
fn reject_lost_reports(call: &SelectArgs, output: &Output) -> Result<(), Failure> {
    let lost = |flag: &str| format!("--output {} can hold only prototypes, not {flag}", output.path().display());
    if output.kind() == Kind::Json {
        return Ok(());
    }
    if call.shift {
        return Err(Failure::call(lost("--shift"), "use a .json file"));
    }
    if !call.estimate().is_empty() {
        return Err(Failure::call(lost("--estimate"), "use a .json file"));
    }
    if call.n_criticisms > 0 {
        let hint = "use a .json file, then write its criticisms with `protodash criticize`";
        return Err(Failure::call(lost("--n-criticisms"), hint));
    }
    Ok(())
}

/// The selection, and the document that describes it in rows of the files.
fn choose(
    call: &SelectArgs,
    data: &Data,
    params: &Params,
    progress: &mut Progress,
) -> Result<(SelectionDocument, Chosen), Failure> {
    let wanted = (call.n_criticisms > 0).then(|| result::criticism_params(call.n_criticisms, &call.criticisms, data));
    let classes = call.per_label.as_ref().map(|_| classes(data)).transpose()?;
    let numbers = call.per_label.as_ref().zip(classes.as_ref());
    let numbers = numbers.map(|(wanted, classes)| class_numbers(wanted, classes, data)).transpose()?;
    let per_label = numbers.as_ref().zip(classes.as_ref());
    if per_label.is_none() {
        announce(call, data, params, progress)?;
    }
    let chosen = Chosen::new(data, params, per_label, wanted, progress).map_err(|error| match &classes {
        Some(classes) => classes.failure(data, error),
        None => data.failure(error),
    })?;
    progress.clear();
    let mut document = result::document(call, data, &chosen, (per_label, &params.exclude));
    document.estimates = estimates(&call.estimate(), data, &chosen.selection.prototypes, progress)?;
    progress.clear();
    if call.shift {
        let shift = data.matrices.covariate_shift(&chosen.selection.prototypes, data.target_weights.as_deref());
        let shift = shift.map_err(|error| data.failure(error))?;
        let record = match &data.matrices {
            Dataset::Sparse(_) => ShiftRecord::of_sparse(&shift, |column| data.tables.sparse_name(column)),
            _ => ShiftRecord::new(&shift, &data.features),
        };
        document.set_covariate_shift(record, &flag);
    } else if data.target.is_some() && params.weights_all_rows() {
        let n_before = document.notes.len();
        document.note_few_rows(&flag);
        document.notes[n_before..].iter().for_each(|note| progress.note(note));
    }
    Ok((document, chosen))
}

/// How many prototypes each class gets.
fn class_numbers(wanted: &PerLabelValue, classes: &Classes, data: &Data) -> Result<ClassNumbers, Failure> {
    match wanted {
        PerLabelValue::Rule(allocation) => Ok((*allocation).into()),
        PerLabelValue::Given(numbers) => {
            let numbers: Vec<(&str, usize)> = numbers.iter().map(|(class, number)| (class.as_str(), *number)).collect();
            ClassNumbers::by_name(&numbers, &classes.names, classes.labels()).map_err(|error| data.failure(error))
        }
    }
}

/// Says what a long run will cost. With --per-label rows meet only those of their class, which is faster than estimated.
fn announce(call: &SelectArgs, data: &Data, params: &Params, progress: &Progress) -> Result<(), Failure> {
    if call.run.quiet {
        return Ok(());
    }
    let estimate = data.matrices.estimate_cost(params, &mut RunMeter::new()).map_err(|error| data.failure(error))?;
    let note = estimate.and_then(|estimate| long_run_note(&estimate, flag));
    note.iter().for_each(|note| progress.note(note));
    Ok(())
}

/// The classes of source and target rows, which --per-label needs.
fn classes(data: &Data) -> Result<Classes, Failure> {
    Classes::of(data).ok_or_else(|| {
        let message = "--per-label also needs the class of each target row";
        Failure::call(message, "add --target-labels with the file of their classes")
    })
}

fn params(call: &SelectArgs, data: &Data) -> Params {
    let mut params = Params::new(1);
    params.n_prototypes = match &call.per_label {
        Some(wanted @ PerLabelValue::Given(_)) => wanted.total(),
        _ => call.search.n_prototypes(data.source.len()),
    };
    params.min_gain = call.search.min_gain;
    params.method = call.search.method;
    params.weights = call.search.weights();
    params.oversample = call.search.oversample;
    (params.max_weight, params.min_effective) = (call.search.max_weight, call.search.min_effective);
    params.means = call.search.means;
    params.tolerance = call.search.tolerance;
    params.seed = call.seed;
    params.target_weights = data.target_weights.clone();
    params.target_energy = call.search.target_energy.unwrap_or(TargetEnergy::Exact).with_seed(call.seed);
    if call.kernel.is_precomputed() && data.target.is_some() {
        // The matrices do not contain the similarities between target rows.
        params.target_energy = TargetEnergy::Skip;
    }
    params.column_memory = call.run.memory().saturating_sub(data.matrices.n_bytes());
    params
}

/// The terminal output.
fn shown(
    call: &SelectArgs,
    data: &Data,
    (document, chosen): (&SelectionDocument, &Chosen),
    progress: &mut Progress,
) -> Result<String, Failure> {
    let request = request(call, data);
    let width = terminal::width();
    // The finding comes first, where it is not buried below a long table.
    let mut text: String =
        terminal::findings(document, request).iter().map(|line| terminal::sentence_line(line)).collect();
    let weighted = chosen.selection.prototypes.iter().filter(|prototype| prototype.weight > 0.0);
    let rows: Vec<usize> = weighted.map(|prototype| prototype.source_index).collect();
    if !rows.is_empty() {
        text.push('\n');
        let seen = view::rows(data, Role::Source, &rows, progress)?;
        text += &terminal::prototypes_table(document, &seen.looks, width);
        text += &seen.pictures(width);
        text.push('\n');
    }
    text += &terminal::sentence_line(&terminal::settings_sentence(document, request));
    let sentences = [terminal::bandwidth_sentence(document), terminal::means_sentence(document)];
    for sentence in sentences.into_iter().flatten() {
        text += &terminal::sentence_line(&sentence);
    }
    if !document.estimates.is_empty() {
        text.push('\n');
        text += &terminal::estimates_table(&document.estimates);
    }
    if let Some(shift) = &document.covariate_shift {
        text.push('\n');
        text += &terminal::shift_table(shift);
        text += &terminal::sentence_line(&terminal::shift_sentence(document, shift, terminal::SHOWN_FEATURES));
        if let Some(warning) = terminal::shift_warning(document, shift, &flag) {
            text += &terminal::sentence_line(&format!("note: {warning}"));
        }
    }
    if call.n_criticisms > 0 {
        text.push('\n');
        text += &view::criticisms(data, (document, &chosen.criticisms), call.criticisms.among.into(), width, progress)?;
    }
    Ok(text)
}

fn request(call: &SelectArgs, data: &Data) -> Request {
    Request {
        n_prototypes: call.search.named_number(data.source.len()),
        min_gain: call.search.min_gain,
        median_multiple: call.kernel.median_multiple(),
    }
}

fn write(output: &Output, data: &Data, document: &SelectionDocument, progress: &mut Progress) -> Result<(), Failure> {
    if output.kind() == Kind::Json {
        return output.write(|writer| Ok(document.write(writer)?));
    }
    // A row that was chosen and then lost its weight represents nothing.
    let weighted: Vec<(u64, &PrototypeRecord)> =
        (1..).zip(&document.prototypes).filter(|(_, prototype)| prototype.weight > 0.0).collect();
    let rows: Vec<u64> = weighted.iter().map(|(_, prototype)| prototype.source_index).collect();
    let cells = view::cells(data, Role::Source, &rows, progress)?;
    output.write(|writer| {
        let rows = prototype_rows(&cells, &weighted)?;
        if output.kind() == Kind::Csv { write_csv(&rows, writer) } else { write_parquet(&rows, writer) }
    })
}

/// A selection with everything reported about it.
pub(crate) struct Chosen {
    /// The prototypes and the path to them.
    pub(crate) selection: Selection,
    /// The allocation to classes, if prototypes were selected per class.
    pub(crate) classes: Vec<ClassSummary>,
    /// The number of target rows nearest to each prototype.
    pub(crate) n_represented: Vec<usize>,
    /// The comparison with random rows.
    pub(crate) baseline: Baseline,
    /// The rows represented worst, as rows of the matrix.
    pub(crate) criticisms: Vec<Criticism>,
}

impl Chosen {
    /// Selects prototypes, counts the rows that each represents, and finds criticisms if requested.
    fn new(
        data: &Data,
        params: &Params,
        per_label: Option<(&ClassNumbers, &Classes)>,
        criticisms: Option<CriticismParams>,
        progress: &mut Progress,
    ) -> Result<Chosen, Error> {
        let matrices = &data.matrices;
        let (selection, classes) = match per_label {
            None => (matrices.select(params, progress)?, Vec::new()),
            Some((numbers, classes)) => {
                let found = matrices.select_per_label(classes.labels(), params, numbers, progress)?;
                (found.selection, found.classes)
            }
        };
        let n_represented = match per_label {
            None => matrices.represent(&selection.prototypes, progress)?.n_represented,
            Some((_, classes)) => {
                matrices.represent_per_label(&selection.prototypes, classes.labels(), progress)?.n_represented
            }
        };
        let chance = match per_label {
            None => BaselineParams::of_run(params),
            Some(_) => BaselineParams::of_run_per_label(params),
        };
        let baseline = matrices.baseline(&selection, &chance, progress)?;
        let criticisms = match criticisms {
            None => Vec::new(),
            Some(mut wanted) => {
                wanted.kernel_mean = selection.kernel_mean().map(<[f64]>::to_vec);
                matrices.criticize(&selection.prototypes, &wanted, progress)?
            }
        };
        Ok(Chosen { selection, classes, n_represented, baseline, criticisms })
    }
}
