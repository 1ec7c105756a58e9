/* Nanoseconds a point of the array members of every family, beside a plain loop over libm's exp and erfc on the same points
 * in the same minutes. The target is a ratio of at most 2. Prints a table; always exits with 0, since time is not truth.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <dpnoise/law.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POINTS = 1000000, ROUNDS = 5 };
static const double target = 2.0;

/* Typical parameters of each family. */
static const char *const typical[] = {
    "gaussian(sigma=1)",
    "laplace(scale=1)",
    "flipped-huber(alpha=3,gamma=1)",
    "osgt(m=3,sigma=6.3)",
    "huber(alpha=1,gamma=1)",
    "staircase(epsilon=1,sensitivity=1,gamma=0.4)",
    "truncated-laplace(scale=1,bound=9)",
    "subbotin(p=1.5,scale=1)",
    "logistic(scale=1)",
    "discrete-gaussian(sigma=10)",
    "discrete-laplace(scale=10)",
    "discrete-flipped-huber(alpha=30,gamma=10)",
    "discrete-osgt(m=3,sigma=10)",
    "truncated-geometric(epsilon=0.1,n=50,theta=0.5)",
};

typedef void many(double *out, const dpn_law *law, const double *t, size_t n);

static const struct member {
    const char *name;
    many *many;
    bool of_probability, counted;
} members[] = {
    {"pdf", dpn_law_pdf_many, false, true},       {"log_pdf", dpn_law_log_pdf_many, false, true},
    {"cdf", dpn_law_cdf_many, false, true},       {"sf", dpn_law_sf_many, false, true},
    {"log_sf", dpn_law_log_sf_many, false, true}, {"isf", dpn_law_isf_many, true, false},
};
enum { MEMBERS = sizeof members / sizeof *members };

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A fixed sequence of numbers in (0, 1). */
static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double libm_seconds(double *out, const double *x) {
    double start = now();
    for (size_t i = 0; i < POINTS; i++) out[i] = exp(-x[i]) + erfc(x[i]);
    return now() - start;
}

static double member_seconds(const struct member *member, double *out, const dpn_law *law, const double *t) {
    double start = now();
    member->many(out, law, t, POINTS);
    return now() - start;
}

typedef struct arrays {
    double standard[POINTS]; /* uniform in [-4, 4] */
    double point[POINTS];    /* that many standard deviations of the law, whole on the integers */
    double probability[POINTS];
    double out[POINTS];
} arrays;

static void fill_points(arrays *a, const dpn_law *law) {
    double spread = sqrt(dpn_law_variance(law));
    for (size_t i = 0; i < POINTS; i++) {
        a->point[i] = a->standard[i] * spread;
        if (dpn_law_is_integer(law)) a->point[i] = nearbyint(a->point[i]);
    }
}

/* The best of several rounds, libm and the law in turn; stops early when a law is slow. */
static void measure(arrays *a, const dpn_law *law, const struct member *member, double *ours, double *libm) {
    *ours = *libm = INFINITY;
    double start = now();
    for (int round = 0; round < ROUNDS && (round < 2 || now() - start < 2); round++) {
        *libm = fmin(*libm, libm_seconds(a->out, a->standard));
        *ours = fmin(*ours, member_seconds(member, a->out, law, member->of_probability ? a->probability : a->point));
    }
}

static const char *typical_of(const char *family) {
    size_t length = strlen(family);
    for (size_t i = 0; i < sizeof typical / sizeof *typical; i++)
        if (strncmp(typical[i], family, length) == 0 && typical[i][length] == '(') return typical[i];
    return NULL;
}

/* One line of the table. Adds the members measured and those over the target to the counts. */
static void bench(arrays *a, const char *text, int *measured, int *over) {
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) {
        printf("%-46s %s\n", text, why.sentence);
        return;
    }
    fill_points(a, &law);
    printf("%-46s", text);
    for (size_t i = 0; i < MEMBERS; i++) {
        double ours, libm;
        measure(a, &law, &members[i], &ours, &libm);
        bool slow = members[i].counted && ours / libm > target;
        *measured += members[i].counted;
        *over += slow;
        printf(" %6.1f %5.2f%c", ours * 1e9 / POINTS, ours / libm, slow ? '*' : ' ');
        fflush(stdout);
    }
    printf("\n");
}

int main(void) {
    arrays *a = malloc(sizeof *a);
    if (!a) return 1;
    uint64_t state = 1;
    for (size_t i = 0; i < POINTS; i++) {
        a->standard[i] = 8 * uniform(&state) - 4;
        a->probability[i] = uniform(&state);
        a->point[i] = a->out[i] = 0;
    }
    double libm = libm_seconds(a->out, a->standard);
    for (int round = 1; round < ROUNDS; round++) libm = fmin(libm, libm_seconds(a->out, a->standard));
    printf("exp + erfc of libm: %.1f ns a point. For each member: ns a point, ratio (* over %.1f).\n",
           libm * 1e9 / POINTS, target);
    printf("%-46s", "law");
    for (size_t i = 0; i < MEMBERS; i++) printf(" %12s ", members[i].name);
    printf("\n");
    int measured = 0, over = 0;
    for (size_t i = 0; dpn_family_name(i); i++) {
        const char *text = typical_of(dpn_family_name(i));
        if (text)
            bench(a, text, &measured, &over);
        else
            printf("%-46s has no typical parameters in bench/law.c\n", dpn_family_name(i));
    }
    printf("%d of %d over the target of %.1f (isf is for information)\n", over, measured, target);
    free(a);
    return 0;
}
