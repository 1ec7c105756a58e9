/* The plan of a release: one family as asked, the better of a few that calibrate in a moment, or the best of all. */
#include "release/noise/choose.h"

#include "base/error.h"
#include "calibrate/mechanism.h"
#include "calibrate/noise/kind.h"
#include "release/noise/whole-start.h"

#include <math.h>
#include <string.h>

/* Blocks that leave the coordinates alone that must be. */
static bool is_apart(const dpn_release_options *options, const char *family) {
    return options->calibration && options->calibration->alone && strcmp(family, DPN_MECHANISM_BLOCKS) == 0;
}

/* One family on its grid. */
static dpn_status calibrate(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options, const char *family,
                            dpn_error *why) {
    dpn_grid made;
    dpn_plan found = {0};
    dpn_status status = dpn_grid_make(&made, options, dpn_mechanism_traits_of(family).integer, why);
    if (!status)
        status = dpn_calibrate(&found, family, options->epsilon, options->delta, &made.set, options->calibration, why);
    if (!status && options->whole)
        status = dpn_whole_start(&found, &made, options->calibration ? options->calibration->weight : NULL, why);
    if (status) {
        dpn_grid_free(&made);
        dpn_plan_free(&found);
        return status;
    }
    *grid = made;
    *plan = found;
    return DPN_OK;
}

/* Family i of a choice: of all, or of the quick ones, with blocks before them where some coordinates must be alone. */
static const char *family_at(size_t i, const dpn_release_options *options, bool all) {
    bool blocks = !all && options->calibration && options->calibration->alone;
    return !blocks ? dpn_mechanism_name(i) : i == 0 ? DPN_MECHANISM_BLOCKS : dpn_mechanism_name(i - 1);
}

/* A start box gains where several answers share a pure guarantee: on one it is noise of a law, and a delta buys it next to nothing. */
static bool is_idle_start(const char *family, const dpn_release_options *options) {
    bool start = strcmp(family, DPN_MECHANISM_START_BOX) == 0 || strcmp(family, DPN_MECHANISM_START_STAIRCASE) == 0;
    return start && (options->delta > 0 || !options->set || options->set->dimension == 1);
}

/* Whether more than a few answers have bounds that differ from those before them: composing as many losses takes seconds, and what independent noise between
 * Laplace and Gaussian gains there is far less than what joint noise does. */
static bool many_differ(const dpn_sensitivity *set) {
    enum { FEW = 8 };
    size_t different = 0;
    for (size_t i = 1; set && set->bound && i < set->dimension; i++) different += set->bound[i] != set->bound[i - 1];
    return different > FEW;
}

static bool may_take(const char *family, const dpn_release_options *options, bool all) {
    dpn_mechanism_traits is = dpn_mechanism_traits_of(family);
    if (is_apart(options, family)) return true;
    if (is_idle_start(family, options)) return false;
    if (!all && !is.quick) return false;
    if (is.integer && !options->whole) return false;
    if (is.not_log_concave && (options->exclude & DPN_EXCLUDE_INTEGER)) return false;
    if (!all && is.slow_many && options->delta > 0 && many_differ(options->set)) return false;
    if (is.slow_apart && (options->exclude & DPN_EXCLUDE_SLOW)) return false;
    return !((is.joint || is.lawless) && (options->exclude & DPN_EXCLUDE_JOINT));
}

/* What is wrong with the question, or with the machine, is wrong for every family. */
static bool final(dpn_status status) {
    return status != DPN_OK && status != DPN_EUNSUPPORTED && status != DPN_EACCURACY;
}

/* The least error among the families, those on the integers only for whole answers. A family that is hardly better than one
 * before it is passed over: osgt noise that is all but laplace noise, for example. */
#define MARGIN 1e-4
#define WORTH 0.01

/* A staircase is known to a budget as pure noise, by its epsilon alone, and composes worse than noise whose profile is known: it
 * must be worth that. */
static double margin_of(const char *family) {
    return strcmp(family, DPN_MECHANISM_START_STAIRCASE) == 0 ? WORTH : MARGIN;
}

/* Whether the noise on a coordinate of a start staircase is uniform on whole steps once it is rounded to them (whole-start.h). */
static bool is_whole_side(const dpn_plan *plan, const dpn_block *block, size_t i, double step) {
    double steps = block->start[i] * plan->sensitivity[block->coordinate[i]] / step;
    return fabs(steps - floor(steps) - 0.5) < 1e-9;
}

/* What rounding to whole steps adds to the mean squared error of noise on the line: a twelfth of a step squared, nearly, for a density that is smooth beside the step; of a start
 * staircase on whole steps as much less. It counts where all answers have the same step, as counts do: what a count gains beside a sum, whose step is far below its noise, the sum
 * pays for. */
