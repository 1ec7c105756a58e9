/* The sensitivity set that options describe. */
#include "input/sensitivity.h"

#include "kit/fact.h"
#include "kit/fail.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>

static const char *const set_options[] = {"--dim",  "--sensitivities", "--max-changed", "--l1",       "--l2",
                                          "--linf", "--vertices",      "--histogram",   "--max-rows", NULL};
static const char *const units[] = {"row", "person", NULL};

const char *sensitivity_option_given(const struct arguments *arguments) {
    for (const char *const *option = set_options; *option; option++)
        if (arguments_have(arguments, *option)) return *option;
    return NULL;
}

void sensitivity_free(struct sensitivity *sensitivity) {
    free(sensitivity->bound);
    free(sensitivity->vertex);
}

/* As a person wrote it: a bound was rounded up to a double, which shows in the 17th digit. */
static char *number_words(char text[DPN_NUMBER_SIZE], double x) {
    snprintf(text, DPN_NUMBER_SIZE, "%.15g", x);
    return text;
}

/* ---- Reading ---- */

dpn_status relation_read(dpn_relation *out, const struct arguments *arguments, dpn_error *why) {
    static const char *const relations[] = {"add-remove", "replace", NULL};
    size_t relation = (size_t)*out;
    dpn_status status = arguments_choice(&relation, arguments, "--relation", relations, why);
    if (!status) *out = (dpn_relation)relation;
    return status;
}

dpn_status present_check(double present, double replaced, dpn_error *why) {
    if (replaced <= 2 * present) return DPN_OK;
    return refuse(why, DPN_EDOMAIN,
                  "a replaced row moves further than twice --present: to replace is to remove one row and to add one");
}

/* What options do not say stays. */
static dpn_status read_said_neighbours(dpn_sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    size_t unit = (size_t)out->unit;
    dpn_status status = relation_read(&out->relation, arguments, why);
    if (!status) status = arguments_choice(&unit, arguments, "--unit", units, why);
    if (!status) out->unit = (dpn_unit)unit;
    return status;
}

dpn_status sensitivity_read_neighbours(dpn_sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    out->relation = DPN_ADD_REMOVE;
    out->unit = DPN_ROW;
    return read_said_neighbours(out, arguments, why);
}

/* Rounded up, as every sensitivity is. A norm of 0 is no noise's business, and in the set it means none is given. */
static dpn_status read_norm(double *out, const struct arguments *arguments, const char *name, dpn_error *why) {
    const char *text = arguments_value(arguments, name);
    double bound = 0;
    dpn_error reason;
    if (!text) return DPN_OK;
    dpn_status status = dpn_number_parse_up(&bound, text, &reason);
    if (status) return refuse(why, status, "%s: %s", name, reason.sentence);
    if (!(bound > 0)) return refuse(why, DPN_EDOMAIN, "%s must be positive", name);
    *out = bound;
    return DPN_OK;
}

static dpn_status read_bounds(struct sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    struct numbers bounds;
    dpn_status status = arguments_numbers(&bounds, arguments, "--sensitivities", NUMBER_FINITE_UP, why);
    if (status) return status;
    for (size_t i = 0; i < bounds.count && !status; i++)
        if (!(bounds.at[i] >= 0)) status = refuse(why, DPN_EDOMAIN, "--sensitivities must not be negative");
    if (!status && bounds.count) status = sensitivity_set_dimension(out, "--sensitivities", bounds.count, why);
    if (status || bounds.count == 0) {
        free(bounds.at);
        return status;
    }
    out->bound = bounds.at;
    out->set.bound = bounds.at;
    return DPN_OK;
}

dpn_status sensitivity_set_dimension(struct sensitivity *out, const char *option, size_t dimension, dpn_error *why) {
    if (out->dimension_known && dimension != out->set.dimension)
        return refuse(why, DPN_EPARSE, "%s is about %zu answers, but there are %zu", option, dimension,
                      out->set.dimension);
    out->set.dimension = dimension;
    out->dimension_known = true;
    return DPN_OK;
}

/* If at most M answers move, more of them with the same noise change nothing. A single bound is one of a single answer,
 * unless norms speak of several: then 2 stands for any number, or sensitivity_check refuses. */
static void guess_dimension(struct sensitivity *out, const struct arguments *arguments) {
    if (out->dimension_known) return;
    bool norms = out->set.l1 > 0 || out->set.l2 > 0 || out->set.linf > 0;
    out->set.dimension = out->set.max_changed ? out->set.max_changed : norms ? 2 : 1;
    out->dimension_known = out->set.max_changed || (arguments_have(arguments, "--sensitivity") && !norms);
}

