/* The transform of a turned rule at many equally spaced frequencies. */
#include "privacy/sampling/mixture-turns.h"

#include <math.h>
#include <stdlib.h>

/* Four points side by side; what is inlined takes them by address, as in compose/fft.c. Products and sums are taken in the same order on
 * every processor, and nothing is fused. */
typedef double four __attribute__((vector_size(32)));

typedef struct cell {
    four re, im;
} cell;

#define INLINE static inline __attribute__((always_inline))

enum {
    LANES = 4,
    TURNS = DPN_MIXTURE_TURNS,
    CELLS = DPN_MIXTURE_BLOCK / LANES, /* of a block */
    SPINS = TURNS - 1,
    SET = 2, /* sums of all masses and of the big ones */
};

/* In blocks of CELLS. After each block of masses come those of the big ones, if they are asked for. */
struct dpn_mixture_turns {
    const dpn_mixture_rule *rule;
    double step;
    size_t sets, blocks, done; /* done: how often sixteen nodes were summed */
    cell *mass;                /* sets for each block */
    cell *from, *leap;         /* F, and what turns it on */
    cell *spin;                /* S_1 .. S_15 for each block */
    void (*sum)(cell *total, const cell *mass, const cell *from, const cell *spin, size_t sets);
};

/* ---- one block ---- */

INLINE void multiply_add(cell *sum, const cell *a, const cell *b) {
    sum->re += a->re * b->re - a->im * b->im;
    sum->im += a->re * b->im + a->im * b->re;
}

/* total[set * TURNS + r] += the sum over the block at the r-th node: of mass F, and for r > 0 of mass (1 + F) S_r. */
INLINE void sum_block(cell *total, const cell *mass, const cell *from, const cell *spin, size_t sets) {
    for (size_t set = 0; set < sets; set++, mass += CELLS, total += TURNS) {
        cell turned[CELLS], first = {{0}, {0}};
        for (size_t i = 0; i < CELLS; i++) {
            cell product = {{0}, {0}};
            multiply_add(&product, &mass[i], &from[i]);
            first.re += product.re;
            first.im += product.im;
            turned[i] = (cell){mass[i].re + product.re, mass[i].im + product.im};
        }
        total[0].re += first.re;
        total[0].im += first.im;
        for (size_t r = 0; r < SPINS; r += 3) { /* three at a time: their sums stay in registers */
            const cell *s = spin + r * CELLS;
            cell a = {{0}, {0}}, b = a, c = a;
            for (size_t i = 0; i < CELLS; i++) {
                multiply_add(&a, &turned[i], &s[i]);
                multiply_add(&b, &turned[i], &s[CELLS + i]);
                multiply_add(&c, &turned[i], &s[2 * CELLS + i]);
            }
            const cell *const part[] = {&a, &b, &c};
            for (size_t k = 0; k < 3; k++) {
                total[1 + r + k].re += part[k]->re;
                total[1 + r + k].im += part[k]->im;
            }
        }
    }
}

