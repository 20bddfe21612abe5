//! Text to steps: sqlparser builds the tree, a loop flattens it.

use sqlparser::ast::Expr;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

use super::compile::compile;
use super::problem::ConditionProblem;
use super::step::ConditionStep;

/// The longest condition in bytes.
///
/// A chain such as `a OR b OR c` becomes a tree as deep as it is long, and dropping a tree recurses, so the length
/// must be bounded for the stack below to be enough: two bytes a level, at most 256 bytes of stack a level.
const MAX_LENGTH: usize = 1 << 18;

/// How many levels of nesting sqlparser may follow: its own default, named here because a message names it.
const MAX_DEPTH: usize = 50;

/// Bytes of stack for parsing, of which the system provides only those that are touched.
///
/// Unoptimised, sqlparser takes up to 100 KiB for a level of nesting, 5 MiB in all, and 32 MiB for dropping the longest
/// chain; the main thread of a test has 2 MiB.
const STACK: usize = 64 << 20;

/// Returns the steps of the condition in `text`.
pub(super) fn parse(text: &str) -> Result<Vec<ConditionStep>, ConditionProblem> {
    if text.len() > MAX_LENGTH {
        return Err(ConditionProblem::TooLong { length: text.len(), limit: MAX_LENGTH });
    }
    // The tree is born and dies on this thread: only the flat steps leave it.
    std::thread::scope(|scope| {
        let parser = std::thread::Builder::new()
            .name("condition".into())
            .stack_size(STACK)
            .spawn_scoped(scope, || compile(&parse_tree(text)?))
            .map_err(|reason| ConditionProblem::Thread { reason })?;
        parser.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

fn parse_tree(text: &str) -> Result<Expr, ConditionProblem> {
    let dialect = GenericDialect {};
    let mut parser =
        Parser::new(&dialect).with_recursion_limit(MAX_DEPTH).try_with_sql(text).map_err(parser_problem)?;
    let tree = parser.parse_expr().map_err(parser_problem)?;
    let rest = parser.peek_token();
    match rest.token {
        Token::EOF => Ok(tree),
        token => {
            let column = rest.span.start.column;
            Err(ConditionProblem::Syntax { reason: format!("\"{token}\" at character {column} was not expected") })
        }
    }
}

fn parser_problem(error: ParserError) -> ConditionProblem {
    match error {
        ParserError::RecursionLimitExceeded => ConditionProblem::TooDeep { limit: MAX_DEPTH },
        ParserError::TokenizerError(reason) | ParserError::ParserError(reason) => {
            ConditionProblem::Syntax { reason: in_our_words(&reason) }
        }
    }
}

/// Turns "Expected: ), found: EOF at Line: 1, Column: 7" into "expected ), found the end".
fn in_our_words(reason: &str) -> String {
    let reason = reason.replace("Expected: ", "expected ").replace("found: EOF", "found the end");
    let reason = reason.replace("found: ", "found ").replace(" at Line: 1, Column: ", " at character ");
    let mut letters = reason.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => reason,
    }
}
