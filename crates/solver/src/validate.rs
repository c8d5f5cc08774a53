//! The validating layer: no model leaves the chain unchecked.

use fathom_expr::{Model, Pool};

use crate::answer::{Answer, Failure};
use crate::layer::{Context, Decision, Layer, Query};

/// Evaluates the slice under every model found; a wrong one is counted and becomes a failure.
pub(crate) struct Validate {
    pub below: Box<dyn Layer>,
}

impl Layer for Validate {
    fn decide(&mut self, context: &mut Context<'_>, query: &Query<'_>) -> Decision {
        let decision = self.below.decide(context, query)?;
        if let Some(Answer::Sat(model)) = &decision
            && !satisfies(context.pool, query, model)
        {
            context.stats.wrong_models += 1;
            return Err(Failure::Unknown("a model does not satisfy its query".to_owned()));
        }
        Ok(decision)
    }
}

fn satisfies(pool: &Pool, query: &Query<'_>, model: &Model) -> bool {
    let bytes = query.slice.bytes();
    bytes.iter().all(|byte| model.assigned(byte.var) && byte.domain.contains(model.get(byte.var)))
        && query.is_satisfied(pool, model)
}
