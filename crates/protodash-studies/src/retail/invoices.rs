//! Aggregates invoice lines by customer, one year at a time.

use std::collections::{BTreeMap, BTreeSet};

/// A year that starts in December, as the shop's records do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Year {
    /// The calendar year in which it ends, on 30 November.
    pub(super) ends: i64,
}

/// One line of an invoice.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Line {
    pub(super) invoice: String,
    pub(super) product: String,
    pub(super) quantity: f64,
    /// Unit price in pounds.
    pub(super) price: f64,
    pub(super) moment: Moment,
    pub(super) customer: String,
    pub(super) country: String,
}

/// Time of a purchase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) year: i64,
    pub(super) month: i64,
    pub(super) day: i64,
    pub(super) hour: i64,
}

/// Purchases of a customer in a year.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Customer {
    visits: BTreeSet<String>,
    cancellations: BTreeSet<String>,
    products: BTreeMap<String, usize>,
    n_lines: usize,
    n_items: f64,
    hours: f64,
    first_day: Option<i64>,
    last_day: i64,
    quarters: [bool; 4],
    is_british: bool,
    /// Total spent in pounds; later cancellations are not subtracted.
    pub(super) spend: f64,
}

/// Names of a customer's features.
pub(super) const FEATURES: [&str; 10] = [
    "visits",
    "lines per visit",
    "items per visit",
    "different products",
    "days since the last visit",
    "days from first to last visit",
    "cancellations per visit",
    "share of the favourite product",
    "mean hour of the day",
    "from the United Kingdom",
];

/// The first features are counts, of which the logarithm is taken.
pub(super) const COUNTS: usize = 4;

impl Moment {
    /// Parses text such as `2010-12-01 08:26:00`.
    pub(super) fn parse(text: &str) -> Option<Moment> {
        let part = |from: usize, to: usize| text.get(from..to)?.parse().ok();
        Some(Moment { year: part(0, 4)?, month: part(5, 7)?, day: part(8, 10)?, hour: part(11, 13)? })
    }

    /// Days since 1 March of year 0 (Gregorian); starting in March puts leap days at the end of a year.
    fn day_number(self) -> i64 {
        let (year, month) = if self.month > 2 { (self.year, self.month - 3) } else { (self.year - 1, self.month + 9) };
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + self.day - 1
    }
}

impl Year {
    /// Quarter of a moment, from 0; `None` if it is outside this year.
    pub(super) fn quarter(self, moment: Moment) -> Option<usize> {
        let months = 12 * (moment.year - self.ends + 1) + moment.month - 12;
        usize::try_from(months).ok().filter(|month| *month < 12).map(|month| month / 3)
    }

    /// Days from a moment to the end of the year.
    fn days_left(self, moment: Moment) -> i64 {
        Moment { year: self.ends, month: 12, day: 1, hour: 0 }.day_number() - moment.day_number()
    }
}

impl Customer {
    /// Whether the customer bought in every quarter of the year.
    pub(super) fn is_loyal(&self) -> bool {
        self.quarters == [true; 4]
    }

    /// The features, in the order of [`FEATURES`].
    pub(super) fn features(&self) -> [f64; 10] {
        let (visits, lines) = (self.visits.len() as f64, self.n_lines as f64);
        let favourite = self.products.values().max().copied().unwrap_or(0) as f64;
        [
            visits,
            lines / visits,
            self.n_items / visits,
            self.products.len() as f64,
            // Both are days before the end of the year.
            self.last_day as f64,
            (self.first_day.unwrap_or(self.last_day) - self.last_day) as f64,
            self.cancellations.len() as f64 / visits,
            favourite / lines,
            self.hours / lines,
            f64::from(u8::from(self.is_british)),
        ]
    }

    fn take(&mut self, line: Line, year: Year, quarter: usize) {
        if line.invoice.starts_with('C') {
            self.cancellations.insert(line.invoice);
            return;
        }
        if line.quantity <= 0.0 || line.price <= 0.0 {
            return;
        }
        let days_left = year.days_left(line.moment);
        self.last_day = self.first_day.map_or(days_left, |_| self.last_day.min(days_left));
        self.first_day = Some(self.first_day.map_or(days_left, |first| first.max(days_left)));
        self.quarters[quarter] = true;
        self.n_lines += 1;
        self.n_items += line.quantity;
        self.hours += line.moment.hour as f64;
        self.spend += line.quantity * line.price;
        self.is_british |= line.country == "United Kingdom";
        self.visits.insert(line.invoice);
        *self.products.entry(line.product).or_default() += 1;
    }
}

