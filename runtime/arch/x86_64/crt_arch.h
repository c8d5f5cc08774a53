/* Bitcode build: no assembly entry point, the engine calls _start_c(long *initial_stack) itself. */
