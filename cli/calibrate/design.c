/* The questions of dpnoise calibrate that are not about the least error: --variance, --construction, --inequality. */
#include "calibrate/calibrate.h"
#include "kit/fact.h"
#include "kit/fail.h"
#include "kit/json.h"

#include <dpnoise/design.h>
#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool design_asked(const struct arguments *arguments) {
    return arguments_have(arguments, "--variance") || arguments_have(arguments, "--construction") ||
           arguments_have(arguments, "--inequality") || arguments_have(arguments, "--majorises");
}

static bool wants_json(const struct arguments *arguments) {
    return arguments_have(arguments, "--json");
}

static double decibels(double ratio) {
    return 10 * log10(ratio);
}

/* ---- A law of a given variance ---- */

static void print_law(const dpn_law *law, bool json) {
    char text[DPN_LAW_TEXT_SIZE];
    if (!json) {
        printf("%s\n  variance      %.10g\n", dpn_law_print(text, law), dpn_law_variance(law));
        return;
    }
    struct json object = json_begin(stdout);
    json_string(&object, "family", dpn_law_family(law));
    json_string(&object, "law", dpn_law_print(text, law));
    json_number(&object, "variance", dpn_law_variance(law));
    json_end(&object);
}

static dpn_status of_variance(const char *family, const struct arguments *arguments, dpn_error *why) {
    double variance = 0, shape = 0, scale = 0;
    dpn_law law;
    bool by_scale = arguments_have(arguments, "--scale"), by_shape = arguments_have(arguments, "--shape");
    if (arguments_have(arguments, "--epsilon"))
        return refuse(why, DPN_EPARSE,
                      "--variance and --epsilon exclude each other: --mse is the least epsilon for one");
    if (by_scale && by_shape) return refuse(why, DPN_EPARSE, "--scale and --shape exclude each other");
    if (!by_scale && !by_shape && dpn_family_shape(family))
        return refuse(why, DPN_EPARSE, "%s noise has a shape, %s: give --shape or --scale", family,
                      dpn_family_shape(family));
    if (by_shape && !dpn_family_shape(family))
        return refuse(why, DPN_EDOMAIN, "--shape: %s noise has none, its scale is all there is", family);
    dpn_status status = arguments_number(&variance, arguments, "--variance", why);
    if (!status) status = arguments_number(&shape, arguments, "--shape", why);
    if (!status) status = arguments_number(&scale, arguments, "--scale", why);
    if (!status)
        status = by_scale ? dpn_design_of_scale(&law, family, variance, scale, why)
                          : dpn_design_of_shape(&law, family, variance, shape, why);
    if (!status) print_law(&law, wants_json(arguments));
    return status;
}

/* ---- gamma = sigma ---- */

static void print_construction(const dpn_law *law, const dpn_delta *delta, double epsilon, bool json) {
    char text[DPN_LAW_TEXT_SIZE];
    double variance = dpn_law_variance(law), gamma = dpn_law_parameter(law, "gamma"),
           ratio = variance / (gamma * gamma);
    dpn_law_print(text, law);
    if (!json) {
        printf("%s\n  variance      %.10g, %.4g dB below Gaussian noise of the same gamma\n", text, variance,
               -decibels(ratio));
        printf("  delta         at most %.10g at epsilon %.10g\n", delta->upper * (1 + 1e-9), epsilon);
        return;
    }
    struct json object = json_begin(stdout);
    json_string(&object, "construction", "gamma-sigma");
    json_string(&object, "law", text);
    json_number(&object, "variance", variance);
    json_number(&object, "gaussian_variance", gamma * gamma);
    json_number(&object, "decibels", decibels(ratio));
    json_number(&object, "epsilon", epsilon);
    json_number(&object, "delta", delta->upper);
    json_end(&object);
}

