/* delta(epsilon) of a composition by a tilted FFT, with bounds of second order on both sides. */
#ifndef DPN_PRIVACY_FFT_DELTA_H
#define DPN_PRIVACY_FFT_DELTA_H

#include <dpnoise/privacy.h>

/* As dpn_compose_delta, with upper/lower - 1 <= accuracy; DPN_EACCURACY if that needs more than 2^22 points. */
dpn_status dpn_fft_delta(dpn_delta *out, dpn_workspace *workspace, const dpn_part *part, size_t parts, double epsilon,
                         double accuracy, dpn_error *why);

#endif
