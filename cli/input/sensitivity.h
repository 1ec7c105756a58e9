/* The sensitivity set that options describe: how far one row, or one person, moves the answers. */
#ifndef DPNOISE_CLI_INPUT_SENSITIVITY_H
#define DPNOISE_CLI_INPUT_SENSITIVITY_H

#include "kit/json.h"
#include "kit/options.h"

#include <dpnoise/privacy.h>

struct sensitivity {
    dpn_sensitivity set;
    double *bound, *vertex; /* owned; the set refers to them */
    bool dimension_known;   /* else the dimension is 2, which stands for any number if sensitivity_check agrees */
};

/* Rows of a table of options. --sensitivity repeats for the sake of compositions; a set takes it once. */
/* clang-format off */
#define SENSITIVITY_OPTIONS                                                                                      \
    {"--sensitivity", "S", true, "one unit moves each answer by at most S"},                                     \
    {"--dim", "K", false, "there are K answers (1)"},                                                            \
    {"--sensitivities", "A,B", false, "it moves the first answer by at most A, the second by B, and so on"},     \
    {"--max-changed", "M", false, "it moves at most M of the answers"},                                          \
    {"--l1", "X", false, "the sum of the answers' moves is at most X"},                                          \
    {"--l2", "X", false, "the root of the sum of their squares is at most X"},                                   \
    {"--linf", "X", false, "the largest of them is at most X"},                                                  \
    {"--vertices", "FILE", false, "the moves lie in the hull of the rows of FILE and their negatives"},          \
    {"--histogram", "BINS", false, "the answers count rows in BINS bins: one row moves 1 of them by 1, or 2"},   \
    {"--max-rows", "M", false, "in a histogram the unit has at most M rows (1)"},                                \
    {"--relation", "R", false, "neighbouring tables differ by add-remove (default) or replace ..."},             \
    {"--unit", "U", false, "... of one row (default) or person"}
/* clang-format on */

/* The first option given that describes a set, other than --sensitivity; NULL if there is none. */
const char *sensitivity_option_given(const struct arguments *arguments);

/* Read the set, its relation and its unit. Release with sensitivity_free.
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM; then nothing needs to be released. */
dpn_status sensitivity_read(struct sensitivity *out, const struct arguments *arguments, dpn_error *why);
void sensitivity_free(struct sensitivity *sensitivity);

/* The same for answers whose number is known already, with the relation and unit that hold unless options say otherwise. */
dpn_status sensitivity_read_of(struct sensitivity *out, const struct arguments *arguments, size_t dimension,
                               dpn_relation relation, dpn_unit unit, dpn_error *why);

/* Whether an option describes a set. */
bool sensitivity_given(const struct arguments *arguments);

/* Whether an option says how far answers move; --dim, --max-changed and the neighbours do not. */
bool sensitivity_said(const struct arguments *arguments);

/* For the parts of the reader: the dimension that an option tells, which must agree with that of others; the
 * vertices of a file (vertices.c). Errors as above. */
dpn_status sensitivity_set_dimension(struct sensitivity *out, const char *option, size_t dimension, dpn_error *why);
dpn_status sensitivity_read_vertices(struct sensitivity *out, const char *file, dpn_error *why);

/* The points of a file, row by row, for an option. Release with free(*out).
 * Errors   DPN_EPARSE, DPN_EDOMAIN, DPN_EIO, DPN_ENOMEM. */
dpn_status points_read(double **out, size_t *dimension, size_t *count, const char *option, const char *file,
                       dpn_error *why);

/* The relation, if --relation is given, else *out is left as it is; and the relation and the unit, by default add-remove of a
 * row.
 * Errors   DPN_EPARSE. */
dpn_status relation_read(dpn_relation *out, const struct arguments *arguments, dpn_error *why);
dpn_status sensitivity_read_neighbours(dpn_sensitivity *out, const struct arguments *arguments, dpn_error *why);

/* Whether a row that moves the answer by at most `present` when it is removed can move it by `replaced` when it is replaced: to replace
 * is to remove one and add one.
 * Errors   DPN_EDOMAIN. */
dpn_status present_check(double present, double replaced, dpn_error *why);

/* Refuse a set of unknown dimension for a law whose guarantee depends on the dimension.
 * Errors   DPN_EDOMAIN. */
dpn_status sensitivity_check(const struct sensitivity *sensitivity, const dpn_law *law, dpn_error *why);

/* A warning on standard error when many answers have the same bound and all may move at once: histograms are often
 * declared so, and pay for it. */
void sensitivity_warn(const struct sensitivity *sensitivity, const char *command);

/* The warning itself, whatever the set. */
void sensitivity_warn_histogram(const struct sensitivity *sensitivity, const char *command);

/* What is known of the worst change, for people. */
const char *worst_change_words(const dpn_sensitivity *set, dpn_argument argument);

/* The set in words, without a full stop or a newline. */
void sensitivity_describe(FILE *out, const struct sensitivity *sensitivity);

/* The same as a line of an answer. */
void sensitivity_print(FILE *out, const struct sensitivity *sensitivity);

/* The line that says what was taken where nothing was said. */
void sensitivity_print_assumed(FILE *out, const dpn_sensitivity *set);

/* A line for people where noise on the integers meets bounds between whole numbers; nothing where they are whole. */
void sensitivity_note_whole(FILE *out, const struct sensitivity *sensitivity);

/* Its members in an object of that name. */
void sensitivity_json(struct json *json, const char *name, const struct sensitivity *sensitivity);

/* "add-remove" or "replace"; "row" or "person"; "one row is added or removed". */
const char *relation_name(const dpn_sensitivity *set);
const char *unit_name(const dpn_sensitivity *set);
const char *neighbours_words(const dpn_sensitivity *set);

#endif
