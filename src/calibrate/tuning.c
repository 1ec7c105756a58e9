/* The families as calibration sees them. */
#include "calibrate/tuning.h"

#include "calibrate/truncated-pair.h"
#include "law/facts.h"
#include "privacy/loss/largest.h"

#include <math.h>

/* ---- facts of a whole family ---- */

/* Those without a shape differ by the scale alone: one law tells of all. */
static bool all_are(const struct dpn_family *family, double (*what)(const dpn_law *law)) {
    dpn_law law;
    return !family->shape && !dpn_family_tune(&law, family, 0, 1, 1, NULL) && what(&law) > 0;
}

bool dpn_family_is_gaussian(const struct dpn_family *family) {
    return all_are(family, dpn_law_gaussian);
}

bool dpn_family_is_laplace(const struct dpn_family *family) {
    return all_are(family, dpn_law_laplace);
}

bool dpn_family_psi_is_gaussian(const struct dpn_family *family) {
    return all_are(family, dpn_psi_gaussian);
}

bool dpn_family_psi_is_laplace(const struct dpn_family *family) {
    return all_are(family, dpn_psi_laplace);
}

bool dpn_family_may_be_pure(const struct dpn_family *family) {
    const dpn_shape_fact *shape = family->shape;
    dpn_law law;
    dpn_part part = {.times = 1};
    if (shape && shape->below_is_member && dpn_family_may_be_pure(shape->below)) return true;
    if (dpn_family_tune(&law, family, shape ? fmax(shape->least, shape->step) : 0, 1, 1, NULL)) return false;
    if (isfinite(dpn_law_support(&law)) || dpn_loss_law(&part.loss, &law, 1, NULL)) return false;
    return isfinite(dpn_largest_loss(&part, 1, false).hi);
}

bool dpn_law_is_quick(const dpn_law *law) {
    dpn_pieces pieces;
    dpn_stairs stairs;
    return dpn_law_is_integer(law) || dpn_law_pieces(&pieces, law) || dpn_law_stairs(&stairs, law);
}

double dpn_family_step(const struct dpn_family *family) {
    return family->shape ? family->shape->step : 0;
}

int dpn_family_scan(const struct dpn_family *family) {
    enum { USUAL = 12 };
    return family->shape && family->shape->scan > 0 ? family->shape->scan : USUAL;
}

/* Secants: the variance is a power of the scale, or nearly one. */
double dpn_family_scale_of_variance(const struct dpn_family *family, double shape, double period, double variance,
                                    double scale) {
    dpn_law law;
    double log_scale = log(scale), power = 2, last_scale = NAN, last = NAN, target = log(variance);
    for (int round = 0; round < 6; round++) {
        if (dpn_family_tune(&law, family, shape, exp(log_scale), period, NULL)) return 0;
        double value = log(dpn_law_variance(&law)), seen = (value - last) / (log_scale - last_scale);
        if (!isfinite(value)) return 0;
        if (seen > 0.5 && seen < 8) power = seen;
        if (fabs(target - value) < 1e-4) break;
        last_scale = log_scale;
        last = value;
        log_scale += fmin(fmax((target - value) / power, -2), 2);
    }
    return exp(log_scale);
}

/* ---- what papers and measurements know ---- */

/* Nearer to Laplace the Gaussian tails are so far out that they change delta by nothing; on several coordinates the limit
 * competes in the place of shapes that are nearer than this. */
static double far_tail(const dpn_problem *p) {
    return sqrt(fmax(-log(p->delta), 1));
}

static void flipped_huber_range(double *from, double *to, const dpn_problem *p) {
    (void)from;
    *to = fmin(*to, fmax(5, p->most > 1 ? far_tail(p) : 1 + 1.5 * far_tail(p)));
}

static void osgt_range(double *from, double *to, const dpn_problem *p) {
    (void)from;
    if (p->most > 1) *to = fmin(*to, 40 * far_tail(p));
}

