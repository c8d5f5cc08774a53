/* What the start finds in the environment, and what it does about it. */
#ifndef FATHOM_START_H
#define FATHOM_START_H

/* The value of FATHOM_TEST: the file of symbolic objects' values; null if unset. */
extern const char *__fathom_test;

/* offline.c: no sockets from now on, for this process and its children; no other programs; no other
 * processes. */
void __fathom_go_offline(void);
void __fathom_go_alone(void);
void __fathom_go_childless(void);
/* Whether a call would execute a program, alone; what it then comes to is what the engine says: the
 * error of its path, or that nobody can do that. */
int __fathom_is_refused(long n, long a, long b, long *result);
long __fathom_alone_sys_call(long n, long a, long b, long c, long d, long e, long f);

#endif