static void sum_portable(cell *total, const cell *mass, const cell *from, const cell *spin, size_t sets) {
    sum_block(total, mass, from, spin, sets);
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void sum_avx2(cell *total, const cell *mass, const cell *from, const cell *spin,
                                                     size_t sets) {
    sum_block(total, mass, from, spin, sets);
}
#endif

/* ---- turns ---- */

/* e^(i omega L) - 1 of point i, 0 beyond the last. */
static void set_turn(cell *out, const dpn_mixture_rule *rule, size_t i, double omega) {
    double re = 0, im = 0;
    if (i < rule->count) {
        double angle = omega * rule->re[i], s = sin(0.5 * angle), fall = expm1(-omega * rule->im[i]);
        re = fall * cos(angle) - 2 * s * s;
        im = (1 + fall) * sin(angle);
    }
    out->re[i % LANES] = re;
    out->im[i % LANES] = im;
}

static void set_turns(cell *out, const dpn_mixture_turns *t, double omega) {
    for (size_t i = 0; i < t->blocks * DPN_MIXTURE_BLOCK; i++) set_turn(&out[i / LANES], t->rule, i, omega);
}

/* (1 + a)(1 + b) - 1. */
static void turn_on(cell *out, const cell *a, const cell *b, size_t cells) {
    for (size_t i = 0; i < cells; i++) {
        cell both = {a[i].re + b[i].re, a[i].im + b[i].im};
        multiply_add(&both, &a[i], &b[i]);
        out[i] = both;
    }
}

/* S_1 .. S_15, each from the one before. */
static void set_spins(dpn_mixture_turns *t) {
    set_turns(t->from, t, t->step);
    for (size_t block = 0; block < t->blocks; block++) {
        cell *s = t->spin + block * SPINS * CELLS;
        for (size_t i = 0; i < CELLS; i++) s[i] = t->from[block * CELLS + i];
        for (size_t r = 1; r < SPINS; r++) turn_on(s + r * CELLS, s + (r - 1) * CELLS, s, CELLS);
    }
}

static void set_masses(dpn_mixture_turns *t) {
    const dpn_mixture_rule *rule = t->rule;
    for (size_t i = 0; i < t->blocks * DPN_MIXTURE_BLOCK; i++) {
        size_t block = i / DPN_MIXTURE_BLOCK, lane = i % LANES;
        cell *at = t->mass + block * t->sets * CELLS + i % DPN_MIXTURE_BLOCK / LANES;
        at->re[lane] = i < rule->count ? rule->mass_re[i] : 0;
        at->im[lane] = i < rule->count ? rule->mass_im[i] : 0;
        if (t->sets < SET) continue;
        at[CELLS].re[lane] = i < rule->count ? rule->big_re[i] : 0;
        at[CELLS].im[lane] = i < rule->count ? rule->big_im[i] : 0;
    }
}

dpn_status dpn_mixture_turns_new(dpn_mixture_turns **out, const dpn_mixture_rule *rule, double step, bool with_big) {
    dpn_mixture_turns *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t) return DPN_ENOMEM;
    *t = (dpn_mixture_turns){.rule = rule, .step = step, .sets = with_big ? SET : 1, .sum = sum_portable};
    t->blocks = (rule->count + DPN_MIXTURE_BLOCK - 1) / DPN_MIXTURE_BLOCK;
    size_t cells = t->blocks * CELLS;
    t->mass = aligned_alloc(sizeof(four), (t->sets + 2 + SPINS) * cells * sizeof(cell));
    if (!t->mass) {
        free(t);
        return DPN_ENOMEM;
    }
    t->from = t->mass + t->sets * cells;
    t->leap = t->from + cells;
    t->spin = t->leap + cells;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) t->sum = sum_avx2;
#endif
    set_masses(t);
    set_spins(t);
    set_turns(t->leap, t, TURNS * step);
    *out = t;
    return DPN_OK;
}

void dpn_mixture_turns_free(dpn_mixture_turns *t) {
    if (!t) return;
    free(t->mass);
    free(t);
}

static double complex lanes(const cell *sum) {
    return (sum->re[0] + sum->re[1]) + (sum->re[2] + sum->re[3]) +
           I * ((sum->im[0] + sum->im[1]) + (sum->im[2] + sum->im[3]));
}

void dpn_mixture_turns_next(double complex all[DPN_MIXTURE_TURNS], double complex big[DPN_MIXTURE_TURNS],
                            dpn_mixture_turns *t) {
    cell total[SET * TURNS] = {{{0}, {0}}}, big_at_0 = {{0}, {0}};
    if (t->done % TURNS)
        turn_on(t->from, t->from, t->leap, t->blocks * CELLS);
    else
        set_turns(t->from, t, (double)(t->done * TURNS) * t->step);
    t->done++;
    for (size_t block = 0; block < t->blocks; block++) {
        const cell *mass = t->mass + block * t->sets * CELLS;
        t->sum(total, mass, t->from + block * CELLS, t->spin + block * SPINS * CELLS, t->sets);
        for (size_t i = 0; i < CELLS && t->sets == SET; i++) {
            big_at_0.re += mass[CELLS + i].re;
            big_at_0.im += mass[CELLS + i].im;
        }
    }
    for (size_t r = 0; r < TURNS; r++) {
        all[r] = lanes(&total[0]) + (r ? lanes(&total[r]) : 0);
        if (t->sets == SET) big[r] = lanes(&big_at_0) + lanes(&total[TURNS]) + (r ? lanes(&total[TURNS + r]) : 0);
    }
}
