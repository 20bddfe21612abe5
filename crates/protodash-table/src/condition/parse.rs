//! Parses a condition by operator precedence, straight into steps.
//!
//! There is no tree: an operator is written after its operands, so that a chain such as `a OR b OR c` is a loop and only
//! parentheses and prefixes recurse.

use super::problem::ConditionProblem;
use super::step::{Arithmetic, ComparisonOperator, ConditionStep, LiteralSet, SqlLiteral};
use super::token::{PlacedToken, SqlToken, tokens};

type Result<T> = std::result::Result<T, ConditionProblem>;

/// The maximum nesting depth.
const MAX_DEPTH: usize = 50;

/// How tightly an operator binds.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
enum Precedence {
    Lowest,
    Or,
    And,
    Not,
    Is,
    Like,
    Compare,
    Add,
    Multiply,
}

/// Returns the steps of the condition in `text`.
pub(super) fn parse(text: &str) -> Result<Vec<ConditionStep>> {
    let mut parser = ConditionParser { tokens: tokens(text)?, next: 0, depth: 0, steps: Vec::new() };
    parser.expression(Precedence::Lowest)?;
    match parser.peek() {
        SqlToken::End => Ok(parser.steps),
        _ => Err(parser.unexpected()),
    }
}

struct ConditionParser<'a> {
    /// The last one is the end, which is never consumed.
    tokens: Vec<PlacedToken<'a>>,
    next: usize,
    depth: usize,
    steps: Vec<ConditionStep>,
}

