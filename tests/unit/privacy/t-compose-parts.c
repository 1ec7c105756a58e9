/* What compositions are made of before any engine runs, piece by piece: equal losses, infinite mass, Gaussian roots, the largest loss alone and the bounds by moments. */
#include "privacy/compose/compose.h"
#include "privacy/compose/compose.c" /* to see each piece */

#include "case.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static dpn_loss law_loss(const char *text, double shift) {
    dpn_law law = case_law(text);
    dpn_loss loss;
    if (dpn_loss_law(&loss, &law, shift, NULL)) fail();
    return loss;
}

static dpn_loss pure_loss(double epsilon) {
    dpn_loss loss;
    if (dpn_loss_pure(&loss, epsilon, NULL)) fail();
    return loss;
}

static dpn_loss list_loss(const double *value, const double *probability, size_t count) {
    dpn_loss loss;
    if (dpn_loss_explicit(&loss, value, probability, count, NULL)) fail();
    return loss;
}

/* ---- what is put together ---- */

static void equal_losses(void **state) {
    (void)state;
    static const double value[] = {-0.5, 0.3}, other_value[] = {-0.5, 0.3}, probability[] = {0.2, 0.8},
                        other_probability[] = {0.2, 0.8};
    dpn_loss loss[14] = {pure_loss(0.3),
                         pure_loss(0.4),
                         law_loss("laplace(scale=1)", 1),
                         law_loss("laplace(scale=1)", 2),
                         law_loss("laplace(scale=2)", 1),
                         law_loss("gaussian(sigma=1)", 1),
                         list_loss(value, probability, 2),
                         list_loss(other_value, probability, 2),
                         list_loss(value, other_probability, 2),
                         list_loss(value, probability, 2)};
    size_t count = 10;
    loss[9].count = 1;
    if (dpn_loss_l2(&loss[count++], 1, 3, NULL) || dpn_loss_l2(&loss[count++], 1, 4, NULL) ||
        dpn_loss_l2(&loss[count++], 2, 3, NULL) || dpn_loss_spherical(&loss[count++], 1, 1, 3, NULL))
        fail();
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            dpn_loss copy = loss[k];
            assert_int_equal(same(&loss[i], &copy), i == k);
        }
    dpn_loss two = law_loss("flipped-huber(alpha=1,gamma=2)", 1), three = law_loss("flipped-huber(alpha=1,gamma=3)", 1);
    assert_false(same(&two, &three)); /* in any parameter */
    assert_true(same(&two, &two));
}

static void losses_that_vanish(void **state) {
    (void)state;
    static const double zero[] = {0, 0}, one[] = {1}, none[] = {0.5}, both[] = {0, 0.1}, half[] = {0.5, 0.5};
    dpn_loss l2;
    if (dpn_loss_l2(&l2, 1, 3, NULL)) fail();
    struct {
        dpn_loss loss;
        bool vanishes;
    } row[] = {{law_loss("laplace(scale=1)", 0), true},
               {law_loss("laplace(scale=1)", 1e-300), false},
               {pure_loss(0), true},
               {pure_loss(1e-300), false},
               {list_loss(zero, one, 1), true},
               {l2, false}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) assert_int_equal(always_zero(&row[i].loss), row[i].vanishes);
    dpn_loss list = list_loss(zero, one, 1);
    list.value = none;
    assert_false(always_zero(&list));
    list.value = both;
    list.probability = half;
    list.count = 2;
    assert_false(always_zero(&list));
}

static void parts_are_gathered(void **state) {
    (void)state;
    const uint64_t most = UINT64_MAX;
    dpn_part part[9] = {{pure_loss(0.3), 4},
                        {law_loss("laplace(scale=1)", 1), 2},
                        {pure_loss(0.3), most - 4},
                        {pure_loss(0), 5},
                        {pure_loss(0.4), 0},
                        {law_loss("laplace(scale=1)", 1), 7},
                        {pure_loss(0.3), 1},
                        {pure_loss(0.4), 3},
                        {law_loss("laplace(scale=1)", 0), 3}},
             out[9];
    assert_int_equal(gather(out, part, 9), 4);
    assert_true(out[0].loss.epsilon == 0.3 && out[0].times == most); /* what does not fit is a part of its own */
    assert_true(out[1].times == 9 && out[2].times == 1 && out[2].loss.epsilon == 0.3);
    assert_true(out[3].times == 3 && out[3].loss.epsilon == 0.4);
    assert_int_equal(gather(out, part, 0), 0);
}

