/* The functional mechanism (Awan and Slavkovic 2021, section 5): noisy sums of products with K-norm noise around all of them. Squares are
 * doubled, indicators are their own squares (Remark 5.1), and balls of l1 and l2 have the exact Delta_1 and Delta_2 of all that a row can do (reach.h). */
#include "learn/one-release.h"
#include "learn/paper-ball.h"

#include "base/error.h"

#include <string.h>

static dpn_status find_ball(dpn_ball_kind *out, const char *name, dpn_error *why) {
    static const dpn_ball_kind balls[] = {DPN_BALL_LINF, DPN_BALL_L1, DPN_BALL_L2, DPN_BALL_HULL};
    for (size_t i = 0; i < sizeof balls / sizeof *balls; i++)
        if (!name || strcmp(name, dpn_ball_kind_name(balls[i])) == 0) {
            *out = balls[i];
            return DPN_OK;
        }
    return dpn_fail(why, DPN_EPARSE, "the ball of a fit is linf, l1, l2, kt or hull, not '%.40s'", name);
}

static dpn_status plan(void **out, dpn_fit *fit, dpn_error *why) {
    dpn_ball_kind ball = DPN_BALL_LINF;
    if (fit->noise) return dpn_fail(why, DPN_EDOMAIN, "the functional mechanism has K-norm noise alone");
    if (fit->ball && strcmp(fit->ball, "kt") == 0)
        return dpn_one_release_plan_made(out, fit, dpn_paper_ball_release, why);
    if (!fit->ball) fit->settled.ball = "linf";
    dpn_status status = find_ball(&ball, fit->ball, why);
    return status ? status : dpn_one_release_plan(out, fit, &ball, why);
}

const struct dpn_fit_method dpn_fit_functional = {
    .name = "functional",
    .about =
        "the functional mechanism: noisy sums of products with K-norm noise of one ball, and least squares of them",
    .linear = true,
    .sums_alone = true,
    .uses = DPN_USES_RAW | DPN_USES_BALL | DPN_USES_PENALTIES,
    .plan = plan,
    .run = dpn_one_release_run,
    .free = dpn_one_release_free,
};