static dpn_status read_dimension(struct sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    uint64_t dimension = 0, changed = 0;
    dpn_status status = arguments_count(&dimension, arguments, "--dim", why);
    if (!status) status = arguments_count(&changed, arguments, "--max-changed", why);
    if (status) return status;
    out->set.max_changed = changed;
    return dimension ? sensitivity_set_dimension(out, "--dim", dimension, why) : DPN_OK;
}

/* One bound for every answer. It becomes a bound of the largest move, so that no memory grows with the dimension;
 * but there 0 means none is given. */
static dpn_status set_equal_bound(struct sensitivity *out, double bound, dpn_error *why) {
    if (!(bound >= 0)) return refuse(why, DPN_EDOMAIN, "--sensitivity must not be negative");
    if (out->bound) return refuse(why, DPN_EPARSE, "--sensitivity and --sensitivities exclude each other");
    if (bound > 0) {
        out->set.linf = out->set.linf > 0 ? fmin(out->set.linf, bound) : bound;
        return DPN_OK;
    }
    out->bound = calloc(out->set.dimension, sizeof *out->bound);
    out->set.bound = out->bound;
    return out->bound ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
}

static dpn_status read_equal_bound(struct sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    struct numbers bound;
    dpn_status status = arguments_numbers(&bound, arguments, "--sensitivity", NUMBER_FINITE_UP, why);
    if (status) return status;
    if (bound.count > 1)
        status =
            refuse(why, DPN_EPARSE, "--sensitivity takes one number; for several answers there is --sensitivities");
    else if (bound.count == 1)
        status = set_equal_bound(out, bound.at[0], why);
    free(bound.at);
    return status;
}

/* The one set that depends on the relation, which is known by now. */
static dpn_status read_histogram(struct sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    static const char *const others[] = {"--sensitivity", "--sensitivities", "--max-changed", "--l1",
                                         "--l2",          "--linf",          "--vertices"};
    uint64_t bins = 0, rows = 1;
    dpn_sensitivity set;
    dpn_error reason;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (arguments_have(arguments, others[i]))
            return refuse(why, DPN_EPARSE, "--histogram and %s exclude each other: a histogram says how far it moves",
                          others[i]);
    dpn_status status = arguments_count(&bins, arguments, "--histogram", why);
    if (!status) status = arguments_count(&rows, arguments, "--max-rows", why);
    if (!status) status = read_dimension(out, arguments, why);
    if (!status) status = sensitivity_set_dimension(out, "--histogram", bins, why);
    if (status) return status;
    status = dpn_sensitivity_histogram(&set, bins, rows, out->set.relation, &reason);
    if (status) return refuse(why, status, "--histogram: %s", reason.sentence);
    set.unit = out->set.unit;
    out->set = set;
    return DPN_OK;
}

static dpn_status read_set(struct sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    dpn_status status = read_said_neighbours(&out->set, arguments, why);
    if (!status && arguments_have(arguments, "--histogram")) return read_histogram(out, arguments, why);
    if (!status && arguments_have(arguments, "--max-rows"))
        status = refuse(why, DPN_EPARSE, "--max-rows belongs to --histogram");
    if (!status) status = read_norm(&out->set.l1, arguments, "--l1", why);
    if (!status) status = read_norm(&out->set.l2, arguments, "--l2", why);
    if (!status) status = read_norm(&out->set.linf, arguments, "--linf", why);
    if (!status) status = read_dimension(out, arguments, why);
    if (!status) status = read_bounds(out, arguments, why);
    if (!status && arguments_have(arguments, "--vertices"))
        status = sensitivity_read_vertices(out, arguments_value(arguments, "--vertices"), why);
    if (status) return status;
    guess_dimension(out, arguments);
    status = read_equal_bound(out, arguments, why);
    if (status || out->bound || out->vertex || out->set.l1 > 0 || out->set.l2 > 0 || out->set.linf > 0) return status;
    return refuse(why, DPN_EPARSE,
                  "the sensitivity is missing: say how far one %s moves the answers, with --sensitivity (and --dim), "
                  "--sensitivities, --l1, --l2, --linf, --vertices or --histogram",
                  unit_name(&out->set));
}

static dpn_status read_from(struct sensitivity *out, struct sensitivity known, const struct arguments *arguments,
                            dpn_error *why) {
    dpn_status status = read_set(&known, arguments, why);
    if (status)
        sensitivity_free(&known);
    else
        *out = known;
    return status;
}

