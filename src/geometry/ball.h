/* A ball inside: its kind says how each question is answered. */
#ifndef DPN_GEOMETRY_BALL_H
#define DPN_GEOMETRY_BALL_H

#include <dpnoise/geometry.h>

#include "geometry/hull.h"

typedef struct dpn_norm_ball_kind {
    const char *name;
    double (*norm)(const dpn_norm_ball *ball, const double *u);
    double (*norm_upper)(const dpn_norm_ball *ball, const double *u); /* NaN if there is none */
    double (*support)(const dpn_norm_ball *ball, const double *c);    /* NaN if there is none */
    double (*log_volume)(const dpn_norm_ball *ball);                  /* NaN if there is no formula */
    void (*half_widths)(const dpn_norm_ball *ball, double *out);      /* never too small */
    bool (*variance)(const dpn_norm_ball *ball,
                     double *out); /* of V at scale 1, for each coordinate; false: no formula */
} dpn_norm_ball_kind;

/* What a kind has that has no such formula. */
double dpn_ball_no_number(const dpn_norm_ball *ball, const double *u);
double dpn_ball_no_volume(const dpn_norm_ball *ball);
bool dpn_ball_no_variance(const dpn_norm_ball *ball, double *out);

struct dpn_norm_ball {
    const dpn_norm_ball_kind *kind;
    size_t dimension;

    double p; /* l_p */
    double *weight;

    dpn_hull hull;       /* hulls; K_3 is one */
    double *facet;       /* the normals over the offsets in the points' own unit, row by row */
    double *vertex;      /* the corners of facets, row by row */
    uint32_t *vertex_of; /* from points of the hull to vertices */
    size_t vertices;

    dpn_norm_ball **part; /* blocks, intersections; images have one */
    size_t parts;

    double *matrix, *inverse; /* images */
    double log_determinant, column_norms, residual;

    double *half_width; /* members */
    bool (*contains)(void *context, const double *u);
    void *context;

    size_t predictors; /* regression */
};

extern const dpn_norm_ball_kind dpn_norm_ball_kind_lp, dpn_norm_ball_kind_hull, dpn_norm_ball_kind_sum,
    dpn_norm_ball_kind_product, dpn_norm_ball_kind_intersection, dpn_norm_ball_kind_points, dpn_norm_ball_kind_image,
    dpn_norm_ball_kind_members, dpn_norm_ball_kind_k2, dpn_norm_ball_kind_regression;

/* A ball with nothing but kind and dimension. NULL if there is no memory. */
dpn_norm_ball *dpn_ball_begin(const dpn_norm_ball_kind *kind, size_t dimension);
dpn_status dpn_ball_no_memory(dpn_norm_ball *ball, dpn_error *why);

/* log Gamma(x), x > 0. */
double dpn_log_gamma(double x);

/* A value that errs by less than margin of it, and the sum of N terms behind it: never below the truth. */
double dpn_rounded_up(double value, size_t terms, double margin);

/* The gauge of K_2. */
double dpn_k2_norm(double u1, double u2);

/* Uniform doubles in (0, 1), for estimates. False if the source fails. */
bool dpn_uniform(dpn_rng *rng, double *out);

#endif
