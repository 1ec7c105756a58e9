/* Compositions at random, by every method, against slow computations that know neither transforms nor contours (slow.h).
 *
 * An answer must be an interval that meets the interval of the slow computation (lower <= truth <= upper), as narrow as was
 * asked. A method may refuse with DPN_EACCURACY or DPN_EUNSUPPORTED; how often is counted and bounded.
 *
 * Environment: DPN_LONG=1 takes 1000 compositions; DPN_RANDOM_CASE=N replays the one of that number,
 * and with DPN_RANDOM_COUNT=M the M from there on. (DPN_LONG changes some of the draws: a replay must agree in it.)
 */
#include "slow.h"

#include "case.h"
#include "reference/draw.h"
#include "unit/points.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUICK = 200, LONG = 1000, MAX_PARTS = 3, MAX_LIST = 4, METHODS = 3, DEPTHS = 6 };

/* slow_grid is not asked for less. */
#define LEAST_ON_GRID 1e-60

typedef enum reference { GAUSSIAN, LAPLACE, ATOMS, GRID, REFERENCES } reference;

typedef struct composition {
    reference by;
    size_t parts;
    dpn_part part[MAX_PARTS];
    double value[MAX_PARTS][MAX_LIST], probability[MAX_PARTS][MAX_LIST]; /* of explicit losses */
    double epsilon, accuracy;
    bool off_grid; /* atoms on no common lattice: the FFT's bounds are of first order, and it is asked for less */
} composition;

/* ---- losses at random ---- */

static void set_law(dpn_part *part, const char *text, double shift) {
    dpn_law law = case_law(text);
    dpn_error why;
    if (dpn_loss_law(&part->loss, &law, shift, &why)) fail_msg("%s at %.17g: %s", text, shift, why.sentence);
}

static void draw_gaussian(dpn_part *part, draw_source *source) {
    char text[64];
    snprintf(text, sizeof text, "gaussian(sigma=%.17g)", draw_log_uniform(source, 0.1, 100));
    set_law(part, text, 1);
    double ratio = 1 / dpn_law_parameter(&part->loss.law, "sigma");
    part->times =
        1 + (uint64_t)fmin(1e9, draw_log_uniform(source, 1, 30) / (ratio * ratio) * draw_uniform(source, 0, 2));
    if (draw_chance(source, 0.2)) { /* many releases that matter little */
        part->times = (uint64_t)draw_log_uniform(source, 1e3, 1e9);
        set_law(part, text, draw_log_uniform(source, 0.3, 6) / (ratio * sqrt((double)part->times)));
    }
}

static void draw_laplace(dpn_part *part, draw_source *source) {
    char text[128];
    double scale = draw_log_uniform(source, 0.1, 10), shift = scale * draw_log_uniform(source, 0.02, 2);
    part->times = (uint64_t)draw_log_uniform(source, 1, points_are_many() ? 31 : 16);
    if (draw_chance(source, 0.6))
        snprintf(text, sizeof text, "laplace(scale=%.17g)", scale);
    else
        snprintf(text, sizeof text, "truncated-laplace(scale=%.17g,bound=%.17g)", scale,
                 shift + scale * draw_uniform(source, 0.5, 40));
    set_law(part, text, shift);
}

static void draw_explicit(composition *c, size_t i, draw_source *source) {
    double *value = c->value[i], *probability = c->probability[i], total = 0, reverse = 0;
    size_t count = 2 + draw_bits(source) % (MAX_LIST - 1);
    for (size_t k = 0; k < count; k++) {
        value[k] = (k ? value[k - 1] : -1.2) + draw_log_uniform(source, 0.05, 1);
        total += probability[k] = draw_uniform(source, 0.05, 1);
    }
    if (draw_chance(source, 0.4)) value[count - 1] = INFINITY;
    for (size_t k = 0; k < count; k++) probability[k] /= total;
    for (size_t k = 0; k < count; k++) reverse += probability[k] * exp(-value[k]);
    /* Raise the values until Q has at most the mass 1: some of the missing mass is then Q's alone. */
    double rise = fmax(0, log(reverse)) * (1 + 1e-12) + (draw_chance(source, 0.5) ? 0.1 : 0);
    for (size_t k = 0; k < count; k++) value[k] += rise;
    if (dpn_loss_explicit(&c->part[i].loss, value, probability, count, NULL)) fail_msg("a list that is no loss");
    c->part[i].times = 1 + draw_bits(source) % 6;
}