dpn_status sensitivity_read(struct sensitivity *out, const struct arguments *arguments, dpn_error *why) {
    return read_from(out, (struct sensitivity){0}, arguments, why);
}

dpn_status sensitivity_read_of(struct sensitivity *out, const struct arguments *arguments, size_t dimension,
                               dpn_relation relation, dpn_unit unit, dpn_error *why) {
    struct sensitivity known = {.set = {.dimension = dimension, .relation = relation, .unit = unit},
                                .dimension_known = true};
    return read_from(out, known, arguments, why);
}

bool sensitivity_given(const struct arguments *arguments) {
    return arguments_have(arguments, "--sensitivity") || sensitivity_option_given(arguments);
}

bool sensitivity_said(const struct arguments *arguments) {
    static const char *const bounds[] = {"--sensitivity", "--sensitivities", "--l1",        "--l2",
                                         "--linf",        "--vertices",      "--histogram", NULL};
    for (const char *const *option = bounds; *option; option++)
        if (arguments_have(arguments, *option)) return true;
    return false;
}

/* The worst move of Gaussian noise depends on its l2 norm alone, which the norms bound in any dimension; that of
 * log-concave noise under an l1 bound moves one answer. */
dpn_status sensitivity_check(const struct sensitivity *sensitivity, const dpn_law *law, dpn_error *why) {
    const dpn_sensitivity *set = &sensitivity->set;
    bool any_dimension = set->linf == 0 && (dpn_law_is_gaussian(law) || (set->l2 == 0 && dpn_law_is_log_concave(law)));
    if (sensitivity->dimension_known || any_dimension) return DPN_OK;
    return refuse(why, DPN_EDOMAIN, "--dim is missing: with this noise the guarantee depends on the number of answers");
}

/* ---- Telling ---- */

const char *relation_name(const dpn_sensitivity *set) {
    return dpn_relation_name(set->relation);
}

const char *unit_name(const dpn_sensitivity *set) {
    return dpn_unit_name(set->unit);
}

const char *neighbours_words(const dpn_sensitivity *set) {
    if (set->relation == DPN_REPLACE) return set->unit == DPN_ROW ? "one row is replaced" : "one person is replaced";
    return set->unit == DPN_ROW ? "one row is added or removed" : "one person is added or removed";
}

const char *worst_change_words(const dpn_sensitivity *set, dpn_argument argument) {
    switch (argument) {
    case DPN_ARGUMENT_CORNER:
        if (set->dimension == 1) return "the largest one (corner): exact";
        if (!set->max_changed) return "every answer moved by its bound (corner): exact";
        return "as many answers as may move, by their bounds (corner): exact";
    case DPN_ARGUMENT_VERTICES:
        return "at a vertex of the set, all were examined (vertices): exact";
    case DPN_ARGUMENT_ONE_HOT:
        return "one answer moves alone (one-hot): exact";
    case DPN_ARGUMENT_L2_GAUSSIAN:
        return "with Gaussian noise only its l2 norm matters (l2-Gaussian): exact";
    case DPN_ARGUMENT_DIRECTIONS:
        return "found among the directions of an l2 ball (directions): none exceeds the upper end";
    case DPN_ARGUMENT_THEOREM_8:
        return "not known (theorem-8): by its norms no change exceeds the upper end";
    case DPN_ARGUMENT_ZCDP:
        return "not known (zcdp): by its l2 norm no change exceeds the upper end";
    case DPN_ARGUMENT_RENYI:
        return "not known (renyi): by the divergences of an l2 ball no change exceeds the upper end";
    case DPN_ARGUMENT_BOUND:
        break;
    }
    return "not known (bound): no change exceeds the upper end, some change reaches the lower";
}

/* The bound that all answers share, 0 if they do not. */
static double equal_bound(const dpn_sensitivity *set) {
    double first = set->bound ? set->bound[0] : set->linf;
    for (size_t i = 1; set->bound && i < set->dimension; i++)
        if (set->bound[i] != first) return 0;
    return set->bound && set->linf > 0 ? fmin(first, set->linf) : first;
}

void sensitivity_warn(const struct sensitivity *sensitivity, const char *command) {
    enum { MANY = 10 };
    const dpn_sensitivity *set = &sensitivity->set;
    double bound = equal_bound(set);
    if (set->dimension < MANY || bound == 0 || set->max_changed || set->l1 > 0 || set->l2 > 0 || set->vertices) return;
    sensitivity_warn_histogram(sensitivity, command);
}

