/* The grid of the FFT: its step, aligned with the atoms of the losses. */
#ifndef DPN_PRIVACY_FFT_STEP_H
#define DPN_PRIVACY_FFT_STEP_H

#include "privacy/compose/fft-plan.h"
#include "privacy/loss/heavy-atoms.h"

enum { DPN_STEP_ATOMS = 48 };

/* The heavy atoms of each part. */
typedef struct dpn_fft_atoms {
    dpn_heavy_atom atom[DPN_FFT_PARTS][DPN_STEP_ATOMS];
    size_t count[DPN_FFT_PARTS];
} dpn_fft_atoms;

/* Errors   DPN_ENOMEM. */
dpn_status dpn_fft_find_atoms(dpn_fft_atoms *out, const dpn_fft_plan *plan, dpn_error *why);

/* A step between step/2 and `step` with the atoms on the grid, as nearly as can be found: a distance of the bounds of log
 * delta of `negligible` from atoms off the grid is good enough. */
double dpn_fft_aligned_step(const dpn_fft_plan *plan, const dpn_fft_atoms *atoms, double step, double negligible);

/* The grid of a part begins so that its heaviest atom is on it. */
double dpn_fft_origin(const dpn_fft_atoms *atoms, size_t part);

#endif