/* Losses on a common lattice: their steps are whole multiples of one power of two. */
static void draw_on_lattice(dpn_part *part, draw_source *source, double unit) {
    char text[128];
    double multiple = (double)(1 + draw_bits(source) % 3);
    part->times = 1 + draw_bits(source) % 8;
    switch (draw_bits(source) % 3) {
    case 0:
        if (dpn_loss_pure(&part->loss, multiple * unit, NULL)) fail();
        break;
    case 1:
        snprintf(text, sizeof text, "staircase(epsilon=%.17g,sensitivity=1,gamma=%.17g)", 2 * multiple * unit,
                 draw_uniform(source, 0, 1));
        set_law(part, text, 1);
        break;
    default:
        snprintf(text, sizeof text, "discrete-laplace(scale=%.17g)", 1 / unit);
        set_law(part, text, multiple);
    }
}

static void draw_atoms(composition *c, size_t i, bool alone, draw_source *source) {
    dpn_part *part = &c->part[i];
    char text[128];
    double scale = draw_log_uniform(source, 0.7, 3), shift = (double)(1 + draw_bits(source) % 3);
    part->times = (uint64_t)draw_log_uniform(source, 1, alone ? 51 : 6);
    switch (draw_bits(source) % 7) {
    case 0:
        if (dpn_loss_pure(&part->loss, draw_log_uniform(source, 0.01, 2), NULL)) fail();
        break;
    case 1:
        snprintf(text, sizeof text, "staircase(epsilon=%.17g,sensitivity=%.17g,gamma=%.17g)",
                 draw_log_uniform(source, 0.05, 3), scale, draw_uniform(source, 0, 1));
        set_law(part, text, draw_chance(source, 0.7) ? scale : scale * draw_uniform(source, 0.1, 1));
        break;
    case 2:
        snprintf(text, sizeof text, "discrete-laplace(scale=%.17g)", draw_log_uniform(source, 0.7, 20));
        set_law(part, text, shift);
        break;
    case 3:
        snprintf(text, sizeof text, "discrete-gaussian(sigma=%.17g)", scale);
        set_law(part, text, shift);
        if (part->times > 6) part->times = alone ? 6 : 2;
        break;
    case 4:
        snprintf(text, sizeof text, "discrete-osgt(m=%.17g,sigma=%.17g)",
                 draw_chance(source, 0.5) ? 0.5 * (double)(draw_bits(source) % 6) : draw_uniform(source, 0, 3),
                 2 * scale);
        set_law(part, text, shift);
        if (part->times > 1) part->times = alone ? 2 : 1;
        break;
    case 5:
        snprintf(text, sizeof text, "discrete-flipped-huber(alpha=%.17g,gamma=%.17g)",
                 draw_chance(source, 0.5) ? (double)(draw_bits(source) % 5) : draw_uniform(source, 0, 4), 2 * scale);
        set_law(part, text, shift);
        if (part->times > 1) part->times = alone ? 2 : 1;
        break;
    default:
        draw_explicit(c, i, source);
    }
}