/// Customers with a purchase in the year, by customer number.
pub(super) fn roll_up(lines: impl Iterator<Item = Line>, year: Year) -> BTreeMap<String, Customer> {
    let mut customers: BTreeMap<String, Customer> = BTreeMap::new();
    for line in lines {
        if let Some(quarter) = year.quarter(line.moment).filter(|_| !line.customer.is_empty()) {
            customers.entry(line.customer.clone()).or_default().take(line, year, quarter);
        }
    }
    customers.retain(|_, customer| !customer.visits.is_empty());
    customers
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR: Year = Year { ends: 2011 };

    fn line(invoice: &str, product: &str, (quantity, price): (f64, f64), moment: &str) -> Line {
        let moment = Moment::parse(moment).unwrap();
        let (invoice, product, customer) = (invoice.to_owned(), product.to_owned(), "17".to_owned());
        Line { invoice, product, quantity, price, moment, customer, country: "United Kingdom".to_owned() }
    }

    #[test]
    fn the_year_starts_in_december() {
        let quarter = |text: &str| YEAR.quarter(Moment::parse(text).unwrap());
        let texts = [
            "2010-11-30 23:00",
            "2010-12-01 00:00",
            "2011-02-28 10:00",
            "2011-03-01 10:00",
            "2011-08-31 10:00",
            "2011-09-01 10:00",
            "2011-11-30 10:00",
            "2011-12-01 10:00",
        ];
        let expected = [None, Some(0), Some(0), Some(1), Some(2), Some(3), Some(3), None];
        assert_eq!(texts.map(quarter), expected);
        let left = |text: &str| YEAR.days_left(Moment::parse(text).unwrap());
        assert_eq!((left("2011-11-30 10:00"), left("2011-11-01 10:00"), left("2010-12-01 10:00")), (1, 30, 365));
        // 2012 has a leap day.
        let leap = Year { ends: 2012 };
        assert_eq!(leap.days_left(Moment::parse("2011-12-01 10:00").unwrap()), 366);
    }

    #[test]
    fn a_customer_worked_by_hand() {
        let lines = vec![
            line("1", "cup", (6.0, 2.5), "2010-12-01 08:26:00"),
            line("1", "plate", (2.0, 5.0), "2010-12-01 08:26:00"),
            line("2", "cup", (4.0, 2.5), "2011-11-29 14:00:00"),
            // Not counted as purchases: cancelled, free, and before the year.
            line("C3", "cup", (-4.0, 2.5), "2011-11-30 14:00:00"),
            line("4", "gift", (1.0, 0.0), "2011-11-30 14:00:00"),
            line("5", "cup", (9.0, 2.5), "2010-11-30 14:00:00"),
        ];
        let customers = roll_up(lines.into_iter(), YEAR);
        let customer = &customers["17"];
        assert_eq!(customer.spend, 15.0 + 10.0 + 10.0);
        // 2 visits of 3 lines and 12 items; 2 products; 2 days before the end, 363 after the first; 1 cancellation;
        // the cup is on 2 of 3 lines; hours 8, 8 and 14.
        assert_eq!(customer.features(), [2.0, 1.5, 6.0, 2.0, 2.0, 363.0, 0.5, 2.0 / 3.0, 10.0, 1.0]);
        assert!(!customer.is_loyal());
    }

    #[test]
    fn the_loyal_buy_in_every_quarter() {
        let at = |months: &[&str]| {
            let lines = months.iter().map(|month| line(month, "cup", (1.0, 1.0), &format!("{month}-05 10:00")));
            roll_up(lines, YEAR)["17"].is_loyal()
        };
        assert!(at(&["2010-12", "2011-05", "2011-06", "2011-11"]));
        assert!(!at(&["2010-12", "2011-01", "2011-06", "2011-11", "2011-10"]));
    }

    #[test]
    fn cancellations_alone_or_a_missing_number_make_no_customer() {
        let mut nameless = line("1", "cup", (1.0, 1.0), "2011-01-05 10:00");
        nameless.customer.clear();
        let lines = vec![nameless, line("C2", "cup", (-1.0, 1.0), "2011-01-05 10:00")];
        assert!(roll_up(lines.into_iter(), YEAR).is_empty());
    }
}
