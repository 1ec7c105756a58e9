/* One step whose loss is by itself more than epsilon. */
#include "privacy/sampling/mixture-jump.h"

#include "law/special.h"
#include "privacy/interval.h"
#include "privacy/sampling/mixture-windows.h"

#define ROUND (0.5 * DBL_EPSILON)
#define LOG_ROOT_2_PI 0.91893853320467274178

/* ---- the mass beyond a window ---- */

/* steep times the strip's half width, less than pi/2, and 2 pi times that width over the step: the error of quadrature is 6.4 e^(b^2/2 - DECAY)
 * of the sum. */
#define STRIP 1.5
#define DECAY 42.0
#define DEAD 46.0 /* terms below e^-DEAD of the largest end the sum */
enum { MOST_TERMS = 1 << 15 };

/* log of (1 - exp(-e^(steep (z - at)))) n(z). */
static double log_term(double steep, double at, double z) {
    double y = steep * (z - at), window = y < -36 ? y : y > 4 ? 0 : log(-expm1(-exp(y)));
    return window - 0.5 * z * z - LOG_ROOT_2_PI;
}

/* Terms from z outwards, relative to e^top, and what rounding does to them. */
static void sum_side(double *sum, double *doubt, size_t *terms, double steep, double at, double z, double step,
                     double top) {
    for (; *terms < MOST_TERMS; z += step, ++*terms) {
        double log_size = log_term(steep, at, z) - top, size = exp(log_size);
        if (log_size < -DEAD) return;
        *sum += size;
        *doubt += size * (16 + z * z + fabs(top) + 4 * steep * (fabs(z) + fabs(at)));
    }
}

bool dpn_mixture_far_mass(double *mass, double *error, double steep, double at) {
    double step = 2 * DPN_PI * STRIP / (DECAY * steep), z = fmin(steep, fmax(at, 0)), sum = 0, doubt = 0;
    size_t terms = 0;
    while (log_term(steep, at, z + step) > log_term(steep, at, z) && terms < MOST_TERMS) z += step, terms++;
    while (log_term(steep, at, z - step) > log_term(steep, at, z) && terms < MOST_TERMS) z -= step, terms++;
    double top = log_term(steep, at, z);
    if (!(top > -650)) return false;
    sum_side(&sum, &doubt, &terms, steep, at, z, step, top);
    sum_side(&sum, &doubt, &terms, steep, at, z - step, -step, top);
    if (terms >= MOST_TERMS) return false;
    *mass = step * sum * exp(top);
    *error = 2 * ROUND * (doubt / sum + (double)terms + 16) + 2e-17 * exp(0.5 * STRIP * STRIP / (steep * steep));
    return true;
}

/* ---- all steps ---- */

/* How often the person is seen at most, and how far out the noise is that decides. */
#define SELDOM 0.2
#define FAR 20.0

/* What the losses of the other steps take away, at most. */
static double all_others(const dpn_mixtures *all) {
    double sum = 0;
    for (size_t i = 0; i < all->terms; i++) sum -= all->term[i].times * log1p(-all->term[i].mixture.rate);
    return sum * (1 + 8 * DBL_EPSILON * (double)(all->terms + 1));
}

/* Where the loss of one step decides: noise further right makes the loss of all steps more than epsilon. */
static double deciding(const dpn_mixture *m, double epsilon, double others) {
    double T = dpn_mixture_loss_at(m, epsilon + others);
    return T + 1e-9 * (1 + fabs(T));
}

bool dpn_mixture_jump_serves(const dpn_mixtures *all, double epsilon) {
    double others = all_others(all);
    if (all->absent || !(epsilon >= 0) || !(others < SELDOM)) return false;
    for (size_t i = 0; i < all->terms; i++)
        if (!(deciding(&all->term[i].mixture, epsilon, others) < FAR)) return false;
    return all->terms > 0;
}

double dpn_mixture_jump_steep(const dpn_mixtures *all, double epsilon) {
    double others = all_others(all), steep = 12;
    for (size_t i = 0; i < all->terms; i++) steep = fmax(steep, 2 * deciding(&all->term[i].mixture, epsilon, others));
    return fmin(steep, 60);
}

/* log of the sum over steps of the integral of e^(steep t) n(t), without e^(steep^2/2), up to where the loss of one step decides. */
static double log_undecided(const dpn_mixtures *all, double steep, double epsilon) {
    double others = all_others(all), sum = -INFINITY;
    if (isinf(others)) return INFINITY;
    for (size_t i = 0; i < all->terms; i++)
        sum = dpn_log_add(sum, log(all->term[i].times) +
                                   dpn_log_q(steep - deciding(&all->term[i].mixture, epsilon, others)));
    return sum;
}

double dpn_mixture_jump_cut(const dpn_mixtures *all, double steep, double epsilon, double log_goal) {
    return 0.5 * steep + (epsilon + log_undecided(all, steep, epsilon) - log_goal) / steep;
}

bool dpn_mixture_jump_make(dpn_mixture_jump *out, const dpn_mixtures *all) {
    double present[2] = {0, 0}, absent[2] = {0, 0}, slack = 8 * DBL_EPSILON * (double)(all->terms + 1);
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        double here, there, here_error, there_error;
        if (!(m->steep >= 1) || !isfinite(m->cut) || !dpn_mixture_far_mass(&here, &here_error, m->steep, m->cut) ||
            !dpn_mixture_far_mass(&there, &there_error, m->steep, m->cut - m->ratio))
            return false;
        /* The mass of a window that is moved by h grows by e^(steep h) at most. */
        there_error += 2 * m->steep * (m->doubt * m->ratio + 2 * ROUND * (fabs(m->cut) + m->ratio));
        double mixed = (1 - m->rate) * here + m->rate * there;
        double mixed_error = fmax(here_error, there_error) + 4 * DBL_EPSILON;
        for (int end = 0; end < 2; end++) {
            double sign = end ? 1 : -1, times = all->term[i].times;
            present[end] += times * log1p(-fmin(1, mixed * (1 + sign * mixed_error)));
            absent[end] += times * log1p(-fmin(1, here * (1 + sign * here_error)));
        }
    }
    for (int end = 0; end < 2; end++) {
        double sign = end ? 1 : -1;
        out->present[end] = -expm1(present[end] * (1 + sign * slack));
        out->absent[end] = -expm1(absent[end] * (1 + sign * slack));
    }
    return true;
}

void dpn_mixture_jump_delta(double *log_lower, double *log_upper, const dpn_mixture_jump *jump, const dpn_mixtures *all,
                            double epsilon) {
    const dpn_mixture *m = &all->term[0].mixture; /* all have the same cut */
    double factor = exp(epsilon), slack = 8 * DBL_EPSILON * (1 + fabs(epsilon));
    double lower = jump->present[0] * (1 - slack) - factor * jump->absent[1] * (1 + slack);
    double upper = jump->present[1] * (1 + slack) - factor * jump->absent[0] * (1 - slack);
    double rest = epsilon + log_undecided(all, m->steep, epsilon) + 0.5 * m->steep * m->steep - m->steep * m->cut;
    rest += 1e-12 * (1 + fabs(rest) + m->steep * (m->steep + fabs(m->cut)));
    *log_lower = lower > 0 ? log(lower) : -INFINITY;
    *log_upper = fmin(log(jump->present[1]), dpn_log_add(upper > 0 ? log(upper) : -INFINITY, rest)) + 1e-13;
    *log_upper = fmax(*log_upper, *log_lower);
}