static void draw_smooth(dpn_part *part, draw_source *source, bool first) {
    char text[128];
    double scale = draw_log_uniform(source, 0.5, 20), ratio = draw_log_uniform(source, 0.05, 3);
    double shift = scale * draw_log_uniform(source, 0.05, 1.5);
    part->times = 1;
    switch (draw_bits(source) % (first ? 7 : 6)) {
    case 0:
        snprintf(text, sizeof text, "osgt(m=%.17g,sigma=%.17g)", ratio * scale, scale);
        break;
    case 1:
        snprintf(text, sizeof text, "huber(alpha=%.17g,gamma=%.17g)", ratio * scale, scale);
        break;
    case 2:
        snprintf(text, sizeof text, "logistic(scale=%.17g)", scale);
        break;
    case 3:
        snprintf(text, sizeof text, "subbotin(p=%.17g,scale=%.17g)", draw_uniform(source, 1.4, 4), scale);
        break;
    case 4:
        snprintf(text, sizeof text, "gaussian(sigma=%.17g)", scale);
        break;
    case 5: /* alpha below the sensitivity: no level part */
        snprintf(text, sizeof text, "flipped-huber(alpha=%.17g,gamma=%.17g)", shift * draw_uniform(source, 0.05, 1),
                 scale);
        break;
    default:
        snprintf(text, sizeof text, "flipped-huber(alpha=%.17g,gamma=%.17g)", ratio * scale, scale);
    }
    set_law(part, text, shift);
}

/* ---- compositions at random ---- */

/* The square of the loss's spread, and its largest value, as far as they are known: they guide the choice of epsilon. */
static double spread_of(const dpn_part *part, double *largest) {
    const dpn_loss *loss = &part->loss;
    double times = (double)part->times, ratio = 1;
    *largest = INFINITY;
    if (loss->count > 0) {
        double last = loss->value[loss->count - 1], before = loss->value[loss->count - 2];
        *largest = times * (isinf(last) ? before : last);
        return times;
    }
    if (loss->epsilon > 0) {
        *largest = times * loss->epsilon;
        return times * loss->epsilon * loss->epsilon;
    }
    ratio = loss->sensitivity / sqrt(dpn_law_variance(&loss->law));
    double bounded = dpn_privacy_loss(&loss->law, loss->sensitivity, 1e6 * ceil(dpn_law_mean_abs(&loss->law)));
    double inside = dpn_privacy_loss(&loss->law, loss->sensitivity, 0);
    if (isnan(bounded) || strcmp(dpn_law_family(&loss->law), "staircase") == 0) bounded = inside;
    if (!strcmp(dpn_law_family(&loss->law), "staircase")) bounded = dpn_law_parameter(&loss->law, "epsilon");
    *largest = times * bounded;
    return times * ratio * ratio;
}

/* Up to 11.5 standard deviations, where delta falls to 1e-30; fewer for laws with heavier tails than their variance tells. */
static double draw_epsilon(const composition *c, draw_source *source) {
    double square = 0, largest = 0;
    for (size_t i = 0; i < c->parts; i++) {
        double one;
        square += spread_of(&c->part[i], &one);
        largest += one;
    }
    if (draw_chance(source, 0.1)) return -fmin(3, sqrt(square)) * draw_uniform(source, 0, 1);
    double most = c->by == GRID ? 7 : 11.5;
    double depth = c->off_grid ? draw_uniform(source, 0, 1.5) : most * sqrt(draw_uniform(source, 0, 1));
    double epsilon = 0.5 * square + sqrt(square) * (depth - 1);
    epsilon = fmax(0, fmin(epsilon, largest * draw_uniform(source, 0.2, 0.97)));
    /* At times on an atom, or beside it by an ulp. */
    double atom = largest / (double)c->part[0].times;
    if (c->parts == 1 && c->by != GAUSSIAN && isfinite(atom) && draw_chance(source, 0.15)) {
        epsilon = atom * fmin(round(epsilon / atom), (double)c->part[0].times - 1);
        if (draw_chance(source, 0.5)) epsilon = nextafter(epsilon, draw_chance(source, 0.5) ? INFINITY : 0);
    }
    return epsilon;
}

static bool on_lattice(const dpn_loss *loss) {
    if (loss->count > 0) return false;
    return loss->epsilon > 0 || !(strcmp(dpn_law_family(&loss->law), "discrete-osgt") == 0 ||
                                  strcmp(dpn_law_family(&loss->law), "discrete-flipped-huber") == 0);
}

