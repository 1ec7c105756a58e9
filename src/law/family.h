/* What a noise family provides. A new family is one file that ends in one row of this type, and one row in
 * families.def; everything else finds it there.
 *
 * All laws are symmetric, so the members below are asked only for t >= 0, finite, and on the integers only for whole t;
 * law.c reflects, rounds and serves infinities and NaN.
 */
#ifndef DPN_LAW_FAMILY_H
#define DPN_LAW_FAMILY_H

#include <dpnoise/law.h>

#include "base/twofold.h"
#include "base/wide.h"

/* The tail P(X > t) = mantissa * exp(-exponent): one form serves sf and log_sf at every depth. 0 < mantissa <= 1 or so. */
typedef struct dpn_tail {
    double mantissa;
    dpn_twofold exponent;
} dpn_tail;

/* ---- Facts: what a law is, for rooms that would otherwise ask for its name (facts.h reads them) ---- */

/* psi as quadratic pieces. On piece k, from its own `from` to that of the next (the support's end after the last),
 *
 *     psi'(x) = (slope + curvature (x - from))/(unit[0] unit[1]),   psi(0) = 0, psi continuous and convex,
 *
 * exactly: all numbers are doubles as they stand. from is 0 for the first piece and increases; slopes and curvatures
 * are not negative. */
enum { DPN_PIECES = 4 };
typedef struct dpn_piece {
    double from, slope, curvature;
} dpn_piece;
typedef struct dpn_pieces {
    double unit[2];
    size_t count;
    dpn_piece piece[DPN_PIECES];
} dpn_pieces;

/* psi that is constant but for steps: it rises by height at every (k + part) period, k = 0, 1, ..., 0 < part <= 1, and
 * part = 0 counts as 1. */
typedef struct dpn_stairs {
    double height, period, part;
} dpn_stairs;

/* The supremum of psi'(t), which is top/(unit[0] unit[1]) exactly; top = +inf: there is none, or none is known. */
typedef struct dpn_slope {
    double top, unit[2];
} dpn_slope;

/* A family's shape: what is left of its parameters when its scale is given. */
struct dpn_family;
typedef struct dpn_shape_fact {
    const char *name;                       /* as people write it: "alpha/gamma" */
    bool ratio;                             /* the first parameter is the shape times the scale, not the shape itself */
    double least, most;                     /* nearer to its limits the law is not worth telling from them */
    double step;                            /* 0, or the shape is a multiple of this */
    const struct dpn_family *below, *above; /* the laws in the limits of a small and a large shape; NULL: none here */
    double lowest;                          /* where the limit below is */
    bool below_is_member;                   /* the shape `lowest` is allowed, and is the limit below */
    const struct dpn_family *member;        /* a family to which all laws of one shape between belong; NULL: none */
    double member_at;                       /* that shape */
    int scan;                               /* how many shapes show all dips of a smooth function of it */

    /* The parameters with this shape and scale; the law grows wider with the scale. A law with steps takes the period
     * for theirs, others ignore it. NULL: the first parameter is the shape's, the second is the scale. */
    void (*parameters)(double *parameter, double shape, double scale, double period);
} dpn_shape_fact;

/* law->constant[DPN_PDF0] and [DPN_LOG_PDF0]: the density at zero and its logarithm; the others are the family's own. */
enum { DPN_PDF0, DPN_LOG_PDF0, DPN_FIRST_CONSTANT };

struct dpn_family {
    const char *name;
    const char *parameter[DPN_LAW_PARAMETERS]; /* names; NULL past the last */
    const char *formula;                       /* what the density is proportional to, x = |t|, for people */
    bool integer;
    bool not_log_concave;
    /* psi has no pieces, and its slope is not log-concave on t > 0, as that of t^p, sqrt(1 + t^2) or log cosh t is: large
     * losses may be anything, and what would rest on them is refused. */
    bool irregular;

    /* Facts. All are optional: without them a law is any density. */
    const struct dpn_family *continuous; /* of a family on the integers: the one with the same psi and parameters on the
                                            reals, whose facts count for both */
    const dpn_shape_fact *shape;         /* NULL: the only parameter is the scale */
    bool (*pieces)(const dpn_law *law, dpn_pieces *out); /* false: with these parameters psi has no pieces */
    dpn_stairs (*stairs)(const dpn_law *law);
    dpn_slope (*slope)(const dpn_law *law); /* not asked where psi has pieces */

    /* On the integers: the largest whole k with psi(j) = j psi(1) for j <= k. */
    double (*straight)(const dpn_law *law);

    /* A bound in the direction of rounding of e^psi(x) for x >= 0 within the support, which increases in x: evaluate it at
     * the bound x that is given. Upwards false: there is no bound. This is what exact draws rest on, where psi has
     * neither pieces nor steps; a family without it is not drawn. */
    bool (*inverse)(const dpn_law *law, dpn_rounding how, const dpn_wide *x, dpn_wide *out);

    /* NULL if the (finite) parameters are in the domain, else the reason: "sigma must lie in [1e-150, 1e150]". */
    const char *(*refuse)(const double *parameter);

    /* psi(t) = log pdf(0) - log pdf(t), as a twofold number since pdf is its exponential. +inf off the support. */
    dpn_twofold (*psi)(const dpn_law *law, double t);

    double (*support)(const dpn_law *law); /* NULL: +inf */

    /* ---- Closed forms, all optional: for a log-concave law psi is enough (generic.h) ---- */

    /* Fill in law->constant: what psi and the members need, and DPN_PDF0 and DPN_LOG_PDF0 if they are known. */
    void (*prepare)(dpn_law *law);

    /* P(X > t). */
    dpn_tail (*tail)(const dpn_law *law, double t);

    /* The t >= 0 with tail(t) = p, 0 < p <= 1/2; on the integers the least t >= 0 with tail(t) <= p. 1/2 - p is exact
     * for p >= 1/4: near the centre use it. NULL on the integers asks for Newton steps in a bracket (solve.h). */
    double (*tail_inverse)(const dpn_law *law, double p);

    double (*variance)(const dpn_law *law);
    double (*mean_abs)(const dpn_law *law);
    double (*fisher)(const dpn_law *law); /* on the integers NULL */
    double (*entropy)(const dpn_law *law);
    double (*log_mgf)(const dpn_law *law, double s); /* 0 < s <= mgf_bound as rounded; +inf from the true pole on */
    double (*mgf_bound)(const dpn_law *law);         /* the double nearest to the pole; NULL beside log_mgf: +inf */
    double (*sub_gaussian)(const dpn_law *law);      /* rounded up; NULL: +inf */
};

/* Scale parameters stay in [1e-150, 1e150], so that variances and Fisher informations neither overflow nor underflow. */
#define DPN_SCALE_MIN 1e-150
#define DPN_SCALE_MAX 1e150
static inline bool dpn_scale_ok(double x) {
    return x >= DPN_SCALE_MIN && x <= DPN_SCALE_MAX;
}

/* The families, and the table of them (families.def), ended by NULL. */
#define FAMILY(row) extern const struct dpn_family dpn_##row;
#include "law/families.def"
#undef FAMILY
extern const struct dpn_family *const dpn_families[];

#endif
