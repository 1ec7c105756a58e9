/* Making samplers of vectors, and drawing. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "random/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "random/source.h"

static const size_t most_dimension = (size_t)1 << 24;

static bool is_ordinary(double x) {
    return x >= 0x1p-1000 && x <= 0x1p1000;
}

static dpn_status check(size_t dimension, const double *scale, double rate, const int *grid, dpn_error *why) {
    if (dimension == 0 || dimension > most_dimension)
        return dpn_fail(why, DPN_EDOMAIN, "a vector has 1 to 2^24 coordinates, not %zu", dimension);
    if (scale == NULL || grid == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a sampler of vectors needs a scale and a grid for each coordinate");
    if (!is_ordinary(rate))
        return dpn_fail(why, DPN_EDOMAIN, "the rate must be positive and finite, 2^-1000 to 2^1000");
    for (size_t i = 0; i < dimension; i++) {
        if (!is_ordinary(scale[i]) || !is_ordinary(scale[i] / rate))
            return dpn_fail(why, DPN_EDOMAIN,
                            "the scale of coordinate %zu, and its ratio to the rate, must lie between "
                            "2^-1000 and 2^1000",
                            i);
        if (grid[i] < -1000 || grid[i] > 1000)
            return dpn_fail(why, DPN_EDOMAIN, "the grid of coordinate %zu must lie between 2^-1000 and 2^1000", i);
        if (!(ldexp(scale[i] / rate, -grid[i]) * (2 * (double)dimension + 400) <= 0x1p61))
            return dpn_fail(why, DPN_EDOMAIN,
                            "the grid 2^%d of coordinate %zu is too fine for its noise: draws would not "
                            "fit 64 bits",
                            grid[i], i);
    }
    return DPN_OK;
}

dpn_status dpn_vector_sampler_begin(dpn_vector_sampler **out, dpn_vector_kind kind, size_t dimension,
                                    const double *scale, double rate, const int *grid_exponent, dpn_error *why) {
    dpn_status status = check(dimension, scale, rate, grid_exponent, why);
    if (status) return status;
    dpn_vector_sampler *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->kind = kind;
        made->dimension = dimension;
        made->rate = rate;
        made->scale = calloc(dimension, sizeof *made->scale);
        made->factor = calloc(dimension, sizeof *made->factor);
        made->grid = calloc(dimension, sizeof *made->grid);
    }
    if (made == NULL || made->scale == NULL || made->factor == NULL || made->grid == NULL) {
        dpn_vector_sampler_free(made);
        return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    }
    for (size_t i = 0; i < dimension; i++) {
        made->scale[i] = scale[i];
        made->grid[i] = grid_exponent[i];
        made->factor[i] = ldexp(scale[i] / rate, -grid_exponent[i]);
    }
    *out = made;
    return DPN_OK;
}

dpn_status dpn_vector_sampler_table(dpn_vector_sampler *sampler, double p, dpn_error *why) {
    dpn_law law;
    const double subbotin[2] = {p, 1}, *one = &subbotin[1];
    dpn_status status = p == 1   ? dpn_law_make(&law, "laplace", one, 1, why)
                        : p == 2 ? dpn_law_make(&law, "gaussian", one, 1, why)
                                 : dpn_law_make(&law, "subbotin", subbotin, 2, why);
    if (status) return status;
    sampler->table = malloc(sizeof *sampler->table);
    if (sampler->table == NULL) return dpn_fail(why, DPN_ENOMEM, "there is no memory for the table of a sampler");
    return dpn_lazy_sampler(sampler->table, &law, why);
}

dpn_status dpn_vector_sampler_lp(dpn_vector_sampler **out, size_t dimension, double p, const double *scale, double rate,
                                 const int *grid_exponent, dpn_error *why) {
    if (out == NULL) return dpn_fail(why, DPN_EDOMAIN, "a sampler of vectors needs a place to put it");
    if (!(p >= 1) || (p > 1000 && !isinf(p)))
        return dpn_fail(why, DPN_EDOMAIN, "p must lie between 1 and 1000 or be infinite");
    dpn_vector_kind kind = isinf(p) ? DPN_VECTOR_BOX : p == 1 ? DPN_VECTOR_L1 : DPN_VECTOR_LP;
    dpn_vector_sampler *made;
    dpn_status status = dpn_vector_sampler_begin(&made, kind, dimension, scale, rate, grid_exponent, why);
    if (status) return status;
    made->p = p;
    if (kind != DPN_VECTOR_BOX) status = dpn_vector_sampler_table(made, p, why);
    if (!status && kind == DPN_VECTOR_LP) {
        made->gamma = malloc(sizeof *made->gamma);
        if (made->gamma)
            dpn_gamma_make(made->gamma, (uint64_t)dimension);
        else
            status = dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    }
    if (status) {
        dpn_vector_sampler_free(made);
        return status;
    }
    *out = made;
    return DPN_OK;
}

void dpn_cones_free(dpn_cones *cones) {
    free(cones->corner);
    free(cones->vertex);
    free(cones->cumulated);
}

dpn_status dpn_vector_sampler_cones(dpn_vector_sampler **out, size_t dimension, dpn_cones *cones, double rate,
                                    const int *grid_exponent, dpn_error *why) {
    dpn_vector_sampler *made;
    double largest[DPN_CONES_DIMENSION] = {0}, ones[DPN_CONES_DIMENSION];
    dpn_status status = dimension == 0 || dimension > DPN_CONES_DIMENSION
                            ? dpn_fail(why, DPN_EDOMAIN, "a polytope has 1 to %d dimensions", DPN_CONES_DIMENSION)
                            : DPN_OK;
    for (size_t i = 0; i < cones->vertices * dimension && !status; i++)
        largest[i % dimension] = fmax(largest[i % dimension], fabs(cones->vertex[i]));
    for (size_t i = 0; i < dimension && !status; i++) ones[i] = 1;
    /* The largest entries serve for the check of the domain alone; vertices are in the data's unit. */
    if (!status) status = check(dimension, largest, rate, grid_exponent, why);
    if (!status) status = dpn_vector_sampler_begin(&made, DPN_VECTOR_CONES, dimension, ones, rate, grid_exponent, why);
    if (status) {
        dpn_cones_free(cones);
        return status;
    }
    made->cones = *cones;
    status = dpn_vector_sampler_table(made, 1, why);
    if (status)
        dpn_vector_sampler_free(made);
    else
        *out = made;
    return status;
}

