/* Plans as text: the writer. */
#include "calibrate/plan.h"

#include "base/dyadic.h"
#include "base/error.h"
#include "base/text/json-write.h"

#include <dpnoise/number.h>
#include <dpnoise/plan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A part of the text once more; it is short. */
static void put_again(dpn_text *out, size_t start, size_t length) {
    char words[DPN_NUMBER_SIZE + 3] = "";
    if (out->failed || length >= sizeof words) return;
    memcpy(words, out->at + start, length);
    dpn_text_put(out, words);
}

/* "0-4,7" */
static void put_coordinates(dpn_text *out, const dpn_block *block) {
    char words[64];
    for (size_t i = 0, last = 0; i < block->count; i = last + 1) {
        last = i;
        while (last + 1 < block->count && block->coordinate[last + 1] == block->coordinate[last] + 1) last++;
        const char *comma = i ? "," : "";
        if (last == i)
            snprintf(words, sizeof words, "%s%zu", comma, block->coordinate[i]);
        else
            snprintf(words, sizeof words, "%s%zu-%zu", comma, block->coordinate[i], block->coordinate[last]);
        dpn_text_put(out, words);
    }
}

/* All digits of a power of two. */
static void put_grid(dpn_text *out, double grid) {
    char digits[DPN_DYADIC_TEXT_SIZE];
    bool fixed = grid >= ldexp(1, DPN_DYADIC_LEAST) && grid <= ldexp(1, DPN_DYADIC_MOST);
    dpn_text_put(out, fixed ? dpn_dyadic_print(digits, 1, ilogb(grid)) : "null");
}

/* The numbers of a list at these places, or the first ones if at is NULL. Neighbours are often equal, and digits are slow to find. */
static void put_numbers(dpn_text *out, const double *list, const size_t *at, size_t count) {
    size_t start = 0, length = 0; /* of the number before */
    for (size_t i = 0; i < count; i++) {
        double x = list[at ? at[i] : i];
        if (i) dpn_text_put(out, ", ");
        if (i > 0 && x == list[at ? at[i - 1] : i - 1]) {
            put_again(out, start, length);
            continue;
        }
        start = out->length;
        dpn_text_number(out, x);
        length = out->length - start;
    }
}

/* What the sensitivities do not tell of a ball. */
static void put_ball(dpn_text *out, const dpn_plan *plan, const dpn_block *block) {
    if (block->side) {
        dpn_text_put(out, ", \"sides\": [");
        put_numbers(out, block->side, NULL, block->count);
        dpn_text_put(out, "]");
    }
    if (block->start) {
        dpn_text_put(out, ", \"c\": [");
        put_numbers(out, block->start, NULL, block->count);
        dpn_text_put(out, "]");
    }
    if (block->ball != DPN_BALL_HULL || !plan->vertex) return;
    dpn_text_put(out, ", \"vertices\": [");
    for (size_t v = 0; v < plan->vertices; v++) {
        dpn_text_put(out, v ? ", [" : "[");
        put_numbers(out, plan->vertex + v * plan->dimension, block->coordinate, block->count);
        dpn_text_put(out, "]");
    }
    dpn_text_put(out, "]");
}

/* What alpha and beta do not tell of a random box. */
static void put_box(dpn_text *out, const dpn_block *block) {
    const double *list[] = {block->box_start, block->box_beta};
    for (int i = 0; i < 2; i++) {
        if (!list[i]) continue;
        dpn_text_put(out, i ? ", \"beta\": [" : ", \"c\": [");
        put_numbers(out, list[i], NULL, block->count);
        dpn_text_put(out, "]");
    }
}

static void put_block(dpn_text *out, const dpn_plan *plan, const dpn_block *block) {
    char noise[DPN_BLOCK_TEXT_SIZE];
    dpn_text_put(out, "{\"coordinates\": \"");
    put_coordinates(out, block);
    dpn_text_put(out, "\", \"noise\": \"");
    dpn_text_put(out, dpn_block_print(noise, block, 0));
    dpn_text_put(out, "\", \"grid\": ");
    put_grid(out, block->grid);
    dpn_text_put(out, ", \"sensitivities\": [");
    put_numbers(out, plan->sensitivity, block->coordinate, block->count);
    dpn_text_put(out, "]");
    put_ball(out, plan, block);
    put_box(out, block);
    dpn_text_put(out, ", \"epsilon\": ");
    dpn_text_number(out, dpn_block_largest_loss(plan, block));
    dpn_text_put(out, "}");
}

dpn_status dpn_plan_write(char **out, size_t *length, const dpn_plan *plan, dpn_error *why) {
    dpn_text words = {0};
    dpn_text_put(&words, "[");
    for (size_t b = 0; b < plan->blocks; b++) {
        if (b) dpn_text_put(&words, ", ");
        put_block(&words, plan, &plan->block[b]);
    }
    dpn_text_put(&words, "]");
    if (words.failed) {
        free(words.at);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the text of the plan");
    }
    *out = words.at;
    if (length) *length = words.length;
    return DPN_OK;
}
