//! A finished result: its JSON, its sentences, its HTML page.
//!
//! [`SelectionDocument`] is the JSON format and the one object that the command and the Python package build, read,
//! write and query. [`selection_sentence`] and its siblings put it into words. [`selection_report`] adds the data, if
//! available, and [`render`] creates one HTML page that opens offline, prints well and can be mailed.
//!
//! This crate writes no files and selects no prototypes. Everything that needs no script is static HTML and SVG; the
//! script adds the slider, sorting, tooltips, the theme and the download. Text from the data reaches the page through
//! one module, which escapes it, and a Content-Security-Policy allows only the page's own style and script.
//!
//! ```
//! use protodash_report::{Body, Report, SelectionDocument, SelectionPage, render};
//!
//! let page = SelectionPage::new(SelectionDocument::example());
//! let html = render(&Report::new("Prototypes of <data>", Body::Selection(Box::new(page))))?;
//! assert!(html.starts_with("<!DOCTYPE html>"));
//! assert!(html.contains("Prototypes of &lt;data&gt;"));
//! # Ok::<(), protodash_report::Error>(())
//! ```

mod assets;
mod chart;
mod comparison;
mod core_hint;
mod document;
mod error;
mod explanation;
mod export;
mod gather;
mod html;
mod image;
mod image_file;
mod look;
pub mod numbers;
mod packed;
mod page;
mod relation;
mod report;
mod reproduce;
mod row;
mod section;
mod selection;
mod sentences;
mod side_by_side;
mod study;
mod tables;
mod typical;

pub use comparison::ComparisonPage;
pub use core_hint::core_hint;
pub use document::{
    BandwidthPoint, BaselineRecord, BudgetRecord, ChosenRecord, ClassRecord, ComparisonDocument, ComparisonProvenance,
    ConstraintsRecord, CoverageRecord, CriticismRecord, CriticismRule, CrossValidationRecord, DataRecord, EdgeRecord,
    ErrorBoundsRecord, EstimateRecord, ExplainedRow, ExplainingRow, ExplanationDocument, ExplanationOrigin, KeyRecord,
    LongColumn, LongValues, MeansRecord, OutcomeRecord, OverlapRecord, PairRecord, PerLabelRecord, PrototypeRecord,
    Provenance, QuotaRecord, RandomCoverageRecord, ReadError, RelationDocument, RelationProvenance, RelationSettings,
    RunSettings, SCHEMA, SavedKernel, SelectionDocument, SettingDifference, SettingGroup, ShiftRecord, ShiftedFeature,
    TableRecord, constraint_settings, data_hash, read_json,
};
pub use error::{Error, Result};
pub use explanation::ExplanationPage;
pub use gather::{
    CriticismsOfSize, FindingsRows, ImageShape, KernelFindings, KernelPlaces, PageData, PageObserver, RowData,
    RowSource, TableCells, attachment_name, comparison_report, explanation_report, file_name, file_settings,
    kernel_findings, kernel_words, looks, relation_report, selection_report, selection_settings, side_by_side_report,
};
pub use image::{Image, Images};
pub use look::{Look, cut};
pub use page::render;
pub use relation::{RelatedPair, RelatedTable, RelationPage};
pub use report::{Attachment, Body, Report};
pub use reproduce::{ReproducingCall, reproducing_calls};
pub use row::{Cell, Row};
pub use selection::{
    ColumnDistribution, Coverage, CoveredGroup, DistributionBar, Map, MapPlaces, MapPoint, MapView,
    PrototypeSimilarity, SelectionPage, SmallerCriticisms, SmallerExamples, Thumbnails,
};
pub use sentences::{
    Request, bandwidth_sentence, best_sentence, classes_sentence, comparison_columns, comparison_sentence,
    coverage_columns, coverage_sentence, criticisms_sentence, findings, kernel_note, long_run_note, means_sentence,
    relation_columns, relation_sentence, relation_settings_sentence, selection_sentence, settings_sentence,
    shift_sentence, shift_warning, sizes_sentence,
};
pub use side_by_side::SideBySidePage;
pub use study::{
    StudyCell, StudyClaim, StudyFigure, StudyGallery, StudyPage, StudyPoint, StudySeries, StudyStrip, StudyTable,
    StudyVerdict,
};
pub use tables::{
    SHARE, TextColumn, criticism_columns, estimate_columns, explaining_columns, prototype_columns, shift_columns,
};
pub use typical::{Column, Typical};