static void draw_composition(composition *c, draw_source *source) {
    static const double accuracies[] = {0, 0, 0, 1e-3, 1e-4, 1e-7};
    memset(c, 0, sizeof *c);
    bool is_long = points_are_many();
    double kind = draw_uniform(source, 0, 1);
    c->by = kind < 0.15 ? GAUSSIAN : kind < 0.35 ? LAPLACE : kind < 0.7 ? ATOMS : GRID;
    c->parts = draw_chance(source, 0.5) || c->by == LAPLACE ? 1 : 2;
    if (c->parts == 2 && c->by != ATOMS && draw_chance(source, 0.5)) c->parts = 3;
    bool common = c->by == ATOMS && c->parts > 1 && draw_chance(source, 0.6);
    double unit = ldexp(1, -(int)(draw_bits(source) % 6));
    for (size_t i = 0; i < c->parts; i++) {
        if (common) {
            draw_on_lattice(&c->part[i], source, unit);
            continue;
        }
        if (c->by == GAUSSIAN) draw_gaussian(&c->part[i], source);
        if (c->by == LAPLACE) draw_laplace(&c->part[i], source);
        if (c->by == ATOMS) draw_atoms(c, i, c->parts == 1, source);
        if (c->by == GRID) draw_smooth(&c->part[i], source, i == 0);
    }
    if (c->by == GRID)
        c->part[0].times =
            (uint64_t)(c->parts == 1 ? draw_log_uniform(source, 2, is_long ? 51 : 16) : draw_uniform(source, 1, 5));
    c->off_grid = c->by == ATOMS && !common && (c->parts > 1 || !on_lattice(&c->part[0].loss));
    c->epsilon = draw_epsilon(c, source);
    c->accuracy = accuracies[draw_bits(source) % 6];
    if (c->off_grid) c->accuracy = 0.1;
    if (c->by == GRID && !is_long) c->accuracy = fmax(c->accuracy, 1e-3);
    if (c->by == GRID && is_long && !draw_chance(source, 0.1)) c->accuracy = fmax(c->accuracy, 1e-4);
}

/* ---- the check ---- */

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

static const char *const method_names[METHODS] = {"auto", "contour", "fft"};
static const char *const reference_names[REFERENCES] = {"gaussian", "laplace", "atoms", "grid"};

static void describe(char *out, size_t room, const composition *c) {
    size_t used = 0;
    for (size_t i = 0; i < c->parts && used < room; i++) {
        const dpn_loss *loss = &c->part[i].loss;
        char text[DPN_LAW_TEXT_SIZE] = "";
        if (loss->count > 0) {
            used += (size_t)snprintf(out + used, room - used, "explicit(");
            for (size_t k = 0; k < loss->count && used < room; k++)
                used +=
                    (size_t)snprintf(out + used, room - used, "%.17g: %.17g ", loss->value[k], loss->probability[k]);
            used = used < room ? used : room;
            used += (size_t)snprintf(out + used, room - used, ")");
        } else if (loss->epsilon > 0) {
            used += (size_t)snprintf(out + used, room - used, "pure(%.17g)", loss->epsilon);
        } else {
            used += (size_t)snprintf(out + used, room - used, "%s at %.17g", dpn_law_print(text, &loss->law),
                                     loss->sensitivity);
        }
        used = used < room ? used : room;
        used += (size_t)snprintf(out + used, room - used, " x %llu; ", (unsigned long long)c->part[i].times);
    }
}

static slow_delta truth_of(const composition *c, double log_size) {
    static const int most_cells = 200;
    double times = 0;
    for (size_t i = 0; i < c->parts; i++) times += (double)c->part[i].times;
    switch (c->by) {
    case GAUSSIAN:
        return slow_gaussian(c->part, c->parts, c->epsilon);
    case LAPLACE:
        return slow_laplace(c->part, c->epsilon);
    case ATOMS:
        return slow_atoms(c->part, c->parts, c->epsilon);
    default:
        return slow_grid(c->part, c->parts, c->epsilon, log_size, (int)fmin(most_cells, 30 + 700 / times));
    }
}

typedef struct tally {
    int asked[REFERENCES][METHODS], refused[REFERENCES][METHODS], depth[DEPTHS];
    double worst_width[REFERENCES]; /* of the slow intervals */
} tally;

