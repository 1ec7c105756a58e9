/* What a noise family provides. A new family is one file that ends in one row of this type, and one row in
 * families.def; everything else finds it there (exact draws need one more row: random/density.h).
 *
 * All laws are symmetric, so the members below are asked only for t >= 0, finite, and on the integers only for whole t;
 * law.c reflects, rounds and serves infinities and NaN.
 */
#ifndef DPN_LAW_FAMILY_H
#define DPN_LAW_FAMILY_H

#include <dpnoise/law.h>

#include "base/twofold.h"

/* The tail P(X > t) = mantissa * exp(-exponent): one form serves sf and log_sf at every depth. 0 < mantissa <= 1 or so. */
typedef struct dpn_tail {
    double mantissa;
    dpn_twofold exponent;
} dpn_tail;

/* law->constant[DPN_PDF0] and [DPN_LOG_PDF0]: the density at zero and its logarithm; the others are the family's own. */
enum { DPN_PDF0, DPN_LOG_PDF0, DPN_FIRST_CONSTANT };

struct dpn_family {
    const char *name;
    const char *parameter[DPN_LAW_PARAMETERS]; /* names; NULL past the last */
    const char *formula;                       /* what the density is proportional to, x = |t|, for people */
    bool integer;
    bool not_log_concave;

    /* NULL if the (finite) parameters are in the domain, else the reason: "sigma must lie in [1e-150, 1e150]". */
    const char *(*refuse)(const double *parameter);

    /* Fill in law->constant. Optional constants aside, DPN_PDF0 and DPN_LOG_PDF0 are required. */
    void (*prepare)(dpn_law *law);

    /* psi(t) = log pdf(0) - log pdf(t), as a twofold number since pdf is its exponential. +inf off the support. */
    dpn_twofold (*psi)(const dpn_law *law, double t);

    /* P(X > t). */
    dpn_tail (*tail)(const dpn_law *law, double t);

    /* The t >= 0 with tail(t) = p, 0 < p <= 1/2; on the integers the least t >= 0 with tail(t) <= p. 1/2 - p is exact
     * for p >= 1/4: near the centre use it. NULL on the integers asks for Newton steps in a bracket (solve.h). */
    double (*tail_inverse)(const dpn_law *law, double p);

    double (*variance)(const dpn_law *law);
    double (*mean_abs)(const dpn_law *law);
    double (*fisher)(const dpn_law *law); /* NULL: +inf, on the integers NaN */
    double (*entropy)(const dpn_law *law);
    double (*log_mgf)(const dpn_law *law, double s); /* 0 < s <= mgf_bound as rounded; +inf from the true pole on */
    double (*mgf_bound)(const dpn_law *law);         /* the double nearest to the pole; NULL: +inf */
    double (*sub_gaussian)(const dpn_law *law);      /* rounded up; NULL: +inf */
    double (*support)(const dpn_law *law);           /* NULL: +inf */
};

/* Scale parameters stay in [1e-150, 1e150], so that variances and Fisher informations neither overflow nor underflow. */
#define DPN_SCALE_MIN 1e-150
#define DPN_SCALE_MAX 1e150
static inline bool dpn_scale_ok(double x) {
    return x >= DPN_SCALE_MIN && x <= DPN_SCALE_MAX;
}

/* The table of families (families.def), ended by NULL. */
extern const struct dpn_family *const dpn_families[];

#endif
