/* Compositions through the public functions: special cases, the two engines against each other, and the inverse. */
#include <dpnoise/privacy.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

static dpn_part part_of(const char *text, double shift, uint64_t times) {
    dpn_part part = {.times = times};
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why) || dpn_loss_law(&part.loss, &law, shift, &why)) fail_msg("%s", why.sentence);
    return part;
}

static dpn_workspace *workspace;

static int make_workspace(void **state) {
    (void)state;
    return dpn_workspace_new(&workspace) != DPN_OK;
}

static int free_workspace(void **state) {
    (void)state;
    dpn_workspace_free(workspace);
    return 0;
}

static dpn_delta delta_by(dpn_method method, const dpn_part *part, size_t parts, double epsilon) {
    dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .method = method};
    dpn_delta delta;
    dpn_error why;
    if (dpn_compose_delta(&delta, workspace, part, parts, epsilon, &options, &why))
        fail_msg("method %d, epsilon %g: %s", method, epsilon, why.sentence);
    return delta;
}

static void assert_overlap(dpn_delta a, dpn_delta b) {
    if (!(a.log_lower <= b.log_upper && b.log_lower <= a.log_upper))
        fail_msg("[%.15g, %.15g] and [%.15g, %.15g]", a.lower, a.upper, b.lower, b.upper);
}

/* ---- special cases ---- */

static void ends_of_the_line(void **state) {
    (void)state;
    dpn_part part = part_of("truncated-laplace(scale=2,bound=11)", 1, 6);
    double infinite = -expm1(6 * log1p(-dpn_law_sf(&part.loss.law, 10)));
    dpn_delta delta = delta_by(DPN_METHOD_AUTO, &part, 1, INFINITY);
    assert_true(delta.lower <= infinite && delta.upper >= infinite && delta.upper < infinite * (1 + 1e-12));
    delta = delta_by(DPN_METHOD_AUTO, &part, 1, -INFINITY);
    assert_true(delta.lower == 1 && delta.upper == 1);

    dpn_part none = part_of("laplace(scale=1)", 0, 7), never = part_of("laplace(scale=1)", 1, 0),
             both[2] = {none, never};
    assert_true(delta_by(DPN_METHOD_AUTO, both, 2, 0).upper == 0);
    assert_true(delta_by(DPN_METHOD_AUTO, NULL, 0, 0.5).upper == 0);
    delta = delta_by(DPN_METHOD_AUTO, both, 2, -1);
    assert_true(delta.lower <= -expm1(-1) && delta.upper >= -expm1(-1) && delta.upper - delta.lower < 1e-14);
}

/* From the sum of the largest losses on delta is exactly 0: ten times 1/10, and blocks and pure losses beside. */
static void pure_compositions(void **state) {
    (void)state;
    dpn_part part[3] = {part_of("laplace(scale=10)", 1, 10), {.times = 4}, {.times = 3}};
    if (dpn_loss_block(&part[1].loss, 0.25, NULL) || dpn_loss_pure(&part[2].loss, 0.5, NULL)) fail();
    assert_true(delta_by(DPN_METHOD_AUTO, part, 1, 1).upper == 0);
    assert_true(delta_by(DPN_METHOD_AUTO, part + 1, 1, 1).upper == 0);
    assert_true(delta_by(DPN_METHOD_AUTO, part, 3, 3.5).upper < 1e-25);
    assert_true(delta_by(DPN_METHOD_AUTO, part, 3, 3.6).upper == 0);
    assert_true(delta_by(DPN_METHOD_AUTO, part, 1, 0.97).lower > 0);
    dpn_epsilon epsilon;
    if (dpn_compose_epsilon(&epsilon, workspace, part, 3, 0, NULL, NULL)) fail();
    assert_true(epsilon.lower <= 3.5 && epsilon.upper >= 3.5 && epsilon.upper - epsilon.lower < 1e-14);
}

/* One copy is its profile; Gaussian noise is one Gaussian release; the order and the grouping of the parts do not
 * matter. */
