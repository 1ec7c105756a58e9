/* A small seeded source of test points. It is for tests only: its numbers are repeatable, not secret. */
#ifndef DPN_TEST_DRAW_H
#define DPN_TEST_DRAW_H

#include <stdbool.h>
#include <stdint.h>

typedef struct draw_source {
    uint64_t state;
} draw_source;

uint64_t draw_bits(draw_source *source);
double draw_uniform(draw_source *source, double low, double high);
double draw_log_uniform(draw_source *source, double low, double high);
bool draw_chance(draw_source *source, double probability);

/* A scale parameter: mostly ordinary, at times from all of [1e-150, 1e150]. */
double draw_scale(draw_source *source);

/* The shape of a law as the ratio of two of its parameters: mostly 1e-12 to 1e6 (or to a few hundred, where all happens),
 * at times from 1e-100 to 1e100; *ordinary becomes false for the latter. */
double draw_ratio(draw_source *source, bool *ordinary);

/* The scale of a law on the integers: mostly 1e-2 to 1e9, at times from 1e-50 to 1e12, at times a whole number. */
double draw_integer_scale(draw_source *source);

#endif
