/* What `dpnoise fit` is asked. */
#define _POSIX_C_SOURCE 200809L
#include "fit/fit.h"

#include "input/family.h"
#include "input/levels.h"
#include "kit/fail.h"
#include "kit/gnuplot.h"
#include "kit/guard.h"
#include "kit/nearest.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Options of the fit ---- */

static dpn_status refuse_method(const char *given, dpn_error *why) {
    char all[160] = "";
    struct nearest search = nearest_to(given, strlen(given));
    for (size_t i = 0; dpn_fit_method_name(i); i++) {
        size_t used = strlen(all);
        nearest_try(&search, dpn_fit_method_name(i));
        snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", dpn_fit_method_name(i));
    }
    if (search.name)
        return refuse(why, DPN_EPARSE, "--method: there is no method '%.40s'; did you mean %s?", given, search.name);
    return refuse(why, DPN_EPARSE, "--method: there is no method '%.40s'; there are %s", given, all);
}

static dpn_status read_method(struct fitting *fitting, dpn_error *why) {
    const char *given = arguments_value(fitting->release.arguments, "--method");
    fitting->options.method = given;
    if (!given) return DPN_OK;
    size_t i = 0;
    while (dpn_fit_method_name(i) && strcmp(given, dpn_fit_method_name(i)) != 0) i++;
    return dpn_fit_method_name(i) ? DPN_OK : refuse_method(given, why);
}

/* An option that a method would pass over is refused. What is said of no method, or of auto, is for the choice to take into account. */
static dpn_status check_method(const struct fitting *fitting, dpn_error *why) {
    static const struct {
        const char *option, *setting;
    } settings[] = {{"--accounting", "accounting"},
                    {"--smoothness", "smoothness"},
                    {"--identical", "identical"},
                    {"--start", "start"},
                    {"--step", "step"},
                    {"--clip", "clip"},
                    {"--passes", "passes"},
                    {"--share", "share"},
                    {"--within", "within"},
                    {"--ball", "ball"},
                    {"--points", "points"},
                    {"--sample-rate", "sample_rate"},
                    {"--blocks", "blocks"},
                    {"--raw", "raw"}};
    const char *method = fitting->options.method;
    if (!method) return DPN_OK;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (arguments_have(fitting->release.arguments, settings[i].option) &&
            !dpn_fit_method_takes(method, settings[i].setting))
            return refuse(why, DPN_EPARSE, "%s does not belong to --method %s, which has no use for it: leave it out",
                          settings[i].option, method);
    return DPN_OK;
}

/* 0 stands for the default in the library, and who writes it means something else. */
static dpn_status check_zeros(const struct fitting *fitting, dpn_error *why) {
    const dpn_fit_options *of = &fitting->options;
    const struct {
        const char *option;
        double value;
    } number[] = {{"--passes", (double)of->passes},
                  {"--clip", of->clip},
                  {"--step", of->step},
                  {"--within", of->within_l2 ? 1 : of->within}, /* a length of 0 has its own sentence */
                  {"--share", of->share},
                  {"--sample-rate", of->sample_rate},
                  {"--rows", of->rows},
                  {"--blocks", (double)of->blocks},
                  {"--points", (double)of->points}};
    for (size_t i = 0; i < sizeof number / sizeof *number; i++)
        if (arguments_have(fitting->release.arguments, number[i].option) && number[i].value == 0)
            return refuse(why, DPN_EDOMAIN, "%s must be above 0", number[i].option);
    return DPN_OK;
}

/* l1:0.01, l2:0.1, or both with a comma between. */
static dpn_status read_penalty(struct fitting *fitting, const char *text, dpn_error *why) {
    char part[64];
    while (text && *text) {
        size_t length = strcspn(text, ",");
        double *to = strncmp(text, "l1:", 3) == 0 ? &fitting->options.l1 : &fitting->options.l2;
        bool known = strncmp(text, "l1:", 3) == 0 || strncmp(text, "l2:", 3) == 0;
        if (!known || length >= sizeof part || *to != 0)
            return refuse(why, DPN_EPARSE, "--regularize: write l1:0.01, l2:0.1 or l1:0.01,l2:0.1, not '%.40s'", text);
        memcpy(part, text + 3, length - 3);
        part[length - 3] = '\0';
        dpn_error reason;
        dpn_status status = dpn_number_parse(to, part, &reason);
        if (status) return refuse(why, status, "--regularize: %.200s", reason.sentence);
        if (!(*to >= 0)) return refuse(why, DPN_EDOMAIN, "--regularize: a penalty is not negative");
        text += length + (text[length] == ',');
    }
    return DPN_OK;
}