static void closed_forms_are_used(void **state) {
    (void)state;
    dpn_part part = part_of("osgt(m=3,sigma=6)", 1, 1);
    dpn_delta profile, delta = delta_by(DPN_METHOD_AUTO, &part, 1, 0.3);
    if (dpn_profile_delta(&profile, &part.loss.law, 1, 0.3, NULL)) fail();
    assert_memory_equal(&profile, &delta, sizeof delta);

    dpn_part gaussian[3] = {part_of("gaussian(sigma=1)", 3, 1), part_of("gaussian(sigma=2)", 8, 1),
                            part_of("gaussian(sigma=4)", 12, 16)};
    if (dpn_profile_delta(&profile, &gaussian[0].loss.law, 13, 70, NULL)) fail(); /* 9 + 16 + 144 = 13^2 */
    delta = delta_by(DPN_METHOD_AUTO, gaussian, 3, 70);
    assert_overlap(delta, profile);
    assert_true(delta.log_upper - delta.log_lower < 1e-9);
    assert_overlap(delta, delta_by(DPN_METHOD_CONTOUR, gaussian, 3, 70));

    dpn_part a = part_of("laplace(scale=10)", 1, 500), b = part_of("laplace(scale=10)", 1, 1000), split[2] = {a, a};
    dpn_delta one = delta_by(DPN_METHOD_AUTO, &b, 1, 10), two = delta_by(DPN_METHOD_AUTO, split, 2, 10);
    assert_memory_equal(&one, &two, sizeof one);
    assert_true(one.lower <= one.upper);
}

/* ---- the two engines ---- */

/* Whether both engines answered, and then alike: the FFT may refuse, but not err. */
static bool both_agree(const dpn_part *part, size_t parts, double epsilon) {
    dpn_delta contour = delta_by(DPN_METHOD_CONTOUR, part, parts, epsilon), fft;
    dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .method = DPN_METHOD_FFT};
    dpn_error why;
    assert_true(contour.log_upper - contour.log_lower <= 1e-6);
    assert_overlap(contour, delta_by(DPN_METHOD_AUTO, part, parts, epsilon));
    dpn_status status = dpn_compose_delta(&fft, workspace, part, parts, epsilon, &options, &why);
    if (status == DPN_EACCURACY) return false;
    if (status) fail_msg("%s", why.sentence);
    assert_overlap(contour, fft);
    assert_true(fft.log_upper - fft.log_lower <= 1e-5);
    return true;
}

static void engines_agree(void **state) {
    (void)state;
    dpn_part explicit_part = {.times = 40};
    static const double value[] = {-0.2, 0, 0.1, 0.3, INFINITY}, probability[] = {0.3, 0.2, 0.25, 0.2499, 0.0001};
    if (dpn_loss_explicit(&explicit_part.loss, value, probability, 5, NULL)) fail();
    const dpn_part subject[] = {
        part_of("laplace(scale=10)", 1, 20),
        part_of("laplace(scale=10)", 1, 400),
        part_of("flipped-huber(alpha=30,gamma=10)", 1, 30),
        part_of("flipped-huber(alpha=1,gamma=10)", 1, 10),
        part_of("osgt(m=5,sigma=10)", 1, 50),
        part_of("huber(alpha=10,gamma=10)", 1, 25),
        part_of("truncated-laplace(scale=8,bound=90)", 1, 12),
        part_of("logistic(scale=5)", 1, 30),
        part_of("discrete-gaussian(sigma=9)", 1, 40),
        part_of("discrete-laplace(scale=9)", 1, 60),
        part_of("staircase(epsilon=0.2,sensitivity=1,gamma=0.4)", 1, 30),
    };
    int compared = 0;
    for (size_t i = 0; i < sizeof subject / sizeof *subject; i++)
        for (double epsilon = 0.2; epsilon < 3; epsilon *= 3) compared += both_agree(&subject[i], 1, epsilon);
    dpn_part mixed[2] = {explicit_part, part_of("gaussian(sigma=5)", 1, 10)};
    for (double epsilon = -2; epsilon < 9; epsilon += 3) compared += both_agree(mixed, 2, epsilon);
    print_message("# %d compositions by both engines\n", compared);
    assert_true(compared >= 20);
}

