/* Bitcode build: the compiler's support functions that appear as calls in LLVM IR.
 * Complex arithmetic follows C99 Annex G; the rest of libgcc is only called by code generators. */
#include <math.h>

/* An infinite part counts as a unit and a finite one as nothing, signs kept. */
#define BOX(T, copysign, x) copysign(isinf(x) ? (T)1 : (T)0, (x))

#define DEFINE_MUL(NAME, T, COMPLEX, copysign) \
COMPLEX NAME(T a, T b, T c, T d) \
{ \
	T ac = a * c, bd = b * d, ad = a * d, bc = b * c; \
	T real = ac - bd, imag = ad + bc; \
	if (isnan(real) && isnan(imag)) { \
		int infinite = 0; \
		if (isinf(a) || isinf(b)) { \
			a = BOX(T, copysign, a), b = BOX(T, copysign, b); \
			if (isnan(c)) c = copysign((T)0, c); \
			if (isnan(d)) d = copysign((T)0, d); \
			infinite = 1; \
		} \
		if (isinf(c) || isinf(d)) { \
			c = BOX(T, copysign, c), d = BOX(T, copysign, d); \
			if (isnan(a)) a = copysign((T)0, a); \
			if (isnan(b)) b = copysign((T)0, b); \
			infinite = 1; \
		} \
		if (!infinite && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) { \
			if (isnan(a)) a = copysign((T)0, a); \
			if (isnan(b)) b = copysign((T)0, b); \
			if (isnan(c)) c = copysign((T)0, c); \
			if (isnan(d)) d = copysign((T)0, d); \
			infinite = 1; \
		} \
		if (infinite) { \
			real = (T)INFINITY * (a * c - b * d); \
			imag = (T)INFINITY * (a * d + b * c); \
		} \
	} \
	COMPLEX result; \
	__real__ result = real; \
	__imag__ result = imag; \
	return result; \
}

#define DEFINE_DIV(NAME, T, COMPLEX, copysign, fabs, fmax, logb, scalbn) \
COMPLEX NAME(T a, T b, T c, T d) \
{ \
	int scale = 0; \
	T magnitude = logb(fmax(fabs(c), fabs(d))); \
	if (isfinite(magnitude)) { \
		scale = (int)magnitude; \
		c = scalbn(c, -scale), d = scalbn(d, -scale); \
	} \
	T norm = c * c + d * d; \
	T real = scalbn((a * c + b * d) / norm, -scale); \
	T imag = scalbn((b * c - a * d) / norm, -scale); \
	if (isnan(real) && isnan(imag)) { \
		if (norm == 0 && (!isnan(a) || !isnan(b))) { \
			real = copysign((T)INFINITY, c) * a; \
			imag = copysign((T)INFINITY, c) * b; \
		} else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) { \
			a = BOX(T, copysign, a), b = BOX(T, copysign, b); \
			real = (T)INFINITY * (a * c + b * d); \
			imag = (T)INFINITY * (b * c - a * d); \
		} else if (isinf(magnitude) && magnitude > 0 && isfinite(a) && isfinite(b)) { \
			c = BOX(T, copysign, c), d = BOX(T, copysign, d); \
			real = (T)0 * (a * c + b * d); \
			imag = (T)0 * (b * c - a * d); \
		} \
	} \
	COMPLEX result; \
	__real__ result = real; \
	__imag__ result = imag; \
	return result; \
}

#define DEFINE_POWI(NAME, T) \
T NAME(T base, int exponent) \
{ \
	unsigned left = exponent < 0 ? -(unsigned)exponent : (unsigned)exponent; \
	T result = 1; \
	for (; left; left >>= 1, base *= base) \
		if (left & 1) \
			result *= base; \
	return exponent < 0 ? 1 / result : result; \
}

DEFINE_MUL(__mulsc3, float, float _Complex, copysignf)
DEFINE_MUL(__muldc3, double, double _Complex, copysign)
DEFINE_MUL(__mulxc3, long double, long double _Complex, copysignl)

DEFINE_DIV(__divsc3, float, float _Complex, copysignf, fabsf, fmaxf, logbf, scalbnf)
DEFINE_DIV(__divdc3, double, double _Complex, copysign, fabs, fmax, logb, scalbn)
DEFINE_DIV(__divxc3, long double, long double _Complex, copysignl, fabsl, fmaxl, logbl, scalbnl)

DEFINE_POWI(__powisf2, float)
DEFINE_POWI(__powidf2, double)
DEFINE_POWI(__powixf2, long double)

/* __builtin_cpu_supports and __builtin_cpu_is: a processor without extensions, as in <cpuid.h>. */
struct {
	unsigned vendor, type, subtype, features[1];
} __cpu_model;
unsigned __cpu_features2[3];

int __cpu_indicator_init(void)
{
	return 0;
}
