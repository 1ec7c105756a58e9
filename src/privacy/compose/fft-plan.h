/* What the FFT engine knows about a composition: its parts on their grids, the tilt, and a first estimate. */
#ifndef DPN_PRIVACY_FFT_PLAN_H
#define DPN_PRIVACY_FFT_PLAN_H

#include "privacy/compose/tilt.h"

enum { DPN_FFT_PARTS = 64, DPN_FFT_LOG2_MAX = 22, DPN_FFT_LOG2_BRIEF = 16, DPN_FFT_COARSE = 257 };

/* The two sides of the bracket. */
enum { DPN_ABOVE, DPN_BELOW };

typedef struct dpn_fft_part {
    dpn_loss_view view;
    double low, high; /* the losses that matter */
    dpn_dots dots[2]; /* above, below */
    double times;
    dpn_dot_grid coarse;
    /* For each of the DPN_FFT_COARSE points of the coarse grid, in the workspace: how many steps lie between corners there, and the
     * tilted mass in units of the largest. */
    size_t *apart;
    double *dense;
    bool atomic; /* it has several atoms, and perhaps nothing else */
} dpn_fft_part;

typedef struct dpn_fft_plan {
    dpn_fft_part part[DPN_FFT_PARTS];
    size_t parts;
    double epsilon, theta, times;
    bool brief;          /* no transform longer than 2^DPN_FFT_LOG2_BRIEF */
    double most;         /* grid points of a part, 0: as many as a transform has */
    size_t most_nodes;   /* of those at which a profile is asked, where each is an integral; 0: any number */
    double log_estimate; /* of the finite losses' share of delta, by the saddle point */
    double log_infinite; /* of the infinite losses' share */
} dpn_fft_plan;

/* Which slot of the workspace holds what. */
enum {
    DPN_SLOT_MASS,
    DPN_SLOT_BLUR,
    DPN_SLOT_SCRATCH,
    DPN_SLOT_CORNER = DPN_SLOT_SCRATCH + 4,
    DPN_SLOT_NODE,
    DPN_SLOT_APART,
    DPN_SLOT_DENSE,
    DPN_SLOT_TILTED,
    DPN_SLOT_PRODUCT,
    DPN_SLOT_COMPOSED, /* one for each side */
};

/* Room for count doubles in a slot; NULL and *status = DPN_ENOMEM if there is none. */
double *dpn_fft_slot(dpn_workspace *workspace, int slot, size_t count, dpn_status *status);

/* Put the parts on the grids of their dots[DPN_ABOVE]: from above, and with `both` also from below. */
dpn_status dpn_fft_make_dots(dpn_fft_plan *plan, dpn_workspace *workspace, bool both, dpn_error *why);

/* A coarse look at the composition: the losses that matter, the tilt, the estimates. */
dpn_status dpn_fft_look(dpn_fft_plan *plan, dpn_workspace *workspace, double accuracy, dpn_error *why);

/* A bound of log delta(epsilon), epsilon >= 0, by the coarse look alone: the best Chernoff bound, which is the best conversion from Renyi
 * divergences. */
dpn_status dpn_fft_chernoff(double *log_upper, dpn_fft_plan *plan, dpn_workspace *workspace, double epsilon,
                            dpn_error *why);

/* 1 - prod (1 - infinite mass)^times of one side. */
double dpn_fft_infinite(const dpn_fft_plan *plan, int side);

/* The composition of one side under the tilt: entry k of the window is the mass[(rest + k) % length]/length at the loss start + k
 * step. The other members bound the errors of what is read from it. The masses are in the workspace. */
typedef struct dpn_fft_window {
    const double *mass;
    size_t length, rest;
    double start, step, theta, times;
    double log_sum;  /* of the untilted masses times exp(theta loss) */
    double two_norm; /* of the errors of the masses */
    double one_norm;
    double infinite; /* the mass of infinite loss */
} dpn_fft_window;

dpn_status dpn_fft_compose(dpn_fft_window *out, const dpn_fft_plan *plan, int side, dpn_workspace *workspace,
                           dpn_error *why);

/* delta(epsilon) is exp(scale) (sum +- error) + infinite. */
typedef struct dpn_fft_sum {
    double scale, sum, error, infinite;
} dpn_fft_sum;
dpn_fft_sum dpn_fft_read(const dpn_fft_window *window, double epsilon);

#endif
