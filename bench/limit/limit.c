/* The least variance of all additive noise in one dimension, by linear programming, and how near the families come to it.
 * Prints tables on the integers, on the line and of several answers; * marks where every family is more than 2% away. docs/limit.md explains.
 *
 * usage: bench-limit [--check]      --check compares with known values instead, quickly, and prints TAP
 */
#define _POSIX_C_SOURCE 200809L /* isatty */
#include "limit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double epsilons[] = {0.1, 0.3, 1, 3, 5}, deltas[] = {0, 1e-6, 1e-2};
enum { EPSILONS = sizeof epsilons / sizeof *epsilons, DELTAS = sizeof deltas / sizeof *deltas };

static const double far = 1.02;

static void progress(const char *what, int done) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "\r%s: %d of %d \r", what, done, EPSILONS * DELTAS);
}

/* The optimum on a grid; NaN, and the reason on stderr, if there is none. */
static double optimum(int steps, double epsilon, double delta) {
    struct optimum found;
    const char *trouble = limit_program(&found, &(struct question){steps, epsilon, delta});
    if (!trouble) return found.variance;
    fprintf(stderr, "epsilon %g, delta %g, %d steps: %s\n", epsilon, delta, steps, trouble);
    return NAN;
}

/* The ratio to the lower of two bounds of the optimum; ? where the bounds do not decide whether it is far. */
static void print_best(const struct best *best, double lower, double upper) {
    char mark = isnan(lower) || best->variance <= far * lower ? ' ' : best->variance <= far * upper ? '?' : '*';
    printf(" %12.7g %8.4f%c %s\n", best->variance, best->variance / lower, mark, best->family);
    fflush(stdout);
}

static void on_integers(double epsilon, double delta) {
    double variance = optimum(1, epsilon, delta);
    struct best best = limit_best_family(true, 1, epsilon, delta);
    printf("%7g %6g %12.7g %12.7g", epsilon, delta, variance, limit_lower(epsilon, delta));
    print_best(&best, variance, variance);
}

/* Larger moves of counts: the noise of the linear program is free on all whole numbers, for all moves up to `steps`. */
static void in_steps(int steps, double epsilon, double delta) {
    double variance = optimum(steps, epsilon, delta), square = (double)steps * steps;
    struct best best = limit_best_family(true, steps, epsilon, delta);
    printf("%5d %7g %6g %12.7g", steps, epsilon, delta, variance * square);
    best.variance *= square;
    print_best(&best, variance * square, variance * square);
}

/* Noise on a grid of step h plus uniform noise on a step is noise on the line, with h^2/12 more variance; noise on the line,
 * rounded at random to one of its two neighbours on the grid, is noise on the grid, with at most h^2/4 more. */
static void on_the_line(double epsilon, double delta) {
    int finest = epsilon < 1 ? 16 : epsilon < 3 ? 32 : 64; /* smaller variances need finer grids, and can afford them */
    double eight = optimum(8, epsilon, delta), sixteen = optimum(16, epsilon, delta);
    double variance = finest == 16 ? sixteen : optimum(finest, epsilon, delta);
    while (isnan(variance) && finest > 32)
        variance = optimum(finest -= 16, epsilon, delta); /* Clp goes astray on some */
    double square = 1.0 / (finest * finest);
    struct best best = limit_best_family(false, 1, epsilon, delta);
    printf("%7g %6g %12.7g %12.7g %12.7g %12.7g", epsilon, delta, eight, sixteen, variance - square / 4,
           variance + square / 12);
    print_best(&best, variance - square / 4, variance + square / 12);
}

static void print_tables(void) {
    printf("On the integers, sensitivity 1 (* more than 2%% above the optimum)\n%7s %6s %12s %12s %12s %8s  %s\n",
           "epsilon", "delta", "optimum", "at least", "best family", "ratio", "family");
    for (int i = 0; i < EPSILONS * DELTAS; i++) {
        progress("integers", i);
        on_integers(epsilons[i / DELTAS], deltas[i % DELTAS]);
    }
    printf("On the integers, larger sensitivities\n%5s %7s %6s %12s %12s %8s  %s\n", "steps", "epsilon", "delta",
           "optimum", "best family", "ratio", "family");
    static const int steps[] = {2, 3, 5, 8};
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++)
        for (int i = 0; i < EPSILONS * DELTAS; i++) {
            progress("steps", i);
            in_steps(steps[k], epsilons[i / DELTAS], deltas[i % DELTAS]);
        }
    printf("On the line, sensitivity 1 (ratio to 'at least'; ? may be more than 2%% above)\n%7s %6s %12s %12s %12s "
           "%12s %12s %8s  %s\n",
           "epsilon", "delta", "8 steps", "16 steps", "at least", "at most", "best family", "ratio", "family");
    for (int i = 0; i < EPSILONS * DELTAS; i++) {
        progress("line", i);
        on_the_line(epsilons[i / DELTAS], deltas[i % DELTAS]);
    }
}

