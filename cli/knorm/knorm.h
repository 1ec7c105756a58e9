/* The parts of `dpnoise knorm`. */
#ifndef DPNOISE_CLI_KNORM_KNORM_H
#define DPNOISE_CLI_KNORM_KNORM_H

#include "kit/json.h"
#include "kit/options.h"

#include <dpnoise/geometry.h>

struct knorm_ball {
    const char *text;
    dpn_norm_ball *ball;
    double delta; /* the sensitivity in its norm, 1 unless there is a space */
    dpn_volume volume;
    double entropy, mse;
    double *variance;
    dpn_mean_norms losses;
};

struct knorm_question {
    struct knorm_ball *ball;
    size_t balls, dimension;
    double *space; /* moves, row by row; NULL if none is given */
    size_t moves;
    bool sampled; /* the moves are some of a space: an estimate from inside */
    double epsilon;
    bool has_answers;
    double answers;  /* the entropy of the answers, with has_answers */
    uint64_t points; /* of estimates */
    dpn_rng *rng;
    const char *plot;
};

/* A ball from its text: atoms, joined by & (intersection), + (sum of norms) and * (product), & last. dimension is the one of
 * the option, 0 if it is not known.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_EUNSUPPORTED, DPN_ENOMEM. */
dpn_status knorm_read_ball(dpn_norm_ball **out, const char *text, size_t dimension, dpn_error *why);

/* An atom: l1, l2, linf, l1.5, box, each with (weights); hull:FILE; k2; k3; regression(P); regression-hull(N). */
dpn_status knorm_read_atom(dpn_norm_ball **out, const char *text, size_t dimension, dpn_error *why);

/* A comma list of numbers. Release with free(out->at). */
dpn_status knorm_read_numbers(struct numbers *out, const char *what, const char *list, dpn_error *why);

/* The subcommands. */
dpn_status knorm_volume(struct knorm_question *question, bool json, dpn_error *why);
dpn_status knorm_entropy(struct knorm_question *question, bool json, dpn_error *why);
dpn_status knorm_norm(struct knorm_question *question, const struct numbers *at, bool json, dpn_error *why);
dpn_status knorm_hull(struct knorm_question *question, bool json, dpn_error *why);
dpn_status knorm_compare(struct knorm_question *question, bool json, dpn_error *why);
dpn_status knorm_sample(struct knorm_question *question, uint64_t count, double grid, bool json, dpn_error *why);

/* The moves of --space, --linear or --monomials, and their dimension; none if none of them is given. */
dpn_status knorm_read_space(struct knorm_question *out, const struct arguments *arguments, dpn_error *why);

/* Depth of a vector and concentration sets; either may be empty, not both. */
dpn_status knorm_depth(struct knorm_question *question, const struct numbers *x, const struct numbers *prob, bool json,
                       dpn_error *why);

/* The most power of tests of these levels. */
dpn_status knorm_power(double epsilon, const struct numbers *level, bool json, dpn_error *why);

/* The lemmas tried with so many exact draws. */
dpn_status knorm_check(struct knorm_question *question, uint64_t count, bool json, dpn_error *why);

/* So many exact draws on a grid (0: one that suits), row by row; release with free(*out). */
dpn_status knorm_draw_all(double **out, double *acceptance, bool *exact, const struct knorm_question *question,
                          uint64_t count, double grid, dpn_error *why);

/* Floating-point draws of a Markov chain, which back no guarantee. */
dpn_status knorm_sample_chain(struct knorm_question *question, uint64_t count, bool json, dpn_error *why);

/* Vectors row by row, as lines or, if object is not NULL, as its member samples. */
void knorm_print_samples(struct json *object, const double *value, size_t count, size_t dimension);

/* Draw the balls, each times its sensitivity, and the space: two dimensions. */
dpn_status knorm_plot(const struct knorm_question *question, dpn_error *why);

#endif