/* The accuracy that was asked for; by default it is the method's, and AUTO may take either. */
static double allowed(const composition *c, int method) {
    return c->accuracy > 0 ? c->accuracy : method == DPN_METHOD_CONTOUR ? 1e-6 : 1e-5;
}

/* What is worth its time: the FFT is not for very many Gaussian releases, and AUTO, which takes one of the other two, is
 * asked now and then. */
static bool worth_asking(const composition *c, int method, int number) {
    double times = 0;
    for (size_t i = 0; i < c->parts; i++) times += (double)c->part[i].times;
    if (c->by == GRID && c->accuracy == 1e-7) return method == DPN_METHOD_CONTOUR;
    if (method == DPN_METHOD_FFT && c->by == GAUSSIAN) return times <= 300 && c->accuracy != 1e-7;
    return method != DPN_METHOD_AUTO || (c->by != ATOMS && c->by != GRID) || number % 8 == 0;
}

static void check(tally *t, const composition *c, int number) {
    dpn_delta answer[METHODS];
    bool have[METHODS] = {false};
    double log_size = 0;
    for (int method = 0; method < METHODS; method++) {
        if (!worth_asking(c, method, number)) continue;
        dpn_accounting_options options = {sizeof(dpn_accounting_options), c->accuracy, (dpn_method)method};
        dpn_error why;
        dpn_status status =
            dpn_compose_delta(&answer[method], workspace, c->part, c->parts, c->epsilon, &options, &why);
        have[method] = status == DPN_OK;
        t->asked[c->by][method]++;
        t->refused[c->by][method] += !have[method];
        if (status && status != DPN_EACCURACY && status != DPN_EUNSUPPORTED)
            fail_msg("case %d: %s", number, why.sentence);
        if (have[method]) log_size = fmin(log_size, answer[method].log_upper);
    }
    if (!have[0] && !have[1] && !have[2]) return;
    if (c->by == GRID && log_size < log(LEAST_ON_GRID)) return;
    slow_delta truth = truth_of(c, log_size);
    static const double depths[DEPTHS - 1] = {1e-2, 1e-5, 1e-10, 1e-20, 1e-30};
    int depth = 0;
    while (depth < DEPTHS - 1 && log_size < log(depths[depth])) depth++;
    t->depth[depth]++;
    t->worst_width[c->by] = fmax(t->worst_width[c->by], truth.log_upper - truth.log_lower);
    for (int method = 0; method < METHODS; method++) {
        if (!have[method]) continue;
        const dpn_delta *d = &answer[method];
        double slack = 2e-15 * (1 + fabs(d->log_upper));
        bool exact_zero = d->upper == 0 && truth.log_upper == -INFINITY;
        bool holds =
            exact_zero || (d->log_lower <= truth.log_upper + slack && truth.log_lower - slack <= d->log_upper &&
                           d->lower <= exp(truth.log_upper + slack) && d->upper >= exp(truth.log_lower - slack));
        bool narrow = exact_zero || d->log_upper - d->log_lower <= log1p(allowed(c, method)) + slack;
        if (holds && narrow) continue;
        char text[1500];
        describe(text, sizeof text, c);
        fail_msg("DPN_RANDOM_CASE=%d: %sepsilon %.17g, accuracy %g, method %s: log delta in [%.17g, %.17g], %s [%.17g, "
                 "%.17g]",
                 number, text, c->epsilon, c->accuracy, method_names[method], d->log_lower, d->log_upper,
                 holds ? "too wide; the truth is in" : "the truth is in", truth.log_lower, truth.log_upper);
    }
}

/* Shares of refusals that are allowed, by reference and method: AUTO, contour, FFT. The contour sum does not serve atoms
 * that lie on no lattice, and the FFT no Huber noise at a small sensitivity, which the contour sum answers. */
static const double most_refusals[REFERENCES][METHODS] = {
    [GAUSSIAN] = {0, 0, 0}, [LAPLACE] = {0, 0.05, 0.05}, [ATOMS] = {0.05, 0.65, 0.05}, [GRID] = {0, 0, 0.08}};

