/* Sampled steps whose losses are atoms alone. */
#include "privacy/sampling/listed.h"

#include "base/error.h"
#include "privacy/interval.h"

#include <stdlib.h>

void dpn_listed_close(dpn_listed *p) {
    for (size_t i = 0; i < p->count; i++) dpn_sampled_list_free(&p->list[i]);
    for (int i = 0; i < 2; i++) free(p->atoms[i]);
    free(p->list);
    free(p->doubt);
    *p = (dpn_listed){0};
}

dpn_status dpn_listed_open(dpn_listed *p, const dpn_step *all, size_t steps, dpn_error *why) {
    size_t room = steps ? steps : 1;
    *p = (dpn_listed){.list = calloc(room, sizeof *p->list), .doubt = calloc(room, sizeof *p->doubt)};
    for (int i = 0; i < 2; i++) p->atoms[i] = calloc(room, sizeof *p->atoms[i]);
    if (!p->list || !p->doubt || !p->atoms[0] || !p->atoms[1])
        return dpn_fail(why, DPN_ENOMEM, "no memory for %zu steps", steps);
    for (size_t k = 0; k < steps; k++) {
        const dpn_step *step = &all[k];
        if (step->rate == 0 || step->times == 0) continue;
        size_t n = p->count++;
        dpn_status status = dpn_sampled_list_make(&p->list[n], step, why);
        if (status) return status;
        p->doubt[n] = p->list[n].doubt;
        for (int i = 0; i < 2; i++) p->atoms[i][n] = (dpn_part){.loss = p->list[n].loss[i], .times = step->times};
    }
    bool alone = p->count == 1 && p->atoms[0][0].times == 1;
    if (p->count == 0 || alone) return dpn_fail(why, DPN_EUNSUPPORTED, "one step alone has a closed profile");
    return DPN_OK;
}

/* The largest loss of a direction of lists. */
double dpn_listed_largest(const dpn_listed *p, int direction) {
    double sum = 0;
    for (size_t i = 0; i < p->count; i++) sum += (double)p->atoms[direction][i].times * p->list[i].largest[direction];
    return sum * (1 + 64 * DBL_EPSILON);
}

/* One direction by the atoms: next to the largest of them, and beyond, they are not known well enough. */
dpn_status dpn_listed_direction(dpn_delta *out, const dpn_listed *p, int direction, double epsilon, double accuracy,
                                double enough, double work, dpn_error *why) {
    double end = 0, lost = 0;
    for (size_t i = 0; i < p->count; i++) {
        const dpn_loss *loss = &p->list[i].loss[direction];
        double times = (double)p->atoms[direction][i].times;
        end += times * loss->value[loss->count - 1];
        lost += times * p->list[i].lost;
    }
    if (epsilon >= dpn_listed_largest(p, direction)) {
        *out = (dpn_delta){0, 0, -INFINITY, -INFINITY};
        return DPN_OK;
    }
    if (!(epsilon < end * (1 - 1e-6))) return dpn_fail(why, DPN_EACCURACY, "epsilon is next to the largest loss");
    dpn_status status = dpn_contour_smooth_delta(out, p->atoms[direction], p->doubt, p->count, epsilon, 0.9 * accuracy,
                                                 enough, work, why);
    if (status || lost == 0) return status;
    *out = dpn_delta_between(out->log_lower, fmin(0, dpn_log_add(out->log_upper, log(lost)) + 4 * DBL_EPSILON));
    if (out->upper > enough && out->log_upper - out->log_lower > log1p(accuracy))
        return dpn_fail(why, DPN_EACCURACY, "the atoms that are not listed matter");
    return DPN_OK;
}

/* The larger of the two directions by the atoms. */
dpn_status dpn_listed_delta(dpn_delta *out, const dpn_listed *p, double epsilon, double accuracy, double work,
                            dpn_error *why) {
    dpn_delta delta[2];
    double enough = 0;
    for (int i = 0; i < 2; i++) {
        dpn_status status = dpn_listed_direction(&delta[i], p, i, epsilon, accuracy, enough, work, why);
        if (status) return status;
        enough = delta[i].lower;
    }
    *out = (dpn_delta){fmax(delta[0].lower, delta[1].lower), fmax(delta[0].upper, delta[1].upper),
                       fmax(delta[0].log_lower, delta[1].log_lower), fmax(delta[0].log_upper, delta[1].log_upper)};
    return DPN_OK;
}
