/* Settings of a fit. */
#include "learn/settings.h"

#include "base/error.h"
#include "base/text/json-write.h"
#include "learn/method.h"

#include <stdlib.h>
#include <string.h>

static const struct setting {
    const char *name;
    unsigned bit;
} settings[] = {{"raw", DPN_USES_RAW},
                {"noise", DPN_USES_NOISE},
                {"ball", DPN_USES_BALL},
                {"l1", DPN_USES_L1},
                {"l2", DPN_USES_L2},
                {"passes", DPN_USES_PASSES},
                {"rows", DPN_USES_ROWS},
                {"accounting", DPN_USES_ACCOUNTING},
                {"clip", DPN_USES_CLIP},
                {"step", DPN_USES_STEP},
                {"within", DPN_USES_WITHIN},
                {"share", DPN_USES_SHARE},
                {"identical", DPN_USES_IDENTICAL},
                {"start", DPN_USES_START},
                {"smoothness", DPN_USES_SMOOTHNESS},
                {"sample_rate", DPN_USES_SAMPLE_RATE},
                {"blocks", DPN_USES_BLOCKS},
                {"points", DPN_USES_POINTS},
                {"within_l2", DPN_USES_WITHIN_L2}};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* The bits of what is said. */
static unsigned said(const dpn_fit_options *of) {
    const bool is[SETTINGS] = {of->raw,        of->noise,      of->ball,       of->l1 > 0,
                               of->l2 > 0,     of->passes > 0, of->rows > 0,   of->accounting,
                               of->clip > 0,   of->step > 0,   of->within > 0, of->share > 0,
                               of->identical,  of->start,      of->smoothness, of->sample_rate > 0,
                               of->blocks > 0, of->points > 0, of->within_l2};
    unsigned bits = 0;
    for (size_t i = 0; i < SETTINGS; i++) bits |= is[i] ? settings[i].bit : 0;
    return bits;
}

bool dpn_fit_method_takes(const char *method, const char *setting) {
    const struct dpn_fit_method *of = dpn_fit_method_find(method);
    bool takes = false;
    for (size_t i = 0; i < SETTINGS && of; i++)
        takes |= strcmp(settings[i].name, setting) == 0 && (of->uses & settings[i].bit) != 0;
    return takes;
}

static unsigned idle_of(const dpn_fit *fit, const struct dpn_fit_method *method) {
    return said(&fit->options) & ~(method->uses | DPN_USES_ROWS);
}

bool dpn_fit_takes_all(const dpn_fit *fit, const struct dpn_fit_method *method) {
    return idle_of(fit, method) == 0;
}

dpn_status dpn_fit_check_settings(const dpn_fit *fit, dpn_error *why) {
    unsigned idle = idle_of(fit, fit->method);
    for (size_t i = 0; i < SETTINGS; i++)
        if (idle & settings[i].bit)
            return dpn_fail(why, DPN_EUNSUPPORTED,
                            "'%s' is of no use to the method '%s', which is taken here: leave it out, or name a method "
                            "that takes it",
                            settings[i].name, fit->method->name);
    return DPN_OK;
}

/* ---- The text ---- */

typedef struct writer {
    dpn_text text;
    const dpn_fit *fit;
} writer;

static bool takes(const writer *w, unsigned bit) {
    return w->fit->method->uses & bit;
}

static void put_word(writer *w, const char *name, const char *value) {
    if (!value) return;
    dpn_text_member(&w->text, name);
    dpn_text_quote(&w->text, value);
}

static void put_number(writer *w, unsigned bit, const char *name, double value) {
    if (value == 0 || !takes(w, bit)) return;
    dpn_text_member(&w->text, name);
    dpn_text_number(&w->text, value);
}

static void put_flag(writer *w, unsigned bit, const char *name, bool value) {
    if (!value || !takes(w, bit)) return;
    dpn_text_member(&w->text, name);
    dpn_text_put(&w->text, "true");
}

static void put_numbers(writer *w, unsigned bit, const char *name, const double *value, size_t count) {
    if (!value || !takes(w, bit)) return;
    dpn_text_member(&w->text, name);
    dpn_text_put(&w->text, "[");
    for (size_t i = 0; i < count; i++) {
        if (i > 0) dpn_text_put(&w->text, ", ");
        dpn_text_number(&w->text, value[i]);
    }
    dpn_text_put(&w->text, "]");
}

static void put_words(writer *w) {
    const dpn_fit *fit = w->fit;
    const dpn_fit_options *of = &fit->settled;
    put_word(w, "fit", dpn_fit_kind_name(of->kind));
    put_word(w, "method", of->tune ? of->method : fit->method->name);
    put_word(w, "setting", of->tune ? "chosen privately" : NULL);
    put_word(w, "intercept", of->no_intercept ? "none" : NULL);
    put_word(w, "estimate", of->raw && takes(w, DPN_USES_RAW) ? "raw" : NULL);
    put_word(w, "noise", takes(w, DPN_USES_NOISE) ? of->noise : NULL);
    put_word(w, "ball", takes(w, DPN_USES_BALL) ? of->ball : NULL);
    if (of->accounting && takes(w, DPN_USES_ACCOUNTING))
        put_word(w, "accounting", dpn_fit_accounting_name(of->accounting));
    put_word(w, "law", of->identical && takes(w, DPN_USES_IDENTICAL) ? "identical" : NULL);
}

static void put_all_numbers(writer *w) {
    const dpn_fit_options *of = &w->fit->settled;
    put_number(w, DPN_USES_L1, "l1", of->l1);
    put_number(w, DPN_USES_L2, "l2", of->l2);
    put_number(w, DPN_USES_PASSES, "passes", (double)of->passes);
    put_number(w, DPN_USES_ROWS, "rows", of->rows);
    put_number(w, DPN_USES_CLIP, "clip", of->clip);
    put_number(w, DPN_USES_STEP, "step", of->step);
    put_number(w, DPN_USES_WITHIN, "within", of->within);
    put_flag(w, DPN_USES_WITHIN_L2, "within_l2", of->within_l2);
    put_number(w, DPN_USES_SHARE, "share", of->share);
    put_numbers(w, DPN_USES_START, "start", of->start, of->starts);
    put_numbers(w, DPN_USES_SMOOTHNESS, "smoothness", of->smoothness, of->smoothnesses);
    put_number(w, ~0u, "quantile", of->quantile);
    put_number(w, DPN_USES_SAMPLE_RATE, "sample_rate", of->sample_rate);
    put_number(w, DPN_USES_BLOCKS, "blocks", (double)of->blocks);
    put_number(w, DPN_USES_POINTS, "points", (double)of->points);
}

dpn_status dpn_fit_write_settings(char **out, const dpn_fit *fit, dpn_error *why) {
    writer w = {.fit = fit};
    dpn_text_put(&w.text, "{");
    put_words(&w);
    put_all_numbers(&w);
    dpn_text_put(&w.text, "}");
    if (w.text.failed) {
        free(w.text.at);
        return dpn_fail(why, DPN_ENOMEM, "no memory for the fit");
    }
    *out = w.text.at;
    return DPN_OK;
}
