/* One calibration: what is asked, and the coordinates and moves of the sensitivity set in groups. */
#ifndef DPN_CALIBRATE_PROBLEM_H
#define DPN_CALIBRATE_PROBLEM_H

#include "law/family.h"
#include "privacy/sensitivity/moves.h"

#include <dpnoise/calibrate.h>

/* Coordinates with the same sensitivity and weight. */
typedef struct dpn_coordinates {
    double bound, weight; /* bound > 0 */
    uint64_t count;
} dpn_coordinates;

/* A coordinate's move: how far, how many of them, and whose law. */
typedef struct dpn_shift {
    size_t group;
    double distance;
    uint64_t times;
} dpn_shift;

/* What a comparison remembers, findings.h. */
typedef struct dpn_findings dpn_findings;

typedef struct dpn_problem {
    double epsilon, delta;
    const dpn_sensitivity *set;
    dpn_calibration_options options;
    uint64_t times;

    dpn_coordinates *group;
    size_t groups;
    size_t *group_of;    /* of each coordinate; groups for one that cannot move */
    double *sensitivity; /* of each coordinate, as given */
    bool box;            /* all coordinates may reach their bounds at once: the one move is the corner */
    bool merged;         /* sensitivities were rounded up, since there were too many different ones */

    /* The moves that decide, for a family like the one that they were made for. */
    dpn_argument argument;
    bool upper_only;
    dpn_move *move;
    dpn_shift *shift;
    size_t moves, shifts;
    dpn_part *part; /* room for as many parts as there are shifts */

    double *order; /* room for where the last search over Renyi orders ended */

    double l1, l2, most;    /* of the worst moves, `times` times: norms, and how many coordinates move */
    double largest;         /* sensitivity */
    double rival;           /* the error of a plan that was found already; +inf: none. Only less is worth finding. */
    dpn_findings *findings; /* of what was found for other families, or NULL */
} dpn_problem;

/* More different sensitivities than this are merged, unless noise is Gaussian: as many as a contour sum takes in
 * seconds, and as many as any composition takes. */
enum { DPN_GROUPS_CONTOUR = 512, DPN_GROUPS_SAFE = 48 };

/* Whether bounds and vertices are whole numbers and an l2 bound is at least 1, as noise on the integers needs them. The set was checked. */
bool dpn_set_is_whole(const dpn_sensitivity *set);

/* Sort out a problem for noise of this family, with at most N groups of coordinates. Free it with
 * dpn_problem_free, also after an error. */
dpn_status dpn_problem_make(dpn_problem *out, const struct dpn_family *family, double epsilon, double delta,
                            const dpn_sensitivity *set, const dpn_calibration_options *options, size_t most,
                            dpn_error *why);
void dpn_problem_free(dpn_problem *problem);

/* What is asked of the accountant: how accurate the bounds of delta are to be, 0 for its usual accuracy; whether it has
 * to answer in milliseconds or refuse; and whether the middle of the bounds will do, which certifies nothing but varies
 * less with the noise than its upper end. */
typedef struct dpn_effort {
    double accuracy;
    bool brief, middle;
} dpn_effort;

/* Whether whoever waits has had enough, and the failure of such a search. */
bool dpn_problem_is_cancelled(const dpn_problem *problem);
dpn_status dpn_problem_end(dpn_error *why);

/* The certified delta of one law for each group (stride 1) or of law[0] for all (stride 0), and what it rests on (if not
 * NULL). It is what takes time, so that it asks first whether the search goes on.
 * Errors   DPN_ECANCELLED; those of the accountant. */
dpn_status dpn_problem_delta(dpn_delta *out, dpn_argument *argument, const dpn_problem *problem, const dpn_law *law,
                             size_t stride, dpn_effort effort, dpn_error *why);

/* An upper bound of the largest loss, +inf if there is none. */
double dpn_problem_largest_loss(const dpn_problem *problem, const dpn_law *law, size_t stride);

/* Whether no loss of the moves that decide exceeds epsilon, so that delta is 0. */
bool dpn_problem_within_epsilon(const dpn_problem *problem, const dpn_law *law, size_t stride);

/* About the standard deviation that noise will need, for delta > 0: the lesser of that of Gaussian noise by zCDP, *gauss,
 * and that of Laplace noise of the scale *laplace, which is pure or nearly so. */
double dpn_problem_deviation(const dpn_problem *problem, double *gauss, double *laplace);

/* Whether noise of a family on the integers will be so wide, and sensitivities differ, that to compose it takes long: more than 100
 * steps. */
bool dpn_problem_is_wide(const dpn_problem *problem, const struct dpn_family *family);

/* The objective. */
double dpn_problem_error(const dpn_problem *problem, const dpn_law *law, size_t stride);
double dpn_law_error(const dpn_law *law, dpn_objective objective);

#endif