/* Numbers with commas between. */
static dpn_status read_numbers(double **out, size_t *count, const struct arguments *arguments, const char *option,
                               dpn_error *why) {
    const char *text = arguments_value(arguments, option);
    char part[64];
    if (!text) return DPN_OK;
    *out = calloc(strlen(text) + 1, sizeof **out);
    if (!*out) return refuse(why, DPN_ENOMEM, "out of memory");
    for (;;) {
        size_t length = strcspn(text, ",");
        if (length >= sizeof part) return refuse(why, DPN_EPARSE, "%s: '%.40s' is not a number", option, text);
        memcpy(part, text, length);
        part[length] = '\0';
        dpn_error reason;
        dpn_status status = dpn_number_parse(&(*out)[(*count)++], part, &reason);
        if (status) return refuse(why, status, "%s: %.200s", option, reason.sentence);
        if (!text[length]) return DPN_OK;
        text += length + 1;
    }
}

/* 2, or l2:2 for all coefficients together. */
static dpn_status read_within(struct fitting *fitting, dpn_error *why) {
    const char *text = arguments_value(fitting->release.arguments, "--within");
    if (!text || strncmp(text, "l2:", 3) != 0)
        return arguments_number(&fitting->options.within, fitting->release.arguments, "--within", why);
    dpn_error reason;
    fitting->options.within_l2 = true;
    dpn_status status = dpn_number_parse(&fitting->options.within, text + 3, &reason);
    if (status) return refuse(why, status, "--within: %.200s", reason.sentence);
    const char *method = fitting->options.method;
    if (method && !dpn_fit_method_takes(method, "within_l2"))
        return refuse(why, DPN_EPARSE, "--within l2: --method %s has coefficients in a box: leave out l2", method);
    return DPN_OK;
}

/* Of methods that release derivatives, and of those that minimise. */
static dpn_status read_descent(struct fitting *fitting, dpn_error *why) {
    const struct arguments *arguments = fitting->release.arguments;
    const char *const words[] = {dpn_fit_accounting_name(DPN_FIT_EXACT), dpn_fit_accounting_name(DPN_FIT_ZCDP),
                                 dpn_fit_accounting_name(DPN_FIT_PAPER), NULL};
    size_t accounting = DPN_FIT_EXACT;
    dpn_status status = arguments_count(&fitting->options.passes, arguments, "--passes", why);
    if (!status) status = arguments_choice(&accounting, arguments, "--accounting", words, why);
    if (!status) status = arguments_number(&fitting->options.clip, arguments, "--clip", why);
    if (!status) status = arguments_number(&fitting->options.step, arguments, "--step", why);
    if (!status) status = read_within(fitting, why);
    if (!status) status = arguments_number(&fitting->options.share, arguments, "--share", why);
    if (!status) status = read_numbers(&fitting->start, &fitting->options.starts, arguments, "--start", why);
    if (!status)
        status = read_numbers(&fitting->smoothness, &fitting->options.smoothnesses, arguments, "--smoothness", why);
    fitting->options.start = fitting->start;
    fitting->options.smoothness = fitting->smoothness;
    fitting->options.identical = arguments_have(arguments, "--identical");
    fitting->options.accounting = (dpn_fit_accounting)accounting;
    return status;
}

/* Where pictures and pages go is refused before anything is charged. */
static dpn_status check_files(const struct arguments *arguments, dpn_error *why) {
    static const char *const answers[] = {"--plot", "--report", "--fresh"};
    const char *plot = arguments_value(arguments, "--plot");
    static const char *const instead[] = {"--dry-run", "--audit"};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        for (size_t j = 0; j < sizeof instead / sizeof *instead; j++)
            if (arguments_have(arguments, instead[j]) && arguments_have(arguments, answers[i]))
                return refuse(why, DPN_EPARSE, "%s and %s exclude each other", instead[j], answers[i]);
    if (arguments_have(arguments, "--dry-run") && arguments_have(arguments, "--audit"))
        return refuse(why, DPN_EPARSE, "--dry-run and --audit exclude each other");
    dpn_status status = plot ? gnuplot_check_name(plot, why) : DPN_OK;
    return status ? status : guard_apart("--plot", plot, "--report", arguments_value(arguments, "--report"), why);
}

