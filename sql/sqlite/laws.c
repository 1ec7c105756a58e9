/* Noise laws in SQL: dp_pdf('gaussian(sigma=1)', 0) and its like. What is undefined is NULL. Laws are deterministic; draws are not, and
 * are not for views and triggers of a database that a stranger wrote. */
#include "sqlite/front.h"

#include <math.h>
#include <string.h>

/* ---- The law of a call ---- */

static void free_law(void *law) {
    sqlite3_free(law);
}

/* The law of the first argument, kept with it while the statement runs; NULL if there is none, and then the result is set. */
static const dpn_law *law_of(sqlite3_context *call, sqlite3_value **value) {
    const dpn_law *kept = sqlite3_get_auxdata(call, 0);
    dpn_error why;
    if (kept) return kept;
    const char *text = (const char *)sqlite3_value_text(value[0]);
    if (!text) return NULL;
    dpn_law *law = sqlite3_malloc(sizeof *law);
    if (!law) {
        sqlite3_result_error_nomem(call);
        return NULL;
    }
    if (dpn_law_parse(law, text, &why)) {
        sqlite3_free(law);
        sqlite3_result_error(call, why.sentence, -1);
        return NULL;
    }
    sqlite3_set_auxdata(call, 0, law, free_law);
    return sqlite3_get_auxdata(call, 0);
}

static void give(sqlite3_context *call, double x) {
    if (isnan(x))
        sqlite3_result_null(call);
    else
        sqlite3_result_double(call, x);
}

/* ---- At a point, and of the whole law ---- */

struct at_a_point {
    const char *name;
    double (*function)(const dpn_law *law, double t);
};
struct of_the_law {
    const char *name;
    double (*function)(const dpn_law *law);
};
static const struct at_a_point points[] = {
    {"dp_pdf", dpn_law_pdf},           {"dp_log_pdf", dpn_law_log_pdf}, {"dp_cdf", dpn_law_cdf},
    {"dp_log_cdf", dpn_law_log_cdf},   {"dp_sf", dpn_law_sf},           {"dp_log_sf", dpn_law_log_sf},
    {"dp_quantile", dpn_law_quantile}, {"dp_isf", dpn_law_isf},         {"dp_log_mgf", dpn_law_log_mgf},
};
static const struct of_the_law wholes[] = {
    {"dp_variance", dpn_law_variance}, {"dp_mean_abs", dpn_law_mean_abs}, {"dp_fisher", dpn_law_fisher},
    {"dp_nfi", dpn_law_nfi},           {"dp_entropy", dpn_law_entropy},
};

static void at_a_point(sqlite3_context *call, int count, sqlite3_value **value) {
    const struct at_a_point *row = sqlite3_user_data(call);
    (void)count;
    if (sqlite3_value_type(value[1]) == SQLITE_NULL) return;
    const dpn_law *law = law_of(call, value);
    if (law) give(call, row->function(law, sqlite3_value_double(value[1])));
}

static void of_the_law(sqlite3_context *call, int count, sqlite3_value **value) {
    const struct of_the_law *row = sqlite3_user_data(call);
    (void)count;
    const dpn_law *law = law_of(call, value);
    if (law) give(call, row->function(law));
}

/* ---- A draw ---- */

/* dp_sample(law), dp_sample(law, grid): one exact draw, on a grid that is a power of two; without one 2^-41 standard deviations or finer. */
static void sample(sqlite3_context *call, int count, sqlite3_value **value) {
    const dpn_law *law = law_of(call, value);
    int exponent = 0;
    double draw = 0;
    dpn_rng *rng = NULL;
    dpn_sampler *sampler = NULL;
    dpn_error why;
    if (!law) return;
    double grid = count > 1 ? sqlite3_value_double(value[1]) : dpn_law_is_integer(law) ? 1 : 0;
    bool power = frexp(grid, &exponent) == 0.5;
    exponent--;
    if (count < 2 && !dpn_law_is_integer(law)) {
        (void)frexp(sqrt(dpn_law_variance(law)), &exponent);
        exponent -= 41;
        power = true;
    }
    if (!power) {
        sqlite3_result_error(call, "grid is a power of two, such as 0.125", -1);
        return;
    }
    dpn_status status = dpn_rng_new(&rng, &why);
    if (!status) status = dpn_sampler_new(&sampler, law, exponent, &why);
    if (!status) status = dpn_sampler_values(&draw, sampler, rng, 1, &why);
    dpn_sampler_free(sampler);
    dpn_rng_free(rng);
    if (status)
        sqlite3_result_error(call, why.sentence, -1);
    else
        sqlite3_result_double(call, draw);
}

int front_laws(sqlite3 *db) {
    enum { PURE = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS };
    int code = SQLITE_OK;
    for (size_t i = 0; i < sizeof points / sizeof *points && !code; i++)
        code =
            sqlite3_create_function_v2(db, points[i].name, 2, PURE, (void *)&points[i], at_a_point, NULL, NULL, NULL);
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes && !code; i++)
        code =
            sqlite3_create_function_v2(db, wholes[i].name, 1, PURE, (void *)&wholes[i], of_the_law, NULL, NULL, NULL);
    for (int count = 1; count <= 2 && !code; count++)
        code = sqlite3_create_function_v2(db, "dp_sample", count, SQLITE_UTF8 | SQLITE_DIRECTONLY, NULL, sample, NULL,
                                          NULL, NULL);
    return code;
}
