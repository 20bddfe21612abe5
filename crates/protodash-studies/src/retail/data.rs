//! Reads customers and visitors as standardised features with their expenditure.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use arrow_array::Array;
use ndarray::{Array1, Array2, ArrayView2, Axis};
use protodash_table::{Input, ReadOptions, cell_text};

use super::invoices::{COUNTS, Customer, FEATURES, Line, Moment, Year, roll_up};
use super::protocol::{RetailProtocol, Set};
use super::svr::shuffled;
use crate::error::{Error, Result};

/// Columns of the visitors: counts of pages or seconds, of which the logarithm is taken, and the others.
const VISITOR_COUNTS: [&str; 6] = [
    "Administrative",
    "Administrative_Duration",
    "Informational",
    "Informational_Duration",
    "ProductRelated",
    "ProductRelated_Duration",
];
const VISITOR_RATES: [&str; 4] = ["BounceRates", "ExitRates", "SpecialDay", "Weekend"];
/// Used as the expenditure of a visitor: the value of the pages seen.
const VISITOR_SPEND: &str = "PageValues";
/// One in this many new visitors is held out.
const HELD_OUT: usize = 5;

/// A group of customers.
#[derive(Debug, Clone)]
pub(super) struct CustomerGroup {
    /// Raw features.
    pub(super) raw: Array2<f64>,
    /// Features with logarithms of counts, standardised over all customers who may train.
    pub(super) rows: Array2<f64>,
    /// Expenditure.
    pub(super) spend: Vec<f64>,
}

/// The customers to represent, to choose from, and to predict.
#[derive(Debug)]
pub(super) struct RetailProblem {
    pub(super) features: Vec<String>,
    pub(super) loyal: CustomerGroup,
    pub(super) regular: CustomerGroup,
    pub(super) test: CustomerGroup,
}

/// Loyal and regular customers of the earlier year, and which regular ones became loyal.
#[derive(Debug)]
pub(super) struct Earlier {
    pub(super) loyal: CustomerGroup,
    pub(super) regular: CustomerGroup,
    pub(super) turned: Vec<bool>,
}

/// All data sets.
#[derive(Debug)]
pub(super) struct Shops {
    pub(super) customers: RetailProblem,
    pub(super) visitors: RetailProblem,
    pub(super) earlier: Earlier,
}

impl Shops {
    /// Reads the data in `folder`, or in its subfolder `retail`.
    pub(super) fn load(folder: &Path, protocol: &RetailProtocol) -> Result<Shops> {
        let [earlier, later, sessions] = Shops::files(folder);
        let (earlier, later) = (year(&earlier, Year { ends: 2010 })?, year(&later, Year { ends: 2011 })?);
        Ok(Shops {
            customers: customers(&earlier, &later, protocol),
            visitors: visitors(&sessions, protocol)?,
            earlier: turning(&earlier, &later, protocol),
        })
    }

    /// The data files in `folder`, or in its subfolder `retail`.
    pub(super) fn files(folder: &Path) -> [PathBuf; 3] {
        let inner = folder.join("retail");
        let folder = if inner.is_dir() { &inner } else { folder };
        ["online_retail_2009-2010.csv.gz", "online_retail_2010-2011.csv.gz", "online_shoppers_intention.csv"]
            .map(|name| folder.join(name))
    }

    /// The problem of a set.
    pub(super) fn problem(&self, set: Set) -> &RetailProblem {
        match set {
            Set::Customers => &self.customers,
            Set::Visitors => &self.visitors,
        }
    }
}

/// Rows before standardisation.
#[derive(Debug, Default)]
struct Raw {
    features: Vec<f64>,
    spend: Vec<f64>,
}