void sensitivity_warn_histogram(const struct sensitivity *sensitivity, const char *command) {
    const dpn_sensitivity *set = &sensitivity->set;
    char text[DPN_NUMBER_SIZE];
    fprintf(stderr,
            "dpnoise %s: warning: one %s may move all %zu answers at once; if they are a histogram, in which it counts "
            "in one bin, say ",
            command, unit_name(set), set->dimension);
    if (equal_bound(set) == 1)
        fprintf(stderr, "--histogram %zu", set->dimension);
    else
        fprintf(stderr, "--linf %s --max-changed %d", number_words(text, equal_bound(set)),
                set->relation == DPN_REPLACE ? 2 : 1);
    fputs(", which needs far less noise\n", stderr);
}

static void describe_bounds(FILE *out, const dpn_sensitivity *set) {
    enum { SHOWN = 6 };
    char text[DPN_NUMBER_SIZE];
    if (!set->bound) return;
    fputs(", moved by at most ", out);
    for (size_t i = 0; i < set->dimension && i < SHOWN; i++)
        fprintf(out, "%s%s", i ? ", " : "", number_words(text, set->bound[i]));
    if (set->dimension > SHOWN) fputs(", ...", out);
}

void sensitivity_describe(FILE *out, const struct sensitivity *sensitivity) {
    const dpn_sensitivity *set = &sensitivity->set;
    char text[DPN_NUMBER_SIZE];
    if (!sensitivity->dimension_known)
        fputs("any number of answers", out);
    else if (set->dimension == 1)
        fputs("one answer", out);
    else
        fprintf(out, "%zu answers", set->dimension);
    if (set->max_changed && set->max_changed < set->dimension)
        fprintf(out, ", at most %zu of them moved", set->max_changed);
    describe_bounds(out, set);
    if (set->linf > 0)
        fprintf(out, ", %smoved by at most %s", set->dimension == 1 ? "" : "each ", number_words(text, set->linf));
    if (set->l1 > 0) fprintf(out, ", moved by at most %s in the l1 norm", number_words(text, set->l1));
    if (set->l2 > 0) fprintf(out, ", moved by at most %s in the l2 norm", number_words(text, set->l2));
    if (set->vertices)
        fprintf(out, ", moved within the hull of %zu %s", set->vertices, set->vertices == 1 ? "vertex" : "vertices");
}

static bool is_whole(double x) {
    return x == floor(x);
}

void sensitivity_note_whole(FILE *out, const struct sensitivity *sensitivity) {
    const dpn_sensitivity *set = &sensitivity->set;
    bool whole = is_whole(set->linf) && is_whole(set->l1) && is_whole(set->l2);
    for (size_t i = 0; set->bound && i < set->dimension; i++) whole = whole && is_whole(set->bound[i]);
    for (size_t i = 0; set->vertex && i < set->vertices * set->dimension; i++)
        whole = whole && is_whole(set->vertex[i]);
    if (whole) return;
    fact_print(
        out, "  note          ",
        "this noise is for answers that are whole numbers: they move by whole steps within these bounds; answers "
        "with fractions are not protected by it");
}

void sensitivity_print(FILE *out, const struct sensitivity *sensitivity) {
    struct fact fact;
    fact_begin(&fact, out, "  sensitivity   ");
    sensitivity_describe(fact.text, sensitivity);
    fact_end(&fact);
}

void sensitivity_print_assumed(FILE *out, const dpn_sensitivity *set) {
    fact_print(out, "  assumed       ", "one %s moves each answer by at most 1; if that is not so, say --sensitivity",
               unit_name(set));
}

void sensitivity_json(struct json *json, const char *name, const struct sensitivity *sensitivity) {
    const dpn_sensitivity *set = &sensitivity->set;
    json_open_object(json, name);
    if (sensitivity->dimension_known) json_count(json, "dimension", set->dimension);
    if (set->bound) {
        json_open_array(json, "bounds");
        for (size_t i = 0; i < set->dimension; i++) json_number(json, NULL, set->bound[i]);
        json_close_array(json);
    }
    if (set->max_changed) json_count(json, "max_changed", set->max_changed);
    if (set->l1 > 0) json_number(json, "l1", set->l1);
    if (set->l2 > 0) json_number(json, "l2", set->l2);
    if (set->linf > 0) json_number(json, "linf", set->linf);
    if (set->vertices) json_count(json, "vertices", set->vertices);
    json_close_object(json);
}
