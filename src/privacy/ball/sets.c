/* The profile of independent noise on the coordinates of a sensitivity set. */
#include "privacy/ball/ball.h"
#include "privacy/sensitivity/steps.h"

dpn_status dpn_sensitivity_delta(dpn_delta *out, dpn_argument *argument, dpn_workspace *workspace, const dpn_law *law,
                                 size_t laws, const dpn_sensitivity *set, double epsilon,
                                 const dpn_accounting_options *options, dpn_error *why) {
    dpn_moves moves;
    dpn_ball ball;
    dpn_status status = dpn_moves_make(&moves, law, laws, set, why);
    if (!status) status = dpn_moves_by_steps(&moves, law, laws, set, why);
    if (!status) status = dpn_moves_delta(out, &moves, workspace, epsilon, options, why);
    if (!status && dpn_ball_make(&ball, moves.argument, law, laws, set, 1))
        dpn_ball_improve_delta(out, &moves.argument, &ball, workspace, epsilon, options);
    return dpn_moves_done(&moves, argument, status);
}

dpn_status dpn_sensitivity_epsilon(dpn_epsilon *out, dpn_argument *argument, dpn_workspace *workspace,
                                   const dpn_law *law, size_t laws, const dpn_sensitivity *set, double delta,
                                   const dpn_accounting_options *options, dpn_error *why) {
    dpn_moves moves;
    dpn_ball ball;
    dpn_status status = dpn_moves_make(&moves, law, laws, set, why);
    if (!status) status = dpn_moves_by_steps(&moves, law, laws, set, why);
    if (!status) status = dpn_moves_epsilon(out, &moves, workspace, delta, options, why);
    if (!status && dpn_ball_make(&ball, moves.argument, law, laws, set, 1))
        dpn_ball_improve_epsilon(out, &moves.argument, &ball, workspace, delta, options);
    return dpn_moves_done(&moves, argument, status);
}