impl Raw {
    fn of<'a>(customers: impl Iterator<Item = &'a Customer>) -> Raw {
        let mut raw = Raw::default();
        for customer in customers {
            raw.features.extend(customer.features());
            raw.spend.push(customer.spend);
        }
        raw
    }

    /// The sampled rows, not yet standardised.
    fn side(self, n_counts: usize, n_features: usize, protocol: &RetailProtocol, number: u64) -> CustomerGroup {
        let shape = (self.spend.len(), n_features);
        let raw = Array2::from_shape_vec(shape, self.features).unwrap_or_else(|_| Array2::zeros(shape));
        let kept = protocol.rows(self.spend.len(), number);
        let raw = raw.select(Axis(0), &kept);
        let mut rows = raw.clone();
        rows.columns_mut().into_iter().take(n_counts).for_each(|mut column| column.mapv_inplace(f64::ln_1p));
        CustomerGroup { raw, rows, spend: kept.iter().map(|row| self.spend[*row]).collect() }
    }
}

/// The paper's problem: train on the later year, predict the earlier one for customers who became loyal.
fn customers(
    earlier: &BTreeMap<String, Customer>,
    later: &BTreeMap<String, Customer>,
    protocol: &RetailProtocol,
) -> RetailProblem {
    let of = |loyal: bool| Raw::of(later.values().filter(move |customer| customer.is_loyal() == loyal));
    let turned = |(number, customer): &(&String, &Customer)| {
        !customer.is_loyal() && later.get(*number).is_some_and(Customer::is_loyal)
    };
    let test = Raw::of(earlier.iter().filter(turned).map(|(_, customer)| customer));
    let sides = [of(true), of(false), test];
    problem(FEATURES.iter().map(|&name| name.to_owned()).collect(), COUNTS, sides, protocol)
}

fn turning(
    earlier: &BTreeMap<String, Customer>,
    later: &BTreeMap<String, Customer>,
    protocol: &RetailProtocol,
) -> Earlier {
    let of = |loyal: bool| Raw::of(earlier.values().filter(move |customer| customer.is_loyal() == loyal));
    let turned: Vec<bool> = earlier
        .iter()
        .filter(|(_, customer)| !customer.is_loyal())
        .map(|(number, _)| later.get(number).is_some_and(Customer::is_loyal))
        .collect();
    let kept = protocol.rows(turned.len(), 1);
    let side = |raw: Raw, number| raw.side(COUNTS, FEATURES.len(), protocol, number);
    let (mut loyal, mut regular) = (side(of(true), 0), side(of(false), 1));
    scale(&mut [&mut loyal, &mut regular], 2);
    Earlier { loyal, regular, turned: kept.iter().map(|row| turned[*row]).collect() }
}

/// The web shop: new visitors, the smaller group, correspond to loyal customers; a fifth of them is predicted.
fn visitors(path: &Path, protocol: &RetailProtocol) -> Result<RetailProblem> {
    let names = VISITOR_COUNTS.iter().chain(&VISITOR_RATES).chain(&[VISITOR_SPEND, "VisitorType"]);
    let cells = texts(path, &names.copied().collect::<Vec<_>>())?;
    let (n_features, n_rows) = (VISITOR_COUNTS.len() + VISITOR_RATES.len(), cells[0].len());
    let kinds = &cells[n_features + 1];
    let of_kind = |kind: &str| (0..n_rows).filter(|row| kinds[*row] == kind).collect::<Vec<usize>>();
    let (new, returning) = (of_kind("New_Visitor"), of_kind("Returning_Visitor"));
    let number = |text: &str| match text {
        "TRUE" | "true" => Ok(1.0),
        "FALSE" | "false" => Ok(0.0),
        text => text.parse().map_err(|_| refused(path, &format!("{text:?} is not a number"))),
    };
    let gathered = |rows: &[usize]| -> Result<Raw> {
        let mut raw = Raw::default();
        for row in rows {
            for column in &cells[..n_features] {
                raw.features.push(number(&column[*row])?);
            }
            raw.spend.push(number(&cells[n_features][*row])?);
        }
        Ok(raw)
    };
    let order = shuffled(new.len(), protocol.seed);
    let part = |held_out: bool| -> Vec<usize> {
        let is_part = |(place, _): &(usize, &usize)| place.is_multiple_of(HELD_OUT) == held_out;
        let mut rows: Vec<usize> = order.iter().enumerate().filter(is_part).map(|(_, place)| new[*place]).collect();
        rows.sort_unstable();
        rows
    };
    let sides = [gathered(&part(false))?, gathered(&returning)?, gathered(&part(true))?];
    let features = VISITOR_COUNTS.iter().chain(&VISITOR_RATES).map(|&name| name.to_owned()).collect();
    Ok(problem(features, VISITOR_COUNTS.len(), sides, protocol))
}