dpn_status dpn_vector_sampler_corners(dpn_vector_sampler **out, size_t dimension, const double *scale,
                                      const dpn_constraint *constraint, size_t constraints, double rate,
                                      const int *grid_exponent, dpn_error *why) {
    dpn_vector_sampler *made;
    dpn_status status = dpn_vector_sampler_begin(&made, DPN_VECTOR_CORNERS, dimension, scale, rate, grid_exponent, why);
    if (status) return status;
    made->constraint = calloc(constraints, sizeof *constraint);
    if (made->constraint == NULL) {
        dpn_vector_sampler_free(made);
        return dpn_fail(why, DPN_ENOMEM, "there is no memory for a sampler of vectors");
    }
    memcpy(made->constraint, constraint, constraints * sizeof *constraint);
    made->constraints = constraints;
    made->free_coordinates = dimension - constraints;
    *out = made;
    return DPN_OK;
}

void dpn_vector_sampler_free(dpn_vector_sampler *sampler) {
    if (sampler == NULL) return;
    free(sampler->scale);
    free(sampler->factor);
    free(sampler->grid);
    free(sampler->table);
    free(sampler->constraint);
    free(sampler->offset);
    if (sampler->size != NULL) dpn_start_size_free(sampler->size);
    free(sampler->size);
    free(sampler->radius);
    free(sampler->gamma);
    dpn_cones_free(&sampler->cones);
    dpn_box_table_free(&sampler->box);
    dpn_stairs_table_free(&sampler->stairs);
    free(sampler);
}

size_t dpn_vector_sampler_dimension(const dpn_vector_sampler *sampler) {
    return sampler == NULL ? 0 : sampler->dimension;
}

static dpn_try draw(const dpn_vector_sampler *sampler, dpn_rng *rng, int64_t *steps, dpn_lazy *work, uint64_t *words,
                    double *value) {
    switch (sampler->kind) {
    case DPN_VECTOR_BOX:
        return dpn_vector_draw_box(sampler, rng, steps);
    case DPN_VECTOR_START:
        return dpn_vector_draw_start(sampler, rng, steps);
    case DPN_VECTOR_L1:
        return dpn_vector_draw_l1(sampler, rng, steps);
    case DPN_VECTOR_LP:
        return dpn_vector_draw_lp(sampler, rng, steps, work, words, value);
    case DPN_VECTOR_RANDOM_BOX:
        return dpn_vector_draw_random_box(sampler, rng, steps);
    case DPN_VECTOR_STAIRS:
        return dpn_vector_draw_stairs(sampler, rng, steps);
    case DPN_VECTOR_CORNERS:
        return dpn_vector_draw_corners(sampler, rng, steps, work);
    default:
        return dpn_vector_draw_cones(sampler, rng, steps, work);
    }
}

dpn_status dpn_vector_sampler_draw(int64_t *steps, const dpn_vector_sampler *sampler, dpn_rng *rng, dpn_error *why) {
    if (sampler == NULL || rng == NULL || steps == NULL)
        return dpn_fail(why, DPN_EDOMAIN, "a draw needs a sampler, a random source and a place to put it");
    enum { FEW = 128 };
    dpn_lazy few[FEW], *work = few;
    uint64_t few_words[FEW], *words = few_words;
    double few_values[FEW], *value = few_values;
    bool alone = sampler->kind == DPN_VECTOR_BOX || sampler->kind == DPN_VECTOR_START ||
                 sampler->kind == DPN_VECTOR_L1 || sampler->kind == DPN_VECTOR_RANDOM_BOX ||
                 sampler->kind == DPN_VECTOR_STAIRS; /* one number after the other */
    size_t numbers = alone ? 0 : sampler->dimension + 1;
    if (numbers > FEW) work = malloc(numbers * (sizeof *work + sizeof *words + sizeof *value));
    if (numbers > FEW && work != NULL) {
        words = (uint64_t *)(work + numbers);
        value = (void *)(words + numbers);
    }
    if (work == NULL) {
        memset(steps, 0, sampler->dimension * sizeof *steps);
        return dpn_fail(why, DPN_ENOMEM, "there is no memory for a vector of noise");
    }
    dpn_try result = draw(sampler, rng, steps, work, words, value);
    if (numbers > 0 && sampler->kind != DPN_VECTOR_LP) explicit_bzero(work, numbers * sizeof *work);
    if (work != few) free(work);
    if (result == DPN_DRAWN) return DPN_OK;
    memset(steps, 0, sampler->dimension * sizeof *steps);
    if (result == DPN_FAILED) return dpn_rng_failure(rng, why);
    return dpn_fail(why, DPN_EACCURACY, "a draw was still undecided after 800 random bits");
}
