/* The losses of the rows of a fit, added up, and how far one row moves their derivatives. */
#ifndef DPN_LEARN_ROW_LOSS_H
#define DPN_LEARN_ROW_LOSS_H

#include "learn/fit.h"
#include "learn/minimum.h"

#include <dpnoise/calibrate.h>

/* Coefficients lie in a box of this half-width, in the scaled unit, unless a smaller one is declared: b.z is then exact. Balls have radii from and to. */
#define DPN_ROW_LOSS_BOX 0x1p28
#define DPN_ROW_LOSS_LEAST_RADIUS 0x1p-6
#define DPN_ROW_LOSS_MOST_RADIUS 0x1p27
#define DPN_ROW_LOSS_MOST_SQUARED 0x1p17 /* the most that |b.z| is where losses are squares */

typedef struct dpn_row_loss dpn_row_loss;
struct dpn_row_loss {
    const dpn_fit *fit;
    size_t from, m;   /* columns from .. from + m - 1 are fitted */
    double together;  /* the most that |z|^2 and |z|_1 can be */
    double slope;     /* the most that the derivative of a row's loss by b.z can be in size */
    double curvature; /* the same of its second derivative */
    double box;
    double radius;   /* of a ball of l2 that coefficients lie in; 0: none */
    dpn_int128 *sum; /* scratch: m numbers */
    double *row;     /* likewise */
};

/* Public: from the options and the declaration, no row.
 * Errors   DPN_EDOMAIN for squared loss without a box or ball, DPN_EUNSUPPORTED for more coefficients than the minimum is sure to be found for;
 *          DPN_ENOMEM. */
enum { DPN_ROW_LOSS_COEFFICIENTS = 100 };
dpn_status dpn_row_loss_make(dpn_row_loss *out, const dpn_fit *fit, dpn_error *why);
void dpn_row_loss_free(dpn_row_loss *loss);

/* The most that a row's gradient can be in the norm of a ball (l1, l2 or linf), and the largest eigenvalue of its Hessian, which
 * has rank 1. */
double dpn_row_loss_gradient(const dpn_row_loss *loss, dpn_ball_kind ball);
double dpn_row_loss_eigenvalue(const dpn_row_loss *loss);

/* The sum over the rows of the fit as they are now. */
dpn_smooth dpn_row_loss_sum(dpn_row_loss *loss);

#endif
