/* The output y of a random box is mapped to M = the sum of floor(lam_i (y_i + r_i)^2/h) modulo N, where lam_i = beta_i/2 r_i (r_i + 1) and r_i = c_i + rho: of the size rho the loss is a constant less the sum of
 * lam_i (y_i + r_i)^2. With p and q the probabilities of M for y and for y + (1, ..., 1), delta(epsilon) of the box is at least the sum over any set of residues of p - e^epsilon q. Given the hidden size M is a sum of independent
 * terms: a product of transforms. Several rho are tried. */
#include "privacy/compose/box-lower.h"

#include "privacy/compose/fft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_LOG2 = 8, MOST_LOG2 = 13, MOST_GROUPS = 8, CELLS = 4, MOST_CELLS = 1 << 16 };

/* rho over the likeliest size. */
static const double places[] = {0.4, 0.6, 0.8, 1};

/* Sizes of a smaller probability are left out; what they might be is subtracted. */
#define LOG_NOTHING (-36.0)

/* What a value of erf over another may err by. */
#define ERF_ERROR 1e-15

/* Of the probabilities of sizes, relative, and of sums of residues: 1000 times what is measured. */
#define SHARE_ERROR 1e-10

typedef struct sums {
    const dpn_box_sizes *z;
    double rho, h;
    int log2;
    double mass_error; /* of all masses of one coordinate, added up, at most */
    double *real;
    dpn_fft_cell *one, *product, *all[2]; /* for p, q */
    dpn_fft_tables tables;
} sums;

/* ---- the statistic ---- */

static double lam(const dpn_box_group *group, double rho) {
    double r = group->c + rho;
    return 0.5 * group->beta / (r * (r + 1));
}

/* The likeliest size. */
static double top_size(const dpn_box_sizes *z) {
    size_t top = 0;
    for (size_t j = 1; j < z->sizes; j++)
        if (z->log_weight[j] > z->log_weight[top]) top = j;
    return (double)top;
}

/* CELLS cells in the standard deviation of the widest term; N holds 24 of the sum and what its mean changes with the size. */
static void choose(sums *s, double top) {
    double widest = 0, variance = 0, mean = 0;
    for (size_t g = 0; g < s->z->groups; g++) {
        const dpn_box_group *group = &s->z->group[g];
        double side = group->c + top, square = side * side * dpn_cut_gaussian_square(0.5 * group->beta * side);
        double deviation = 2 * lam(group, s->rho) * (group->c + s->rho) * sqrt(square);
        widest = fmax(widest, deviation);
        variance += group->times * deviation * deviation;
        mean += group->times * lam(group, s->rho) * square;
    }
    s->h = widest / CELLS;
    s->log2 = LEAST_LOG2;
    while (s->log2 < MOST_LOG2 && ldexp(1, s->log2) < (24 * sqrt(variance) + 3 * mean) / s->h) s->log2++;
}

/* P(Y < y) of a coordinate cut to [-side, side]. */
static double below(double y, double side, double root, double whole) {
    double t = y / side;
    return t <= -1 ? 0 : t >= 1 ? 1 : 0.5 * (1 + (root < 1e-6 ? t : erf(root * t) / whole));
}

/* P(floor(lam (y + move + r)^2/h) = m), folded modulo N: v = y + move + r lies between roots of m h/lam and (m + 1) h/lam, of either sign. False if there are too many cells. */
static bool fill_masses(sums *s, const dpn_box_group *group, double size, double move) {
    double side = group->c + size, r = group->c + s->rho, root = sqrt(0.5 * group->beta * side), whole = erf(root);
    double scale = s->h / lam(group, s->rho), most = side + r + move, before[2], after[2];
    size_t length = (size_t)1 << s->log2, cells = (size_t)fmin(ceil(most * most / scale) + 1, MOST_CELLS + 1);
    if (cells > MOST_CELLS) return false;
    memset(s->real, 0, length * sizeof *s->real);
    before[0] = before[1] = below(-r - move, side, root, whole);
    for (size_t m = 0; m < cells; m++) {
        double v = sqrt((double)(m + 1) * scale);
        after[0] = below(-v - r - move, side, root, whole);
        after[1] = below(v - r - move, side, root, whole);
        s->real[m & (length - 1)] += fmax(0, before[0] - after[0]) + fmax(0, after[1] - before[1]);
        before[0] = after[0];
        before[1] = after[1];
    }
    s->mass_error = fmax(s->mass_error, 4 * (double)cells * ERF_ERROR);
    return true;
}

