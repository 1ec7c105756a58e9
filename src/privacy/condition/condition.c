/* The table of conditions. docs/proofs/privacy/conditions.md */
#include "privacy/condition/condition.h"

#include "base/error.h"
#include "law/family.h"
#include "privacy/interval.h"
#include "privacy/sensitivity/moves.h"

#include <math.h>
#include <string.h>

typedef struct row {
    const char *name;
    const struct dpn_family *family; /* NULL: any */
    bool one_law;                    /* the same noise on all coordinates */
    dpn_condition_function *function;
    const char *sentence;
} row;

static const row rows[] = {
    {"fh-theorem-3", &dpn_flipped_huber, true, dpn_condition_one_answer,
     "The profile of flipped-huber noise on one answer: exact."},
    {"fh-theorem-8", &dpn_flipped_huber, true, dpn_condition_theorem_8,
     "Two Gaussian tails around the loss of flipped-huber noise: sufficient; repaired where its proof has a gap."},
    {"fh-theorem-9", &dpn_flipped_huber, false, dpn_condition_theorem_9,
     "zCDP of flipped-huber noise, converted by Bun and Steinke's rule: sufficient."},
    {"osgt-theorem-1", &dpn_osgt, true, dpn_condition_one_answer, "The profile of osgt noise on one answer: exact."},
    {"osgt-theorem-2", &dpn_osgt, true, dpn_condition_theorem_2,
     "The Renyi bound (16) of osgt noise, converted by (20) at the best order: sufficient."},
    {"osgt-20", NULL, false, dpn_condition_renyi,
     "The Renyi divergences of any noise, converted by (20) at the best order: sufficient."},
    {"osgt-21", &dpn_osgt, true, dpn_condition_renyi,
     "The Renyi divergences (56), (57) of osgt noise, converted by (20) at the best order: sufficient."},
    {"osgt-22", &dpn_gaussian, true, dpn_condition_renyi,
     "The Renyi divergence of Gaussian noise, converted by (20) at the best order: sufficient."},
    {"inid-theorem-4", &dpn_gaussian, false, dpn_condition_inid_gaussian,
     "Gaussian noise, a sigma for each answer: exact for boxes, elsewhere it is that of the box around the set."},
    {"inid-laplace", &dpn_laplace, false, dpn_condition_inid_laplace,
     "Laplace noise by its l1 norm: sufficient; exact only if one answer may take the whole of the norm."},
    {"probabilistic", NULL, false, dpn_condition_probabilistic,
     "The probability of a loss of epsilon or more: sufficient."},
};

enum { ROWS = sizeof rows / sizeof *rows };

size_t dpn_condition_count(void) {
    return ROWS;
}

const char *dpn_condition_name(size_t index) {
    return index < ROWS ? rows[index].name : NULL;
}

const char *dpn_condition_describe(size_t index) {
    return index < ROWS ? rows[index].sentence : NULL;
}

static const row *find(const char *name) {
    for (size_t i = 0; i < ROWS; i++)
        if (!strcmp(rows[i].name, name)) return &rows[i];
    return NULL;
}

/* Whether the condition is about this noise. */
static dpn_status check_laws(const row *condition, const dpn_law *law, size_t laws, dpn_error *why) {
    if (condition->one_law && laws > 1)
        return dpn_fail(why, DPN_EUNSUPPORTED, "%s is about the same noise on all answers", condition->name);
    for (size_t i = 0; i < laws && condition->family; i++)
        if (law[i].family != condition->family)
            return dpn_fail(why, DPN_EUNSUPPORTED, "%s is about %s noise, not %s", condition->name,
                            condition->family->name, law[i].family->name);
    return DPN_OK;
}

dpn_condition_function *dpn_condition_of_norms(const dpn_law *law) {
    for (size_t i = 0; i < ROWS; i++)
        if (rows[i].function == dpn_condition_theorem_8 && rows[i].family == law->family) return rows[i].function;
    return NULL;
}

dpn_status dpn_condition_delta(dpn_conditioned *out, const char *name, dpn_workspace *workspace, const dpn_law *law,
                               size_t laws, const dpn_sensitivity *set, double epsilon, dpn_error *why) {
    const row *condition = find(name);
    if (!condition) return dpn_fail(why, DPN_EPARSE, "no condition is called '%.40s'", name);
    if (!(epsilon >= 0 && isfinite(epsilon)))
        return dpn_fail(why, DPN_EDOMAIN, "a condition needs an epsilon that is finite and not negative");
    dpn_condition_question question = {
        .name = condition->name, .workspace = workspace, .law = law, .laws = laws, .set = set, .epsilon = epsilon};
    dpn_status status = dpn_sensitivity_check(law, laws, set, why);
    if (!status) status = check_laws(condition, law, laws, why);
    if (!status) status = dpn_norms_of(&question.norms, set, why);
    if (status) return status;
    dpn_conditioned found = {0};
    status = condition->function(&found, &question, why);
    if (status) return status;
    dpn_delta delta = dpn_delta_between(found.log_delta, found.log_delta);
    found.delta = delta.upper;
    found.log_delta = delta.log_upper;
    *out = found;
    return DPN_OK;
}
