/* Memory and FFT plans kept between calls. */
#include "privacy/compose/workspace.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdlib.h>

enum { SIZES = 48 };

struct dpn_workspace {
    size_t length;
    int log2_length;
    size_t capacity;
    double *real;
    fftw_complex *spectrum;
    fftw_plan forward[SIZES], backward[SIZES]; /* by the logarithm of the length */
    double *slot[DPN_SLOTS];
    size_t slot_count[DPN_SLOTS];
};

/* FFTW's planner is shared by the whole process and not safe for threads. */
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

dpn_status dpn_workspace_new(dpn_workspace **out) {
    dpn_workspace *made = calloc(1, sizeof *made);
    if (!made) return DPN_ENOMEM;
    *out = made;
    return DPN_OK;
}

static void forget_transforms(dpn_workspace *workspace) {
    pthread_mutex_lock(&planner);
    for (int i = 0; i < SIZES; i++) {
        if (workspace->forward[i]) fftw_destroy_plan(workspace->forward[i]);
        if (workspace->backward[i]) fftw_destroy_plan(workspace->backward[i]);
        workspace->forward[i] = workspace->backward[i] = NULL;
    }
    pthread_mutex_unlock(&planner);
    free(workspace->real);
    free(workspace->spectrum);
    workspace->real = NULL;
    workspace->spectrum = NULL;
    workspace->capacity = workspace->length = 0;
}

void dpn_workspace_free(dpn_workspace *workspace) {
    if (!workspace) return;
    forget_transforms(workspace);
    for (int i = 0; i < DPN_SLOTS; i++) free(workspace->slot[i]);
    free(workspace);
}

dpn_status dpn_workspace_transform(dpn_workspace *workspace, size_t length) {
    int log2_length = 0;
    while (((size_t)1 << log2_length) < length) log2_length++;
    if (length > workspace->capacity) {
        forget_transforms(workspace);
        workspace->real = aligned_alloc(64, length * sizeof(double) + 64);
        workspace->spectrum = aligned_alloc(64, (length / 2 + 1) * sizeof(fftw_complex) + 48);
        if (!workspace->real || !workspace->spectrum) {
            forget_transforms(workspace);
            return DPN_ENOMEM;
        }
        workspace->capacity = length;
    }
    if (!workspace->forward[log2_length]) {
        pthread_mutex_lock(&planner);
        workspace->forward[log2_length] =
            fftw_plan_dft_r2c_1d((int)length, workspace->real, workspace->spectrum, FFTW_ESTIMATE);
        workspace->backward[log2_length] =
            fftw_plan_dft_c2r_1d((int)length, workspace->spectrum, workspace->real, FFTW_ESTIMATE);
        pthread_mutex_unlock(&planner);
        if (!workspace->forward[log2_length] || !workspace->backward[log2_length]) return DPN_ENOMEM;
    }
    workspace->length = length;
    workspace->log2_length = log2_length;
    return DPN_OK;
}

double *dpn_workspace_real(dpn_workspace *workspace) {
    return workspace->real;
}

double complex *dpn_workspace_spectrum(dpn_workspace *workspace) {
    return (double complex *)workspace->spectrum;
}

void dpn_workspace_forward(dpn_workspace *workspace) {
    fftw_execute(workspace->forward[workspace->log2_length]);
}

void dpn_workspace_backward(dpn_workspace *workspace) {
    fftw_execute(workspace->backward[workspace->log2_length]);
}

double *dpn_workspace_slot(dpn_workspace *workspace, int slot, size_t count) {
    if (count > workspace->slot_count[slot]) {
        free(workspace->slot[slot]);
        workspace->slot[slot] = malloc(count * sizeof(double));
        workspace->slot_count[slot] = workspace->slot[slot] ? count : 0;
    }
    return workspace->slot[slot];
}
