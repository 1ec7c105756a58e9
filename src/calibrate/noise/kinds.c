/* The table of the kinds of noise, from kinds.def, and what they share. */
#include "calibrate/noise/kind.h"

#include <stdio.h>
#include <string.h>

#define KIND(row, word) extern const struct dpn_noise_kind dpn_noise_##row;
#include "calibrate/noise/kinds.def"
#undef KIND

#define KIND(row, word) [DPN_BLOCK_##word] = &dpn_noise_##row,
static const struct dpn_noise_kind *const kinds[] = {
#include "calibrate/noise/kinds.def"
};
#undef KIND

#define KIND(row, word) +1
enum {
    KINDS = sizeof kinds / sizeof *kinds,
    ROWS = 0
#include "calibrate/noise/kinds.def"
};
#undef KIND
_Static_assert(ROWS == KINDS, "every word of dpn_block_kind up to the last has one row in kinds.def");

const char *dpn_block_kind_name(dpn_block_kind kind) {
    return (unsigned)kind < KINDS ? kinds[kind]->name : NULL;
}

const struct dpn_noise_kind *dpn_noise_kind_of(const dpn_block *block) {
    return kinds[block->kind];
}

const dpn_law *dpn_block_law(const dpn_block *block) {
    return dpn_noise_kind_of(block)->has_law ? &block->law : NULL;
}

bool dpn_block_is_silent(const dpn_block *block) {
    return dpn_noise_kind_of(block)->silent;
}

bool dpn_block_is_integer(const dpn_block *block) {
    const dpn_law *law = dpn_block_law(block);
    return law ? dpn_law_is_integer(law) : dpn_noise_kind_of(block)->integer;
}

/* ---- text ---- */

char *dpn_block_print(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    const struct dpn_noise_kind *kind = dpn_noise_kind_of(block);
    if (kind->print)
        kind->print(text, block, digits);
    else
        snprintf(text, DPN_BLOCK_TEXT_SIZE, "%s", kind->name);
    return text;
}

/* Whether a text is of the kind; *rest is what its opening leaves. */
static bool opens(const struct dpn_noise_kind *kind, const char *text, const char **rest) {
    if (!kind->opening) return false;
    size_t length = strlen(kind->opening);
    *rest = text + length;
    return strncmp(text, kind->opening, length) == 0 && (kind->parse || **rest == '\0');
}

dpn_status dpn_noise_parse(dpn_block *out, const char *text, dpn_error *why) {
    const char *rest = text;
    int at = 0, others = 0; /* the kind for texts of no other */
    while (at < KINDS && !opens(kinds[at], text, &rest)) at++;
    while (kinds[others]->opening) others++;
    out->kind = (dpn_block_kind)(at < KINDS ? at : others);
    const struct dpn_noise_kind *kind = kinds[out->kind];
    return kind->parse ? kind->parse(out, at < KINDS ? rest : text, why) : DPN_OK;
}

/* ---- a plan on a set ---- */

static dpn_noise_cover cover_of(const dpn_plan *plan, const dpn_block *block) {
    const struct dpn_noise_kind *kind = dpn_noise_kind_of(block);
    return kind->cover ? kind->cover(plan, block) : DPN_COVERS_CORNER;
}

dpn_plan_view dpn_plan_on(const dpn_plan *plan, const dpn_sensitivity *set) {
    dpn_plan_view view = {.plan = plan, .set = set, .whole = true, .boxes = true};
    size_t noisy = 0;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        if (dpn_block_is_silent(block)) continue;
        dpn_noise_cover cover = cover_of(plan, block);
        if (!dpn_block_is_integer(block)) view.whole = false;
        if (cover != DPN_COVERS_BOX) view.boxes = false;
        view.ball = cover == DPN_COVERS_BALL && noisy == 0 ? block : NULL;
        noisy++;
    }
    if (noisy == 0) view.whole = false;
    return view;
}
