/* The transform of a turned rule at many equally spaced frequencies. */
#include "privacy/sampling/mixture-turns.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* Four points side by side; what is inlined takes them by address, as in compose/fft.c. Products and sums are taken in the same order on
 * every processor, and nothing is fused. */
typedef double four __attribute__((vector_size(32)));

typedef struct cell {
    four re, im;
} cell;

#define INLINE static inline __attribute__((always_inline))

#define ROUND (0.5 * DBL_EPSILON)

enum {
    LANES = 4,
    TURNS = DPN_MIXTURE_TURNS,
    CELLS = DPN_MIXTURE_BLOCK / LANES, /* of a block */
    SPINS = TURNS - 1,
    SET = 2,    /* sums of all masses and of the big ones */
    FIRST = 4,  /* the first stretch has so many times sixteen nodes, the others twice as many as those before them */
    TERMS = 18, /* of the power series */
    NODE_WORK = 500 /* what a node takes apart from its points */
};

#define DEAD 40.0 /* a point whose factor is below e^-DEAD is left out */

/* Points that stay near one place: sums of m ((L - L_0) W)^k i^k/k!, W the last frequency of the stretch, of all masses and of the big
 * ones, and the sums of |m| and |m (L - L_0) W|. */
typedef struct near_points {
    double centre, last; /* L_0, W */
    double complex term[SET][TERMS + 1];
    double size[SET], turned[SET];
} near_points;

/* Points low .. high - 1 are turned one by one, those before them are near one place, those after them have fallen to nothing. In blocks
 * of CELLS. After each block of masses come those of the big ones, if they are asked for. */
struct dpn_mixture_turns {
    const dpn_mixture_rule *rule;
    double rate, step;
    size_t low, high;
    near_points near;
    double complex dead;
    size_t sets, blocks, done; /* done: how often sixteen nodes were summed */
    size_t start, until;       /* of the stretch */
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

/* ---- stretches ---- */

/* L_0, or 0 where nothing is near it. */
static double centre_of(double rate) {
    return rate < 0.5 ? log1p(-rate) : 0;
}

/* The points before this one stay near L_0 up to the frequency `last`. */
static size_t near_end(const dpn_mixture_rule *rule, double rate, double last) {
    double centre = centre_of(rate);
    size_t end = 0;
    while (rate < 0.5 && end < rule->count && hypot(rule->re[end] - centre, rule->im[end]) * last <= 1) end++;
    return end;
}

/* From this point on nothing is left at the frequency `first`. */
static size_t dead_start(const dpn_mixture_rule *rule, size_t low, double first) {
    size_t start = rule->count;
    while (start > low && rule->im[start - 1] * first > DEAD) start--;
    return start;
}

static double complex mass_of(const dpn_mixture_rule *rule, size_t set, size_t i) {
    return set ? rule->big_re[i] + I * rule->big_im[i] : rule->mass_re[i] + I * rule->mass_im[i];
}

/* What the points from `start` on add to the sum: -m each. In blocks, so that rounding adds up as it does for the others. */
static double complex dead_sum(const dpn_mixture_rule *rule, size_t start) {
    double complex sum = 0;
    for (size_t first = start; first < rule->count; first += DPN_MIXTURE_BLOCK) {
        double complex block = 0;
        for (size_t i = first; i < rule->count && i < first + DPN_MIXTURE_BLOCK; i++) block += mass_of(rule, 0, i);
        sum -= block;
    }
    return sum;
}

static size_t stretch_end(size_t start) {
    return start ? 2 * start : FIRST;
}

double dpn_mixture_turns_work(const dpn_mixture_rule *rule, double rate, double step, double omega) {
    double work = 0, nodes = omega / step;
    for (size_t start = 0; (double)(start * TURNS) <= nodes; start = stretch_end(start)) {
        double first = (double)(start * TURNS), end = (double)(stretch_end(start) * TURNS);
        size_t low = near_end(rule, rate, end * step), high = dead_start(rule, low, first * step);
        work += (fmin(end, nodes) - first) * ((double)(high - low) + NODE_WORK);
    }
    return work;
}

/* Adds m away^k of one point. */
static void add_powers(double re[TERMS + 1], double im[TERMS + 1], double complex mass, double complex away) {
    double a = creal(mass), b = cimag(mass), x = creal(away), y = cimag(away);
    for (size_t k = 0; k <= TERMS; k++) {
        double next = a * x - b * y;
        re[k] += a;
        im[k] += b;
        b = a * y + b * x;
        a = next;
    }
}

/* The power series of the points before `low`, in blocks. */
static void set_near(dpn_mixture_turns *t, double last) {
    const dpn_mixture_rule *rule = t->rule;
    near_points *near = &t->near;
    *near = (near_points){.centre = centre_of(t->rate), .last = last};
    for (size_t set = 0; set < t->sets; set++) {
        for (size_t first = 0; first < t->low; first += DPN_MIXTURE_BLOCK) {
            double re[TERMS + 1] = {0}, im[TERMS + 1] = {0};
            for (size_t i = first; i < t->low && i < first + DPN_MIXTURE_BLOCK; i++) {
                double complex away = -last * rule->im[i] + I * (last * (rule->re[i] - near->centre));
                double complex mass = mass_of(rule, set, i);
                double size = hypot(creal(mass), cimag(mass));
                near->size[set] += size;
                near->turned[set] += size * hypot(creal(away), cimag(away));
                add_powers(re, im, mass, away);
            }
            for (size_t k = 0; k <= TERMS; k++) near->term[set][k] += re[k] + I * im[k];
        }
        double factorial = 1;
        for (size_t k = 1; k <= TERMS; k++) near->term[set][k] /= factorial *= (double)k;
    }
}

/* The sums of the near points at omega: with F_0 = e^(i omega L_0) - 1 and P the series without its first term, of m F = m F_0 + (1 + F_0) m
 * (e^(i omega (L - L_0)) - 1), and with the first term for the big ones. */
static double complex near_sum(const near_points *near, size_t set, double omega) {
    double angle = omega * near->centre, half = sin(0.5 * angle), s = omega / near->last;
    double complex turn = -2 * half * half + I * sin(angle), series = 0;
    for (size_t k = TERMS; k > 0; k--) series = s * (near->term[set][k] + series);
    return set ? (1 + turn) * (near->term[set][0] + series) : turn * near->term[set][0] + (1 + turn) * series;
}

/* docs/proofs/privacy/sampling.md, section 4. */
static double near_error(const near_points *near, size_t set, size_t points, double omega) {
    double sums = DPN_MIXTURE_BLOCK + (double)(points / DPN_MIXTURE_BLOCK + 1), angle = fabs(omega * near->centre);
    double first = 12 * angle + (16 + sums) * (set ? 1 : fmin(2, angle)), others = omega / near->last * (80 + 2 * sums);
    return ROUND * (near->size[set] * first + near->turned[set] * others) * (1 + 1e-6);
}

/* ---- turns ---- */

/* e^(i omega L) - 1 of the i-th point of a stretch, 0 beyond the last. */
static void set_turn(cell *out, const dpn_mixture_turns *t, size_t i, double omega) {
    const dpn_mixture_rule *rule = t->rule;
    double re = 0, im = 0;
    size_t at = t->low + i;
    if (at < t->high) {
        double angle = omega * rule->re[at], s = sin(0.5 * angle), fall = expm1(-omega * rule->im[at]);
        re = fall * cos(angle) - 2 * s * s;
        im = (1 + fall) * sin(angle);
    }
    out->re[i % LANES] = re;
    out->im[i % LANES] = im;
}

static void set_turns(cell *out, const dpn_mixture_turns *t, double omega) {
    for (size_t i = 0; i < t->blocks * DPN_MIXTURE_BLOCK; i++) set_turn(&out[i / LANES], t, i, omega);
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
        size_t block = i / DPN_MIXTURE_BLOCK, lane = i % LANES, at = t->low + i;
        cell *out = t->mass + block * t->sets * CELLS + i % DPN_MIXTURE_BLOCK / LANES;
        out->re[lane] = at < t->high ? rule->mass_re[at] : 0;
        out->im[lane] = at < t->high ? rule->mass_im[at] : 0;
        if (t->sets < SET) continue;
        out[CELLS].re[lane] = at < t->high ? rule->big_re[at] : 0;
        out[CELLS].im[lane] = at < t->high ? rule->big_im[at] : 0;
    }
}

