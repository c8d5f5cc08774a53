/* Recording: bytes that the program reads from what is no regular file, names in directories, and
 * what it writes to its standard output and error. */
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include "record.h"

#define CHUNK (64 << 10)
#define MAX_READ (64L << 20)
#define MAX_RANDOM (1L << 20)
#define MAX_WRITTEN (1L << 20)

static long n_read, n_random, n_written[2];

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static void log_read(enum frame kind, uint32_t source, const char *bytes, size_t size)
{
	if (source & RANDOM ? n_random >= MAX_RANDOM : n_read >= MAX_READ)
		return;
	if (source & RANDOM && (n_random += size) >= MAX_RANDOM)
		__fathom_record_note("more than 1 MiB was read from random devices: the rest is not here", "");
	else if (!(source & RANDOM) && (n_read += size) >= MAX_READ)
		__fathom_record_note("more than 64 MiB were read from streams: the rest is not here", "");
	for (size_t n; size; bytes += n, size -= n) {
		n = smaller(size, CHUNK);
		struct part parts[] = {{&source, sizeof source}, {bytes, n}};
		__fathom_record_frame(kind, parts, 2);
	}
}

static void log_read_parts(uint32_t source, const struct iovec *vector, size_t size)
{
	for (size_t n; size; vector++, size -= n) {
		n = smaller(size, vector->iov_len);
		log_read(FRAME_READ, source, vector->iov_base, n);
	}
}

static long total(const struct iovec *vector, long n)
{
	long size = 0;
	for (; n > 0; vector++, n--)
		size += vector->iov_len;
	return size;
}

/* Whether the kernel gave less than there was room for: what comes next came later. */
static int is_short(const struct call *call, long result)
{
	const long *args = call->args;
	switch (call->number) {
	case SYS_read:
		return result < args[2];
	case SYS_readv:
		return result < total((struct iovec *)args[1], args[2]);
	}
	return 0;
}

void __fathom_record_after_read(const struct call *call, long result)
{
	const long *args = call->args;
	uint32_t source = __fathom_record_source((int)args[0]);
	struct turn turn;
	if (result < 0 || !source || !__fathom_record_enter(&turn))
		return;
	switch (call->number) {
	case SYS_read:
	case SYS_pread64:
		log_read(FRAME_READ, source, (char *)args[1], result);
		break;
	case SYS_recvfrom:
		/* With MSG_TRUNC the result may be larger than the buffer; what is only peeked at comes again. */
		if (!(args[3] & MSG_PEEK))
			log_read(FRAME_READ, source, (char *)args[1], smaller(result, args[2]));
		break;
	case SYS_readv:
	case SYS_preadv:
	case SYS_preadv2:
		log_read_parts(source, (struct iovec *)args[1], result);
		break;
	case SYS_recvmsg:
		if (!(args[2] & (MSG_PEEK | MSG_TRUNC)))
			log_read_parts(source, ((struct msghdr *)args[1])->msg_iov, result);
		break;
	case SYS_getdents64:
		log_read(FRAME_LISTED, source, (char *)args[1], result);
		break;
	}
	if (is_short(call, result) && n_read < MAX_READ) {
		struct part part = {&source, sizeof source};
		__fathom_record_frame(FRAME_SHORT, &part, 1);
	}
	__fathom_record_leave(&turn);
}

/* All are counted, and the first of them kept. */
static void log_written(int stream, const char *bytes, uint64_t size)
{
	uint32_t head[4] = {stream, 0, size, size >> 32};
	size_t kept = bytes ? smaller(size, MAX_WRITTEN - n_written[stream - 1]) : 0;
	struct part parts[] = {{head, sizeof head}, {bytes, kept}};
	__fathom_record_frame(FRAME_WRITTEN, parts, 2);
	n_written[stream - 1] += kept;
}

/* A write has failed because nobody reads any more. */
static void log_reader_gone(int stream)
{
	uint32_t head[4] = {stream, 1};
	struct part part = {head, sizeof head};
	__fathom_record_frame(FRAME_WRITTEN, &part, 1);
}

void __fathom_record_after_write(const struct call *call, long result)
{
	const long *args = call->args;
	int is_splice = call->number == SYS_splice || call->number == SYS_copy_file_range;
	int stream = __fathom_record_stream((int)args[is_splice ? 2 : 0]);
	struct turn turn;
	if ((result <= 0 && result != -EPIPE) || !stream || !__fathom_record_enter(&turn))
		return;
	if (result == -EPIPE)
		log_reader_gone(stream);
	else switch (call->number) {
	case SYS_write:
	case SYS_pwrite64:
		log_written(stream, (char *)args[1], result);
		break;
	case SYS_writev:
	case SYS_pwritev:
		for (const struct iovec *vector = (void *)args[1]; result > 0; vector++) {
			size_t n = smaller(result, vector->iov_len);
			log_written(stream, vector->iov_base, n);
			result -= n;
		}
		break;
	default:
		log_written(stream, 0, result);
		break;
	}
	__fathom_record_leave(&turn);
}