impl<'a> ConditionParser<'a> {
    fn peek(&self) -> &SqlToken<'a> {
        self.peek_after(0)
    }

    fn peek_after(&self, n: usize) -> &SqlToken<'a> {
        &self.tokens[(self.next + n).min(self.tokens.len() - 1)].token
    }

    fn advance(&mut self, n: usize) {
        self.next = (self.next + n).min(self.tokens.len() - 1);
    }

    /// Consumes the keyword if it is next.
    fn accept_word(&mut self, keyword: &str) -> bool {
        let found = self.peek().is_word(keyword);
        self.advance(usize::from(found));
        found
    }

    fn accept_symbol(&mut self, symbol: &str) -> bool {
        let found = *self.peek() == SqlToken::Symbol(symbol);
        self.advance(usize::from(found));
        found
    }

    fn expect(&mut self, symbol: &str) -> Result<()> {
        if self.accept_symbol(symbol) { Ok(()) } else { Err(self.expected(symbol)) }
    }

    fn expected(&self, what: &str) -> ConditionProblem {
        let PlacedToken { token, at } = &self.tokens[self.next];
        let place = if *token == SqlToken::End { String::new() } else { format!(" at character {at}") };
        ConditionProblem::Syntax { reason: format!("expected {what}, found {}{place}", token.text()) }
    }

    fn unexpected(&self) -> ConditionProblem {
        let PlacedToken { token, at } = &self.tokens[self.next];
        let text = token.text();
        let text = text.trim_matches('"');
        ConditionProblem::Syntax { reason: format!("\"{text}\" at character {at} is unexpected") }
    }

    /// Parses an operand and all operators after it that bind more tightly than `least`.
    fn expression(&mut self, least: Precedence) -> Result<()> {
        if self.depth == MAX_DEPTH {
            return Err(ConditionProblem::TooDeep { limit: MAX_DEPTH });
        }
        self.depth += 1;
        self.operand()?;
        while self.operator(least)? {}
        self.depth -= 1;
        Ok(())
    }

    fn operand(&mut self) -> Result<()> {
        match self.peek().clone() {
            SqlToken::Number(digits) => {
                self.advance(1);
                self.steps.push(ConditionStep::Literal(number(digits)?));
            }
            SqlToken::Text(text) => {
                self.advance(1);
                self.steps.push(ConditionStep::Literal(SqlLiteral::Text(text)));
            }
            SqlToken::OtherConstant(shown) => return Err(unsupported(format!("the constant {shown}"))),
            SqlToken::QuotedName(name) => self.column(name),
            SqlToken::Word(word) => return self.word(word),
            SqlToken::Symbol(sign @ ("-" | "+")) => return self.signed(sign),
            SqlToken::Symbol("(") => return self.parentheses(),
            SqlToken::Symbol("[") => return Err(unsupported("an array or an array element")),
            SqlToken::Symbol(_) | SqlToken::End => return Err(self.expected("an expression")),
        }
        Ok(())
    }

    /// A column; there are no qualified names, but many columns have names like `Sepal.Length`.
    fn column(&mut self, first: String) {
        let mut name = first;
        self.advance(1);
        while *self.peek() == SqlToken::Symbol(".") {
            match self.peek_after(1) {
                SqlToken::Word(part) => name = format!("{name}.{part}"),
                SqlToken::QuotedName(part) => name = format!("{name}.{part}"),
                _ => break,
            }
            self.advance(2);
        }
        self.steps.push(ConditionStep::Column(name));
    }

    /// A keyword, or else the name of a column.
    fn word(&mut self, word: &str) -> Result<()> {
        let literal = match word.to_ascii_uppercase().as_str() {
            "NULL" => SqlLiteral::Null,
            "TRUE" => SqlLiteral::Boolean(true),
            "FALSE" => SqlLiteral::Boolean(false),
            "NOT" => {
                self.advance(1);
                self.expression(Precedence::Not)?;
                self.steps.push(ConditionStep::Not);
                return Ok(());
            }
            "AND" | "OR" | "IN" | "BETWEEN" | "LIKE" | "ILIKE" | "IS" => return Err(self.expected("an expression")),
            "SELECT" | "EXISTS" => return Err(unsupported("a subquery")),
            "CASE" => return Err(unsupported("CASE")),
            name => {
                return match self.peek_after(1) {
                    SqlToken::Symbol("(") if ["CAST", "TRY_CAST", "CONVERT"].contains(&name) => {
                        Err(unsupported("CAST"))
                    }
                    SqlToken::Symbol("(") => Err(unsupported(format!("the function {name}"))),
                    SqlToken::Text(_) if name == "INTERVAL" => Err(unsupported("INTERVAL")),
                    SqlToken::Text(_) => Err(unsupported("a typed constant")),
                    _ => {
                        self.column(word.to_owned());
                        Ok(())
                    }
                };
            }
        };
        self.advance(1);
        self.steps.push(ConditionStep::Literal(literal));
        Ok(())
    }

    /// A sign. Together with a number it is one constant, so that -9223372036854775808 is exact.
    fn signed(&mut self, sign: &str) -> Result<()> {
        self.advance(1);
        if let SqlToken::Number(digits) = *self.peek() {
            self.advance(1);
            let literal = if sign == "-" { number(&format!("-{digits}"))? } else { number(digits)? };
            self.steps.push(ConditionStep::Literal(literal));
            return Ok(());
        }
        if sign == "+" {
            return Err(unsupported("the sign + before a column"));
        }
        self.expression(Precedence::Multiply)?;
        self.steps.push(ConditionStep::Negate);
        Ok(())
    }

    fn parentheses(&mut self) -> Result<()> {
        self.advance(1);
        self.expression(Precedence::Lowest)?;
        if *self.peek() == SqlToken::Symbol(",") {
            return Err(unsupported("a list outside IN (...)"));
        }
        self.expect(")")
    }

    /// Parses the next operator with its right side; false if none binds more tightly than `least`.
    fn operator(&mut self, least: Precedence) -> Result<bool> {
        match self.peek().clone() {
            SqlToken::Symbol(symbol) => self.symbol_operator(symbol, least),
            SqlToken::Word(word) => self.word_operator(&word.to_ascii_uppercase(), least),
            _ => Ok(false),
        }
    }

    fn symbol_operator(&mut self, symbol: &str, least: Precedence) -> Result<bool> {
        let (precedence, step) = match symbol {
            "+" => (Precedence::Add, ConditionStep::Calculate(Arithmetic::Add)),
            "-" => (Precedence::Add, ConditionStep::Calculate(Arithmetic::Subtract)),
            "*" => (Precedence::Multiply, ConditionStep::Calculate(Arithmetic::Multiply)),
            "/" => (Precedence::Multiply, ConditionStep::Calculate(Arithmetic::Divide)),
            "%" => (Precedence::Multiply, ConditionStep::Calculate(Arithmetic::Remainder)),
            "::" => return Err(unsupported("CAST")),
            "[" => return Err(unsupported("an array or an array element")),
            "~" | "~*" | "!~" | "!~*" => return Err(unsupported("REGEXP")),
            "||" | "^" | "&" | "|" | "#" | "<<" | ">>" | "->" | "->>" => {
                return Err(unsupported(format!("the operator {symbol}")));
            }
            _ => match comparison(symbol) {
                Some(comparison) => (Precedence::Compare, ConditionStep::Compare(comparison)),
                None => return Ok(false),
            },
        };
        if precedence == Precedence::Compare {
            let is_quantifier = ["ANY", "ALL", "SOME"].iter().any(|word| self.peek_after(1).is_word(word));
            if is_quantifier && *self.peek_after(2) == SqlToken::Symbol("(") {
                return Err(unsupported("a comparison with ANY or ALL"));
            }
        }
        self.binary(precedence, step, least)
    }

    fn word_operator(&mut self, word: &str, least: Precedence) -> Result<bool> {
        match word {
            "AND" => self.binary(Precedence::And, ConditionStep::And, least),
            "OR" => self.binary(Precedence::Or, ConditionStep::Or, least),
            "IS" => self.is_test(least),
            "NOT" => match self.peek_after(1) {
                SqlToken::Word(next) => self.predicate(&next.to_ascii_uppercase(), true, least),
                _ => Ok(false),
            },
            "XOR" | "DIV" => Err(unsupported(format!("the operator {word}"))),
            "COLLATE" => Err(unsupported("COLLATE")),
            _ => self.predicate(word, false, least),
        }
    }

    /// The right side of an operator on two operands; operators of equal precedence go from left to right.
    fn binary(&mut self, precedence: Precedence, step: ConditionStep, least: Precedence) -> Result<bool> {
        if precedence <= least {
            return Ok(false);
        }
        self.advance(1);
        self.expression(precedence)?;
        self.steps.push(step);
        Ok(true)
    }

    /// `[NOT] IN`, `BETWEEN`, `LIKE` and their relatives.
    fn predicate(&mut self, word: &str, negated: bool, least: Precedence) -> Result<bool> {
        let precedence = match word {
            "IN" | "BETWEEN" => Precedence::Compare,
            "LIKE" | "ILIKE" => Precedence::Like,
            "SIMILAR" => return Err(unsupported("SIMILAR TO")),
            "REGEXP" | "RLIKE" => return Err(unsupported("REGEXP")),
            _ => return Ok(false),
        };
        if precedence <= least {
            return Ok(false);
        }
        self.advance(1 + usize::from(negated));
        match word {
            "IN" => self.list(negated)?,
            "BETWEEN" => {
                self.expression(Precedence::Compare)?;
                if !self.accept_word("AND") {
                    return Err(self.expected("AND"));
                }
                self.expression(Precedence::Compare)?;
                self.steps.push(ConditionStep::Between { negated });
            }
            _ => {
                if self.peek().is_word("ANY") && *self.peek_after(1) == SqlToken::Symbol("(") {
                    return Err(unsupported("LIKE ANY"));
                }
                self.expression(Precedence::Like)?;
                if self.peek().is_word("ESCAPE") {
                    return Err(unsupported("ESCAPE (a backslash makes % and _ ordinary)"));
                }
                self.steps.push(ConditionStep::Like { negated, ignore_case: word == "ILIKE" });
            }
        }
        Ok(true)
    }

    /// The list of `IN`. Constants go into a set; everything else is compared one by one.
    fn list(&mut self, negated: bool) -> Result<()> {
        self.expect("(")?;
        let (mut literals, mut n_operands) = (Vec::new(), 0);
        loop {
            let begin = self.steps.len();
            self.expression(Precedence::Lowest)?;
            match self.steps.pop() {
                Some(ConditionStep::Literal(literal)) if self.steps.len() == begin => literals.push(literal),
                last => {
                    self.steps.extend(last);
                    n_operands += 1;
                }
            }
            if !self.accept_symbol(",") {
                break;
            }
        }
        self.expect(")")?;
        self.steps.push(ConditionStep::In { literals: Box::new(LiteralSet::new(literals)), n_operands, negated });
        Ok(())
    }

    /// `IS [NOT] NULL`, `TRUE` or `FALSE`.
    fn is_test(&mut self, least: Precedence) -> Result<bool> {
        if Precedence::Is <= least {
            return Ok(false);
        }
        self.advance(1);
        let negated = self.accept_word("NOT");
        let step = match self.peek() {
            word if word.is_word("NULL") => ConditionStep::IsNull { negated },
            word if word.is_word("TRUE") => ConditionStep::IsTruth { value: true, negated },
            word if word.is_word("FALSE") => ConditionStep::IsTruth { value: false, negated },
            word if word.is_word("UNKNOWN") => return Err(unsupported("IS UNKNOWN (use IS NULL)")),
            word if word.is_word("DISTINCT") => return Err(unsupported("IS DISTINCT FROM")),
            _ => return Err(self.expected("NULL, TRUE or FALSE")),
        };
        self.advance(1);
        self.steps.push(step);
        Ok(true)
    }
}

fn comparison(symbol: &str) -> Option<ComparisonOperator> {
    Some(match symbol {
        "=" | "==" => ComparisonOperator::Equal,
        "<>" | "!=" => ComparisonOperator::NotEqual,
        "<" => ComparisonOperator::Less,
        "<=" => ComparisonOperator::LessOrEqual,
        ">" => ComparisonOperator::Greater,
        ">=" => ComparisonOperator::GreaterOrEqual,
        _ => return None,
    })
}

fn number(digits: &str) -> Result<SqlLiteral> {
    if let Ok(integer) = digits.parse() {
        return Ok(SqlLiteral::Integer(integer));
    }
    match digits.parse::<f64>() {
        Ok(real) if real.is_finite() => Ok(SqlLiteral::Real(real)),
        Ok(_) => Err(ConditionProblem::NumberTooLarge { literal: digits.into() }),
        Err(_) => Err(ConditionProblem::Syntax { reason: format!("{digits} is not a number") }),
    }
}

fn unsupported(found: impl Into<String>) -> ConditionProblem {
    ConditionProblem::Unsupported { found: found.into() }
}