static void report(const tally *t, bool judge) {
    for (int by = 0; by < REFERENCES; by++)
        for (int method = 0; method < METHODS; method++) {
            int asked = t->asked[by][method], refused = t->refused[by][method];
            print_message("# %s by %s: %d asked, %d refused\n", reference_names[by], method_names[method], asked,
                          refused);
            if (judge && refused > ceil(most_refusals[by][method] * asked))
                fail_msg("%s by %s: too many refusals", reference_names[by], method_names[method]);
        }
    for (int by = 0; by < REFERENCES; by++)
        print_message("# %s: log delta known to %.1e at worst\n", reference_names[by], t->worst_width[by]);
    print_message("# delta down to 1e-2: %d, 1e-5: %d, 1e-10: %d, 1e-20: %d, 1e-30: %d, below: %d\n", t->depth[0],
                  t->depth[1], t->depth[2], t->depth[3], t->depth[4], t->depth[5]);
}

static int number_in(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static void random_compositions(void **state) {
    (void)state;
    bool replay = getenv("DPN_RANDOM_CASE") != NULL;
    int first = number_in("DPN_RANDOM_CASE", 0);
    int count = replay ? number_in("DPN_RANDOM_COUNT", 1) : points(QUICK, LONG);
    tally t = {0};
    for (int i = first; i < first + count; i++) {
        draw_source source = {1000003u * (uint64_t)i + 17};
        for (int k = 0; k < 4; k++) draw_bits(&source);
        composition c;
        draw_composition(&c, &source);
        check(&t, &c, i);
    }
    report(&t, !replay && !points_are_few());
}

/* n releases of Gaussian noise that are one with sensitivity/sigma = 0.8 or 5 together, for delta from 0.5 to 1e-250. */
static void gaussian_releases(void **state) {
    (void)state;
    static const uint64_t copies[] = {1, 2, 20, 1000, 1000000, 1000000000};
    static const double deltas[] = {0.5, 0.1, 1e-3, 1e-6, 1e-10, 1e-30, 1e-100, 1e-250};
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        for (size_t j = 0; j < sizeof deltas / sizeof *deltas; j++)
            for (int method = DPN_METHOD_AUTO; method <= DPN_METHOD_CONTOUR; method++) {
                double total = j % 2 ? 5 : 0.8;
                if (j == 0) total = 3; /* delta(0) is below 0.5 for less */
                dpn_law unit = case_law("gaussian(sigma=1)");
                dpn_part part = {.times = copies[i]};
                dpn_accounting_options options = {.size = sizeof(dpn_accounting_options), .method = (dpn_method)method};
                dpn_epsilon epsilon;
                dpn_delta delta;
                if (dpn_profile_epsilon(&epsilon, &unit, total, deltas[j], NULL) ||
                    dpn_loss_law(&part.loss, &unit, total / sqrt((double)copies[i]), NULL) ||
                    dpn_compose_delta(&delta, NULL, &part, 1, epsilon.upper, &options, NULL))
                    fail_msg("%s: no answer for delta %g", method_names[method], deltas[j]);
                slow_delta truth = slow_gaussian(&part, 1, epsilon.upper);
                double slack = 2e-15 * (1 + fabs(truth.log_upper));
                if (!(delta.log_lower <= truth.log_upper + slack && truth.log_lower - slack <= delta.log_upper))
                    fail_msg("%s: [%.17g, %.17g] without [%.17g, %.17g]", method_names[method], delta.log_lower,
                             delta.log_upper, truth.log_lower, truth.log_upper);
                if (!(delta.log_upper - delta.log_lower <= log1p(1e-6) &&
                      fabs(truth.log_upper - log(deltas[j])) < 1e-3))
                    fail_msg("%s: too wide, or not the delta that was asked for", method_names[method]);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(gaussian_releases), cmocka_unit_test(random_compositions)};
    return cmocka_run_group_tests(tests, make_workspace, free_workspace);
}
