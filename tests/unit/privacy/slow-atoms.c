/* Losses with atoms only: all outcomes, added up. */
#include "slow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Atoms in increasing order of their values. What P has at infinity is counted apart. */
typedef struct atoms {
    size_t count, room;
    long double *value, *mass, infinite;
} atoms;

static void add(atoms *list, long double value, long double mass) {
    if (list->count == list->room) {
        list->room = 2 * list->room + 64;
        list->value = realloc(list->value, list->room * sizeof *list->value);
        list->mass = realloc(list->mass, list->room * sizeof *list->mass);
        if (!list->value || !list->mass) abort();
    }
    list->value[list->count] = value;
    list->mass[list->count++] = mass;
}

static void discard(atoms *list) {
    free(list->value);
    free(list->mass);
}

/* ---- one loss ---- */

/* psi of the integer laws, from their definitions. */
static long double psi(const dpn_law *law, long double x) {
    const char *family = dpn_law_family(law);
    long double alpha = dpn_law_parameter(law, "alpha"), gamma = dpn_law_parameter(law, "gamma");
    long double sigma = dpn_law_parameter(law, "sigma"), m = dpn_law_parameter(law, "m");
    x = fabsl(x);
    if (!strcmp(family, "discrete-laplace")) return x / dpn_law_parameter(law, "scale");
    if (!strcmp(family, "discrete-gaussian")) return x * x / (2 * sigma * sigma);
    if (!strcmp(family, "discrete-osgt")) return (x * x / 2 + m * x) / (sigma * sigma);
    return x <= alpha ? alpha * x / (gamma * gamma) : (x * x + alpha * alpha) / (2 * gamma * gamma);
}

/* Noise beyond psi = 120 has the probability 1e-50 and less. The loss of discrete Laplace noise is constant there: its
 * atoms at the ends hold everything. */
static void integer_atoms(atoms *list, const dpn_law *law, double shift) {
    long double total = 0, last = 0;
    while (psi(law, last) < 120) last++;
    last += shift;
    for (long double k = -last; k <= last; k++) total += expl(-psi(law, k));
    for (long double k = -last; k <= last; k++) {
        long double loss = psi(law, k + shift) - psi(law, k), mass = expl(-psi(law, k)) / total;
        if (list->count > 0 && fabsl(loss - list->value[list->count - 1]) < 1e-17L * (1 + fabsl(loss)))
            list->mass[list->count - 1] += mass;
        else
            add(list, loss, mass);
    }
}

/* For a sensitivity up to the period the loss is 0 or +-e, and P(L = e) (1 - e^-e) is the total variation distance, the
 * probability of |X| < sensitivity/2. */
static void staircase_atoms(atoms *list, const dpn_law *law, double shift) {
    long double e = dpn_law_parameter(law, "epsilon"), period = dpn_law_parameter(law, "sensitivity");
    long double gamma = dpn_law_parameter(law, "gamma"), half = shift / 2.0L;
    long double height = -expm1l(-e) / (2 * period * (gamma + expl(-e) * (1 - gamma)));
    long double inner = fminl(half, gamma * period), variation = 2 * height * (inner + (half - inner) * expl(-e));
    long double plus = variation / -expm1l(-e), minus = plus * expl(-e);
    add(list, -e, minus);
    add(list, 0, 1 - plus - minus);
    add(list, e, plus);
}

static atoms atoms_of(const dpn_loss *loss) {
    atoms list = {0};
    if (loss->count > 0) {
        for (size_t i = 0; i < loss->count; i++) {
            long double mass = loss->probability[i] / (long double)loss->total;
            if (isinf(loss->value[i]))
                list.infinite = mass;
            else
                add(&list, loss->value[i], mass);
        }
    } else if (loss->epsilon > 0) {
        long double plus = 1 / (1 + expl(-loss->epsilon));
        add(&list, -loss->epsilon, plus * expl(-loss->epsilon));
        add(&list, loss->epsilon, plus);
    } else if (dpn_law_is_integer(&loss->law)) {
        integer_atoms(&list, &loss->law, loss->sensitivity);
    } else {
        staircase_atoms(&list, &loss->law, loss->sensitivity);
    }
    return list;
}

/* ---- sums ---- */

static int ascending(const void *a, const void *b) {
    const long double *x = a, *y = b;
    return (x[0] > y[0]) - (x[0] < y[0]);
}

/* Values that differ by rounding only become one, so that losses on a lattice stay on it. The new atoms come in as many
 * rising runs as the shorter list has atoms. */
static atoms convolve(const atoms *a, const atoms *b) {
    atoms sum = {.infinite = a->infinite + b->infinite - a->infinite * b->infinite};
    size_t count = a->count * b->count, k = 0;
    long double(*pair)[2] = malloc(count * sizeof *pair);
    if (!pair) abort();
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = 0; j < b->count; j++, k++) {
            pair[k][0] = a->value[i] + b->value[j];
            pair[k][1] = a->mass[i] * b->mass[j];
        }
    qsort(pair, count, sizeof *pair, ascending);
    for (k = 0; k < count; k++) {
        if (sum.count > 0 && pair[k][0] - sum.value[sum.count - 1] < 1e-16L * (1 + fabsl(pair[k][0])))
            sum.mass[sum.count - 1] += pair[k][1];
        else
            add(&sum, pair[k][0], pair[k][1]);
    }
    free(pair);
    return sum;
}

/* delta of the sum of two losses, with no list of it made. */
static long double delta_of_two(const atoms *a, const atoms *b, long double epsilon) {
    long double infinite = a->infinite + b->infinite - a->infinite * b->infinite, delta = 0;
    for (size_t i = 0; i < a->count; i++)
        for (size_t j = b->count; j-- > 0 && a->value[i] + b->value[j] > epsilon;)
            delta += a->mass[i] * b->mass[j] * -expm1l(epsilon - a->value[i] - b->value[j]);
    return infinite + delta;
}

slow_delta slow_atoms(const dpn_part *part, size_t parts, double epsilon) {
    atoms sum = {0}, one = {0};
    add(&sum, 0, 1);
    for (size_t i = 0; i < parts; i++) {
        one = atoms_of(&part[i].loss);
        for (uint64_t n = i + 1 < parts ? 0 : 1; n < part[i].times; n++) {
            atoms next = convolve(&sum, &one);
            discard(&sum);
            sum = next;
        }
        if (i + 1 < parts) discard(&one);
    }
    long double delta = delta_of_two(&sum, &one, epsilon); /* the last copy of the last part */
    discard(&sum);
    discard(&one);
    if (!(delta > 0)) return (slow_delta){-INFINITY, -INFINITY};
    double log_delta = (double)logl(delta);
    return (slow_delta){log_delta - 1e-13, log_delta + 1e-13};
}