dpn_status fit_read_options(struct fitting *fitting, dpn_error *why) {
    const struct arguments *arguments = fitting->release.arguments;
    const char *word = arguments->operands > 0 ? arguments->operand[0] : "";
    fitting->options = dpn_fit_options_init();
    unsigned kind = 0;
    while (dpn_fit_kind_name((dpn_fit_kind)kind) && strcmp(word, dpn_fit_kind_name((dpn_fit_kind)kind)) != 0) kind++;
    if (!dpn_fit_kind_name((dpn_fit_kind)kind))
        return refuse(why, DPN_EPARSE, "say what to fit and of which data: dpnoise fit linear people.csv ...");
    fitting->options.kind = (dpn_fit_kind)kind;
    if (arguments->operands != 2)
        return refuse(why, DPN_EPARSE, "fit reads one table: dpnoise fit %s people.csv ...", word);
    fitting->release.source = arguments->operand[1];
    if (!fitting->release.source[0]) return refuse(why, DPN_EPARSE, "the name of the data is empty");
    fitting->options.no_intercept = arguments_have(arguments, "--no-intercept");
    fitting->options.raw = arguments_have(arguments, "--raw");
    fitting->options.noise = arguments_value(arguments, "--noise");
    fitting->options.ball = arguments_value(arguments, "--ball");
    uint64_t rows = 0;
    dpn_status status = check_files(arguments, why);
    if (!status) status = read_method(fitting, why);
    if (!status) status = check_method(fitting, why);
    if (!status) status = read_penalty(fitting, arguments_value(arguments, "--regularize"), why);
    if (!status) status = read_descent(fitting, why);
    if (!status) status = arguments_count(&rows, arguments, "--rows", why);
    if (!status) status = arguments_number(&fitting->options.quantile, arguments, "--quantile", why);
    if (!status && arguments_have(arguments, "--quantile") && !(fitting->options.quantile > 0))
        status = refuse(why, DPN_EDOMAIN, "--quantile must be above 0 and below 1");
    if (!status) status = arguments_number(&fitting->options.sample_rate, arguments, "--sample-rate", why);
    if (!status) status = arguments_count(&fitting->options.blocks, arguments, "--blocks", why);
    if (!status) status = arguments_count(&fitting->options.points, arguments, "--points", why);
    if (!status) status = family_check("--noise", fitting->options.noise, why);
    const char *tune = arguments_value(arguments, "--tune");
    fitting->options.tune = tune && strcmp(tune, "private") == 0;
    fitting->options.rows = (double)rows;
    if (!status) status = check_zeros(fitting, why);
    fitting->plain = fitting->options.method && strcmp(fitting->options.method, "non-private") == 0;
    return status;
}

/* ---- Columns ---- */

/* Whether a feature has levels: --levels says so, or the registration. */
static bool has_levels(const struct fitting *fitting, const char *name) {
    const struct arguments *arguments = fitting->release.arguments;
    char column[1024];
    for (size_t i = 0; i < arguments->givens; i++)
        if (strcmp(arguments->given[i].option->name, "--levels") == 0 &&
            levels_column(column, sizeof column, arguments->given[i].value) && strcmp(column, name) == 0)
            return true;
    const dpn_registered_column *registered =
        fitting->release.by_name ? dpn_registration_column(&fitting->release.registration, name) : NULL;
    return registered && registered->type == DPN_COLUMN_CATEGORY;
}

static dpn_status declare_number(struct fitting *fitting, const char *option, const char *text, dpn_error *why) {
    dpn_error reason;
    dpn_status status = dpn_declare_statistic(&fitting->release.declaration, DPN_STATISTIC_MEAN, text, &reason);
    if (status && strstr(reason.sentence, "COLUMN:LOWER:UPPER"))
        return refuse(why, status, "%s: '%.80s': COLUMN:LOWER:UPPER is expected, as income:0:200000", option, text);
    return status ? refuse(why, status, "%s: %.200s", option, reason.sentence) : DPN_OK;
}

/* The library speaks of settings, and an option is called like one, but for its lines. */
static void name_option(dpn_error *why) {
    static const char *const settings[][2] = {{"sample_rate must", "--sample-rate"},
                                              {"l1 must", "--regularize: l1"},
                                              {"l2 must", "--regularize: l2"},
                                              {"clip must", "--clip"},
                                              {"step must", "--step"},
                                              {"share must", "--share"},
                                              {"rows must", "--rows"},
                                              {"within must", "--within"},
                                              {"start must", "--start"},
                                              {"smoothness must", "--smoothness"},
                                              {"passes must", "--passes"}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        size_t length = strlen(settings[i][0]);
        if (strncmp(why->sentence, settings[i][0], length) != 0) continue;
        dpn_error said = *why;
        snprintf(why->sentence, sizeof why->sentence, "%s%s", settings[i][1], said.sentence + length - strlen(" must"));
        return;
    }
}

