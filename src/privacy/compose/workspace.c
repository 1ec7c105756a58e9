/* Memory and tables of the transform, kept between calls. */
#include "privacy/compose/workspace.h"

#include <stdlib.h>

struct dpn_workspace {
    int log2_length, log2_capacity; /* 0: there is no room yet */
    double *real;
    dpn_fft_cell *spectrum;
    dpn_fft_tables tables;
    double *slot[DPN_SLOTS];
    size_t slot_count[DPN_SLOTS];
    dpn_memo *memo;
    dpn_patience watch;
};

dpn_status dpn_workspace_new(dpn_workspace **out) {
    dpn_workspace *made = calloc(1, sizeof *made);
    if (!made) return DPN_ENOMEM;
    *out = made;
    return DPN_OK;
}

static void forget_room(dpn_workspace *workspace) {
    free(workspace->real);
    free(workspace->spectrum);
    workspace->real = NULL;
    workspace->spectrum = NULL;
    workspace->log2_capacity = workspace->log2_length = 0;
}

void dpn_workspace_free(dpn_workspace *workspace) {
    if (!workspace) return;
    forget_room(workspace);
    dpn_fft_release(&workspace->tables);
    for (int i = 0; i < DPN_SLOTS; i++) free(workspace->slot[i]);
    dpn_memo_free(workspace->memo);
    free(workspace);
}

void dpn_workspace_watch(dpn_workspace *workspace, bool (*cancelled)(void *context), void *context) {
    workspace->watch = (dpn_patience){cancelled, context};
}

dpn_patience dpn_workspace_watched(const dpn_workspace *workspace) {
    return workspace ? workspace->watch : (dpn_patience){NULL, NULL};
}

dpn_status dpn_workspace_transform(dpn_workspace *workspace, int log2_length) {
    if (log2_length > workspace->log2_capacity) {
        forget_room(workspace);
        workspace->real = aligned_alloc(64, sizeof *workspace->real << log2_length);
        workspace->spectrum = aligned_alloc(64, dpn_fft_cells(log2_length) * sizeof *workspace->spectrum);
        if (!workspace->real || !workspace->spectrum) {
            forget_room(workspace);
            return DPN_ENOMEM;
        }
        workspace->log2_capacity = log2_length;
    }
    workspace->log2_length = log2_length;
    return dpn_fft_prepare(&workspace->tables, log2_length);
}

dpn_memo *dpn_workspace_memo(dpn_workspace *workspace) {
    if (!workspace->memo) workspace->memo = dpn_memo_new();
    return workspace->memo;
}

int dpn_workspace_log2_length(const dpn_workspace *workspace) {
    return workspace->log2_length;
}

double *dpn_workspace_real(dpn_workspace *workspace) {
    return workspace->real;
}

dpn_fft_cell *dpn_workspace_spectrum(dpn_workspace *workspace) {
    return workspace->spectrum;
}

const dpn_fft_tables *dpn_workspace_tables(const dpn_workspace *workspace) {
    return &workspace->tables;
}

void dpn_workspace_forward(dpn_workspace *workspace) {
    dpn_fft_forward(workspace->spectrum, workspace->real, workspace->log2_length, &workspace->tables);
}

void dpn_workspace_backward(dpn_workspace *workspace) {
    dpn_fft_inverse(workspace->real, workspace->spectrum, workspace->log2_length, &workspace->tables);
}

double *dpn_workspace_slot(dpn_workspace *workspace, int slot, size_t count) {
    if (count > workspace->slot_count[slot]) {
        free(workspace->slot[slot]);
        workspace->slot[slot] = aligned_alloc(64, (count * sizeof(double) + 63) / 64 * 64);
        workspace->slot_count[slot] = workspace->slot[slot] ? count : 0;
    }
    return workspace->slot[slot];
}