/* ---- the inverse ---- */

static void epsilon_inverts_delta(void **state) {
    (void)state;
    const dpn_part subject[] = {part_of("laplace(scale=10)", 1, 1000),
                                part_of("osgt(m=5,sigma=30)", 1, 100),
                                part_of("flipped-huber(alpha=5,gamma=40)", 1, 1000000),
                                part_of("gaussian(sigma=50)", 1, 1000),
                                part_of("discrete-gaussian(sigma=20)", 1, 500),
                                part_of("truncated-laplace(scale=50,bound=1500)", 1, 5000),
                                part_of("laplace(scale=3)", 1, 1)};
    static const double delta[] = {0.3, 1e-3, 1e-9, 1e-40};
    double widest = 0;
    for (size_t i = 0; i < sizeof subject / sizeof *subject; i++)
        for (size_t j = 0; j < 4; j++) {
            dpn_epsilon epsilon;
            dpn_error why;
            if (dpn_compose_epsilon(&epsilon, workspace, &subject[i], 1, delta[j], NULL, &why))
                fail_msg("%zu, %g: %s", i, delta[j], why.sentence);
            assert_true(epsilon.lower >= 0 && epsilon.lower <= epsilon.upper);
            if (isinf(epsilon.upper)) {
                assert_true(delta_by(DPN_METHOD_AUTO, &subject[i], 1, INFINITY).lower > delta[j]);
                continue;
            }
            assert_true(delta_by(DPN_METHOD_AUTO, &subject[i], 1, epsilon.upper).upper <= delta[j]);
            if (epsilon.lower > 0)
                assert_true(delta_by(DPN_METHOD_AUTO, &subject[i], 1, epsilon.lower).lower > delta[j]);
            widest = fmax(widest, epsilon.upper - epsilon.lower);
        }
    print_message("# widest interval of epsilon: %.1e\n", widest);
    assert_true(widest < 1e-5);
}

static void epsilon_at_the_edges(void **state) {
    (void)state;
    dpn_part part = part_of("laplace(scale=10)", 1, 10);
    dpn_epsilon epsilon = {7, 7};
    if (dpn_compose_epsilon(&epsilon, workspace, &part, 1, 1, NULL, NULL)) fail();
    assert_true(epsilon.lower == 0 && epsilon.upper == 0);
    if (dpn_compose_epsilon(&epsilon, workspace, &part, 1, 0, NULL, NULL)) fail();
    assert_true(epsilon.lower <= 1 && epsilon.upper >= 1 && epsilon.upper - epsilon.lower < 1e-15);
    dpn_part gaussian = part_of("gaussian(sigma=10)", 1, 3);
    if (dpn_compose_epsilon(&epsilon, workspace, &gaussian, 1, 0, NULL, NULL)) fail();
    assert_true(isinf(epsilon.lower) && isinf(epsilon.upper));
    epsilon = (dpn_epsilon){7, 7};
    assert_int_equal(dpn_compose_epsilon(&epsilon, workspace, &part, 1, -0.1, NULL, NULL), DPN_EDOMAIN);
    assert_int_equal(dpn_compose_epsilon(&epsilon, workspace, &part, 1, NAN, NULL, NULL), DPN_EDOMAIN);
    assert_true(epsilon.lower == 7);
}

/* ---- refusals ---- */

/* Losses whose squares or fourth powers underflow, and the double below the largest loss: right, or refused. For tiny losses delta(0) is
 * proportional to the sensitivity. */
