/* A GNU extension that musl lacks. Programs that bring their own read whole words past the end of
   the object; this one does not. */
void *rawmemchr(const void *bytes, int wanted)
{
	const unsigned char *p = bytes;
	while (*p != (unsigned char)wanted)
		p++;
	return (void *)p;
}
