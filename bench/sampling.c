/* Private training on a seeded log-uniform sample of settings: sigma 0.4 to 20, rate 1e-5 to 1, steps 1 to 10^6, delta 1e-12 to 1e-3. How many
 * are answered within 50 ms of processor time with upper - lower at most 1e-6 max(1, epsilon), how many within 2 s; those that are not are
 * listed, and so are the intervals that are wider: those that only Renyi divergences answer are marked. Targets: 99% and all. The number of settings may be given (100). Prints a table; always
 * exits with 0, since time is not truth.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dpnoise/sampling.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Marsaglia's xorshift: the same settings on every machine. */
static double uniform(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (double)(*state >> 11) * 0x1p-53;
}

static double log_uniform(uint64_t *state, double low, double high) {
    return low * pow(high / low, uniform(state));
}

typedef struct score {
    int quick, soon, narrow, refused, renyi;
    double slowest;
} score;

/* Whether no sum served, so that the ends are those of the conversion from Renyi divergences, and of one step or 0: much further apart than
 * a sum leaves them. */
static bool by_renyi(dpn_epsilon epsilon) {
    return epsilon.upper - epsilon.lower > 0.05 * epsilon.upper;
}

static void try_one(score *s, dpn_workspace *workspace, double sigma, double rate, double steps, double delta) {
    dpn_law law;
    dpn_part part = {.times = 1};
    dpn_epsilon epsilon = {0, INFINITY};
    dpn_error why;
    if (dpn_law_make(&law, "gaussian", &sigma, 1, &why) || dpn_loss_law(&part.loss, &law, 1, &why)) return;
    dpn_step step = {&part, 1, rate, (uint64_t)steps};
    double start = now();
    dpn_status status = dpn_sampling_epsilon(&epsilon, workspace, &step, 1, delta, NULL, &why);
    double time = now() - start;
    bool narrow = !status && epsilon.upper - epsilon.lower <= 1e-6 * fmax(1, epsilon.upper);
    s->quick += narrow && time <= 0.05;
    s->soon += !status && time <= 2;
    s->narrow += narrow;
    s->refused += status != DPN_OK;
    s->renyi += !status && by_renyi(epsilon);
    s->slowest = fmax(s->slowest, time);
    if (!narrow || time > 0.05)
        printf("%9.4g %10.4g %8g %10.3g %12.8g %12.8g %8.0f ms %s\n", sigma, rate, steps, delta, epsilon.lower,
               epsilon.upper, 1e3 * time,
               status              ? why.sentence
               : narrow            ? ""
               : by_renyi(epsilon) ? "wide, by Renyi divergences alone"
                                   : "wide");
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 100;
    uint64_t state = 88172645463325252u;
    score s = {0};
    dpn_workspace *workspace;
    if (dpn_workspace_new(&workspace)) return 0;
    printf("%9s %10s %8s %10s %12s %12s %11s\n", "sigma", "rate", "steps", "delta", "at least", "at most", "time");
    for (int i = 0; i < count; i++) {
        double sigma = log_uniform(&state, 0.4, 20), rate = log_uniform(&state, 1e-5, 1);
        double steps = floor(log_uniform(&state, 1, 1e6)), delta = log_uniform(&state, 1e-12, 1e-3);
        try_one(&s, workspace, sigma, rate, steps, delta);
    }
    printf("\nof %d: within 50 ms and narrow %d (target 99%%), narrow %d, within 2 s %d (target all), refused %d, "
           "by Renyi alone %d, slowest %.2f s\n",
           count, s.quick, s.narrow, s.soon, s.refused, s.renyi, s.slowest);
    dpn_workspace_free(workspace);
    return 0;
}