static const struct box_question boxes[] = {
    {1, 2, {1, 0.5}, {24, 26}},          {0.5, 2, {1, 0.3}, {44, 50}},          {1, 2, {1, 1}, {24, 24}},
    {1, 3, {1, 0.5, 0.2}, {15, 16, 20}}, {1.5, 3, {1, 0.4, 0.1}, {12, 13, 22}},
};

static void print_boxes(void) {
    printf("Two and three answers that move at once, on the integers, pure: all noise on a grid, and start staircases\n"
           "%7s  %-14s %-10s %12s %14s %9s  %s\n",
           "epsilon", "sensitivities", "grid", "optimum", "start staircase", "above", "offsets");
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        const struct box_question *q = &boxes[i];
        char bound[64] = "", size[64] = "", offset[64] = "";
        int best[3];
        double all = limit_boxes(q), start = limit_start(q, best);
        for (int k = 0; k < q->answers; k++) {
            snprintf(bound + strlen(bound), 20, "%s%g", k ? "," : "", q->bound[k]);
            snprintf(size + strlen(size), 20, "%s%d", k ? "x" : "", q->size[k]);
            snprintf(offset + strlen(offset), 20, "%s%d", k ? "," : "", best[k]);
        }
        printf("%7g  %-14s %-10s %12.8g %14.8g %8.5f%%  %s\n", q->epsilon, bound, size, all, start,
               100 * (start / all - 1), offset);
        fflush(stdout);
    }
}

static int cases, failures;

static void expect(const char *what, double value, double wanted, double tolerance) {
    bool good = fabs(value - wanted) <= tolerance * wanted;
    failures += !good;
    printf("%sok %d - %s is %.9g\n", good ? "" : "not ", ++cases, what, wanted);
    if (!good) printf("# but it came out as %.17g\n", value);
}

/* The least variance of staircases on a grid: blocks of r points at the centre's height, then D - r at e^-epsilon of it. */
static double staircase(int steps, double epsilon) {
    double least = INFINITY;
    for (int r = 1; r <= steps; r++) {
        double sum = 1, square = 0;
        for (int k = 1; k < steps * (int)(100 / epsilon); k++) {
            double p = 2 * exp(-epsilon * (k / steps + (k % steps >= r)));
            sum += p;
            square += p * k * k;
        }
        least = fmin(least, square / sum / (steps * steps));
    }
    return least;
}

static int check(void) {
    static const struct {
        double epsilon, delta, variance;
    } known[] = {{0.3, 1e-6, 22.0455}, {1, 1e-6, 1.8411}, {3, 1e-6, 0.11028}, {1, 0.01, 1.5163}, {0.1, 0.01, 66.201}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double found = optimum(1, known[i].epsilon, known[i].delta);
        expect("optimum on the integers", found, known[i].variance, 3e-5);
        expect("its lower bound", limit_lower(known[i].epsilon, known[i].delta), found, 1e-8);
    }
    for (int steps = 1; steps <= 9; steps += 4) { /* pure: Geng and Viswanath proved that a staircase is optimal */
        expect("pure optimum at epsilon 0.3", optimum(steps, 0.3, 0), staircase(steps, 0.3), 1e-8);
        expect("pure optimum at epsilon 3", optimum(steps, 3, 0), staircase(steps, 3), 1e-8);
    }
    for (int steps = 2; steps <= 8; steps += 3) /* with a delta two staircases that end come near */
        for (int i = 0; i < 2; i++) {
            double epsilon = i ? 3 : 0.3, delta = i ? 0.01 : 1e-6, all = optimum(steps, epsilon, delta);
            expect("counts that move by several", limit_best_family(true, steps, epsilon, delta).variance / all, 1,
                   0.011);
        }
    expect("on the line at (1, 0.01)", limit_best_family(false, 1, 1, 0.01).variance / optimum(16, 1, 0.01), 1, 0.011);
    const struct box_question small = {1, 2, {1, 0.5}, {16, 18}};
    int best[3];
    double all = limit_boxes(&small), start = limit_start(&small, best);
    expect("two answers: all noise on a small grid", all, 4.5208406, 1e-7);
    expect("two answers: a start staircase", start, 4.5212093, 1e-7);
    expect("two answers: the start staircase over all noise", start / all, 1, 1e-4);
    printf("1..%d\n", cases);
    return failures > 0;
}

int main(int count, char **argument) {
    if (count == 2 && strcmp(argument[1], "--check") == 0) return check();
    print_tables();
    print_boxes();
    return 0;
}
