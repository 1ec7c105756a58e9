/* Every member of every family against the references of tests/reference.
 *
 *     t-accuracy [FAMILY...]       test these families (all)
 *     t-accuracy --assemble DIR    print docs/accuracy.md from the files that runs left in DIR
 *
 * Environment: DPN_LONG=1 takes 30000 points a family (8000 of subbotin) instead of 2000; DPN_ACCURACY_OUT=DIR leaves a file for each
 * family in DIR.
 */
#include <dpnoise/law.h>

#include "reference/points.h"
#include "reference/record.h"
#include "reference/reference.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum {
    POINTS_PER_LAW = 25,
    TILTS_PER_LAW = 4,
    QUICK_POINTS = 2000,
    LONG_POINTS = 30000,
    SLOW_POINTS = 8000,
    SHOWN_FAILURES = 5
};

struct subject {
    dpn_law law;
    ref_law reference;
    record_table record;
    long failures[RECORD_MEMBERS];
};

static void complain(struct subject *subject, record_member member, double argument, double got, real value,
                     double error) {
    if (subject->failures[member]++ >= SHOWN_FAILURES) return;
    char text[DPN_LAW_TEXT_SIZE], expected[64], at[32] = "";
    if (!isnan(argument)) snprintf(at, sizeof at, "(%.17g)", argument);
    mpfr_snprintf(expected, sizeof expected, "%.22Rg", value);
    print_error("%s %s%s: got %.17g, expected %s, error %.3g\n", dpn_law_print(text, &subject->law),
                record_member_name(member), at, got, expected, error);
}

static void compare(struct subject *subject, record_member member, record_measure measure, double argument, double got,
                    real value) {
    double error;
    if (!record_compare(&subject->record, member, measure, got, value, &error)) {
        complain(subject, member, argument, got, value, error);
    }
}

