/* About the epsilon and the delta of sampled steps, to begin a search with. */
#include "privacy/sampling/mixture-guess.h"

#include "law/special.h"
#include "privacy/interval.h"

double dpn_mixture_log_single(const dpn_mixtures *all, double epsilon) {
    double sum = -INFINITY;
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        double t = fmax(0, dpn_mixture_loss_at(m, epsilon) - m->ratio);
        sum = dpn_log_add(sum, log(m->rate * all->term[i].times) - 0.5 * t * t - 2 * log1p(t) - 1);
    }
    return sum;
}

double dpn_mixture_times_seen(const dpn_mixtures *all) {
    double seen = 0;
    for (size_t i = 0; i < all->terms; i++) seen += all->term[i].times * all->term[i].mixture.rate;
    return seen;
}

double dpn_mixture_log_rare(const dpn_mixtures *all, double epsilon) {
    double sum = -INFINITY, others = dpn_mixture_times_seen(all);
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        double c = m->ratio, t = dpn_mixture_loss_at(m, epsilon + others), u = c * (t - 0.5 * c),
               far = dpn_log_q(t - c);
        sum = dpn_log_add(sum, log(m->rate * all->term[i].times) + far + log(-expm1(u + dpn_log_q(t) - far)));
    }
    return sum;
}

/* About the epsilon of the largest single loss. */
static double single_epsilon(const dpn_mixtures *all, double log_delta,
                             double (*log_at)(const dpn_mixtures *, double)) {
    double low = 1e-12, high = 700;
    for (int i = 0; i < 40; i++) {
        double middle = sqrt(low * high);
        *(log_at(all, middle) > log_delta ? &low : &high) = middle;
    }
    return low;
}

bool dpn_mixture_is_rare(const dpn_mixtures *all, double epsilon) {
    double seen = dpn_mixture_times_seen(all), ratio = INFINITY;
    for (size_t i = 0; i < all->terms; i++) ratio = fmin(ratio, all->term[i].mixture.ratio);
    return !all->absent && seen < 0.02 && seen < 0.1 * epsilon && ratio > 1;
}

bool dpn_mixture_is_far(const dpn_mixtures *all, double epsilon) {
    double seen = dpn_mixture_times_seen(all);
    return !all->absent && all->terms > 0 && seen < 0.2 && seen < 0.1 * epsilon &&
           dpn_mixture_log_rare(all, epsilon) < -66;
}

void dpn_attempt_begin(dpn_attempt *a, double log_delta) {
    double single = single_epsilon(a->all, log_delta, dpn_mixture_log_rare), z = sqrt(-2 * log_delta);
    bool rare = dpn_mixture_is_rare(a->all, single);
    dpn_mixture_cumulants k;
    if (!rare) single = single_epsilon(a->all, log_delta, dpn_mixture_log_single);
    a->epsilon = single;
    a->rate = (dpn_mixture_log_single(a->all, single) - dpn_mixture_log_single(a->all, 1.1 * single)) / (0.1 * single);
    if (rare)
        a->rate =
            (dpn_mixture_log_rare(a->all, single) - dpn_mixture_log_rare(a->all, 1.01 * single)) / (0.01 * single);
    dpn_mixture_set_windows(a->all, &a->how);
    if (dpn_mixture_tilt(&k, a->all, 0, DPN_MIXTURE_ROUGH, NULL) || !(k.variance > 0)) return;
    double deviation = sqrt(k.variance);
    for (int i = 0; i < 4; i++) z = sqrt(fmax(0.1, 2 * (log(fmin(deviation, 1)) - 0.9 - 2 * log(z) - log_delta)));
    if (!(k.mean + z * deviation > single)) return;
    a->epsilon = k.mean + z * deviation;
    a->rate = z / deviation;
}
