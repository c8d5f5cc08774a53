/* Native programs start here, before the C library: reads fathom's own variables, takes them out of
 * the environment, and starts the mode that they ask for. In guard mode the argument and environment
 * strings move into blocks. Without such a variable it is one pass over the environment's names, and
 * a look for the marker file of recordings. */
#include <string.h>
#include "guard.h"
#include "libc.h"
#include "dynlink.h"
#include "hook.h"
#include "record.h"
#include "start.h"

int __libc_start_main(int (*)(), int, char **, void (*)(), void (*)(), void (*)());

const char *__fathom_test;

static const char *guard, *report_path, *report_fd, *offline, *record;

static const struct {
	const char *name;
	const char **value;
} variables[] = {
	{"FATHOM_GUARD=", &guard},
	{"FATHOM_GUARD_REPORT=", &report_path},
	{"FATHOM_GUARD_FD=", &report_fd},
	{"FATHOM_TEST=", &__fathom_test},
	{"FATHOM_OFFLINE=", &offline},
	{"FATHOM_RECORD=", &record},
};

static int take(const char *variable)
{
	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		size_t length = strlen(variables[i].name);
		if (strncmp(variable, variables[i].name, length) == 0) {
			*variables[i].value = variable + length;
			return 1;
		}
	}
	return 0;
}

/* The auxiliary vector must stay right behind the environment, so all before the variable moves up
 * by its place. */
static char **take_variables(int argc, char **argv)
{
	for (char **variable = argv + argc + 1; *variable; variable++) {
		if (**variable != 'F' || !take(*variable))
			continue;
		memmove(argv + 1, argv, (variable - argv) * sizeof *argv);
		argv++;
	}
	return argv;
}

static enum guard guard_mode(const char *value)
{
	if (!value || !*value || strcmp(value, "0") == 0)
		return GUARD_OFF;
	if (strcmp(value, "start") == 0)
		return GUARD_START;
	return strcmp(value, "aligned") == 0 ? GUARD_ALIGNED : GUARD_END;
}

static char **guard_strings(char **strings, enum block_kind kind)
{
	for (; *strings; strings++) {
		size_t size = strlen(*strings) + 1;
		char *copy = __fathom_guard_malloc(size, 1, kind);
		if (copy)
			*strings = memcpy(copy, *strings, size);
	}
	return strings + 1;
}

int __fathom_start_main(int (*main)(), int argc, char **argv, void (*init)(), void (*fini)(),
	void (*loader)())
{
	argv = take_variables(argc, argv);
	if (offline) {
		__fathom_go_offline();
		__fathom_go_alone();
		if (strcmp(offline, "childless") == 0)
			__fathom_go_childless();
		__fathom_hook = __fathom_alone_sys_call;
	}
	if (report_path || report_fd)
		__fathom_report_to(report_path, report_fd);
	__fathom_guard = guard_mode(guard);
	if (__fathom_guard) {
		/* calloc asks the ordinary allocator about its blocks otherwise. */
		__malloc_replaced = __aligned_alloc_replaced = 1;
		__fathom_guard_install();
		__fathom_hook = __fathom_guard_sys_call;
		guard_strings(guard_strings(argv, BLOCK_ARGUMENT), BLOCK_ENVIRONMENT);
	}
	if (!guard && !__fathom_test)
		__fathom_record_start(record, argc, argv);
	return __libc_start_main(main, argc, argv, init, fini, loader);
}
