/* Milliseconds for the Renyi divergences of a law at 64 orders, least of many calls: orders from 1.1 to 1000 where the
 * losses are of ordinary size (sensitivity 1), and where they are weak (1e-6), which takes another path. The target
 * stands beside. Prints a table; always exits with 0, since time is not truth.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dpnoise/renyi.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

static const char *const laws[] = {
    "gaussian(sigma=10)",
    "laplace(scale=10)",
    "flipped-huber(alpha=10,gamma=10)",
    "osgt(m=10,sigma=10)",
    "huber(alpha=10,gamma=10)",
    "logistic(scale=10)",
    "staircase(epsilon=0.1,sensitivity=1,gamma=0.4)",
    "subbotin(p=1.5,scale=10)",
    "subbotin(p=4,scale=10)",
    "discrete-gaussian(sigma=10)",
    "discrete-laplace(scale=10)",
    "discrete-flipped-huber(alpha=10,gamma=10)",
    "discrete-osgt(m=10,sigma=10)",
};

enum { ORDERS = 64 };
static const double target = 1;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench(const char *text, double sensitivity, const double *order) {
    dpn_law law;
    dpn_part part = {.times = 1};
    dpn_divergence out[ORDERS];
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) return;
    if (dpn_law_is_integer(&law)) sensitivity = ceil(sensitivity);
    dpn_status status = dpn_loss_law(&part.loss, &law, sensitivity, &why);
    double least = INFINITY, width = 0, begin = now();
    for (int i = 0; i < 1000 && !status && (i < 5 || now() - begin < 0.1); i++) {
        double start = now();
        status = dpn_renyi_compose(out, &part, 1, order, ORDERS, &why);
        least = fmin(least, now() - start);
    }
    if (status) {
        printf("%-48s %s\n", text, why.sentence);
        return;
    }
    for (int i = 0; i < ORDERS; i++) width = fmax(width, out[i].upper / out[i].lower - 1);
    printf("%-48s %11g %14.6e %9.1e %9.4f %6g%c\n", text, sensitivity, out[ORDERS / 2].upper, width, 1e3 * least,
           target, 1e3 * least > target ? '*' : ' ');
}

int main(void) {
    double order[ORDERS];
    for (int i = 0; i < ORDERS; i++) order[i] = 1 + 0.1 * pow(1e4, i / (ORDERS - 1.0));
    printf("64 orders from 1.1 to 1001 (* over the target)\n%-48s %11s %14s %9s %9s %6s\n", "law", "sensitivity",
           "at order 11", "width", "ms", "target");
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) bench(laws[i], 1, order);
    for (size_t i = 0; i < sizeof laws / sizeof *laws; i++) bench(laws[i], 1e-6, order);
    return 0;
}