static double rounding_of(const dpn_plan *plan, const dpn_grid *grid, const dpn_release_options *options) {
    double sum = 0;
    if (!options->whole || plan->objective != DPN_OBJECTIVE_MSE) return 0;
    for (size_t i = 1; i < plan->dimension; i++)
        if (grid->exponent[i] != grid->exponent[0]) return 0;
    for (size_t b = 0; b < plan->blocks; b++) {
        const dpn_block *block = &plan->block[b];
        if (dpn_block_is_silent(block) || dpn_block_is_integer(block)) continue;
        for (size_t i = 0; i < block->count; i++) {
            size_t at = block->coordinate[i];
            double step = ldexp(1, grid->exponent[at]),
                   weight = options->calibration && options->calibration->weight ? options->calibration->weight[at] : 1;
            bool less = block->kind == DPN_BLOCK_START_STAIRCASE && is_whole_side(plan, block, i, step);
            sum += (less ? -1 : 1) * weight * step * step / 12;
        }
    }
    return sum;
}

static double error_of(const dpn_plan *plan, const dpn_grid *grid, const dpn_release_options *options) {
    return plan->error + rounding_of(plan, grid, options);
}

/* Noise that ends gives the data away where an answer lies beyond its reach, with a probability of up to delta, and has no divergence that a
 * budget could count: it must be worth that. */
static double cost_of(const dpn_plan *plan, const dpn_grid *grid, const dpn_release_options *options) {
    double error = error_of(plan, grid, options);
    return plan->bounded ? error / (1 - WORTH) : error;
}

static dpn_status choose_among(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options, bool all,
                               dpn_error *why) {
    dpn_grid best_grid = {0};
    dpn_plan best = {0};
    dpn_error first = {DPN_OK, ""};
    bool stop = false;
    double least = INFINITY;
    for (size_t i = 0; family_at(i, options, all) && !stop; i++) {
        const char *family = family_at(i, options, all);
        if (!may_take(family, options, all)) continue;
        dpn_grid other_grid = {0};
        dpn_plan other = {0};
        dpn_error reason = {DPN_OK, ""};
        dpn_status status = calibrate(&other_grid, &other, options, family, &reason);
        stop = final(status);
        if (stop || (status && !first.status)) first = reason;
        double cost = status ? INFINITY : cost_of(&other, &other_grid, options);
        bool better = !status && (best.blocks == 0 || cost < (1 - margin_of(family)) * least);
        dpn_grid_free(better ? &best_grid : &other_grid);
        dpn_plan_free(better ? &best : &other);
        if (better) {
            least = cost;
            best_grid = other_grid;
            best = other;
        }
    }
    if (stop || best.blocks == 0) {
        dpn_grid_free(&best_grid);
        dpn_plan_free(&best);
        if (!first.status) return dpn_fail(why, DPN_EUNSUPPORTED, "no family of noise gives this guarantee");
        return dpn_fail(why, first.status, "%s", first.sentence);
    }
    *grid = best_grid;
    *plan = best;
    return DPN_OK;
}

static dpn_status choose(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options, dpn_error *why) {
    bool all = options->family && strcmp(options->family, "best") == 0;
    if (!options->family || all) return choose_among(grid, plan, options, all, why);
    return calibrate(grid, plan, options, options->family, why);
}

/* Noise that spends delta must be worth it: a budget counts pure noise by its epsilon alone, and other noise that is hardly
 * better would take of a delta that others need. */
dpn_status dpn_release_choose(dpn_grid *grid, dpn_plan *plan, const dpn_release_options *options, dpn_error *why) {
    dpn_grid relaxed_grid = {0}, pure_grid = {0};
    dpn_plan relaxed = {0}, pure = {0};
    if (options->delta == 0) return choose(grid, plan, options, why);
    dpn_status status = choose(&relaxed_grid, &relaxed, options, why);
    if (status) return status;
    dpn_release_options without = *options;
    without.delta = 0;
    dpn_error reason;
    status = choose(&pure_grid, &pure, &without, &reason);
    if (status == DPN_ECANCELLED) {
        dpn_grid_free(&relaxed_grid);
        dpn_plan_free(&relaxed);
        return dpn_fail(why, status, "%s", reason.sentence);
    }
    bool keep = !status && pure.delta.upper == 0 &&
                !(error_of(&relaxed, &relaxed_grid, options) < (1 - WORTH) * error_of(&pure, &pure_grid, options));
    dpn_grid_free(keep ? &relaxed_grid : &pure_grid);
    dpn_plan_free(keep ? &relaxed : &pure);
    *grid = keep ? pure_grid : relaxed_grid;
    *plan = keep ? pure : relaxed;
    return DPN_OK;
}
