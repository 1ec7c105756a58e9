/* What releases do to an answer that is on the grid: exact noise in steps, added and clamped. */
#define _DEFAULT_SOURCE /* explicit_bzero */
#include "audit/audit.h"

#include "base/error.h"
#include "release/noise/clamp.h"

#include <dpnoise/sampler.h>
#include <stdlib.h>
#include <string.h>

enum { BATCH = 1024 };

struct dpn_shipped {
    size_t dimension;
    dpn_sampler **sampler; /* one for each answer with a law, shared by those with the same law on the same grid */
    const dpn_law **law;   /* of each sampler */
    int *exponent;
    const dpn_joint *joint;
    size_t joints;
    dpn_rng *rng;
};

/* The answer before i that has the same sampler; i itself if there is none. */
static size_t twin(const dpn_shipped *shipped, size_t i) {
    for (size_t j = 0; j < i; j++)
        if (shipped->exponent[j] == shipped->exponent[i] &&
            memcmp(shipped->law[j], shipped->law[i], sizeof **shipped->law) == 0)
            return j;
    return i;
}

static dpn_status make_samplers(dpn_shipped *shipped, dpn_error *why) {
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < shipped->dimension && !status; i++) {
        size_t same = twin(shipped, i);
        if (same < i)
            shipped->sampler[i] = shipped->sampler[same];
        else if (shipped->law[i]->family)
            status = dpn_sampler_new(&shipped->sampler[i], shipped->law[i], shipped->exponent[i], why);
    }
    return status;
}

dpn_status dpn_shipped_new(dpn_shipped **out, const dpn_noise *noise, const int *exponent, size_t dimension,
                           dpn_rng *rng, dpn_error *why) {
    dpn_shipped *shipped = calloc(1, sizeof *shipped);
    if (!shipped) return dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    *shipped = (dpn_shipped){.dimension = dimension, .joint = noise->joint, .joints = noise->joints, .rng = rng};
    shipped->sampler = calloc(dimension, sizeof *shipped->sampler);
    shipped->law = calloc(dimension, sizeof *shipped->law);
    shipped->exponent = calloc(dimension, sizeof *shipped->exponent);
    dpn_status status = DPN_OK;
    if (!shipped->sampler || !shipped->law || !shipped->exponent)
        status = dpn_fail(why, DPN_ENOMEM, "no memory for the samplers");
    for (size_t i = 0; i < dimension && !status; i++) {
        shipped->law[i] = &noise->law[noise->laws == 1 ? 0 : i];
        shipped->exponent[i] = exponent[i];
    }
    if (!status) status = make_samplers(shipped, why);
    if (status)
        dpn_shipped_free(shipped);
    else
        *out = shipped;
    return status;
}

void dpn_shipped_free(dpn_shipped *shipped) {
    if (!shipped) return;
    for (size_t i = 0; shipped->sampler && shipped->law && i < shipped->dimension; i++)
        if (shipped->sampler[i] && twin(shipped, i) == i) dpn_sampler_free(shipped->sampler[i]);
    free(shipped->sampler);
    free(shipped->law);
    free(shipped->exponent);
    free(shipped);
}

/* Independent noise on one answer in all outputs; where there is none, the answer itself. */
static dpn_status run_law(const dpn_shipped *shipped, size_t i, int64_t *out, int64_t input, size_t count,
                          dpn_error *why) {
    int64_t noise[BATCH] = {0};
    dpn_status status = DPN_OK;
    for (size_t done = 0; done < count && !status; done += BATCH) {
        size_t now = count - done < BATCH ? count - done : BATCH;
        if (shipped->sampler[i]) status = dpn_sampler_draw(noise, shipped->sampler[i], shipped->rng, now, why);
        for (size_t n = 0; n < now && !status; n++)
            out[(done + n) * shipped->dimension + i] = dpn_steps_add(input, noise[n]);
    }
    explicit_bzero(noise, sizeof noise);
    return status;
}

/* Joint noise on top of the answers, output by output. */
static dpn_status run_joint(const dpn_shipped *shipped, const dpn_joint *joint, int64_t *out, size_t count,
                            dpn_error *why) {
    int64_t noise[DPN_AUDIT_ANSWERS] = {0};
    dpn_status status = DPN_OK;
    for (size_t n = 0; n < count && !status; n++, out += shipped->dimension) {
        status = dpn_joint_draw(joint, shipped->rng, noise, why);
        for (size_t i = 0; i < shipped->dimension && !status; i++) out[i] = dpn_steps_add(out[i], noise[i]);
    }
    explicit_bzero(noise, sizeof noise);
    return status;
}

dpn_status dpn_shipped_run(void *context, int64_t *out, const int64_t *input, size_t count, dpn_error *why) {
    const dpn_shipped *shipped = context;
    dpn_status status = DPN_OK;
    for (size_t i = 0; i < shipped->dimension && !status; i++) status = run_law(shipped, i, out, input[i], count, why);
    for (size_t i = 0; i < shipped->joints && !status; i++)
        status = run_joint(shipped, &shipped->joint[i], out, count, why);
    return status;
}
