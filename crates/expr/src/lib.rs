//! Hash-consed bit-vector expressions, their simplifier and their concrete evaluator.
