//! A finished result as a Python object: `protodash_report`'s document with arrays for numbers.

use numpy::PyArray1;
use protodash_report::{
    CriticismRecord, CriticismRule, Request, RunSettings, SHARE, SelectionDocument, TextColumn, criticism_columns,
    findings, prototype_columns, settings_sentence, shift_columns, shift_sentence, shift_warning,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::settings::any_keyword;

/// The result of a selection. It computes and formats; `Selection` in Python adds the data and the documentation.
#[pyclass(module = "protodash._native")]
#[derive(Clone)]
pub(crate) struct Document {
    pub(crate) inner: SelectionDocument,
    pub(crate) request: Request,
}

/// Criticisms as Python holds them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GivenCriticisms {
    definition: String,
    diversity: Option<f64>,
    among: String,
    indices: Vec<u64>,
    scores: Vec<f64>,
    ids: Option<Vec<String>>,
    labels: Option<Vec<String>>,
}

/// The settings of a run, as Python holds them.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct GivenSettings {
    method: String,
    weights: String,
    kernel: String,
    data: String,
    shape: (usize, usize, usize),
    oversample: f64,
    max_weight: Option<f64>,
    min_effective: Option<f64>,
    tolerance: f64,
    seed: u64,
    fixed: Vec<u64>,
    exclude: Vec<u64>,
    constraints: Vec<String>,
    data_hash: Option<String>,
}

/// A header, whether the column is aligned to the right, and its cells.
pub(crate) type ShownColumn = (&'static str, bool, Vec<String>);

/// The request: number of prototypes, minimum gain, multiple of the median distance.
type GivenRequest = (Option<usize>, Option<f64>, Option<f64>);

type Floats<'py> = Bound<'py, PyArray1<f64>>;

/// Columns as Python shows them.
pub(crate) fn columns(columns: Vec<TextColumn>) -> Vec<ShownColumn> {
    columns.into_iter().map(|column| (column.header, column.is_number, column.cells)).collect()
}

/// The table of criticisms.
#[pyfunction]
pub(crate) fn criticism_table(criticisms: GivenCriticisms) -> Vec<ShownColumn> {
    columns(criticism_columns(&criticisms.records()))
}

impl GivenCriticisms {
    fn records(&self) -> Vec<CriticismRecord> {
        let entry =
            |values: &Option<Vec<String>>, at: usize| values.as_ref().and_then(|values| values.get(at)).cloned();
        let numbered = self.indices.iter().zip(&self.scores).enumerate();
        let record = |(at, (index, score)): (usize, (&u64, &f64))| CriticismRecord {
            source_index: (self.among != "target").then_some(*index),
            target_index: (self.among == "target").then_some(*index),
            id: entry(&self.ids, at),
            score: *score,
            label: entry(&self.labels, at),
            other: Default::default(),
        };
        numbered.map(record).collect()
    }
}

impl Document {
    /// The document with other criticisms, if some are given.
    pub(crate) fn with_criticisms(&self, criticisms: Option<GivenCriticisms>) -> SelectionDocument {
        let mut document = self.inner.clone();
        if let Some(given) = criticisms {
            document.criticisms = given.records();
            let GivenCriticisms { definition, diversity, among, .. } = given;
            document.criticism = Some(CriticismRule { definition, diversity, among });
        }
        document
    }

    fn floats<'py>(py: Python<'py>, values: impl Iterator<Item = f64>) -> Floats<'py> {
        PyArray1::from_vec(py, values.collect())
    }

    fn names(&self, name: fn(&protodash_report::PrototypeRecord) -> Option<&String>) -> Option<Vec<String>> {
        let prototypes = &self.inner.prototypes;
        let names: Option<Vec<String>> = prototypes.iter().map(|prototype| name(prototype).cloned()).collect();
        names.filter(|names| !names.is_empty())
    }
}

