/* The Renyi divergences of one privacy loss, prepared once and asked at many orders. */
#ifndef DPN_PRIVACY_RENYI_CURVE_H
#define DPN_PRIVACY_RENYI_CURVE_H

#include "privacy/loss/rule.h"

#include <dpnoise/renyi.h>

typedef struct dpn_curve {
    const dpn_loss *loss;
    dpn_shape shape;
    dpn_tilt_rule list;     /* the atoms of listed losses other than those of integer laws */
    double mass;            /* their total mass */
    double doubt;           /* relative, of divergences, for what the total mass may err by beside DPN_PLAIN_ERROR */
    dpn_divergence largest; /* the divergence of order +inf */
} dpn_curve;

/* Errors   DPN_EACCURACY, DPN_ENOMEM. Free with dpn_curve_free, also after an error. */
dpn_status dpn_curve_make(dpn_curve *curve, const dpn_loss *loss, dpn_error *why);
void dpn_curve_free(dpn_curve *curve);

/* The curve of the two distributions given that the loss is finite, where it may be infinite; else as above. */
dpn_status dpn_curve_make_finite(dpn_curve *curve, const dpn_loss *loss, dpn_error *why);

/* The divergence of an order that was checked. Errors: DPN_EACCURACY. */
dpn_status dpn_curve_at(dpn_divergence *out, const dpn_curve *curve, double order, dpn_error *why);

/* Errors   DPN_EDOMAIN unless order >= 1. */
dpn_status dpn_order_check(double order, dpn_error *why);

/* dpn_renyi_compose of the distributions given that no loss is infinite, which then are finite (docs/proofs/privacy/guarantees.md,
 * section 4). */
dpn_status dpn_renyi_compose_finite(dpn_divergence *out, const dpn_part *part, size_t parts, const double *order,
                                    size_t orders, dpn_error *why);

/* The ends of the public intervals, `times` of which add, times >= 1: outwards. */
dpn_divergence dpn_divergence_times(dpn_divergence one, double times);
dpn_divergence dpn_divergence_add(dpn_divergence a, dpn_divergence b);

#endif