/* The stretch that begins now. */
static void begin_stretch(dpn_mixture_turns *t) {
    const dpn_mixture_rule *rule = t->rule;
    double first = (double)(t->done * TURNS) * t->step;
    t->start = t->done;
    t->until = stretch_end(t->start);
    double last = (double)(t->until * TURNS) * t->step;
    t->low = near_end(rule, t->rate, last);
    t->high = dead_start(rule, t->low, first);
    t->blocks = (t->high - t->low + DPN_MIXTURE_BLOCK - 1) / DPN_MIXTURE_BLOCK;
    set_near(t, last);
    t->dead = dead_sum(rule, t->high);
    set_masses(t);
    set_spins(t);
    set_turns(t->leap, t, TURNS * t->step);
}

dpn_status dpn_mixture_turns_new(dpn_mixture_turns **out, const dpn_mixture_rule *rule, double rate, double step,
                                 bool with_big) {
    dpn_mixture_turns *t = calloc(1, sizeof *t);
    *out = NULL;
    if (!t) return DPN_ENOMEM;
    *t = (dpn_mixture_turns){.rule = rule, .rate = rate, .step = step, .sets = with_big ? SET : 1, .sum = sum_portable};
    size_t cells = (rule->count + DPN_MIXTURE_BLOCK - 1) / DPN_MIXTURE_BLOCK * CELLS;
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
                            double more[2], dpn_mixture_turns *t) {
    cell total[SET * TURNS] = {{{0}, {0}}}, big_at_0 = {{0}, {0}};
    if (t->done == t->until) begin_stretch(t);
    if ((t->done - t->start) % TURNS)
        turn_on(t->from, t->from, t->leap, t->blocks * CELLS);
    else
        set_turns(t->from, t, (double)(t->done * TURNS) * t->step);
    for (size_t block = 0; block < t->blocks; block++) {
        const cell *mass = t->mass + block * t->sets * CELLS;
        t->sum(total, mass, t->from + block * CELLS, t->spin + block * SPINS * CELLS, t->sets);
        for (size_t i = 0; i < CELLS && t->sets == SET; i++) {
            big_at_0.re += mass[CELLS + i].re;
            big_at_0.im += mass[CELLS + i].im;
        }
    }
    for (size_t r = 0; r < TURNS; r++) {
        double omega = (double)(t->done * TURNS + r) * t->step;
        all[r] = lanes(&total[0]) + (r ? lanes(&total[r]) : 0) + near_sum(&t->near, 0, omega) + t->dead;
        if (t->sets == SET)
            big[r] = lanes(&big_at_0) + lanes(&total[TURNS]) + (r ? lanes(&total[TURNS + r]) : 0) +
                     near_sum(&t->near, 1, omega);
    }
    t->done++;
    for (size_t set = 0; set < SET; set++)
        more[set] = near_error(&t->near, set, t->low, (double)(t->done * TURNS) * t->step);
}
