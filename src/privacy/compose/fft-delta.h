/* delta(epsilon) of a composition by a tilted FFT, with bounds of second order on both sides. */
#ifndef DPN_PRIVACY_FFT_DELTA_H
#define DPN_PRIVACY_FFT_DELTA_H

#include "privacy/compose/fft-plan.h"

/* What a call leaves for the next ones about the same parts in the same workspace; all zero at the start. */
typedef struct dpn_fft_reader {
    bool ready;
    bool brief; /* the caller's wish: a quick answer or none */
    dpn_fft_window window[2];
} dpn_fft_reader;

/* As dpn_compose_delta, with upper/lower - 1 <= accuracy; DPN_EACCURACY if that needs more than 2^22 points. What was composed for
 * another epsilon serves if it is accurate enough here. */
dpn_status dpn_fft_delta(dpn_delta *out, dpn_fft_reader *reader, dpn_workspace *workspace, const dpn_part *part,
                         size_t parts, double epsilon, double accuracy, dpn_error *why);

/* The same in two steps, for losses of any source: add each to a plan that is all zero at the start, then ask. A loss that always
 * vanishes, or occurs 0 times, adds nothing. Errors: DPN_EUNSUPPORTED, and as above. */
dpn_status dpn_fft_add(dpn_fft_plan *plan, dpn_loss_view view, uint64_t times, dpn_error *why);
dpn_status dpn_fft_solve(dpn_delta *out, dpn_fft_reader *reader, dpn_fft_plan *plan, dpn_workspace *workspace,
                         double epsilon, double accuracy, dpn_error *why);

#endif
