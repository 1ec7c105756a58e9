/* A loss put on a grid, from above and from below.
 *
 * H(x) = delta(log x) is convex and decreasing in x = e^epsilon. A convex polygon with corners at the grid points x_j is the
 * profile of a discrete loss that takes the values log x_j with P-mass x_j times the change of slope. Composition is
 * monotone in the profile of each factor, so a polygon above H gives an upper bound of every composition, and one below
 * H a lower bound, whatever noise its corners carry. docs/proofs/privacy/fft.md has the proofs.
 */
#ifndef DPN_PRIVACY_DOTS_H
#define DPN_PRIVACY_DOTS_H

#include "privacy/loss/tail.h"

/* The grid points offset + j step, j = 0 .. count-1. */
typedef struct dpn_dot_grid {
    double offset, step;
    size_t count;
} dpn_dot_grid;

/* A discrete loss on a grid: the logarithm of the P-mass of each point (-inf for none), by how many units of rounding that mass
 * may be off, relative to itself, and the P-mass at +inf. */
typedef struct dpn_dots {
    dpn_dot_grid grid;
    /* Where the polygon may have corners: node[0] = 0 < .. < node[nodes - 1] = grid.count - 1; NULL: everywhere. */
    const size_t *node;
    size_t nodes;
    bool alone;              /* no polygon below follows the one above */
    double *log_mass, *blur; /* grid.count entries each, the caller's */
    double infinite;
    double log_start; /* of the polygon's height at x = 0 */
    /* The polygon's corners are grid points scratch.corner[0 .. corners-1], of height exp(scratch.log_upper[.]). */
    size_t corners;
} dpn_dots;

/* Room for the calculation, grid.count entries each, the caller's. What the polygon above leaves in log_lower the one below uses. */
typedef struct dpn_dots_scratch {
    double *log_lower, *log_upper, *left, *right;
    size_t *corner;
    bool (*cancelled)(void *context); /* asked at each point; NULL: never */
    void *context;
} dpn_dots_scratch;

/* The polygon above the profile of the loss, and then, on the same grid, the one below. The relative distance of the two is about
 * theta (theta + 1) step^2/4 under a tilt theta, where the loss has no atoms off the grid.
 * Errors   those of the loss's profile; DPN_ECANCELLED.
 */
dpn_status dpn_dots_above(dpn_dots *above, const dpn_loss_view *loss, dpn_dots_scratch scratch, dpn_error *why);
dpn_status dpn_dots_below(dpn_dots *below, const dpn_loss_view *loss, dpn_dots_scratch scratch, dpn_error *why);

static inline double dpn_dot_grid_value(const dpn_dot_grid *grid, size_t j) {
    return grid->offset + (double)j * grid->step;
}

#endif