static dpn_status construct(const char *family, const struct arguments *arguments, dpn_error *why) {
    struct calibration asked = {0};
    dpn_law law;
    dpn_delta delta;
    if (strcmp(arguments_value(arguments, "--construction"), "gamma-sigma") != 0)
        return refuse(why, DPN_EPARSE,
                      "--construction is gamma-sigma: that of flipped-huber noise from Gaussian noise");
    dpn_status status = calibration_read(&asked, arguments, false, why);
    const dpn_sensitivity *set = &asked.sensitivity.set;
    if (!status && (asked.of_error || set->dimension != 1 || set->vertices))
        status = refuse(why, DPN_EUNSUPPORTED, "--construction is about one answer, with --epsilon and --sensitivity");
    double move = set->bound ? set->bound[0] : set->linf;
    if (!status) status = dpn_design_gamma_sigma(&law, &delta, asked.epsilon, asked.delta, move, why);
    if (!status && strcmp(family, dpn_law_family(&law)) != 0)
        status = refuse(why, DPN_EDOMAIN, "--construction makes %s noise, not %.40s: write calibrate %s",
                        dpn_law_family(&law), family, dpn_law_family(&law));
    if (!status) print_construction(&law, &delta, asked.asked_epsilon, wants_json(arguments));
    calibration_free(&asked);
    return status;
}

/* ---- Unequal sensitivities ---- */

/* How one vector compares with another. */
struct order {
    bool asked, above, below;
};

static const char *order_words(const struct order *order) {
    if (order->above && order->below) return "equal";
    if (order->above) return "first";
    return order->below ? "second" : "neither";
}

static void print_inequality(const dpn_inequality *found, const struct order *order, bool json) {
    if (json) {
        struct json object = json_begin(stdout);
        json_number(&object, "gini", found->gini);
        json_number(&object, "gain", found->gain);
        json_number(&object, "decibels", decibels(found->gain));
        if (order->asked) json_string(&object, "majorises", order_words(order));
        json_end(&object);
        return;
    }
    printf("Gini coefficient  %.10g\n", found->gini);
    fact_print(stdout, "gain              ", "%.10g, %.4g dB: what Gaussian noise of its own for each answer saves",
               found->gain, decibels(found->gain));
    if (!order->asked) return;
    static const char *const words[] = {"neither majorises the other: either may need less noise",
                                        "--majorises is majorised: it needs more Gaussian noise at the same l2 norm",
                                        "--majorises majorises: it needs less Gaussian noise at the same l2 norm",
                                        "the same but for order and scale: the same noise at the same l2 norm"};
    fact_print(stdout, "squares           ", "%s", words[order->above + 2 * order->below]);
}

static dpn_status tell_inequality(const struct arguments *arguments, dpn_error *why) {
    struct numbers first = {0}, second = {0};
    struct order order = {.asked = arguments_have(arguments, "--majorises")};
    dpn_inequality found;
    if (arguments->operands)
        return refuse(why, DPN_EPARSE, "--inequality is about sensitivities, not about '%.40s'", arguments->operand[0]);
    if (!arguments_have(arguments, "--sensitivities"))
        return refuse(why, DPN_EPARSE, "--inequality needs --sensitivities");
    dpn_status status = arguments_numbers(&first, arguments, "--sensitivities", NUMBER_FINITE, why);
    if (!status) status = arguments_numbers(&second, arguments, "--majorises", NUMBER_FINITE, why);
    if (!status && order.asked && first.count != second.count)
        status =
            refuse(why, DPN_EPARSE, "--majorises has %zu numbers and --sensitivities %zu", second.count, first.count);
    if (!status) status = dpn_inequality_of(&found, first.at, first.count, why);
    if (!status && order.asked) status = dpn_majorises(&order.above, first.at, second.at, first.count, why);
    if (!status && order.asked) status = dpn_majorises(&order.below, second.at, first.at, first.count, why);
    if (!status) print_inequality(&found, &order, wants_json(arguments));
    free(first.at);
    free(second.at);
    return status;
}

dpn_status calibrate_design(const char *family, const struct arguments *arguments, dpn_error *why) {
    if (arguments_have(arguments, "--variance")) return of_variance(family, arguments, why);
    if (arguments_have(arguments, "--construction")) return construct(family, arguments, why);
    return tell_inequality(arguments, why);
}