/* ---- what is refused ---- */

static void refusals(void **state) {
    (void)state;
    dpn_part part[2] = {{pure_loss(0.3), 4}, {pure_loss(0.4), 4}};
    dpn_accounting_options options = {.size = sizeof options};
    dpn_composition composition = {.parts = 77};
    dpn_error why;
    assert_int_equal(check(NULL, 0, &options, &why), DPN_OK);
    assert_int_equal(check(part, 2, &options, &why), DPN_OK);
    assert_int_equal(check(NULL, 1, &options, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "part must not be NULL");
    part[1].loss.kind = NULL;
    assert_int_equal(check(part, 1, &options, &why), DPN_OK);
    assert_int_equal(check(part, 2, &options, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "part 1 of the composition has no loss");
    assert_int_equal(dpn_composition_open(&composition, NULL, part, 2, &options, &why), DPN_EDOMAIN);
    assert_true(composition.parts == 77);
    static const double bad[] = {-1e-300, NAN, INFINITY};
    for (int i = 0; i < 3; i++) {
        options.accuracy = bad[i];
        assert_int_equal(check(part, 1, &options, &why), DPN_EDOMAIN);
        assert_string_equal(why.sentence, "accuracy must be finite and not negative");
    }
    options.accuracy = 1e300;
    for (int method = -1; method < 4; method++) {
        options.method = (dpn_method)method;
        bool good = method == DPN_METHOD_AUTO || method == DPN_METHOD_CONTOUR || method == DPN_METHOD_FFT;
        assert_int_equal(check(part, 1, &options, &why), good ? DPN_OK : DPN_EDOMAIN);
        if (!good) assert_string_equal(why.sentence, "method must be one of DPN_METHOD_*");
    }
    dpn_delta delta[2] = {{7, 7, 7, 7}, {7, 7, 7, 7}};
    const double numbers[] = {1, NAN};
    assert_int_equal(dpn_compose_curve(delta, NULL, part, 1, NULL, 1, NULL, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "epsilon must not be NULL");
    assert_int_equal(dpn_compose_curve(delta, NULL, part, 1, numbers, 2, NULL, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "epsilon must be a number");
    assert_int_equal(dpn_compose_curve(delta, NULL, part, 1, NULL, 0, NULL, &why), DPN_OK);
    assert_true(delta[0].lower == 7);
    dpn_accounting_options fft = {.size = sizeof fft, .method = DPN_METHOD_FFT};
    assert_int_equal(dpn_compose_curve(delta, NULL, part, 1, numbers, 1, &fft, &why), DPN_EDOMAIN);
    assert_string_equal(why.sentence, "the FFT needs a workspace");
    assert_true(delta[0].lower == 7 && delta[1].upper == 7);
    assert_int_equal(dpn_compose_curve(delta, NULL, part, 1, numbers, 1, NULL, &why), DPN_OK);
    assert_true(delta[0].lower < 1 && delta[1].lower == 7);
}

static void ends(void **state) {
    (void)state;
    dpn_composition none = {.parts = 0};
    dpn_delta delta;
    assert_int_equal(dpn_composition_delta(&delta, &none, -INFINITY, NULL), DPN_OK);
    assert_true(delta.lower == 1 && delta.upper == 1 && delta.log_lower == 0);
    for (double epsilon = -4; epsilon < 4; epsilon += 0.5) { /* no loss at all */
        double wanted = epsilon < 0 ? 1 - exp(epsilon) : 0;
        assert_int_equal(dpn_composition_delta(&delta, &none, epsilon, NULL), DPN_OK);
        assert_true(delta.lower <= wanted && wanted <= delta.upper && delta.upper - delta.lower <= 2e-14 * wanted);
    }
    static const double accuracies[] = {0, 1e-6, 1e-3};
    for (int i = 0; i < 3; i++) {
        double allowed = log1p(i ? accuracies[i] : 1e-6);
        dpn_delta wide = {.log_lower = -3, .log_upper = -3 + allowed * 0.999};
        assert_true(close_enough(&wide, accuracies[i]));
        wide.log_upper = -3 + allowed * 1.001;
        assert_false(close_enough(&wide, accuracies[i]));
    }
    assert_true(is_refusal(DPN_EACCURACY) && is_refusal(DPN_EUNSUPPORTED));
    assert_false(is_refusal(DPN_OK) || is_refusal(DPN_ENOMEM) || is_refusal(DPN_ECANCELLED));
    dpn_part slow[2] = {{law_loss("laplace(scale=1)", 1), 1}, {law_loss("huber(alpha=0.5,gamma=1)", 1), 1}};
    bool form = dpn_closed_form_of(&slow[1].loss.law) && dpn_closed_form_of(&slow[1].loss.law)->slow;
    assert_int_equal(slow_profiles(slow, 2), form);
    assert_false(slow_profiles(slow, 1) || slow_profiles(slow, 0));
}

/* ---- special cases ---- */

static void infinite_masses(void **state) {
    (void)state;
    static const double value[] = {-0.5, 0.3, INFINITY}, first[] = {0.2, 0.7, 0.1}, second[] = {0.3, 0.65, 0.05};
    for (uint64_t times = 1; times < 3000; times *= 7) {
        dpn_part part[3] = {
            {list_loss(value, first, 3), times}, {list_loss(value, second, 3), 2 * times}, {pure_loss(1), 5}};
        for (size_t parts = 1; parts < 4; parts++) {
            dpn_delta delta;
            assert_int_equal(infinite_mass(&delta, part, parts, NULL), DPN_OK);
            long double finite = powl(0.9L, times) * (parts > 1 ? powl(0.95L, 2 * times) : 1);
            long double log_mass = log1pl(-finite);
            double slack = (8 + (double)parts) * DBL_EPSILON,
                   own = 40 * DBL_EPSILON * (1 + (double)times) * (double)finite;
            assert_true(delta.log_lower <= log_mass && log_mass <= delta.log_upper);
            assert_true(delta.log_upper - delta.log_lower >= 0.9 * slack);
            assert_true(delta.log_upper - delta.log_lower <= 2.1 * slack + own);
        }
    }
    dpn_part part = {pure_loss(1), 5};
    dpn_delta delta;
    assert_int_equal(infinite_mass(&delta, &part, 1, NULL), DPN_OK);
    assert_true(delta.lower == 0 && delta.upper == 0 && delta.log_upper == -INFINITY && delta.log_lower == -INFINITY);
    assert_int_equal(infinite_mass(&delta, &part, 0, NULL), DPN_OK);
    assert_true(delta.upper == 0);
}

/* The root of the squares, rounded down and up by little. */
static void gaussian_roots(void **state) {
    (void)state;
    static const double unit[] = {1, 1e-150, 1e-200, 1e150};
    for (int i = 0; i < 4; i++)
        for (size_t parts = 1; parts <= 3; parts++) {
            dpn_part part[3] = {{law_loss("gaussian(sigma=2)", 3 * unit[i]), 7},
                                {law_loss("gaussian(sigma=0.7)", 0.1 * unit[i]), 1000},
                                {law_loss("subbotin(p=2,scale=3)", unit[i]), 2}};
            long double square = 0;
            static const double times[] = {7, 1000, 2}, shift[] = {3, 0.1, 1}, sigma[] = {2, 0.7, 3};
            for (size_t k = 0; k < parts; k++) {
                long double ratio = (long double)shift[k] / sigma[k];
                square += times[k] * ratio * ratio;
            }
            dpn_loss loss[2];
            assert_true(dpn_compose_gaussian(loss, part, parts));
            long double root = sqrtl(square) * unit[i];
            if (parts == 3 && !(dpn_law_gaussian(&part[2].loss.law) == 3)) root = NAN; /* of another scale */
            double slack = (8 + (double)parts) * DBL_EPSILON;
            if (isnan((double)root)) continue;
            assert_true(loss[0].sensitivity <= root * (1 - 0.8L * slack) &&
                        loss[0].sensitivity >= root * (1 - 1.3L * slack));
            assert_true(loss[1].sensitivity >= root * (1 + 0.8L * slack) &&
                        loss[1].sensitivity <= root * (1 + 1.3L * slack));
        }
    dpn_part part[2] = {{law_loss("gaussian(sigma=2)", 3), 7}, {law_loss("laplace(scale=2)", 3), 7}};
    dpn_loss loss[2];
    assert_false(dpn_compose_gaussian(loss, part, 2) || dpn_compose_gaussian(loss, part, 0));
    part[1].loss = pure_loss(1);
    assert_false(dpn_compose_gaussian(loss, part, 2));
    part[1].loss = law_loss("gaussian(sigma=2)", 0);
    assert_false(dpn_compose_gaussian(loss, part, 2));
    /* delta of the lower root below, of the upper one above. */
    dpn_delta both, one;
    loss[0] = law_loss("gaussian(sigma=1)", 1);
    loss[1] = law_loss("gaussian(sigma=1)", 1.5);
    assert_int_equal(gaussian_delta(&both, loss, 1, NULL), DPN_OK);
    assert_int_equal(loss[0].kind->delta(&one, &loss[0], 1, NULL), DPN_OK);
    assert_true(both.lower == one.lower && both.log_lower == one.log_lower);
    assert_int_equal(loss[1].kind->delta(&one, &loss[1], 1, NULL), DPN_OK);
    assert_true(both.upper == one.upper && both.log_upper == one.log_upper);
}

/* Where only the outcome of all the largest losses exceeds epsilon. */
static void the_largest_loss_alone(void **state) {
    (void)state;
    int exact = 0;
    for (uint64_t times = 1; times < 300; times *= 6) {
        dpn_part part[2] = {{pure_loss(0.3), times}, {pure_loss(0.5), 2 * times}};
        double n = (double)times;
        long double largest = n * (long double)0.3 + 2 * n * (long double)0.5, second = largest - 2 * (long double)0.3;
        long double log_mass = -n * log1pl(expl(-(long double)0.3)) - 2 * n * log1pl(expl(-(long double)0.5));
        for (double share = 1e-6; share < 1.2; share += 0.0999) {
            double epsilon = (double)(largest - share * 0.6L);
            dpn_delta delta = {7, 7, 7, 7};
            bool found = largest_alone(&delta, part, 2, epsilon);
            assert_int_equal(found, epsilon > second);
            if (!found) assert_true(delta.lower == 7);
            if (!found) continue;
            long double wanted = log_mass + logl(-expm1l((long double)epsilon - largest));
            if (!(delta.log_lower <= wanted && wanted <= delta.log_upper))
                fail_msg("%g: %.17g to %.17g", epsilon, delta.log_lower, delta.log_upper);
            double size = (double)(1 + 2 + fabsl(wanted) + fabsl(log_mass));
            double slack = 8 * DBL_EPSILON * size + 0x1p-87 * (double)(largest / (largest - epsilon));
            assert_true(fabs(delta.log_upper - (double)wanted - slack) <= 0.5 * slack);
            assert_true(fabs((double)wanted - delta.log_lower - slack) <= 0.5 * slack);
        }
        dpn_delta delta;
        double next = (double)largest; /* what lies between is known to a share of its own */
        if (next < largest) {
            assert_true(largest_alone(&delta, part, 2, next));
            double wanted = (double)(log_mass + logl(largest - next)), size = 3 + fabs(wanted) + fabs((double)log_mass);
            double slack = 8 * DBL_EPSILON * size + 0x1p-87 * (double)(largest / (largest - next));
            assert_true(slack > 1e-11 && fabs(delta.log_upper - wanted - slack) <= 0.1 * slack);
            assert_true(fabs(wanted - delta.log_lower - slack) <= 0.1 * slack);
            exact++;
        }
        assert_false(largest_alone(&delta, part, 2, (double)largest * (1 + 1e-15)));
        assert_false(largest_alone(&delta, part, 2, (double)second));
        part[1].loss = law_loss("laplace(scale=2)", 1);
        assert_false(largest_alone(&delta, part, 2, (double)largest - 0.1));
    }
    assert_true(exact > 0);
}

/* ---- moments ---- */

static void moments_bound(void **state) {
    (void)state;
    dpn_part part[2] = {{.times = 3}, {.times = 2}};
    if (dpn_loss_l2(&part[0].loss, 1, 5, NULL) || dpn_loss_l2(&part[1].loss, 0.7, 3, NULL)) fail();
    dpn_composition composition = {.part = part, .parts = 2};
    for (double theta = 0.01; theta < 1e4; theta *= 5)
        for (double epsilon = 0; epsilon < 5; epsilon += 1.3) {
            double lower, first, second, most = 0, peak = log1p(1 / theta);
            if (part[0].loss.kind->cumulant(&lower, &first, &part[0].loss, theta, NULL)) continue;
            assert_int_equal(part[1].loss.kind->cumulant(&lower, &second, &part[1].loss, theta, NULL), DPN_OK);
            for (double y = 0; y < 10 * peak; y += 1e-3 * peak) most = fmax(most, -expm1(-y) * exp(-theta * y));
            double wanted = 3 * first + 2 * second - theta * epsilon + log(most),
                   found = moment_bound(&composition, epsilon, theta);
            assert_true(found >= wanted - 1e-13 * (1 + fabs(wanted)));
            assert_true(found <= wanted + 1e-5 + 1e-13 * (theta * (1 + epsilon)));
            /* A margin for the rounding of each term. */
            double sizes = 3 * first + 2 * second + theta * epsilon - log(most);
            long double exact = 3 * (long double)first + 2 * (long double)second - (long double)theta * epsilon -
                                theta * log1pl(1 / (long double)theta) - log1pl(theta);
            double margin = (double)(found - exact);
            if (!(margin >= 8 * DBL_EPSILON * sizes && margin <= 12.1 * DBL_EPSILON * sizes))
                fail_msg("theta %g: a margin of %g units", theta, margin / DBL_EPSILON / sizes);
        }
    part[1].loss = pure_loss(1); /* which has no moments here */
    assert_true(moment_bound(&composition, 1, 2) == INFINITY);
    dpn_delta delta = {7, 7, 7, 7};
    assert_false(by_moments(&delta, &composition, 1));
    assert_true(delta.lower == 7);
}

static void the_best_moment(void **state) {
    (void)state;
    dpn_part part = {.times = 2};
    if (dpn_loss_l2(&part.loss, 1, 5, NULL)) fail();
    dpn_composition composition = {.part = &part, .parts = 1};
    dpn_delta delta;
    for (double epsilon = 0.1; epsilon < 2; epsilon += 0.6) {
        double least = INFINITY;
        assert_true(by_moments(&delta, &composition, epsilon));
        for (double theta = 1e-2; theta < 1e7; theta *= 1.02)
            least = fmin(least, moment_bound(&composition, epsilon, theta));
        least = fmin(least, 0);
        assert_true(delta.lower == 0 && delta.log_lower == -INFINITY);
        if (!(delta.log_upper <= least + 1e-6 && delta.log_upper >= least - 1e-3 * fabs(least)))
            fail_msg("epsilon %g: %.17g, not %.17g", epsilon, delta.log_upper, least);
    }
    assert_true(by_moments(&delta, &composition, 0) && !by_moments(&delta, &composition, -1e-9));
}

/* Of one part alone the part counts, not what lies behind it. */
static void the_first_part(void **state) {
    (void)state;
    dpn_part part[2] = {{law_loss("laplace(scale=1)", 1), 1}, {law_loss("laplace(scale=1)", 0.1), 1}};
    static const double shifts[] = {0.5, 1};
    for (int i = 0; i < 2; i++)
        for (int asked = 0; asked < 2; asked++) {
            part[0].loss = law_loss("laplace(scale=1)", shifts[i]);
            part[1].loss = i ? pure_loss(3) : law_loss("laplace(scale=1)", 0.1);
            dpn_composition composition = {.part = part, .parts = 1, .options = {.accuracy = asked * 1e-9}};
            dpn_delta delta = {7, 7, 7, 7};
            assert_int_equal(by_any(&delta, &composition, 0.2, NULL), DPN_OK);
            assert_true(fabs(delta.log_upper - log(-expm1(0.5 * (0.2 - shifts[i])))) < 1e-12);
        }
    /* The quickest way that is accurate enough: several Gaussians are one. */
    part[0] = (dpn_part){law_loss("gaussian(sigma=1)", 1), 4};
    dpn_composition composition = {.part = part, .parts = 1};
    dpn_loss two = law_loss("gaussian(sigma=1)", 2);
    dpn_delta delta, wanted;
    assert_int_equal(by_any(&delta, &composition, 1, NULL), DPN_OK);
    assert_int_equal(two.kind->delta(&wanted, &two, 1, NULL), DPN_OK);
    if (!(delta.log_lower <= wanted.log_upper && wanted.log_lower <= delta.log_upper &&
          delta.log_upper - delta.log_lower <= wanted.log_upper - wanted.log_lower + 1e-12))
        fail_msg("%.17g to %.17g, not %.17g to %.17g", delta.log_lower, delta.log_upper, wanted.log_lower,
                 wanted.log_upper);
}

/* At the largest loss of several all that is left is known to be next to nothing, beside the mass at infinity. */
static void at_the_largest_loss(void **state) {
    (void)state;
    static const double value[] = {-0.5, 0.25, INFINITY}, probability[] = {0.2, 0.7, 0.1};
    dpn_part part[2] = {{pure_loss(0.25), 3}, {pure_loss(0.5), 2}};
    dpn_composition composition = {.part = part, .parts = 2};
    dpn_delta delta;
    for (int with = 0; with < 2; with++) {
        if (with) part[0].loss = list_loss(value, probability, 3);
        double mass = with ? 1 - 0.9 * 0.9 * 0.9 : 0;
        assert_int_equal(dpn_composition_delta(&delta, &composition, 1.75, NULL), DPN_OK);
        assert_true(delta.lower <= mass && mass < delta.upper && delta.upper - delta.lower <= 1e-13 * mass + 0x1p-85);
        if (with) assert_true(delta.log_lower < log(mass) && log(mass) < delta.log_upper);
        if (!with) assert_true(delta.upper >= 0x1p-88);
        assert_int_equal(dpn_composition_delta(&delta, &composition, 2, NULL), DPN_OK);
        assert_true(delta.lower <= mass && mass <= delta.upper && delta.upper - delta.lower <= 1e-13 * mass);
    }
}

/* Who asks for an accuracy that cannot be had, or has no time, gets no wider interval; who does not gets one. */
static void accuracy_that_was_asked_for(void **state) {
    (void)state;
    static double value[21], probability[21];
    double q = 0;
    for (int i = 0; i < 21; i++) { /* atoms on no lattice */
        value[i] = 0.01 * i + 1e-3 * sin(i) - 0.1;
        probability[i] = 1.0 / 21;
        q += exp(-value[i]) / 21;
    }
    for (int i = 0; i < 21; i++) value[i] += log(q) + 1e-9;
    dpn_part part = {list_loss(value, probability, 21), 1000};
    dpn_accounting_options options = {.size = sizeof options};
    dpn_delta delta;
    dpn_error why;
    for (int i = 0; i < 3; i++) {
        dpn_composition composition;
        options.accuracy = i == 1 ? 1e-6 : 0;
        assert_int_equal(dpn_composition_open(&composition, NULL, &part, 1, &options, &why), DPN_OK);
        composition.reader.brief = i == 2;
        delta = (dpn_delta){7, 7, 7, 7};
        dpn_status status = dpn_composition_delta(&delta, &composition, 4, &why);
        assert_int_equal(status, i ? DPN_EACCURACY : DPN_OK);
        if (!i)
            assert_true(delta.lower > 0 && delta.upper < 1 && composition.options.accuracy == 0 &&
                        !composition.reader.brief);
        dpn_composition_close(&composition);
    }
    const double first[] = {NAN, 1};
    assert_int_equal(dpn_compose_curve(&delta, NULL, &part, 1, first, 2, NULL, &why), DPN_EDOMAIN);
}

/* One release of noise: what its profile is known to, if it is known at all. */
static void one_release(void **state) {
    (void)state;
    dpn_part part[2] = {{law_loss("laplace(scale=1)", 1), 1}, {pure_loss(0.5), 1}};
    dpn_composition composition = {.part = part, .parts = 1};
    dpn_delta delta;
    for (double epsilon = 0; epsilon < 1; epsilon += 0.3) {
        assert_true(alone(&delta, &composition, epsilon));
        double wanted = -expm1(0.5 * (epsilon - 1));
        assert_true(delta.lower <= wanted && wanted <= delta.upper && delta.upper <= delta.lower * (1 + 1e-13));
    }
    part[0].times = 2;
    assert_false(alone(&delta, &composition, 0.5));
    part[0].times = 1;
    composition.parts = 2;
    assert_false(alone(&delta, &composition, 0.5));
    composition = (dpn_composition){.part = part + 1, .parts = 1};
    assert_false(alone(&delta, &composition, 0.5));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_losses),
        cmocka_unit_test(losses_that_vanish),
        cmocka_unit_test(parts_are_gathered),
        cmocka_unit_test(refusals),
        cmocka_unit_test(ends),
        cmocka_unit_test(infinite_masses),
        cmocka_unit_test(gaussian_roots),
        cmocka_unit_test(the_largest_loss_alone),
        cmocka_unit_test(moments_bound),
        cmocka_unit_test(the_best_moment),
        cmocka_unit_test(one_release),
        cmocka_unit_test(at_the_largest_loss),
        cmocka_unit_test(the_first_part),
        cmocka_unit_test(accuracy_that_was_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