static void tiny_and_largest(void **state) {
    (void)state;
    dpn_delta delta, larger;
    dpn_error why;
    dpn_part part = part_of("gaussian(sigma=1)", 1e-165, 4);
    delta = delta_by(DPN_METHOD_AUTO, &part, 1, 0);
    double truth = 2e-165 * 0.3989422804014327; /* density at 0 of a standard Gaussian */
    assert_true(delta.lower <= truth * (1 + 1e-9) && delta.upper >= truth * (1 - 1e-9) &&
                delta.upper < truth * (1 + 1e-6));
    static const char *const texts[] = {"logistic(scale=1)", "osgt(m=3,sigma=6.3)", "huber(alpha=1,gamma=1)"};
    for (size_t i = 0; i < 3; i++) {
        part = part_of(texts[i], 1e-12, 20);
        larger = delta_by(DPN_METHOD_CONTOUR, &part, 1, 0);
        for (double shift = 1e-60; shift > 1e-110; shift *= 1e-10) {
            part = part_of(texts[i], shift, 20);
            if (dpn_compose_delta(&delta, workspace, &part, 1, 0, NULL, &why)) continue;
            assert_true(delta.lower <= larger.upper / 1e-12 * shift * (1 + 1e-9));
            assert_true(delta.upper >= larger.lower / 1e-12 * shift * (1 - 1e-9));
        }
    }
    /* 2 (0.9 + 0.1) in doubles is 2 and 5.6e-17 more, so that delta(2) is not 0. */
    dpn_part pure[2] = {{.times = 2}, {.times = 2}};
    assert_int_equal(dpn_loss_pure(&pure[0].loss, 0.9, NULL), DPN_OK);
    assert_int_equal(dpn_loss_pure(&pure[1].loss, 0.1, NULL), DPN_OK);
    delta = delta_by(DPN_METHOD_AUTO, pure, 2, 2);
    assert_true(delta.lower < 7.74e-18 && delta.upper > 7.72e-18 && delta.upper < delta.lower * (1 + 1e-6));
    /* N times the loss 1, some doubles below N: all losses are 1 with the probability (1 + 1/e)^-N, and delta is that times 1 - e^-gap. */
    for (uint64_t times = 2; times < 1000; times *= 3)
        for (int below = 1; below < 40; below *= 3) {
            double gap = below * ((double)times - nextafter((double)times, 0));
            pure[0].times = times;
            assert_int_equal(dpn_loss_pure(&pure[0].loss, 1, NULL), DPN_OK);
            delta = delta_by(DPN_METHOD_AUTO, pure, 1, (double)times - gap);
            truth = pow(1 + exp(-1), -(double)times) * -expm1(-gap);
            assert_true(delta.lower <= truth * (1 + 1e-12) && truth * (1 - 1e-12) <= delta.upper);
            assert_true(delta.lower < delta.upper && delta.upper <= delta.lower * (1 + 1e-6));
        }
}

