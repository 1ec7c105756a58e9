/* The moves of a sensitivity set that decide its profile (docs/proofs/privacy/sensitivity.md). */
#ifndef DPN_PRIVACY_MOVES_H
#define DPN_PRIVACY_MOVES_H

#include <dpnoise/privacy.h>
#include <math.h>
#include <stdbool.h>

/* What a move says about the profile of the set. */
typedef enum dpn_move_role {
    DPN_MOVE_WORST,    /* the profile of the set is the largest of those of its worst moves */
    DPN_MOVE_ABOVE,    /* the profile of the set is at most that of each of these */
    DPN_MOVE_POSSIBLE, /* and at least that of each of these */
} dpn_move_role;

/* One move: the losses of the coordinates that it changes. */
typedef struct dpn_move {
    dpn_move_role role;
    size_t first, count; /* of its parts */
} dpn_move;

typedef struct dpn_moves {
    dpn_argument argument;
    bool upper_only; /* the listed moves may lie outside the set: nothing is known from below */
    dpn_move *move;
    size_t moves, move_room;
    dpn_part *part;
    size_t parts, part_room;
    bool plain;    /* losses that are lists of atoms are not wanted: closed forms bound them */
    double **kept; /* what such lists are made of */
    size_t keeps;
} dpn_moves;

/* What is refused of laws and a set, whatever is asked about them. Errors: DPN_EDOMAIN. (That the set is bounded is not
 * checked.) */
dpn_status dpn_sensitivity_check(const dpn_law *law, size_t laws, const dpn_sensitivity *set, dpn_error *why);

/* The moves of independent noise on a set. Free them with dpn_moves_free, also after an error.
 * Errors   DPN_EDOMAIN, DPN_EUNSUPPORTED, DPN_ENOMEM.
 */
dpn_status dpn_moves_make(dpn_moves *moves, const dpn_law *law, size_t laws, const dpn_sensitivity *set,
                          dpn_error *why);
void dpn_moves_free(dpn_moves *moves);

/* The end of a question: free the moves, tell the argument if the question was answered and somebody asks, and return the
 * status. */
dpn_status dpn_moves_done(dpn_moves *moves, dpn_argument *argument, dpn_status status);

/* To list moves by hand: begin one, then add the losses of the coordinates that it changes. Errors: DPN_ENOMEM. */
dpn_status dpn_moves_begin(dpn_moves *moves, dpn_move_role role, dpn_error *why);
dpn_status dpn_moves_add(dpn_moves *moves, const dpn_loss *loss, uint64_t times, dpn_error *why);

/* Take over the numbers that a loss refers to: they are freed with the moves, and at once on failure. Errors: DPN_ENOMEM. */
dpn_status dpn_moves_keep(dpn_moves *moves, double *numbers, dpn_error *why);

/* The losses of move i; NULL if nothing moves. */
static inline const dpn_part *dpn_moves_parts(const dpn_moves *moves, size_t i) {
    return moves->move[i].count ? &moves->part[moves->move[i].first] : NULL;
}

/* Whether some of the moves are bounds from above. Then the value for the set starts as anything up to its largest, else
 * as 0, before the moves are joined one by one. */
static inline bool dpn_moves_bounded(const dpn_move *move, size_t moves) {
    for (size_t i = 0; i < moves; i++)
        if (move[i].role == DPN_MOVE_ABOVE) return true;
    return false;
}

/* Bounds for the set, given those for a move. */
static inline void dpn_moves_join(double *lower, double *upper, double one_lower, double one_upper,
                                  dpn_move_role role) {
    if (role == DPN_MOVE_ABOVE) {
        *upper = fmin(*upper, one_upper);
        return;
    }
    *lower = fmax(*lower, one_lower);
    if (role == DPN_MOVE_WORST) *upper = fmax(*upper, one_upper);
}

/* The same for delta: how it starts, and a move. */
static inline dpn_delta dpn_moves_start(const dpn_move *move, size_t moves) {
    bool bounded = dpn_moves_bounded(move, moves);
    return (dpn_delta){0, bounded ? 1 : 0, -INFINITY, bounded ? 0 : -INFINITY};
}

static inline void dpn_moves_join_delta(dpn_delta *all, const dpn_delta *one, dpn_move_role role) {
    dpn_moves_join(&all->lower, &all->upper, one->lower, one->upper, role);
    dpn_moves_join(&all->log_lower, &all->log_upper, one->log_lower, one->log_upper, role);
}

/* Whether a composition that was refused may be left out: it would have been a bound, and there may be others. */
static inline bool dpn_moves_may_miss(dpn_status status, dpn_move_role role) {
    return role != DPN_MOVE_WORST && (status == DPN_EACCURACY || status == DPN_EUNSUPPORTED);
}

/* What listed moves say of delta(epsilon), and of the least epsilon for delta. Errors as in dpnoise/privacy.h. */
dpn_status dpn_moves_delta(dpn_delta *out, const dpn_moves *moves, dpn_workspace *workspace, double epsilon,
                           const dpn_accounting_options *options, dpn_error *why);
dpn_status dpn_moves_epsilon(dpn_epsilon *out, const dpn_moves *moves, dpn_workspace *workspace, double delta,
                             const dpn_accounting_options *options, dpn_error *why);

#endif
