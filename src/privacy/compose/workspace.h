/* Memory and tables of the transform, kept between calls. */
#ifndef DPN_PRIVACY_WORKSPACE_H
#define DPN_PRIVACY_WORKSPACE_H

#include "privacy/compose/fft.h"
#include "privacy/loss/memo.h"

#include <dpnoise/privacy.h>

/* Who waits, as dpn_workspace_watch has it. */
typedef struct dpn_patience {
    bool (*cancelled)(void *context); /* NULL: off */
    void *context;
} dpn_patience;

/* The one that is set; `workspace` may be NULL. */
dpn_patience dpn_workspace_watched(const dpn_workspace *workspace);

/* Make room for real transforms of 2^log2_length. Errors: DPN_ENOMEM. */
dpn_status dpn_workspace_transform(dpn_workspace *workspace, int log2_length);

int dpn_workspace_log2_length(const dpn_workspace *workspace);

/* The real array of that length, its spectrum (fft.h), and the tables. */
double *dpn_workspace_real(dpn_workspace *workspace);
dpn_fft_cell *dpn_workspace_spectrum(dpn_workspace *workspace);
const dpn_fft_tables *dpn_workspace_tables(const dpn_workspace *workspace);

/* real -> spectrum, and spectrum -> real times length; what is transformed is destroyed. */
void dpn_workspace_forward(dpn_workspace *workspace);
void dpn_workspace_backward(dpn_workspace *workspace);

/* What slow losses were asked; NULL if there is no memory, and then nothing is kept. */
dpn_memo *dpn_workspace_memo(dpn_workspace *workspace);

/* Room for count doubles in slot 0 .. DPN_SLOTS-1, kept until the next request for that slot; NULL if there is no memory.
 * The content is not kept. It begins at a multiple of 64 bytes. */
enum { DPN_SLOTS = 14 };
double *dpn_workspace_slot(dpn_workspace *workspace, int slot, size_t count);

#endif
