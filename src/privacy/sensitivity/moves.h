/* The moves of a sensitivity set that decide its profile (docs/proofs/privacy/sensitivity.md). */
#ifndef DPN_PRIVACY_MOVES_H
#define DPN_PRIVACY_MOVES_H

#include <dpnoise/privacy.h>
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

/* What listed moves say of delta(epsilon), and of the least epsilon for delta. Errors as in dpnoise/privacy.h. */
dpn_status dpn_moves_delta(dpn_delta *out, const dpn_moves *moves, dpn_workspace *workspace, double epsilon,
                           const dpn_accounting *how, dpn_error *why);
dpn_status dpn_moves_epsilon(dpn_epsilon *out, const dpn_moves *moves, dpn_workspace *workspace, double delta,
                             const dpn_accounting *how, dpn_error *why);

#endif
