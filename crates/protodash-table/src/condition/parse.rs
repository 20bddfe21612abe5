//! Parses a condition: sqlparser builds the tree, and a loop flattens it to steps.

use sqlparser::ast::Expr;
use sqlparser::dialect::GenericDialect;
use sqlparser::parser::{Parser, ParserError};
use sqlparser::tokenizer::Token;

use super::compile::compile;
use super::problem::ConditionProblem;
use super::step::ConditionStep;

/// The longest condition in bytes.
///
/// A chain such as `a OR b OR c` becomes a tree as deep as it is long, and dropping a tree recurses. The limit makes the
/// stack below sufficient: a level takes at least two bytes of text and at most 256 bytes of stack.
const MAX_LENGTH: usize = 1 << 18;

/// The maximum nesting depth: sqlparser's default, repeated here because a message states it.
const MAX_DEPTH: usize = 50;

/// Bytes of stack for parsing, committed only as far as they are used.
///
/// Unoptimised, sqlparser takes up to 100 KiB per level of nesting, 5 MiB in all, and 32 MiB to drop the longest chain; a
/// test thread has 2 MiB.
const STACK: usize = 64 << 20;

/// Returns the steps of the condition in `text`.
pub(super) fn parse(text: &str) -> Result<Vec<ConditionStep>, ConditionProblem> {
    if text.len() > MAX_LENGTH {
        return Err(ConditionProblem::TooLong { length: text.len(), limit: MAX_LENGTH });
    }
    // The tree is built and dropped on this thread; only the flat steps leave it.
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
            Err(ConditionProblem::Syntax { reason: format!("\"{token}\" at character {column} is unexpected") })
        }
    }
}

fn parser_problem(error: ParserError) -> ConditionProblem {
    match error {
        ParserError::RecursionLimitExceeded => ConditionProblem::TooDeep { limit: MAX_DEPTH },
        ParserError::TokenizerError(reason) | ParserError::ParserError(reason) => {
            ConditionProblem::Syntax { reason: reworded(&reason) }
        }
    }
}

/// Turns "Expected: ), found: EOF at Line: 1, Column: 7" into "expected ), found the end".
fn reworded(reason: &str) -> String {
    let reason = reason.replace("Expected: ", "expected ").replace("found: EOF", "found the end");
    let reason = reason.replace("found: ", "found ").replace(" at Line: 1, Column: ", " at character ");
    let mut letters = reason.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => reason,
    }
}