fn problem(features: Vec<String>, n_counts: usize, sides: [Raw; 3], protocol: &RetailProtocol) -> RetailProblem {
    let n_features = features.len();
    let mut number = 0;
    let [mut loyal, mut regular, mut test] = sides.map(|raw| {
        number += 1;
        raw.side(n_counts, n_features, protocol, number)
    });
    scale(&mut [&mut loyal, &mut regular, &mut test], 2);
    RetailProblem { features, loyal, regular, test }
}

/// Standardises every feature by its mean and deviation over the first `n_training` groups.
fn scale(sides: &mut [&mut CustomerGroup], n_training: usize) {
    let parts: Vec<ArrayView2<'_, f64>> = sides[..n_training].iter().map(|side| side.rows.view()).collect();
    let Ok(all) = ndarray::concatenate(Axis(0), &parts) else { return };
    let mean = all.mean_axis(Axis(0)).unwrap_or_else(|| Array1::zeros(all.ncols()));
    // A constant feature carries no information and becomes 0.
    let deviation = all.std_axis(Axis(0), 0.0).mapv(|deviation| if deviation > 0.0 { deviation } else { 1.0 });
    for side in sides {
        side.rows = (&side.rows - &mean) / &deviation;
    }
}

/// The customers of a year.
fn year(path: &Path, year: Year) -> Result<BTreeMap<String, Customer>> {
    let names = ["Invoice", "StockCode", "Quantity", "InvoiceDate", "Price", "CustomerID", "Country"];
    let cells = texts(path, &names)?;
    let number =
        |text: &str| -> Result<f64> { text.parse().map_err(|_| refused(path, &format!("{text:?} is not a number"))) };
    let line = |row: usize| -> Result<Line> {
        let cell = |column: usize| cells[column][row].clone();
        let moment = Moment::parse(&cells[3][row]);
        Ok(Line {
            invoice: cell(0),
            product: cell(1),
            quantity: number(&cells[2][row])?,
            moment: moment.ok_or_else(|| refused(path, &format!("{:?} is not a date with a time", cells[3][row])))?,
            price: number(&cells[4][row])?,
            customer: cell(5).trim_end_matches(".0").to_owned(),
            country: cell(6),
        })
    };
    let lines = (0..cells[0].len()).map(line).collect::<Result<Vec<Line>>>()?;
    Ok(roll_up(lines.into_iter(), year))
}

/// Cells of some columns as text, read in one pass; missing cells are empty.
fn texts(path: &Path, names: &[&str]) -> Result<Vec<Vec<String>>> {
    if !path.is_file() {
        return Err(refused(path, "not found; the folder must contain the invoices of both years and the shoppers"));
    }
    let input = Input::open(path, &ReadOptions::default())?;
    let place = |name: &&str| {
        let place = input.columns().iter().position(|column| column.name == *name);
        place.ok_or_else(|| refused(path, &format!("has no column {name:?}, which the study needs")))
    };
    let places = names.iter().map(place).collect::<Result<Vec<usize>>>()?;
    let mut cells = vec![Vec::new(); names.len()];
    for batch in input.batches()? {
        let batch = batch?;
        for (place, cells) in places.iter().zip(&mut cells) {
            let column = batch.column(*place);
            cells.extend((0..column.len()).map(|row| cell_text(column, row).unwrap_or_default()));
        }
    }
    Ok(cells)
}

fn refused(path: &Path, message: &str) -> Error {
    Error::Data { path: PathBuf::from(path), message: message.to_owned() }
}
