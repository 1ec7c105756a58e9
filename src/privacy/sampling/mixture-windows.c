/* Which part of the noise of sampled steps is far, and which small. */
#include "privacy/sampling/mixture-windows.h"

#include "privacy/interval.h"
#include "privacy/sampling/mixture-jump.h"

double dpn_mixture_loss_at(const dpn_mixture *m, double loss) {
    return log((expm1(loss) + m->rate) / m->rate) / m->ratio + 0.5 * m->ratio;
}

/* The mass of 1 - V <= e^(steep (t - cut)) under the mixture is at most e^(steep^2/2 - steep cut) (1 - q + q e^(steep c)), for all steps
 * together e^log_lost with the cut that is returned. */
static double cut_for(const dpn_mixtures *all, double steep, double log_lost) {
    double log_mass = -INFINITY;
    for (size_t i = 0; i < all->terms; i++) {
        const dpn_mixture *m = &all->term[i].mixture;
        log_mass = dpn_log_add(log_mass, log(all->term[i].times) + log1p(m->rate * expm1(steep * m->ratio)));
    }
    return 0.5 * steep + (log_mass - log_lost) / steep;
}

/* The steepness with which the cut is about as near as it can be; without a cut about that of the loss. */
static double steepness(const dpn_mixtures *all, const dpn_mixture_cutting *how) {
    double steep = 1;
    if (how->cut) return fmin(fmax(sqrt(fmax(0, -2 * how->log_lost)), 4), 10);
    for (size_t i = 0; i < all->terms; i++) steep = fmax(steep, fmin(all->term[i].mixture.ratio, 3));
    return steep;
}

void dpn_mixture_set_windows(dpn_mixtures *all, const dpn_mixture_cutting *how) {
    double steep = steepness(all, how), cut = how->cut ? cut_for(all, steep, how->log_lost) : INFINITY;
    if (how->cut && how->above > 0) {
        steep = dpn_mixture_jump_steep(all, how->above);
        cut = dpn_mixture_jump_cut(all, steep, how->above, how->log_lost);
    }
    for (size_t i = 0; i < all->terms; i++) {
        dpn_mixture *m = &all->term[i].mixture;
        m->steep = how->cut || how->small > 0 ? steep : 0;
        m->cut = cut;
        m->split = how->small > 0 ? dpn_mixture_loss_at(m, how->small) : -INFINITY;
    }
    all->rest = how->small > 0;
}

void dpn_mixture_keep_small(dpn_mixtures *all) {
    for (size_t i = 0; i < all->terms; i++) {
        all->term[i].mixture.cut = all->term[i].mixture.split;
        all->term[i].mixture.split = -INFINITY;
    }
    all->rest = false;
}
