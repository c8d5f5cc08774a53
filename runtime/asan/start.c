/* Programs made with `fathom-cc --asan`: takes fathom's own variables out of the environment, as
 * runtime/native/start.c does, and sets what the sanitizers do by default. */
#include <stdlib.h>
#include "../native/guard.h"
#include "../native/start.h"

const char *__fathom_test;
enum guard __fathom_guard = GUARD_OFF;

/* Only guard mode knows blocks. */
const struct block *__fathom_guard_block(uintptr_t address)
{
	(void)address;
	return 0;
}

/* A build runs programs that it has just made: leaks must not make them fail. */
__attribute__((weak)) const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

static const char *take(const char *name)
{
	const char *value = getenv(name);
	unsetenv(name);
	return value;
}

__attribute__((constructor)) static void start(void)
{
	const char *offline = take("FATHOM_OFFLINE");
	const char *report_path = take("FATHOM_GUARD_REPORT");
	const char *report_fd = take("FATHOM_GUARD_FD");
	take("FATHOM_GUARD");
	__fathom_test = take("FATHOM_TEST");
	if (offline)
		__fathom_go_offline();
	if (report_path || report_fd)
		__fathom_report_to(report_path, report_fd);
}