/* The best gamma of pure staircase noise for the variance, Geng and Viswanath 2016. */
static double pure_gamma(double epsilon) {
    double b = exp(-fmin(epsilon, 250)), c = cbrt(0.5 * b * (1 + b));
    return b * (1 + 2 * b) / (2 * (c * c + c * b + b * b));
}

static void staircase_range(double *from, double *to, const dpn_problem *p) {
    bool free = p->options.shape_min == 0 && p->options.shape_max == 0;
    bool known = free && p->delta == 0 && p->most <= 1 && p->options.objective == DPN_OBJECTIVE_MSE;
    *from = known ? pure_gamma(p->epsilon) : fmin(*from, 0.3 * pure_gamma(p->epsilon));
    if (known) *to = *from;
}

/* bound/scale of truncated Laplace noise of the scale D/epsilon, Geng, Ding, Guo and Kumar 2020. */
static double truncated_ratio(const dpn_problem *p) {
    return p->epsilon < 500 ? log1p(expm1(p->epsilon) / (2 * p->delta)) : p->epsilon - log(2 * p->delta);
}

static double truncated_published(const dpn_problem *p) {
    return p->delta > 0 ? truncated_ratio(p) : NAN;
}

static void truncated_range(double *from, double *to, const dpn_problem *p) {
    double r = truncated_ratio(p);
    *from = fmax(2e-9, r / 8);
    *to = fmax(50, 8 * r);
}

/* Shapes in steps: beyond N times the width the law is that of the limit. */
static void stepped_range(double *to, const dpn_problem *p, double widths) {
    double reach = fmin(p->l2 * sqrt(2 * fmax(1, -log(p->delta))), 1.5 * p->l1) / fmax(p->epsilon, 1e-3);
    *to = fmin(*to, ceil(fmax(16, widths * reach)));
    if (p->most > 1) *to = fmin(*to, ceil(fmax(16, 8 * far_tail(p) * far_tail(p) * p->l1 / fmax(p->epsilon, 1e-3))));
}

static void discrete_osgt_range(double *from, double *to, const dpn_problem *p) {
    (void)from;
    stepped_range(to, p, 2000);
}

static const dpn_family_lore lore[] = {
    {.family = &dpn_gaussian, .quick = true},
    {.family = &dpn_laplace, .quick = true, .slow_many = true},
    {.family = &dpn_flipped_huber, .sufficient = true, .range = flipped_huber_range},
    {.family = &dpn_osgt, .by_renyi = true, .quick = true, .slow_apart = true, .slow_many = true, .range = osgt_range},
    {.family = &dpn_staircase, .range = staircase_range, .narrow = &dpn_laplace},
    {.family = &dpn_truncated_laplace, .range = truncated_range, .published = truncated_published},
    {.family = &dpn_logistic, .quick = true},
    {.family = &dpn_discrete_gaussian, .quick = true},
    {.family = &dpn_discrete_laplace, .quick = true},
    {.family = &dpn_discrete_osgt, .range = discrete_osgt_range},
    {.family = &dpn_truncated_geometric,
     .quick = true,
     .slow_apart = true,
     .range = truncated_range,
     .law = dpn_truncated_pair},
};

dpn_family_lore dpn_family_known(const struct dpn_family *family) {
    for (size_t i = 0; i < sizeof lore / sizeof *lore; i++)
        if (lore[i].family == family) return lore[i];
    return (dpn_family_lore){.family = family};
}

void dpn_family_range(double *from, double *to, const struct dpn_family *family, const dpn_problem *p) {
    dpn_family_lore known = dpn_family_known(family);
    *from = family->shape->least;
    *to = family->shape->most;
    if (known.range)
        known.range(from, to, p);
    else if (family->shape->step > 0)
        stepped_range(to, p, 100);
}

double dpn_family_published(const struct dpn_family *family, const dpn_problem *p) {
    dpn_family_lore known = dpn_family_known(family);
    return known.published ? known.published(p) : NAN;
}
