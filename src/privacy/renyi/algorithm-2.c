/* FH Algorithm 2, corrected and as printed (docs/proofs/privacy/affine-loss.md). */
#include <dpnoise/loss.h>

#include <math.h>

/* The K-fold composition of the loss at the sensitivity. */
static dpn_status compose(dpn_delta *out, dpn_workspace *workspace, const dpn_loss *loss, uint64_t times,
                          double epsilon, dpn_error *why) {
    dpn_part part = {*loss, times};
    return dpn_compose_delta(out, workspace, &part, 1, epsilon, NULL, why);
}

dpn_status dpn_flipped_huber_algorithm_2(dpn_delta *corrected, dpn_delta *printed, dpn_workspace *workspace,
                                         const dpn_law *law, double sensitivity, uint64_t dimension, double epsilon,
                                         dpn_error *why) {
    int number;
    dpn_loss loss;
    dpn_delta right = {0}, wrong = {0};
    dpn_workspace *own = NULL;
    dpn_status status = dpn_flipped_huber_case(&number, law, sensitivity, epsilon, why); /* checks its arguments */
    if (!status) status = dpn_loss_law(&loss, law, sensitivity, why);
    if (!status && !workspace) status = dpn_workspace_new(&own);
    if (!workspace) workspace = own;
    if (!status) status = compose(&right, workspace, &loss, dimension > 0 ? dimension : 1, epsilon, why);
    if (!status) wrong = right;
    if (!status && dimension > 2) status = compose(&wrong, workspace, &loss, 2, epsilon, why);
    dpn_workspace_free(own);
    if (status) return status;
    *corrected = right;
    *printed = wrong;
    return DPN_OK;
}
