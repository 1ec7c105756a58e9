/* The plan of a release: one family as asked, the better of a few that calibrate in a moment, or the best of all. */
#include "release/noise/choose.h"

#include "base/error.h"

#include <string.h>

bool dpn_family_is_integer(const char *family) {
    return strncmp(family, "discrete-", 9) == 0;
}

static bool is_joint(const char *family) {
    return strcmp(family, "k-norm") == 0 || strcmp(family, "blocks") == 0;
}

/* Blocks that leave the coordinates alone that must be. */
static bool is_apart(const dpn_release_options *options, const char *family) {
    return options->calibration && options->calibration->alone && strcmp(family, "blocks") == 0;
}

/* One family on its grid. */
static dpn_status calibrate(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options, const char *family,
                            dpn_error *why) {
    dpn_grid made;
    dpn_plan found = {0};
    dpn_status status = dpn_grid_make(&made, options, dpn_family_is_integer(family), why);
    if (!status)
        status = dpn_calibrate(&found, family, options->epsilon, options->delta, &made.set, options->calibration, why);
    if (status) {
        dpn_grid_free(&made);
        return status;
    }
    *grid = made;
    *plan = found;
    return DPN_OK;
}

/* What is wrong with the question, or with the machine, is wrong for every family. */
static bool final(dpn_status status) {
    return status != DPN_OK && status != DPN_EUNSUPPORTED && status != DPN_EACCURACY;
}

/* The least error among the families of a list, those on the integers only for whole answers. A family that is hardly better
 * than one before it in the list is passed over: osgt noise that is all but laplace noise, for example. */
#define MARGIN 1e-4
static dpn_status choose_among(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options,
                               const char *(*family_at)(size_t), dpn_error *why) {
    dpn_grid best_grid = {0};
    dpn_plan best = {0};
    dpn_error first = {DPN_OK, ""};
    dpn_status status = DPN_OK;
    for (size_t i = 0; family_at(i) && !final(status); i++) {
        if (dpn_family_is_integer(family_at(i)) && (!options->whole || (options->exclude & DPN_EXCLUDE_INTEGER)))
            continue;
        if (is_joint(family_at(i)) && (options->exclude & DPN_EXCLUDE_JOINT) && !is_apart(options, family_at(i)))
            continue;
        if (strcmp(family_at(i), "osgt") == 0 && (options->exclude & DPN_EXCLUDE_SLOW)) continue;
        dpn_grid other_grid = {0};
        dpn_plan other = {0};
        dpn_error reason = {DPN_OK, ""};
        status = calibrate(&other_grid, &other, options, family_at(i), &reason);
        if (status && !first.status) first = reason;
        if (final(status)) first = reason;
        bool better = !status && !other.bounded && (best.blocks == 0 || other.error < (1 - MARGIN) * best.error);
        dpn_grid_free(better ? &best_grid : &other_grid);
        dpn_plan_free(better ? &best : &other);
        if (better) {
            best_grid = other_grid;
            best = other;
        }
    }
    if (final(status) || best.blocks == 0) {
        dpn_grid_free(&best_grid);
        dpn_plan_free(&best);
        if (!first.status) return dpn_fail(why, DPN_EUNSUPPORTED, "no family of noise gives this guarantee");
        return dpn_fail(why, first.status, "%s", first.sentence);
    }
    *grid = best_grid;
    *plan = best;
    return DPN_OK;
}

static const char *quick_family(size_t i) {
    static const char *const names[] = {"gaussian",          "laplace",         "osgt", "logistic", "k-norm",
                                        "discrete-gaussian", "discrete-laplace"};
    return i < sizeof names / sizeof *names ? names[i] : NULL;
}

/* The same, and blocks. */
static const char *quick_family_or_blocks(size_t i) {
    return i == 0 ? "blocks" : quick_family(i - 1);
}

dpn_status dpn_release_choose(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options, dpn_error *why) {
    bool blocks = options->calibration && options->calibration->alone;
    if (!options->family) return choose_among(grid, plan, options, blocks ? quick_family_or_blocks : quick_family, why);
    if (strcmp(options->family, "best") == 0) return choose_among(grid, plan, options, dpn_mechanism_name, why);
    return calibrate(grid, plan, options, options->family, why);
}
