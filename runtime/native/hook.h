/* A mode of a native run that has a part in system calls plugs itself in here, before main. */
#ifndef FATHOM_HOOK_H
#define FATHOM_HOOK_H

typedef long sys_call_hook(long n, long a, long b, long c, long d, long e, long f);

/* Null where calls go straight to the kernel. */
extern sys_call_hook *__fathom_hook;

#endif
