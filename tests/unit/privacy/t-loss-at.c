/* The inverse of the centred loss: bisection that is told of what chords have found must end at the double at which
 * plain bisection ends, with far fewer evaluations of psi.
 */
#include "law/family.h"
#include "privacy/profile/loss-at.h"

#include "reference/draw.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

static bool below(const dpn_profile *profile, double nu, bool strict, double t, int *asked) {
    double half = 0.5 * profile->sensitivity;
    dpn_twofold loss = dpn_psi_difference(&profile->law, profile->form, dpn_two_sum(t, -half), dpn_two_sum(t, half));
    double rest = dpn_two_subtract(loss, dpn_two(nu)).hi;
    ++*asked;
    return strict ? rest < 0 : rest <= 0;
}

/* As dpn_centre_by_bisection, without the chords. */
static double plain(const dpn_profile *profile, double nu, bool strict, int *asked) {
    double low = 1 / profile->law.constant[DPN_PDF0], high;
    if (below(profile, nu, strict, low, asked)) {
        for (high = 2 * low; below(profile, nu, strict, high, asked); high *= 2) {
            if (high > 1e300) return INFINITY;
            low = high;
        }
    } else {
        for (high = low; !below(profile, nu, strict, low, asked); low *= 0x1p-8) {
            if (low == 0) return 0;
            high = low;
        }
    }
    for (;;) {
        double middle = high > 4 * low ? sqrt(low) * sqrt(high) : low + 0.5 * (high - low);
        if (!(middle > low && middle < high)) return strict ? high : low;
        if (below(profile, nu, strict, middle, asked))
            low = middle;
        else
            high = middle;
    }
}

/* The law with a psi that counts, and without what the closed forms say of the family. */
static int counted;
static const struct dpn_family *real;

static dpn_twofold counting_psi(const dpn_law *law, double t) {
    counted++;
    return real->psi(law, t);
}

static void draw_profile(dpn_profile *out, draw_source *source, int family) {
    static const char *const forms[] = {"subbotin(p=%.17g,scale=%.17g)", "huber(alpha=%.17g,gamma=%.17g)", "",
                                        "flipped-huber(alpha=%.17g,gamma=%.17g)", "osgt(m=%.17g,sigma=%.17g)"};
    double first = draw_log_uniform(source, 1.2, 12), second = draw_log_uniform(source, 0.1, 10);
    char text[128];
    if (family == 2)
        snprintf(text, sizeof text, "logistic(scale=%.17g)", second);
    else
        snprintf(text, sizeof text, forms[family], first, second);
    dpn_law law;
    dpn_error why;
    if (dpn_law_parse(&law, text, &why)) fail_msg("%s", why.sentence);
    dpn_profile_prepare(out, &law, second * draw_log_uniform(source, 1e-3, 10));
}

static void ends_at_the_same_double(void **state) {
    (void)state;
    draw_source source = {31};
    double most = 0, asked_in_all = 0, counted_in_all = 0;
    for (int i = 0; i < 3000; i++) {
        dpn_profile profile;
        draw_profile(&profile, &source, i % 5);
        double t = profile.sensitivity * draw_log_uniform(&source, 1e-3, 100);
        double nu = dpn_privacy_loss_centred(&profile.law, profile.sensitivity, t);
        bool strict = draw_chance(&source, 0.5);
        int asked = 0;
        double truth = plain(&profile, nu, strict, &asked), got = dpn_centre_by_bisection(&profile, nu, strict);
        /* what is beyond is not below the threshold, and no further from it than it says, nor than 2^-42 of itself */
        double away, beyond = dpn_centre_beyond(&profile, nu, &away), exact = plain(&profile, nu, false, &asked);
        if (!(beyond >= exact && beyond - away <= exact && (isinf(beyond) || away <= 0x1p-42 * beyond)))
            fail_msg("%s moved by %.17g at %.17g: %.17g less %g, not %.17g", profile.law.family->name,
                     profile.sensitivity, nu, beyond, away, exact);
        if (!(got == truth))
            fail_msg("%s(%g,%g) at %g, nu %.17g: %.17g, plain %.17g", profile.law.family->name,
                     profile.law.parameter[0], profile.law.parameter[1], profile.sensitivity, nu, got, truth);

        struct dpn_family counting = *profile.law.family;
        counting.psi = counting_psi;
        real = profile.law.family;
        profile.law.family = &counting;
        profile.form = NULL;
        counted = 0;
        plain(&profile, nu, strict, &asked);
        double before = counted;
        counted = 0;
        dpn_centre_by_bisection(&profile, nu, strict);
        counted_in_all += counted;
        asked_in_all += before;
        most = fmax(most, counted / before);
    }
    print_message("# evaluations of psi: %.3f of those of plain bisection, at most %.3f\n",
                  counted_in_all / asked_in_all, most);
    assert_true(counted_in_all < 0.6 * asked_in_all && most < 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(ends_at_the_same_double)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
