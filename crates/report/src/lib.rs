//! Test cases, findings and statistics on disk.
