/* Memory and FFT plans kept between calls; the only place that knows FFTW. Any library with FFTW's API can take its place. */
#ifndef DPN_PRIVACY_WORKSPACE_H
#define DPN_PRIVACY_WORKSPACE_H

#include <complex.h>
#include <dpnoise/privacy.h>

/* Make room for real transforms of this length (a power of two). Errors: DPN_ENOMEM. */
dpn_status dpn_workspace_transform(dpn_workspace *workspace, size_t length);

/* The real array of that length, and the half spectrum of length/2 + 1 entries. */
double *dpn_workspace_real(dpn_workspace *workspace);
double complex *dpn_workspace_spectrum(dpn_workspace *workspace);

/* real -> spectrum, and spectrum -> real times length (the spectrum is destroyed). */
void dpn_workspace_forward(dpn_workspace *workspace);
void dpn_workspace_backward(dpn_workspace *workspace);

/* Room for count doubles in slot 0 .. DPN_SLOTS-1, kept until the next request for that slot; NULL if there is no memory.
 * The content is not kept. */
enum { DPN_SLOTS = 11 };
double *dpn_workspace_slot(dpn_workspace *workspace, int slot, size_t count);

#endif
