/* The grid of the FFT: its step, aligned with the atoms of the losses.
 *
 * An atom between two grid points costs the polygon below, in log delta, about the tilt times the distance to the nearest of
 * them. Distances between the atoms of one part are what matters, since each part's grid has its own beginning. Steps that
 * divide one such distance into a whole number of pieces are tried, largest first: where the others have no common measure
 * with it, good rational approximations are among them.
 */
#include "privacy/compose/fft-step.h"

#include "base/error.h"

#include <math.h>

enum { RULERS = 4, TRIES = 400 };

dpn_status dpn_fft_find_atoms(dpn_fft_atoms *out, const dpn_fft_plan *plan, dpn_error *why) {
    for (size_t i = 0; i < plan->parts; i++) {
        const dpn_loss_view *view = &plan->part[i].view;
        dpn_status status = view->source->atoms(out->atom[i], &out->count[i], DPN_STEP_ATOMS, view, plan->theta);
        if (status) return dpn_fail(why, status, "no memory for the atoms of a loss");
    }
    return DPN_OK;
}

double dpn_fft_origin(const dpn_fft_atoms *atoms, size_t part) {
    return atoms->count[part] > 0 ? atoms->atom[part][0].value : 0;
}

/* The distance of the bounds that atoms off this grid cost; no more than `enough` of it is of interest. */
static double cost(const dpn_fft_plan *plan, const dpn_fft_atoms *atoms, double step, double enough) {
    double total = 0;
    for (size_t i = 0; i < plan->parts && total < enough; i++) {
        double worst = 0;
        for (size_t k = 1; k < atoms->count[i]; k++) {
            double pieces = fabs(atoms->atom[i][k].value - atoms->atom[i][0].value) / step;
            double off = fabs(pieces - round(pieces));
            if (off > 1e-9 * pieces) worst += off * atoms->atom[i][k].share;
        }
        total += plan->part[i].times * worst * step;
    }
    return total * plan->theta;
}

/* The distances that may be divided: of the heaviest atoms of the part that has the most weight in its second atom. */
static size_t find_rulers(double *ruler, const dpn_fft_plan *plan, const dpn_fft_atoms *atoms, double step) {
    size_t best = 0, count = 0;
    double most = 0;
    for (size_t i = 0; i < plan->parts; i++) {
        double weight = atoms->count[i] > 1 ? plan->part[i].times * atoms->atom[i][1].share : 0;
        if (weight > most) {
            most = weight;
            best = i;
        }
    }
    if (most == 0) return 0;
    for (size_t k = 1; k < atoms->count[best] && count < RULERS; k++) {
        double distance = fabs(atoms->atom[best][k].value - atoms->atom[best][0].value);
        if (distance >= step) ruler[count++] = distance;
    }
    return count;
}

double dpn_fft_aligned_step(const dpn_fft_plan *plan, const dpn_fft_atoms *atoms, double step, double negligible) {
    double ruler[RULERS], best = step, least = cost(plan, atoms, step, INFINITY);
    size_t rulers = find_rulers(ruler, plan, atoms, step);
    for (size_t i = 0; i < rulers; i++) {
        double pieces = ceil(ruler[i] / step), most = fmin(pieces, TRIES);
        for (double extra = 0; extra <= most && least > negligible; extra++) {
            double candidate = ruler[i] / (pieces + extra), found = cost(plan, atoms, candidate, least);
            if (found < least) {
                least = found;
                best = candidate;
            }
        }
    }
    return best;
}
