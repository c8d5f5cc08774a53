/* What the start found in the environment. */
#ifndef FATHOM_START_H
#define FATHOM_START_H

/* The value of FATHOM_TEST: the file of symbolic objects' values; null if unset. */
extern const char *__fathom_test;

#endif
