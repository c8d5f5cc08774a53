/* Bitcode build: the thread pointer is asked of the engine, which was told it by __set_thread_area. */
extern uintptr_t __fathom_get_tp(void) __attribute__((__const__));

static inline uintptr_t __get_tp(void)
{
	return __fathom_get_tp();
}

#define MC_PC gregs[REG_RIP]