fn unwritable(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Document {
    /// The document that a text holds.
    #[staticmethod]
    #[pyo3(signature = (text, request = (None, None, None)))]
    fn from_json(text: &str, request: GivenRequest) -> PyResult<Document> {
        let inner = SelectionDocument::from_json(text).map_err(|error| PyValueError::new_err(error.to_string()))?;
        let (n_prototypes, min_gain, median_multiple) = request;
        Ok(Document { inner, request: Request { n_prototypes, min_gain, median_multiple } })
    }

    /// The text of the file, with other criticisms if some are given.
    fn to_json(&self, criticisms: Option<GivenCriticisms>) -> PyResult<String> {
        self.with_criticisms(criticisms).to_json().map_err(unwritable)
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, (String, GivenRequest))> {
        let Request { n_prototypes, min_gain, median_multiple } = self.request;
        let read = py.get_type::<Document>().getattr("from_json")?.unbind();
        Ok((read, (self.to_json(None)?, (n_prototypes, min_gain, median_multiple))))
    }

    /// The share of weight of each prototype that has a weight, as text.
    fn share_texts(&self) -> Vec<String> {
        prototype_columns(&self.inner)
            .into_iter()
            .find(|column| column.header == SHARE)
            .map_or_else(Vec::new, |column| column.cells)
    }

    /// An independent copy.
    fn copy(&self) -> Document {
        self.clone()
    }

    /// The JSON of the kernel, of the comparison with random rows, of the allocation to classes, of the covariate shift or of the data, in the order of the
    /// file; `None` if it is null.
    fn part(&self, key: &str) -> PyResult<Option<String>> {
        let json = match key {
            "kernel" => serde_json::to_string(&self.inner.kernel),
            "per_label" => serde_json::to_string(&self.inner.per_label),
            "covariate_shift" => serde_json::to_string(&self.inner.covariate_shift),
            "baseline" => serde_json::to_string(&self.inner.baseline),
            "data" => serde_json::to_string(&self.inner.data),
            "notes" => serde_json::to_string(&self.inner.notes),
            _ => return Ok(None),
        };
        Ok(Some(json.map_err(unwritable)?).filter(|json| json != "null"))
    }

    /// The first prototypes; `None` if there are not that many.
    fn prefix(&self, n_prototypes: usize) -> Option<Document> {
        Some(Document { inner: self.inner.prefix(n_prototypes)?, request: Request::default() })
    }

    /// Sets the row, id and label of each prototype and the number of rows.
    fn name_rows(
        &mut self,
        indices: Vec<u64>,
        ids: Option<Vec<String>>,
        labels: Option<Vec<String>>,
        n_source: usize,
        n_target: usize,
    ) {
        (self.inner.n_source, self.inner.n_target) = (n_source, n_target);
        for (at, prototype) in self.inner.prototypes.iter_mut().enumerate() {
            prototype.source_index = indices.get(at).copied().unwrap_or(prototype.source_index);
            prototype.id = ids.as_ref().and_then(|ids| ids.get(at)).cloned();
            prototype.label = labels.as_ref().and_then(|labels| labels.get(at)).cloned();
        }
    }

    /// What differs between the settings of this run and those of another; `None` if it can be continued.
    fn difference(&self, settings: GivenSettings) -> PyResult<Option<String>> {
        let kernel = serde_json::from_str(&settings.kernel).map_err(unwritable)?;
        let data = serde_json::from_str(&settings.data).map_err(unwritable)?;
        Ok(self.inner.difference(&RunSettings {
            method: &settings.method,
            weights: &settings.weights,
            kernel: &kernel,
            data: &data,
            shape: settings.shape.into(),
            oversample: settings.oversample,
            max_weight: settings.max_weight,
            min_effective: settings.min_effective,
            tolerance: settings.tolerance,
            seed: settings.seed,
            fixed: &settings.fixed,
            exclude: &settings.exclude,
            constraints: &settings.constraints,
            data_hash: settings.data_hash.as_deref(),
        }))
    }

    /// Sets how many target rows each prototype represents.
    fn set_n_represented(&mut self, counts: Vec<usize>) {
        self.inner.set_n_represented(&counts);
    }

    /// The table of prototypes.
    fn table(&self) -> Vec<ShownColumn> {
        columns(prototype_columns(&self.inner))
    }

    /// The sentences of the result, most important first.
    fn findings(&self) -> Vec<String> {
        findings(&self.inner, self.request)
    }

    /// The settings of the run.
    fn settings(&self) -> String {
        settings_sentence(&self.inner, self.request)
    }

    /// Sets which classes of the target have no prototype.
    fn set_classes(&mut self, target_labels: Vec<String>, target_weights: Option<Vec<f64>>) {
        self.inner.set_classes(target_labels.iter().map(String::as_str), target_weights.as_deref());
    }

    /// The table of shifted features and the sentences below it; `None` if no shift was measured.
    fn shift(&self) -> Option<(Vec<ShownColumn>, Vec<String>)> {
        let shift = self.inner.covariate_shift.as_ref()?;
        let sentence = shift_sentence(&self.inner, shift, usize::MAX);
        let warning = shift_warning(&self.inner, shift, &any_keyword);
        let sentences = [sentence].into_iter().chain(warning.map(|warning| format!("note: {warning}")));
        Some((columns(shift_columns(shift, usize::MAX)), sentences.collect()))
    }

    /// The criticisms of the file, as Python holds them; `None` if none were searched for.
    fn criticisms<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(rule) = &self.inner.criticism else { return Ok(None) };
        let found = &self.inner.criticisms;
        let given = PyDict::new(py);
        given.set_item("indices", PyArray1::from_iter(py, found.iter().map(|criticism| criticism.row() as i64)))?;
        given.set_item("scores", Self::floats(py, found.iter().map(|criticism| criticism.score)))?;
        given.set_item("definition", &rule.definition)?;
        given.set_item("diversity", rule.diversity)?;
        given.set_item("among", &rule.among)?;
        let ids: Option<Vec<&String>> = found.iter().map(|criticism| criticism.id.as_ref()).collect();
        let labels: Option<Vec<&String>> = found.iter().map(|criticism| criticism.label.as_ref()).collect();
        given.set_item("ids", ids.filter(|ids| !ids.is_empty()))?;
        given.set_item("labels", labels.filter(|labels| !labels.is_empty()))?;
        Ok(Some(given))
    }

    fn __len__(&self) -> usize {
        self.inner.prototypes.len()
    }

    #[getter]
    fn indices<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        PyArray1::from_iter(py, self.inner.prototypes.iter().map(|prototype| prototype.source_index as i64))
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> Floats<'py> {
        Self::floats(py, self.inner.prototypes.iter().map(|prototype| prototype.weight))
    }

    #[getter]
    fn shares<'py>(&self, py: Python<'py>) -> Floats<'py> {
        Self::floats(py, self.inner.prototypes.iter().map(|prototype| prototype.share))
    }

    #[getter]
    fn gains<'py>(&self, py: Python<'py>) -> Floats<'py> {
        Self::floats(py, self.inner.prototypes.iter().map(|prototype| prototype.gain))
    }

    #[getter]
    fn objective<'py>(&self, py: Python<'py>) -> Floats<'py> {
        PyArray1::from_slice(py, &self.inner.objective)
    }

    #[getter]
    fn weights_path<'py>(&self, py: Python<'py>) -> Vec<Floats<'py>> {
        self.inner.weights_path.iter().map(|weights| PyArray1::from_slice(py, weights)).collect()
    }

    /// The numbers of prototypes whose weights are known.
    #[getter]
    fn sizes(&self) -> Vec<usize> {
        self.inner.sizes()
    }

    #[getter]
    fn explained_path<'py>(&self, py: Python<'py>) -> Floats<'py> {
        PyArray1::from_vec(py, self.inner.explained_path())
    }

    #[getter]
    fn n_represented<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyArray1<i64>>> {
        let counts = self.inner.prototypes.iter().map(|prototype| Some(prototype.n_represented? as i64));
        Some(PyArray1::from_vec(py, counts.collect::<Option<Vec<i64>>>()?))
    }

    #[getter]
    fn n_fixed(&self) -> usize {
        self.inner.n_fixed
    }

    /// Quotas and budget as JSON.
    #[getter]
    fn constraints(&self) -> PyResult<Option<String>> {
        self.inner.constraints.as_ref().map(serde_json::to_string).transpose().map_err(unwritable)
    }

    #[getter]
    fn explained_by_fixed(&self) -> Option<f64> {
        self.inner.explained_by_fixed()
    }

    #[getter]
    fn ids(&self) -> Option<Vec<String>> {
        self.names(|prototype| prototype.id.as_ref())
    }

    #[getter]
    fn labels(&self) -> Option<Vec<String>> {
        self.names(|prototype| prototype.label.as_ref())
    }

    #[getter]
    fn classes_without_prototype(&self) -> Option<Vec<String>> {
        self.inner.classes_without_prototype.clone()
    }

    #[getter]
    fn stopped(&self) -> &str {
        &self.inner.stopped
    }

    #[getter]
    fn method(&self) -> &str {
        &self.inner.method
    }

    #[getter]
    fn weights_rule(&self) -> &str {
        &self.inner.weights
    }

    #[getter]
    fn n_target(&self) -> usize {
        self.inner.n_target
    }

    #[getter]
    fn n_source(&self) -> usize {
        self.inner.n_source
    }

    #[getter]
    fn n_features(&self) -> usize {
        self.inner.n_features
    }

    #[getter]
    fn objective_final(&self) -> f64 {
        self.inner.objective_final
    }

    #[getter]
    fn target_energy(&self) -> Option<f64> {
        self.inner.target_energy
    }

    #[getter]
    fn target_energy_standard_error(&self) -> Option<f64> {
        self.inner.target_energy_standard_error
    }

    /// How the kernel means were computed: kind, confidence, tolerance, pairs and number of exact means.
    #[getter]
    fn means(&self) -> Option<(String, f64, f64, u64, usize)> {
        let means = self.inner.means.as_ref()?;
        Some((means.kind.clone(), means.confidence, means.tolerance, means.pairs, means.n_exact))
    }

    #[getter]
    fn mmd2(&self) -> Option<f64> {
        self.inner.mmd2
    }

    #[getter]
    fn explained(&self) -> Option<f64> {
        self.inner.explained
    }

    #[getter]
    fn explained_standard_error(&self) -> Option<f64> {
        self.inner.explained_standard_error
    }

    #[getter]
    fn certified(&self) -> Option<f64> {
        self.inner.certified.or(self.inner.explained.filter(|_| self.inner.explained_standard_error.is_none()))
    }

    #[getter]
    fn oversample(&self) -> f64 {
        self.inner.oversample
    }

    #[getter]
    fn max_weight(&self) -> Option<f64> {
        self.inner.max_weight
    }

    #[getter]
    fn min_effective(&self) -> Option<f64> {
        self.inner.min_effective
    }

    #[getter]
    fn seed(&self) -> u64 {
        self.inner.seed
    }
}