void fit_reword(dpn_error *why) {
    name_option(why);
    static const char mean[] = "mean of '";
    if (strncmp(why->sentence, mean, strlen(mean)) != 0) return;
    dpn_error said = *why;
    bool twice = strstr(said.sentence, ": it is asked twice; leave one out") != NULL;
    char *colon = strstr(said.sentence, "': ");
    snprintf(why->sentence, sizeof why->sentence, "column '%s", said.sentence + strlen(mean));
    const char *bounds = strstr(said.sentence, "': lower and upper are missing");
    if (bounds) {
        const char *name = said.sentence + strlen(mean);
        int length = (int)(bounds - name);
        snprintf(why->sentence, sizeof why->sentence,
                 "column '%.*s' needs its public bounds, %.*s:0:100, or if it has words their public list, --levels "
                 "%.*s=north,south",
                 length, name, length, name, length, name);
    }
    if (twice && colon)
        snprintf(why->sentence, sizeof why->sentence, "column '%.*s': it is among target and features twice",
                 (int)(colon - said.sentence - (ptrdiff_t)strlen(mean)), said.sentence + strlen(mean));
}

static dpn_status declare_feature(struct fitting *fitting, const char *text, dpn_error *why) {
    dpn_error reason;
    if (!has_levels(fitting, text)) return declare_number(fitting, "--features", text, why);
    dpn_status status = dpn_declare_by(&fitting->release.declaration, text, &reason);
    return status ? refuse(why, status, "--features: %.200s", reason.sentence) : DPN_OK;
}

/* Where the next feature ends: a comma that is not within double quotes. */
static size_t feature_length(const char *text) {
    bool quoted = false;
    size_t at = 0;
    for (; text[at] && (quoted || text[at] != ','); at++)
        if (text[at] == '"') quoted = !quoted;
    return at;
}

static dpn_status declare_features(struct fitting *fitting, const char *text, dpn_error *why) {
    dpn_status status = DPN_OK;
    while (!status && *text) {
        size_t length = feature_length(text);
        char *feature = strndup(text, length);
        if (!feature) return refuse(why, DPN_ENOMEM, "out of memory");
        status = declare_feature(fitting, feature, why);
        free(feature);
        if (!status && strcmp(text + length, ",") == 0)
            status = refuse(why, DPN_EPARSE, "--features: nothing follows the last comma");
        text += length + (text[length] == ',');
    }
    return status;
}

/* A list of levels of a column that is not a feature would be passed over. */
static dpn_status check_levels(const struct fitting *fitting, dpn_error *why) {
    const struct arguments *arguments = fitting->release.arguments;
    const dpn_declaration *declaration = &fitting->release.declaration;
    char column[1024];
    for (size_t i = 0; i < arguments->givens; i++) {
        if (strcmp(arguments->given[i].option->name, "--levels") != 0) continue;
        if (!levels_column(column, sizeof column, arguments->given[i].value)) continue; /* refused by others */
        bool found = false;
        for (size_t g = 0; g < declaration->bys; g++) found |= strcmp(declaration->by[g].column, column) == 0;
        if (!found) return refuse(why, DPN_EPARSE, "--levels: '%.60s' is not among the --features", column);
    }
    return DPN_OK;
}

dpn_status fit_declare(struct fitting *fitting, dpn_error *why) {
    struct release *release = &fitting->release;
    const char *target = arguments_value(release->arguments, "--target");
    const char *features = arguments_value(release->arguments, "--features");
    if (!target) return refuse(why, DPN_EPARSE, "--target is missing: what shall be predicted? income:0:200000");
    if (!features) return refuse(why, DPN_EPARSE, "--features is missing: from what? age:18:98,hours:0:80");
    dpn_status status = dpn_declaration_read(&release->declaration, "{}", 2, why);
    if (!status) status = declare_number(fitting, "--target", target, why);
    if (!status) status = declare_features(fitting, features, why);
    if (!status) status = check_levels(fitting, why);
    /* A fit without a guarantee has no epsilon, and a declaration has to have one. */
    if (!status && fitting->plain && !(release->declaration.epsilon = strdup("1")))
        status = refuse(why, DPN_ENOMEM, "out of memory");
    if (!status) status = release_declare_rest(release, why);
    if (status) return status;
    free(release->declaration.noise); /* of the fit, not of the means */
    release->declaration.noise = NULL;
    return DPN_OK;
}
