/* Where the polygons of a part have corners: at every grid point where the tilted mass is dense, and at fewer where it is thin.
 *
 * A cell of length h at a loss of tilted density q adds about q h^3 theta (1 + theta)/4 to the distance of the bounds, so for a
 * given number of cells their lengths are best as q^(-1/3). Any choice gives bounds.
 */
#include "privacy/compose/fft-nodes.h"

#include "base/error.h"

#include <math.h>

enum { FEW_ATOMS = 8, MOST_LOG2 = 6, REACH = 2, MANY = 4096 };

/* Shares of a tail that are as good as none. */
#define SAME 1e-11

/* Atoms lie on the grid and cost nothing there, so grid points near them are all kept. */
static void keep_near_atoms(dpn_fft_part *p, const dpn_heavy_atom *atom, size_t atoms) {
    const dpn_dot_grid *grid = &p->coarse;
    for (size_t i = 0; i < atoms; i++) {
        double at = floor((atom[i].value - grid->offset) / grid->step);
        for (int k = -1; k <= 2; k++)
            if (at + k >= 0 && at + k < (double)grid->count) p->apart[(size_t)(at + k)] = 0;
    }
}

/* The tilted mass about a point of the coarse grid, as a logarithm; the atoms' are left out. */
static double mass_about(const dpn_fft_part *p, size_t j, double theta) {
    const dpn_dots *dots = &p->dots[DPN_ABOVE];
    double most = -INFINITY;
    for (size_t k = j < REACH ? 0 : j - REACH; k <= j + REACH && k < dots->grid.count; k++)
        if (p->apart[k]) most = fmax(most, dots->log_mass[k] + theta * dpn_dot_grid_value(&dots->grid, k));
    return most;
}

dpn_status dpn_fft_spread(dpn_fft_plan *plan, const dpn_fft_atoms *atoms, dpn_workspace *workspace, dpn_error *why) {
    size_t total = plan->parts * DPN_FFT_COARSE;
    dpn_status status = DPN_OK;
    size_t *apart = (size_t *)(void *)dpn_fft_slot(workspace, DPN_SLOT_APART, total, &status);
    double *dense = dpn_fft_slot(workspace, DPN_SLOT_DENSE, total, &status);
    if (status) return dpn_fail(why, status, "no memory for %zu grid points", total);
    for (size_t i = 0; i < plan->parts; i++) {
        dpn_fft_part *p = &plan->part[i];
        double about[DPN_FFT_COARSE], top = -INFINITY;
        p->coarse = p->dots[DPN_ABOVE].grid;
        p->atomic = atoms->count[i] > 1;
        p->apart = apart + i * DPN_FFT_COARSE;
        p->dense = dense + i * DPN_FFT_COARSE;
        for (size_t j = 0; j < DPN_FFT_COARSE; j++) p->apart[j] = 1;
        keep_near_atoms(p, atoms->atom[i], atoms->count[i]);
        for (size_t j = 0; j < DPN_FFT_COARSE; j++) {
            about[j] = mass_about(p, j, plan->theta);
            if (p->apart[j]) top = fmax(top, about[j]);
        }
        for (size_t j = 0; j < DPN_FFT_COARSE; j++) p->dense[j] = p->apart[j] ? exp(about[j] - top) : 0;
        for (size_t j = 0; j < DPN_FFT_COARSE; j++) {
            double log2_apart = fmin(fmax(0, floor((top - about[j]) / (3 * log(2)))), MOST_LOG2);
            bool all = !p->apart[j] || atoms->count[i] > FEW_ATOMS || isnan(log2_apart);
            p->apart[j] = all ? 1 : (size_t)1 << (int)log2_apart;
        }
    }
    return DPN_OK;
}

bool dpn_fft_gather(dpn_fft_plan *plan) {
    bool apart = false;
    for (size_t i = 0; i < plan->parts; i++)
        for (size_t j = 0; j < DPN_FFT_COARSE; j++) {
            apart |= plan->part[i].apart[j] > 1;
            plan->part[i].apart[j] = 1;
        }
    return apart;
}

/* How many steps the next node may be away, in cell `at` of the coarse grid. */
static size_t apart_in(const dpn_fft_part *p, size_t at, double step) {
    size_t here = p->apart[at], next = p->apart[at + 1], apart = here < next ? here : next;
    while (apart > 1 && (double)apart * step > 0.5 * p->coarse.step) apart /= 2;
    return apart;
}

static size_t apart_at(const dpn_fft_part *p, double value, double step) {
    double place = floor((value - p->coarse.offset) / p->coarse.step);
    return place >= 0 && place + 1 < (double)p->coarse.count ? apart_in(p, (size_t)place, step) : 1;
}

double dpn_fft_coarseness(const dpn_fft_plan *plan, double step) {
    double sum = 0, all = 0;
    for (size_t i = 0; i < plan->parts; i++) {
        const dpn_fft_part *p = &plan->part[i];
        double squares = 0, mass = 0;
        for (size_t j = 0; j + 1 < DPN_FFT_COARSE; j++) {
            double apart = (double)apart_in(p, j, step);
            squares += p->dense[j] * apart * apart;
            mass += p->dense[j];
        }
        if (!(mass > 0)) continue;
        sum += p->times * squares / mass;
        all += p->times;
    }
    return all > 0 ? sum / all : 1;
}

/* A search for the grid points next to atoms, in order; without `room` for more nodes it is given up. */
typedef struct hunt {
    const dpn_fft_part *part;
    size_t *node, count, room;
} hunt;

static double value_at(const dpn_fft_part *p, size_t j) {
    return dpn_dot_grid_value(&p->dots[DPN_ABOVE].grid, j);
}

/* The nodes after `low` up to `high`. Q(L > low) = Q(L >= high) up to rounding: nothing lies between, and the profile is a line. */
static bool hunt_between(hunt *h, size_t low, double above_low, size_t high, double at_least_high) {
    if (high - low == 1 || above_low - at_least_high <= SAME * above_low) {
        if (h->count == h->room) return false;
        h->node[h->count++] = high;
        return true;
    }
    const dpn_loss_view *view = &h->part->view;
    size_t middle = low + (high - low) / 2;
    double unused, value = value_at(h->part, middle);
    return hunt_between(h, low, above_low, middle, view->source->at_least(view, value)) &&
           hunt_between(h, middle, view->source->above(&unused, view, value), high, at_least_high);
}

/* Where a loss is nothing but atoms, its profile is a polygon, and the grid points next to its corners say all. Returns 0 where
 * that is not so. */
static size_t nodes_of_atoms(size_t *node, const dpn_fft_part *p) {
    size_t last = p->dots[DPN_ABOVE].grid.count - 1;
    if (!p->atomic || last < MANY) return 0;
    hunt h = {.part = p, .node = node, .count = 1, .room = last / 16};
    double unused, above = p->view.source->above(&unused, &p->view, value_at(p, 0));
    node[0] = 0;
    return hunt_between(&h, 0, above, last, p->view.source->at_least(&p->view, value_at(p, last))) ? h.count : 0;
}

size_t dpn_fft_choose_nodes(size_t *node, const dpn_fft_part *p) {
    const dpn_dot_grid *grid = &p->dots[DPN_ABOVE].grid;
    size_t count = nodes_of_atoms(node, p);
    if (count > 0) return count;
    for (size_t j = 0; j + 1 < grid->count; j += apart_at(p, dpn_dot_grid_value(grid, j), grid->step))
        node[count++] = j;
    node[count++] = grid->count - 1;
    return count;
}
