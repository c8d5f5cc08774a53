/* Exercises what differs between the native and the bitcode build of the C library. */
#include <complex.h>
#include <locale.h>
#include <math.h>
#include <regex.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void check_math(double x, long double l, float f)
{
	printf("%.17g %.17g %.17g %.17g\n", sin(x), exp(x), pow(x, 3.3), sqrt(x));
	printf("%.17g %.17g %.9g %a\n", fmod(x, 0.1), fma(x, x, x), powf(f, f), x);
	printf("%.20Lg %.20Lg %.20Lg\n", sqrtl(l), fmodl(l, 0.01L), floorl(l * 7));
	printf("%ld %ld %lld\n", lrint(x * 100), lrintl(l * 1000), llrintf(f * 10));
}

static void check_complex(double x, double infinity)
{
	double complex z = (x + 2 * I) * (3 + x * I) / (1 - x * I);
	printf("%.17g %.17g %.17g\n", creal(z), cimag(z), cabs(csqrt(z)));
	z = CMPLX(infinity, infinity) * CMPLX(x, 0);
	printf("%g %g\n", creal(z), cimag(z));
	z = CMPLX(x, x) / CMPLX(0, 0);
	printf("%g %g\n", creal(z), cimag(z));
}

static void check_strings(void)
{
	char text[100];
	printf("%zu %zu\n", strspn("abcde", "cab"), strcspn("hello world", " "));
	printf("%s\n", strstr("finding a needle here", "needle"));
	printf("%d %d\n", strstr("aaab", "b2") == NULL, strstr("aaab", "aab") != NULL);
	double d;
	long double l;
	int n;
	sscanf("3.25e10 1.7e-4000 0x1f", "%lf %Lf %i", &d, &l, &n);
	printf("%g %Lg %d %s\n", d, l, n, strerror(2));
	strftime(text, sizeof text, "%Y-%m-%d %A", &(struct tm){.tm_year = 100, .tm_mday = 5});
	puts(text);
}

static void check_memory(void)
{
	char *block = NULL;
	for (int size = 1; size < 2000; size += 37) {
		block = realloc(block, size);
		memset(block, size, size);
	}
	free(block);
	void *aligned;
	printf("%d\n", posix_memalign(&aligned, 64, 100));
	printf("%d\n", (int)((size_t)aligned % 64));
	free(aligned);
}

static void check_jump(void)
{
	static jmp_buf target;
	volatile int n = 0;
	int got = setjmp(target);
	if (n++ < 3)
		longjmp(target, n);
	printf("jumped %d\n", got);
}

static void check_regexp(void)
{
	regex_t regexp;
	regcomp(&regexp, "^(a|b)*c$", REG_EXTENDED);
	printf("%d %d\n", regexec(&regexp, "ababc", 0, 0, 0), regexec(&regexp, "abd", 0, 0, 0));
	regfree(&regexp);
}

int main(int argc, char **argv)
{
	setlocale(LC_ALL, "");
	check_math(argc + 0.37, argc + 0.123L, argc / 3.0f);
	check_complex(argc + 0.37, argc / 0.0);
	check_strings();
	check_memory();
	check_jump();
	check_regexp();
	FILE *child = popen("echo from a child process", "r");
	char line[100];
	fputs(fgets(line, sizeof line, child), stdout);
	return pclose(child);
}