#define AT(member, measure, value) \
    compare(subject, RECORD_##member, measure, t, dpn_law_##member(&subject->law, t), value)

static void test_point(struct subject *subject, double t) {
    const ref_law *reference = &subject->reference;
    real at = r_num(t);
    ref_tails tails = ref_tails_at(reference, at);
    AT(pdf, RECORD_RELATIVE, ref_pdf(reference, at));
    AT(log_pdf, RECORD_MIXED, ref_log_pdf(reference, at));
    AT(cdf, RECORD_RELATIVE, tails.cdf);
    AT(sf, RECORD_RELATIVE, tails.sf);
    AT(log_cdf, RECORD_RELATIVE, tails.log_cdf);
    AT(log_sf, RECORD_RELATIVE, tails.log_sf);
    AT(psi, RECORD_RELATIVE, ref_psi(reference, at));
}

/* The tails of the definition of the inverse: isf(p) is the least t with sf(t) <= p, quantile(p) the least with
 * cdf(t) >= p. Both say that upper(t) <= q if the tail q < 1/2 lies above, and that lower(t) >= q if it lies below. */
static double integer_miss(const ref_law *reference, double t, real q, bool above) {
    real at = r_num(t), before = fabs(t) < 0x1p53 ? r_plus(at, -1) : r_num(nextafter(t, -INFINITY));
    real here = above ? ref_sf(reference, at) : ref_cdf(reference, at);
    real there = above ? ref_sf(reference, before) : ref_cdf(reference, before);
    double beyond = r_double(r_div(r_sub(here, q), q)), short_of = r_double(r_div(r_sub(there, q), q));
    if (!above) beyond = -beyond, short_of = -short_of;
    return fmax(0, fmax(beyond, -short_of)); /* at equality the neighbour is right by definition */
}

/* Whether the root of tail(x) = q lies within x (1 - error) and x (1 + error). */
static bool root_within(const ref_law *reference, real x, real q, double error) {
    real low = r_mul(x, r_plus(r_num(1), -error)), high = r_mul(x, r_plus(r_num(1), error));
    return !r_less(ref_sf(reference, low), q) && !r_less(q, ref_sf(reference, high));
}

/* The relative error of t as the root of tail(t) = q: by Newton's step. Beside a jump of the density the step misleads, so
 * the tail itself decides about the limit, and gives the error to a factor of two where the step seems large. */
static double continuous_miss(const ref_law *reference, double t, real q, bool above) {
    if (r_double(q) == 0.5) return t == 0 ? 0 : INFINITY;
    if ((t > 0) != above || t == 0) return INFINITY;
    real x = r_abs(r_num(t)), gap = r_sub(ref_sf(reference, x), q);
    double step = r_double(r_abs(r_div(gap, r_mul(x, ref_pdf(reference, x)))));
    if (!root_within(reference, x, q, 1e-13)) return step > 1e-13 ? step : INFINITY;
    double rung = 0x1p-49;
    while (step > rung && rung < 1e-13 && !root_within(reference, x, q, rung)) rung *= 2;
    return fmin(fmin(step, rung), 1e-13);
}

static void test_inverse(struct subject *subject, double p, bool upper) {
    const ref_law *reference = &subject->reference;
    record_member member = upper ? RECORD_isf : RECORD_quantile;
    double t = upper ? dpn_law_isf(&subject->law, p) : dpn_law_quantile(&subject->law, p);
    bool above = upper == (p <= 0.5);
    real q = r_num(p <= 0.5 ? p : 1 - p); /* 1 - p is exact */
    double miss = INFINITY;
    if (isfinite(t)) {
        miss =
            reference->family->integer ? integer_miss(reference, t, q, above) : continuous_miss(reference, t, q, above);
    }
    if (!record_error(&subject->record, member, miss)) {
        /* What is expected is not at hand: one step of Newton's from the answer shows it. */
        real at = r_num(isfinite(t) ? t : 0);
        real step = r_div(r_sub(q, above ? ref_sf(reference, at) : ref_cdf(reference, at)), ref_pdf(reference, at));
        complain(subject, member, p, t, above ? r_sub(at, step) : r_add(at, step), miss);
    }
}

#define OF_LAW(member, measure) \
    compare(subject, RECORD_##member, measure, NAN, dpn_law_##member(&subject->law), ref_##member(reference))

static void test_law(struct subject *subject) {
    const ref_law *reference = &subject->reference;
    OF_LAW(variance, RECORD_RELATIVE);
    OF_LAW(mean_abs, RECORD_RELATIVE);
    OF_LAW(fisher, RECORD_RELATIVE);
    OF_LAW(nfi, RECORD_RELATIVE);
    OF_LAW(entropy, reference->family->integer ? RECORD_RELATIVE : RECORD_MIXED);
    OF_LAW(mgf_bound, RECORD_RELATIVE);
    double support = dpn_law_support(&subject->law);
    if (support != r_double(ref_support(reference))) fail_msg("support of %s: %g", reference->family->name, support);
}

static void test_tilt(struct subject *subject, double s) {
    compare(subject, RECORD_log_mgf, RECORD_MIXED, s, dpn_law_log_mgf(&subject->law, s),
            ref_log_mgf(&subject->reference, r_num(s)));
}

/* Draw a law that the library takes. It may refuse only what the reference's row allows it to. */
static void draw_law(struct subject *subject, draw_source *source, const struct ref_family *family, double *parameter) {
    for (;;) {
        dpn_error why;
        bool must = family->draw(source, parameter);
        if (dpn_law_make(&subject->law, family->name, parameter, (size_t)family->parameters, &why) == DPN_OK) return;
        if (must) {
            fail_msg("%s with parameters %.17g, %.17g, %.17g is refused: %s", family->name, parameter[0], parameter[1],
                     parameter[2], why.sentence);
        }
    }
}

static void test_one_law(struct subject *subject, draw_source *source, const struct ref_family *family) {
    double parameter[REF_PARAMETERS] = {0};
    draw_law(subject, source, family, parameter);
    size_t mark = r_mark();
    ref_make(&subject->reference, family, parameter, 0);
    test_law(subject);
    double spread = fmin(fmax(r_double(ref_mean_abs(&subject->reference)), 1e-300), 1e300);
    double bound = dpn_law_mgf_bound(&subject->law);
    size_t inner = r_mark();
    for (int i = 0; i < TILTS_PER_LAW; i++) {
        test_tilt(subject, points_tilt(source, &subject->reference, bound, spread));
        r_release(inner);
    }
    for (int i = 0; i < POINTS_PER_LAW; i++) {
        test_point(subject, points_argument(source, &subject->law, &subject->reference, parameter, spread));
        test_inverse(subject, points_probability(source), i % 2 == 0);
        r_release(inner);
    }
    r_release(mark);
}

static void test_family(void **state) {
    const char *name = *state;
    const struct ref_family *family = ref_find(name);
    if (!family) {
        fail_msg(
            "family '%s' has no reference: write tests/reference/%s.c and name its row in tests/reference/families.c",
            name, name);
    }
    const char *directory = getenv("DPN_ACCURACY_OUT");
    bool slow = strcmp(name, "subbotin") == 0; /* its reference is: a minute for 10000 points */
    long count = points(QUICK_POINTS, slow ? SLOW_POINTS : LONG_POINTS);
    struct subject subject = {0};
    for (int m = 0; m < RECORD_MEMBERS; m++) subject.record.worst_tiny[m] = -1;
    draw_source source = {strlen(name) * 1000003 + (unsigned char)name[0]};
    for (long done = 0; done < count; done += POINTS_PER_LAW) test_one_law(&subject, &source, family);
    if (directory && !record_write(&subject.record, directory, name)) fail_msg("cannot write to %s", directory);
    long failures = 0;
    for (int m = 0; m < RECORD_MEMBERS; m++) failures += subject.failures[m];
    if (failures) {
        fail_msg("%s: %ld answers beyond the limits (at most %d a member are shown)", name, failures, SHOWN_FAILURES);
    }
}

static int clean(void **state) {
    (void)state;
    r_free_all();
    return 0;
}

static bool chosen(const char *name, int count, char **names) {
    for (int i = 0; i < count; i++) {
        if (strcmp(name, names[i]) == 0) return true;
    }
    return count == 0;
}

int main(int argc, char **argv) {
    if (argc == 3 && strcmp(argv[1], "--assemble") == 0) {
        if (record_print_page(stdout, argv[2], dpn_family_name)) return 0;
        fprintf(stderr, "t-accuracy: %s does not hold a file for every family\n", argv[2]);
        return 1;
    }
    enum { MOST_FAMILIES = 64 };
    static struct CMUnitTest tests[MOST_FAMILIES]; /* the runner skips rows without a name */
    size_t count = 0;
    for (size_t i = 0; dpn_family_name(i) && count < MOST_FAMILIES; i++) {
        char *name = (char *)(uintptr_t)dpn_family_name(i);
        if (chosen(name, argc - 1, argv + 1)) {
            tests[count++] = (struct CMUnitTest){.name = name, .test_func = test_family, .initial_state = name};
        }
    }
    if (count == 0) {
        fprintf(stderr, "t-accuracy: no family of that name\n");
        return 1;
    }
    return cmocka_run_group_tests_name("accuracy", tests, NULL, clean);
}
