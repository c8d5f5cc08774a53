//! Answers "is this satisfiable, and by what?" through a chain of layers.
