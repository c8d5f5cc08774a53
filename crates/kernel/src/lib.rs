//! The Linux the program sees: files, descriptors and system calls.