static void bad_arguments(void **state) {
    (void)state;
    dpn_part part = part_of("laplace(scale=10)", 1, 10), empty = {.times = 1};
    dpn_delta delta = {7, 7, 7, 7};
    dpn_error why;
    dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .accuracy = -1};
    assert_int_equal(dpn_compose_delta(&delta, workspace, &part, 1, NAN, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_compose_delta(&delta, workspace, &part, 1, 1, &options, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_compose_delta(&delta, workspace, &empty, 1, 1, NULL, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_compose_delta(&delta, workspace, NULL, 1, 1, NULL, &why), DPN_EDOMAIN);
    options = (dpn_accounting_options){.size = sizeof(dpn_accounting_options), .method = DPN_METHOD_FFT};
    assert_int_equal(dpn_compose_delta(&delta, NULL, &part, 1, 0.5, &options, &why), DPN_EDOMAIN);
    options = (dpn_accounting_options){
        .size = sizeof(dpn_accounting_options), .accuracy = 1e-16, .method = DPN_METHOD_CONTOUR};
    assert_int_equal(dpn_compose_delta(&delta, workspace, &part, 1, 0.5, &options, &why), DPN_EACCURACY);
    assert_true(delta.upper == 7);

    dpn_loss loss;
    memset(&loss, 0, sizeof loss);
    static const double value[] = {-1, 0.5}, wrong[] = {1, 1}, sum[] = {0.5, 0.4}, heavy[] = {0.9, 0.1},
                        fine[] = {0.25, 0.75};
    assert_int_equal(dpn_loss_explicit(&loss, value, sum, 2, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_explicit(&loss, value, heavy, 2, &why), DPN_EDOMAIN); /* more than 1 under Q */
    assert_int_equal(dpn_loss_explicit(&loss, wrong, fine, 2, &why), DPN_EDOMAIN);  /* not increasing */
    assert_int_equal(dpn_loss_explicit(&loss, value, fine, 0, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_pure(&loss, -1, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_block(&loss, INFINITY, &why), DPN_EDOMAIN);
    assert_int_equal(dpn_loss_law(&loss, &part.loss.law, -1, &why), DPN_EDOMAIN);
    dpn_law discrete;
    if (dpn_law_parse(&discrete, "discrete-laplace(scale=2)", NULL)) fail();
    assert_int_equal(dpn_loss_law(&loss, &discrete, 0.5, &why), DPN_EDOMAIN);
    assert_null(loss.kind);
}

/* Where the usual accuracy is out of reach the interval is wider, and there is one at once. One release far out has the logarithm
 * of its tail, -(t/s)^p/p at the t where the loss reaches epsilon, up to a few thousandths; two of Huber noise whose slope changes
 * far beyond all that counts are two of Gaussian noise. */
static void there_is_always_an_interval(void **state) {
    (void)state;
    dpn_part far = part_of("subbotin(p=3,scale=1)", 0.01, 1), slow = part_of("subbotin(p=1.01,scale=2)", 1, 1);
    dpn_part huber = part_of("huber(alpha=100,gamma=2)", 1, 2), gaussian = part_of("gaussian(sigma=2)", 1, 2);
    dpn_delta delta = delta_by(DPN_METHOD_AUTO, &far, 1, 7000);
    double t = sqrt(700000 + 0.000025) - 0.005; /* ((t + d)^3 - t^3)/3 = 7000 but for d^3/3 */
    assert_true(delta.log_lower <= delta.log_upper && fabs(delta.log_upper / -(t * t * t / 3) - 1) < 1e-6);
    delta = delta_by(DPN_METHOD_AUTO, &slow, 1, 1.5);
    assert_true(delta.upper <= 1e-300 && delta.log_upper < -1e47);
    delta = delta_by(DPN_METHOD_AUTO, &huber, 1, 4);
    dpn_delta truth = delta_by(DPN_METHOD_AUTO, &gaussian, 1, 4);
    assert_true(delta.lower <= truth.upper && truth.lower <= delta.upper && delta.upper < 1.001 * delta.lower);
    /* What a calibration certified in passing is not wider by default: the contour sum takes 30 ms for 1e-4. */
    dpn_part several[] = {part_of("huber(alpha=25.79919867876987,gamma=18.555058650500023)", 0.398076, 1),
                          part_of("huber(alpha=24.528090980538188,gamma=19.253738076534873)", 0.512139, 1),
                          part_of("huber(alpha=18.858544090215723,gamma=20.1410375367673)", 1.17777, 1),
                          part_of("huber(alpha=26.178507162931073,gamma=16.90992745797944)", 0.271584, 1),
                          part_of("huber(alpha=24.764344653335957,gamma=24.54739033275283)", 1.17777, 1)};
    delta = delta_by(DPN_METHOD_AUTO, several, 5, 0.172482);
    assert_true(delta.lower > 7.33e-6 && delta.upper < 7.34e-6 && delta.upper <= delta.lower * (1 + 1e-4));
}

/* The values that a loss of noise on the integers has, with their probabilities, from the definition; equal ones are one. */
enum { OUTCOMES = 400 };
typedef struct outcomes {
    size_t count;
    double value[OUTCOMES], probability[OUTCOMES];
} outcomes;

static outcomes outcomes_of(const dpn_part *part) {
    outcomes out = {0};
    for (int k = -150; k <= 150; k++) {
        double p = dpn_law_pdf(&part->loss.law, k);
        double value =
            dpn_law_log_pdf(&part->loss.law, k) - dpn_law_log_pdf(&part->loss.law, k - part->loss.sensitivity);
        size_t i = 0;
        if (!(p > 0)) continue;
        while (i < out.count && fabs(out.value[i] - value) > 1e-11) i++;
        out.value[i] = value;
        out.probability[i] += p;
        out.count += i == out.count;
    }
    return out;
}

static outcomes sum_of(const outcomes *a, const outcomes *b) {
    outcomes out = {0};
    for (size_t i = 0; i < a->count; i++) {
        for (size_t j = 0; j < b->count; j++) {
            double value = a->value[i] + b->value[j];
            size_t k = 0;
            while (k < out.count && fabs(out.value[k] - value) > 1e-10) k++;
            assert_true(k < OUTCOMES);
            out.value[k] = value;
            out.probability[k] += a->probability[i] * b->probability[j];
            out.count += k == out.count;
        }
    }
    return out;
}

static double delta_of_all(const outcomes *a, const outcomes *b, const outcomes *c, double epsilon) {
    double delta = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++)
            for (size_t k = 0; k < c->count; k++) {
                double excess = a->value[i] + b->value[j] + c->value[k] - epsilon;
                if (excess > 0) delta -= a->probability[i] * b->probability[j] * c->probability[k] * expm1(-excess);
            }
    return delta;
}

/* Atoms on no lattice, which the FFT refuses and the contour sum has to blur: epsilon is found, and holds against all outcomes added up. Of
 * smooth noise among which a few atoms are an epsilon is found too, between that of the smooth noise alone and what the others can add. */
static void epsilon_where_engines_refuse(void **state) {
    (void)state;
    const double target = 1.77e-5;
    dpn_part atoms[] = {part_of("discrete-osgt(m=4,sigma=11.1)", 1, 1), part_of("discrete-osgt(m=1,sigma=2.15)", 1, 1),
                        part_of("discrete-laplace(scale=1.92)", 3, 2)};
    dpn_part mixed[] = {part_of("discrete-flipped-huber(alpha=1,gamma=2.16)", 3, 2),
                        part_of("laplace(scale=0.691)", 0.73, 100)};
    outcomes a = outcomes_of(&atoms[0]), b = outcomes_of(&atoms[1]), once = outcomes_of(&atoms[2]);
    outcomes c = sum_of(&once, &once);
    dpn_epsilon epsilon, without;
    dpn_error why;
    if (dpn_compose_epsilon(&epsilon, workspace, atoms, 3, target, NULL, &why)) fail_msg("%s", why.sentence);
    assert_true(delta_of_all(&a, &b, &c, epsilon.upper) <= target * (1 + 1e-9));
    assert_true(delta_of_all(&a, &b, &c, epsilon.lower) >= target * (1 - 1e-9));
    assert_true(epsilon.upper - epsilon.lower < 1e-3);
    if (dpn_compose_epsilon(&epsilon, workspace, mixed, 2, 1.42e-6, NULL, &why)) fail_msg("%s", why.sentence);
    if (dpn_compose_epsilon(&without, workspace, mixed + 1, 1, 1.42e-6, NULL, &why)) fail_msg("%s", why.sentence);
    outcomes one = outcomes_of(&mixed[0]);
    double most = 0; /* the largest loss of an outcome that is likelier than 1e-12 */
    for (size_t i = 0; i < one.count; i++)
        if (one.probability[i] > 1e-12) most = fmax(most, one.value[i]);
    assert_true(epsilon.lower > without.lower && epsilon.upper < without.upper + 2 * most);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_of_the_line),
        cmocka_unit_test(pure_compositions),
        cmocka_unit_test(closed_forms_are_used),
        cmocka_unit_test(engines_agree),
        cmocka_unit_test(epsilon_inverts_delta),
        cmocka_unit_test(epsilon_at_the_edges),
        cmocka_unit_test(tiny_and_largest),
        cmocka_unit_test(bad_arguments),
        cmocka_unit_test(there_is_always_an_interval),
        cmocka_unit_test(epsilon_where_engines_refuse),
    };
    return cmocka_run_group_tests(tests, make_workspace, free_workspace);
}
