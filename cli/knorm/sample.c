/* Exact draws of the mechanism of a ball. */
#include "kit/fail.h"
#include "kit/json.h"
#include "knorm/knorm.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The grid of each answer: that of --grid, or the largest power of two at most 2^-16 of the answer's half width. */
static dpn_status choose_grid(int *exponent, const struct knorm_question *question, double rate, double grid,
                              dpn_error *why) {
    const dpn_norm_ball *ball = question->ball[0].ball;
    double *half = calloc(question->dimension, sizeof *half), steps = 2 * (double)question->dimension + 400;
    if (!half) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_ball_half_widths(half, ball);
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < question->dimension && !status; i++) {
        if (grid > 0)
            frexp(grid, &exponent[i]);
        else
            frexp(half[i] / rate * 0x1p-16, &exponent[i]);
        exponent[i]--;
        /* Doubles hold what is printed: below 2^53 steps, but for one draw in 2^200. */
        if (ldexp(half[i] / rate, -exponent[i]) * steps > 0x1p53)
            status =
                refuse(why, DPN_EDOMAIN, "--grid: %g is too fine for this noise; 2^-30 of its size is the limit", grid);
    }
    free(half);
    return status;
}

/* All draws are made before the first is printed. */
dpn_status knorm_draw_all(double **out, double *acceptance, bool *exact, const struct knorm_question *question,
                          uint64_t count, double grid, dpn_error *why) {
    const struct knorm_ball *at = &question->ball[0];
    size_t m = question->dimension, rows = (size_t)count;
    double rate = nextafter(question->epsilon / at->delta, 0);
    int *exponent = calloc(m, sizeof *exponent);
    int64_t *steps = calloc(m, sizeof *steps);
    double *value = rows < SIZE_MAX / sizeof *value / m ? calloc(rows * m, sizeof *value) : NULL;
    dpn_ball_sampler *sampler = NULL;
    dpn_status status = exponent && steps && value ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) status = choose_grid(exponent, question, rate, grid, why);
    if (!status) status = dpn_ball_sampler_new(&sampler, at->ball, rate, exponent, why);
    for (size_t k = 0; k < rows && !status; k++) {
        status = dpn_ball_sampler_draw(steps, sampler, question->rng, why);
        for (size_t j = 0; j < m; j++) value[k * m + j] = ldexp((double)steps[j], exponent[j]);
    }
    if (!status) {
        *acceptance = dpn_ball_sampler_acceptance(sampler);
        *exact = dpn_ball_sampler_exact(sampler);
    }
    dpn_ball_sampler_free(sampler);
    free(exponent);
    free(steps);
    if (status)
        free(value);
    else
        *out = value;
    return status;
}

void knorm_print_samples(struct json *object, const double *value, size_t count, size_t dimension) {
    if (object) json_open_array(object, "samples");
    for (size_t k = 0; k < count; k++) {
        if (object) json_open_array(object, NULL);
        for (size_t j = 0; j < dimension; j++, value++) {
            char text[DPN_NUMBER_SIZE];
            if (object)
                json_number(object, NULL, *value);
            else
                printf("%s%c", dpn_number_print(text, *value), j + 1 < dimension ? ' ' : '\n');
        }
        if (object) json_close_array(object);
    }
    if (object) json_close_array(object);
}

/* What makes draws slow. */
static void warn(double acceptance) {
    if (acceptance < 0.01)
        fprintf(stderr, "dpnoise knorm: warning: only %.2g of the points that are tried lie in the ball\n", acceptance);
}

dpn_status knorm_sample(struct knorm_question *question, uint64_t count, double grid, bool json, dpn_error *why) {
    int exponent;
    double *value, acceptance = 1;
    bool exact = true;
    size_t m = question->dimension;
    if (grid != 0 && (!(grid > 0) || frexp(grid, &exponent) != 0.5))
        return refuse(why, DPN_EDOMAIN, "--grid must be a power of two, such as 0.0009765625");
    dpn_status status = knorm_draw_all(&value, &acceptance, &exact, question, count, grid, why);
    if (status) return status;
    if (json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ball", question->ball[0].text);
        json_number(&object, "epsilon", question->epsilon);
        json_number(&object, "sensitivity", question->ball[0].delta);
        json_number(&object, "acceptance", acceptance);
        json_bool(&object, "exact", exact);
        knorm_print_samples(&object, value, (size_t)count, m);
        json_end(&object);
    } else {
        warn(acceptance);
        knorm_print_samples(NULL, value, (size_t)count, m);
    }
    free(value);
    return DPN_OK;
}