/* ---- the transform ---- */

static bool add_size(sums *s, size_t j, int which) {
    size_t cells = dpn_fft_cells(s->log2);
    double share = exp(s->z->log_weight[j]);
    for (size_t g = 0; g < s->z->groups; g++) {
        if (!fill_masses(s, &s->z->group[g], (double)j, which)) return false;
        dpn_fft_forward(s->one, s->real, s->log2, &s->tables);
        dpn_fft_power(s->product, s->one, cells, (uint64_t)s->z->group[g].times, 0, g == 0, &s->tables);
    }
    for (size_t k = 0; k < cells; k++)
        for (int i = 0; i < 4; i++) {
            s->all[which][k].re[i] += share * s->product[k].re[i];
            s->all[which][k].im[i] += share * s->product[k].im[i];
        }
    return true;
}

/* Bounds the error of a sum over any residues of p or q. A vector of masses has a 2-norm of at most 1, and so has a spectrum over N^(1/2); its entries are at most 1 and their powers err by as many times what they err
 * themselves. */
static double error_of(const sums *s) {
    double times = 0, each = dpn_fft_error(s->log2);
    for (size_t g = 0; g < s->z->groups; g++) times += s->z->group[g].times;
    double rounding = 2 * (times * (each + 64 * DPN_FFT_PRODUCT_ERROR) + each + (double)s->z->sizes * 0x1p-52);
    return sqrt(ldexp(1, s->log2)) * rounding + times * s->mass_error;
}

/* The second array of residues takes the place of a spectrum that is no longer needed. */
static double answer(sums *s, double epsilon, double left_out) {
    size_t length = (size_t)1 << s->log2;
    double p = 0, q = 0, factor = exp(epsilon), scale = 1 / (double)length, *moved = s->one->re;
    dpn_fft_inverse(moved, s->all[1], s->log2, &s->tables);
    dpn_fft_inverse(s->real, s->all[0], s->log2, &s->tables);
    for (size_t m = 0; m < length; m++) {
        if (!(s->real[m] > factor * moved[m])) continue;
        p += s->real[m] * scale;
        q += moved[m] * scale;
    }
    return p * (1 - SHARE_ERROR) - factor * q * (1 + SHARE_ERROR) - (1 + factor) * error_of(s) - factor * left_out;
}

static bool make_room(sums *s) {
    size_t length = (size_t)1 << s->log2, cells = dpn_fft_cells(s->log2) * sizeof(dpn_fft_cell);
    s->real = aligned_alloc(64, length * sizeof *s->real);
    s->one = aligned_alloc(64, cells);
    s->product = aligned_alloc(64, cells);
    for (int i = 0; i < 2; i++) {
        s->all[i] = aligned_alloc(64, cells);
        if (s->all[i]) memset(s->all[i], 0, cells);
    }
    return s->real && s->one && s->product && s->all[0] && s->all[1] && !dpn_fft_prepare(&s->tables, s->log2);
}

static void free_room(sums *s) {
    dpn_fft_release(&s->tables);
    free(s->real);
    free(s->one);
    free(s->product);
    free(s->all[0]);
    free(s->all[1]);
}

static double at_place(const dpn_box_sizes *z, double rho, double top, double epsilon) {
    sums s = {.z = z, .rho = rho};
    double lower = 0, left_out = exp(z->log_rest);
    choose(&s, top);
    bool good = make_room(&s);
    for (size_t j = 0; j < z->sizes && good; j++) {
        if (z->log_weight[j] > LOG_NOTHING)
            good = add_size(&s, j, 0) && add_size(&s, j, 1);
        else
            left_out += exp(z->log_weight[j]);
    }
    if (good) lower = answer(&s, epsilon, left_out * (1 + 1e-9));
    free_room(&s);
    return fmax(0, lower);
}

double dpn_box_delta_lower(const dpn_box_sizes *sizes, double epsilon) {
    double best = 0, top = top_size(sizes);
    if (!(epsilon < 600) || sizes->groups > MOST_GROUPS) return 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        best = fmax(best, at_place(sizes, places[i] * top, top, epsilon));
    return best;
}
