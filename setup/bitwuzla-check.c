/* Asks a freshly built Bitwuzla questions that need its bit-vectors, floating point and interpolants. */
#include <bitwuzla/c/bitwuzla.h>
#include <stdio.h>

static int failures;

static void expect(int condition, const char *what)
{
	if (!condition) {
		fprintf(stderr, "bitwuzla-check: %s\n", what);
		failures++;
	}
}

/* x + 1.25 == 3.5 has the one solution 2.25; x > 0 and x + x < x has none. */
static void check_floating_point(void)
{
	BitwuzlaTermManager *tm = bitwuzla_term_manager_new();
	BitwuzlaOptions *options = bitwuzla_options_new();
	bitwuzla_set_option(options, BITWUZLA_OPT_PRODUCE_MODELS, 1);
	Bitwuzla *solver = bitwuzla_new(tm, options);
	BitwuzlaSort f64 = bitwuzla_mk_fp_sort(tm, 11, 53);
	BitwuzlaTerm rne = bitwuzla_mk_rm_value(tm, BITWUZLA_RM_RNE);
	BitwuzlaTerm x = bitwuzla_mk_const(tm, f64, "x");
	BitwuzlaTerm sum = bitwuzla_mk_term3(tm, BITWUZLA_KIND_FP_ADD, rne, x,
		bitwuzla_mk_fp_from_real(tm, f64, rne, "1.25"));
	bitwuzla_push(solver, 1);
	bitwuzla_assert(solver, bitwuzla_mk_term2(tm, BITWUZLA_KIND_FP_EQUAL, sum,
		bitwuzla_mk_fp_from_real(tm, f64, rne, "3.5")));
	expect(bitwuzla_check_sat(solver) == BITWUZLA_SAT, "x + 1.25 == 3.5 should be satisfiable");
	expect(bitwuzla_get_value(solver, x) == bitwuzla_mk_fp_from_real(tm, f64, rne, "2.25"),
		"x + 1.25 == 3.5 should give 2.25");
	bitwuzla_pop(solver, 1);
	bitwuzla_assert(solver, bitwuzla_mk_term2(tm, BITWUZLA_KIND_FP_GT, x,
		bitwuzla_mk_fp_pos_zero(tm, f64)));
	bitwuzla_assert(solver, bitwuzla_mk_term2(tm, BITWUZLA_KIND_FP_LT,
		bitwuzla_mk_term3(tm, BITWUZLA_KIND_FP_ADD, rne, x, x), x));
	expect(bitwuzla_check_sat(solver) == BITWUZLA_UNSAT, "x > 0 and x + x < x should be unsatisfiable");
	bitwuzla_delete(solver);
	bitwuzla_options_delete(options);
	bitwuzla_term_manager_delete(tm);
}

/* x < y and y < z on one side and z < x on the other share z and x: the interpolant says x < z. */
static void check_interpolant(void)
{
	BitwuzlaTermManager *tm = bitwuzla_term_manager_new();
	BitwuzlaOptions *options = bitwuzla_options_new();
	bitwuzla_set_option(options, BITWUZLA_OPT_PRODUCE_INTERPOLANTS, 1);
	Bitwuzla *solver = bitwuzla_new(tm, options);
	BitwuzlaSort byte = bitwuzla_mk_bv_sort(tm, 8);
	BitwuzlaTerm x = bitwuzla_mk_const(tm, byte, "x");
	BitwuzlaTerm y = bitwuzla_mk_const(tm, byte, "y");
	BitwuzlaTerm z = bitwuzla_mk_const(tm, byte, "z");
	BitwuzlaTerm left[2] = {
		bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_ULT, x, y),
		bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_ULT, y, z),
	};
	bitwuzla_assert(solver, left[0]);
	bitwuzla_assert(solver, left[1]);
	bitwuzla_assert(solver, bitwuzla_mk_term2(tm, BITWUZLA_KIND_BV_ULT, z, x));
	expect(bitwuzla_check_sat(solver) == BITWUZLA_UNSAT, "x < y < z < x should be unsatisfiable");
	expect(bitwuzla_get_interpolant(solver, 2, left) != 0, "no interpolant");
	bitwuzla_delete(solver);
	bitwuzla_options_delete(options);
	bitwuzla_term_manager_delete(tm);
}

int main(void)
{
	check_floating_point();
	check_interpolant();
	return failures != 0;
}
