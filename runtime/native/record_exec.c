/* Recording: programs that this one starts are recorded too. This runs in children that share the
 * memory of the process: all that is written is a mapping of its own. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include "record.h"

#define VARIABLE "FATHOM_RECORD="

static char entry[sizeof VARIABLE + MAX_NAME];

void __fathom_record_pass_on(const char *directory)
{
	__fathom_record_add(__fathom_record_add(entry, VARIABLE), directory);
}

static size_t count(char **strings)
{
	size_t n = 0;
	while (strings && strings[n])
		n++;
	return n;
}

static void log_exec(const char *path)
{
	struct turn turn;
	if (!__fathom_record_enter(&turn))
		return;
	if (sys(SYS_access, path, 0) != -EFAULT) {
		struct part name = {path, strlen(path)};
		__fathom_record_frame(FRAME_EXEC, &name, 1);
	}
	__fathom_record_leave(&turn);
}

static void log_failure(const char *path, long error)
{
	int64_t head[] = {SYS_execve, 0, 0, 0, error};
	struct part parts[] = {{head, sizeof head}, {path, strlen(path)}};
	struct turn turn;
	if (!__fathom_record_enter(&turn))
		return;
	__fathom_record_frame(FRAME_ANSWER, parts, 2);
	__fathom_record_leave(&turn);
}

long __fathom_record_exec_call(const struct call *call)
{
	int is_at = call->number == SYS_execveat;
	char **env = (char **)call->args[2 + is_at];
	size_t size = (count(env) + 2) * sizeof *env;
	log_exec((char *)call->args[is_at]);
	long mapped = sys(SYS_mmap, 0, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mapped < 0 && mapped > -4096)
		return make(call);
	char **end = (char **)mapped;
	for (; env && *env; env++)
		if (strncmp(*env, VARIABLE, sizeof VARIABLE - 1) != 0)
			*end++ = *env;
	*end = entry;
	struct call with_entry = *call;
	with_entry.args[2 + is_at] = mapped;
	long result = make(&with_entry);
	sys(SYS_munmap, mapped, size);
	if (result != -EFAULT)
		log_failure((char *)call->args[is_at], result);
	return result;
}
