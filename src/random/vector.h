/* Exact vectors inside. docs/proofs/random/vector-sampler.md */
#ifndef DPN_RANDOM_VECTOR_H
#define DPN_RANDOM_VECTOR_H

#include <dpnoise/vector-sampler.h>
#include <math.h>
#include <string.h>

#include "random/boundaries.h"
#include "random/gamma.h"
#include "random/lazy.h"
#include "random/radius.h"
#include "random/start-size.h"

typedef enum dpn_vector_kind {
    DPN_VECTOR_BOX,
    DPN_VECTOR_L1,
    DPN_VECTOR_LP,
    DPN_VECTOR_CONES,
    DPN_VECTOR_CORNERS,
    DPN_VECTOR_START,
    DPN_VECTOR_RANDOM_BOX,
    DPN_VECTOR_STAIRS
} dpn_vector_kind;

/* From this number of steps on, the ends of int64_t stand for a number: 2^62. */
#define DPN_VECTOR_MOST_STEPS ((uint64_t)1 << 62)

/* A radius beyond this, in units of its exponent, has one word of fraction or more, and is known within 2^-52 + 2^-56 of itself. */
#define DPN_VECTOR_LEAST_RADIUS 0x1p-8

/* Cones with their weights: the j-th has the vertices corner[j dimension ..], indices of rows of vertex. It is chosen
 * with the probability weight j over the sum of all. Weights are given cumulated, as integers of N limbs, the
 * highest first: cumulated[j] is the sum of the first j+1. */
enum { DPN_CONES_LIMBS = 32, DPN_CONES_DIMENSION = 10 };
typedef struct dpn_cones {
    size_t cones, vertices;
    uint32_t *corner;
    double *vertex;
    int limbs;
    uint64_t *cumulated;
} dpn_cones;

/* Choose a cone by its weight. False if the source fails. And free what cones point to. */
bool dpn_cones_choose(const dpn_cones *cones, dpn_rng *rng, size_t *cone);
void dpn_cones_free(dpn_cones *cones);

/* A constraint on a point U of the unit box (vector-corners.c). */
typedef struct dpn_constraint {
    bool parabola;
    uint32_t own, a, b; /* coordinates; a parabola has no b */
} dpn_constraint;

/* The hidden sizes of a random box (vector-random-box.c). */
typedef struct dpn_box_table {
    double alpha;
    size_t groups;
    double *c, *beta; /* of each group of coordinates, which follow each other */
    uint64_t *times;  /* how many it has */
    dpn_boundaries sizes;
    double guard; /* what doubles leave undecided */
} dpn_box_table;
void dpn_box_table_free(dpn_box_table *table);

/* Two staircases (vector-stairs.c). Lengths in cells. */
typedef struct dpn_stairs_table {
    double epsilon, theta, period;
    bool whole; /* on the integers */
    struct {
        double first;
        dpn_boundaries shells;
    } one[2];
    double theta_guard; /* what doubles leave undecided */
} dpn_stairs_table;
void dpn_stairs_table_free(dpn_stairs_table *table);

struct dpn_vector_sampler {
    dpn_vector_kind kind;
    size_t dimension;
    double p, rate;
    double *scale;  /* exact; all 1 for cones */
    int *grid;      /* exponents */
    double *factor; /* scale/(rate grid) within 2^-51 */
    dpn_sampler *table;
    dpn_cones cones;
    dpn_constraint *constraint; /* each coordinate from free_coordinates on is the own one of one of them */
    size_t constraints, free_coordinates;
    double *offset; /* of a start box */
    dpn_start_size *size;
    dpn_radius *radius; /* of spherical noise */
    dpn_gamma *gamma;   /* of an l_p ball, its radius */
    dpn_box_table box;
    dpn_stairs_table stairs;
};

/* A sampler of a kind with arrays and no table or cones yet; the domain is checked.
 * Errors   DPN_EDOMAIN, DPN_ENOMEM. */
dpn_status dpn_vector_sampler_begin(dpn_vector_sampler **out, dpn_vector_kind kind, size_t dimension,
                                    const double *scale, double rate, const int *grid_exponent, dpn_error *why);

/* Give it the table of the law with density proportional to exp(-|x|^p/p). Another scale would do as well. */
dpn_status dpn_vector_sampler_table(dpn_vector_sampler *sampler, double p, dpn_error *why);

/* A sampler for V = sum E_k v_k/rate, E_k independent exponentials and v_k the vertices of a cone chosen at random:
 * that is the density proportional to exp(-rate |v|) for the norm whose ball is the union of the simplices of 0 and v_1
 * .. v_m, if the cones tile the space and weights are as the simplices' volumes. Takes over what cones points to, also
 * on failure. */
dpn_status dpn_vector_sampler_cones(dpn_vector_sampler **out, size_t dimension, dpn_cones *cones, double rate,
                                    const int *grid_exponent, dpn_error *why);

/* A sampler for the box of these scales without what the constraints cut off, which are copied. */
dpn_status dpn_vector_sampler_corners(dpn_vector_sampler **out, size_t dimension, const double *scale,
                                      const dpn_constraint *constraint, size_t constraints, double rate,
                                      const int *grid_exponent, dpn_error *why);

/* The draws of each kind. work has room for a number more than there are coordinates, words and value for one each; that of l_p
 * erases what it used. */
dpn_try dpn_vector_draw_box(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps);
dpn_try dpn_vector_draw_random_box(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps);
dpn_try dpn_vector_draw_stairs(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps);
dpn_try dpn_vector_draw_start(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps);
dpn_try dpn_vector_draw_l1(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps);
dpn_try dpn_vector_draw_lp(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work,
                           uint64_t *words, double *value);
dpn_try dpn_vector_draw_cones(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work);
dpn_try dpn_vector_draw_corners(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work);

/* x scale_i/(rate grid_i). */
dpn_wide dpn_vector_factor(dpn_rounding how, const dpn_vector_sampler *sampler, size_t i, const dpn_wide *x);

/* Round a number >= 0 that a double knows up to an error of 2^-48 of it or more; false if that does not decide it. A sum of
 * 3 2^51 and more has no place for a fraction: it is rounded to a whole number, which its last bits are, and what was
 * rounded away is exact. */
static inline bool dpn_vector_near(double value, double error, bool negative, int64_t *steps) {
    const double shift = 0x1.8p52;
    double shifted = value + shift, rest = value - (shifted - shift);
    int64_t size, zero, sign = -(int64_t)negative;
    memcpy(&size, &shifted, sizeof size);
    memcpy(&zero, &shift, sizeof zero);
    size -= zero;
    *steps = (size ^ sign) - sign; /* no branch: a processor cannot guess the sign */
    return (fabs(rest) + error < 0.5) & (value < 0x1p50);
}

/* Round a number between two bounds >= 0; false if they round to different numbers. */
bool dpn_vector_nearest(int limbs, const dpn_wide *lower, const dpn_wide *upper, bool negative, int64_t *steps);

/* Round x y factor_i, y may be NULL for 1, with as many more bits of both as it takes. */
dpn_try dpn_vector_settle(const dpn_vector_sampler *sampler, size_t i, dpn_lazy *x, dpn_lazy *y, dpn_rng *rng,
                          int64_t *steps);

#endif
