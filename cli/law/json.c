/* The answer of `dpnoise law --json`. */
#include "kit/json.h"
#include "law/law.h"

#include <math.h>

static void points(struct json *json, const dpn_law *law, const struct numbers *at) {
    json_open_array(json, "at");
    for (size_t i = 0; i < at->count; i++) {
        double t = at->at[i];
        json_open_object(json, NULL);
        json_number(json, "t", t);
        json_number(json, "pdf", dpn_law_pdf(law, t));
        json_number(json, "log_pdf", dpn_law_log_pdf(law, t));
        json_number(json, "cdf", dpn_law_cdf(law, t));
        json_number(json, "sf", dpn_law_sf(law, t));
        json_number(json, "log_cdf", dpn_law_log_cdf(law, t));
        json_number(json, "log_sf", dpn_law_log_sf(law, t));
        json_close_object(json);
    }
    json_close_array(json);
}

static void quantiles(struct json *json, const dpn_law *law, const struct numbers *prob) {
    json_open_array(json, "quantiles");
    for (size_t i = 0; i < prob->count; i++) {
        json_open_object(json, NULL);
        json_number(json, "p", prob->at[i]);
        json_number(json, "t", dpn_law_quantile(law, prob->at[i]));
        json_number(json, "isf", dpn_law_isf(law, prob->at[i]));
        json_close_object(json);
    }
    json_close_array(json);
}

static void mgf(struct json *json, const dpn_law *law, const struct numbers *s) {
    json_open_array(json, "mgf");
    for (size_t i = 0; i < s->count; i++) {
        json_open_object(json, NULL);
        json_number(json, "s", s->at[i]);
        json_number(json, "log_mgf", dpn_law_log_mgf(law, s->at[i]));
        json_close_object(json);
    }
    json_close_array(json);
}

static void members(struct json *json, const dpn_law *law, const struct inquiry *inquiry) {
    char text[DPN_LAW_TEXT_SIZE];
    json_string(json, "law", dpn_law_print(text, law));
    json_bool(json, "integer", dpn_law_is_integer(law));
    json_bool(json, "log_concave", dpn_law_is_log_concave(law));
    json_number(json, "support", dpn_law_support(law));
    json_number(json, "variance", dpn_law_variance(law));
    json_number(json, "standard_deviation", sqrt(dpn_law_variance(law)));
    json_number(json, "mean_abs", dpn_law_mean_abs(law));
    json_number(json, "fisher", dpn_law_fisher(law));
    json_number(json, "nfi", dpn_law_nfi(law));
    json_number(json, "entropy", dpn_law_entropy(law));
    json_number(json, "sub_gaussian", dpn_law_sub_gaussian_upper(law));
    json_number(json, "mgf_bound", dpn_law_mgf_bound(law));
    points(json, law, &inquiry->at);
    quantiles(json, law, &inquiry->prob);
    mgf(json, law, &inquiry->mgf);
}

void law_print_json(const struct inquiry *inquiry) {
    struct json object = json_begin(stdout);
    if (inquiry->laws == 1) {
        members(&object, &inquiry->law[0], inquiry);
    } else {
        json_open_array(&object, "laws");
        for (size_t i = 0; i < inquiry->laws; i++) {
            json_open_object(&object, NULL);
            members(&object, &inquiry->law[i], inquiry);
            json_close_object(&object);
        }
        json_close_array(&object);
    }
    if (inquiry->plot) json_string(&object, "plot", inquiry->plot);
    json_end(&object);
}
