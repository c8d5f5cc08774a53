//! The chain, spelled once.

use crate::backend::Standard;
use crate::cache::Cache;
use crate::config::{Config, Recorded};
use crate::cross_check::{CrossCheck, Shared};
use crate::diagram::Diagram;
use crate::domains::Domains;
use crate::layer::Layer;
use crate::models::Models;
use crate::reasons::Reasons;
use crate::record::Recorder;
use crate::smt::Smt;
use crate::validate::Validate;
use crate::values::{Reach, Values};

/// Cache, domains, reasons, values, models, diagram, values once more, SMT solver; around them what
/// watches their answers.
pub(crate) fn build(config: &Config, second: Option<Shared>) -> Box<dyn Layer> {
    let backend = Box::new(Standard::new(config.interrupt.clone()));
    let mut chain: Box<dyn Layer> = Box::new(Smt { backend, budget: config.budget });
    chain = record(config, Recorded::Backend, chain);
    if config.layers.values {
        chain = Box::new(Values::new(Reach::Far, chain));
    }
    if config.layers.diagram {
        chain = Box::new(Diagram::new(config.diagram_steps, chain));
    }
    if config.layers.models {
        chain = Box::new(Models::new(config.recent_models, chain));
    }
    if config.layers.values {
        chain = Box::new(Values::new(Reach::Near, chain));
    }
    if config.layers.reasons {
        chain = Box::new(Reasons::new(chain));
    }
    if config.layers.domains {
        chain = Box::new(Domains { below: chain });
    }
    if let Some(second) = second {
        chain = Box::new(CrossCheck { second, below: chain });
    }
    if config.layers.cache {
        chain = Box::new(Cache::new(config.cache_entries, chain));
    }
    chain = record(config, Recorded::All, chain);
    if config.validate {
        chain = Box::new(Validate { below: chain });
    }
    chain
}

fn record(config: &Config, which: Recorded, below: Box<dyn Layer>) -> Box<dyn Layer> {
    match &config.record {
        Some(record) if record.which == which => {
            Box::new(Recorder::new(record.directory.clone(), below))
        }
        _ => below,
    }
}
