/* libdpnoise for R: statuses become errors with the library's sentence, handles are external pointers. */
#include <R.h>
#include <R_ext/Rdynload.h>
#include <Rinternals.h>

#include <dpnoise/dpnoise.h>
#include <dpnoise/geometry.h>
#include <dpnoise/learn.h>
#include <stdlib.h>
#include <string.h>

/* ---- Errors and arguments ---- */

static void check(dpn_status status, const dpn_error *why) {
    if (status) Rf_error("%s", why->sentence);
}

static const char *text(SEXP value) {
    if (!Rf_isString(value) || LENGTH(value) != 1 || STRING_ELT(value, 0) == NA_STRING) Rf_error("one text is expected");
    return Rf_translateCharUTF8(STRING_ELT(value, 0));
}

static double number(SEXP value) {
    if (Rf_length(value) != 1) Rf_error("one number is expected");
    double x = Rf_asReal(value);
    if (ISNAN(x)) Rf_error("a number is expected");
    return x;
}

static dpn_law law_of(SEXP value) {
    dpn_law law;
    dpn_error why;
    check(dpn_law_parse(&law, text(value), &why), &why);
    return law;
}

/* The random source of this process; it makes itself new after a fork. */
static dpn_rng *source(void) {
    static dpn_rng *rng;
    dpn_error why;
    if (!rng) check(dpn_rng_new(&rng, &why), &why);
    return rng;
}

static dpn_workspace *workspace(void) {
    static dpn_workspace *kept;
    if (!kept && dpn_workspace_new(&kept)) Rf_error("no memory for a workspace");
    return kept;
}

static SEXP interval(double lower, double upper) {
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 2)), names = PROTECT(Rf_allocVector(STRSXP, 2));
    REAL(out)[0] = lower;
    REAL(out)[1] = upper;
    SET_STRING_ELT(names, 0, Rf_mkChar("lower"));
    SET_STRING_ELT(names, 1, Rf_mkChar("upper"));
    Rf_setAttrib(out, R_NamesSymbol, names);
    UNPROTECT(2);
    return out;
}

/* ---- Laws ---- */

static SEXP law_print(SEXP given) {
    dpn_law law = law_of(given);
    char printed[DPN_LAW_TEXT_SIZE];
    return Rf_mkString(dpn_law_print(printed, &law));
}

static SEXP law_at(SEXP given, SEXP what, SEXP points) {
    static const struct {
        const char *name;
        void (*many)(double *, const dpn_law *, const double *, size_t);
    } ways[] = {{"pdf", dpn_law_pdf_many},           {"log_pdf", dpn_law_log_pdf_many}, {"cdf", dpn_law_cdf_many},
                {"sf", dpn_law_sf_many},             {"log_cdf", dpn_law_log_cdf_many}, {"log_sf", dpn_law_log_sf_many},
                {"quantile", dpn_law_quantile_many}, {"isf", dpn_law_isf_many}};
    dpn_law law = law_of(given);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, XLENGTH(points)));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
        if (strcmp(ways[i].name, text(what)) == 0)
            ways[i].many(REAL(out), &law, REAL(points), (size_t)XLENGTH(points));
    UNPROTECT(1);
    return out;
}

static SEXP law_facts(SEXP given) {
    dpn_law law = law_of(given);
    SEXP out = PROTECT(Rf_allocVector(REALSXP, 3));
    REAL(out)[0] = dpn_law_variance(&law);
    REAL(out)[1] = dpn_law_entropy(&law);
    REAL(out)[2] = dpn_law_is_integer(&law);
    UNPROTECT(1);
    return out;
}

static SEXP law_draw(SEXP given, SEXP count, SEXP exponent) {
    dpn_law law = law_of(given);
    dpn_sampler *sampler;
    dpn_error why;
    SEXP out = PROTECT(Rf_allocVector(REALSXP, (R_xlen_t)number(count)));
    check(dpn_sampler_new(&sampler, &law, Rf_asInteger(exponent), &why), &why);
    dpn_rng *rng = source();
    dpn_status status = dpn_sampler_values(REAL(out), sampler, rng, (size_t)XLENGTH(out), &why);
    dpn_sampler_free(sampler);
    check(status, &why);
    UNPROTECT(1);
    return out;
}

/* ---- Accounting ---- */

static dpn_part *parts_of(SEXP laws, SEXP sensitivities, SEXP times) {
    R_xlen_t count = XLENGTH(laws);
    dpn_part *part = (dpn_part *)R_alloc((size_t)count + 1, sizeof *part);
    for (R_xlen_t i = 0; i < count; i++) {
        dpn_law law;
        dpn_error why;
        check(dpn_law_parse(&law, Rf_translateCharUTF8(STRING_ELT(laws, i)), &why), &why);
        check(dpn_loss_law(&part[i].loss, &law, REAL(sensitivities)[i], &why), &why);
        part[i].times = (uint64_t)REAL(times)[i];
    }
    return part;
}

static SEXP compose(SEXP laws, SEXP sensitivities, SEXP times, SEXP epsilon, SEXP delta) {
    dpn_part *part = parts_of(laws, sensitivities, times);
    size_t parts = (size_t)XLENGTH(laws);
    dpn_error why;
    if (delta == R_NilValue) {
        dpn_delta out;
        check(dpn_compose_delta(&out, workspace(), part, parts, number(epsilon), NULL, &why), &why);
        return interval(out.lower, out.upper);
    }
    dpn_epsilon out;
    check(dpn_compose_epsilon(&out, workspace(), part, parts, number(delta), NULL, &why), &why);
    return interval(out.lower, out.upper);
}

static SEXP profile(SEXP given, SEXP sensitivity, SEXP epsilon, SEXP delta) {
    dpn_law law = law_of(given);
    dpn_error why;
    if (delta == R_NilValue) {
        dpn_delta out;
        check(dpn_profile_delta(&out, &law, number(sensitivity), number(epsilon), &why), &why);
        return interval(out.lower, out.upper);
    }
    dpn_epsilon out;
    check(dpn_profile_epsilon(&out, &law, number(sensitivity), number(delta), &why), &why);
    return interval(out.lower, out.upper);
}

static SEXP training(SEXP sigma, SEXP rate, SEXP steps, SEXP epsilon, SEXP delta) {
    R_xlen_t count = XLENGTH(sigma);
    dpn_part *part = (dpn_part *)R_alloc((size_t)count + 1, sizeof *part);
    dpn_step *step = (dpn_step *)R_alloc((size_t)count + 1, sizeof *step);
    dpn_error why;
    for (R_xlen_t i = 0; i < count; i++) {
        dpn_law law;
        check(dpn_law_make(&law, "gaussian", &REAL(sigma)[i], 1, &why), &why);
        check(dpn_loss_law(&part[i].loss, &law, 1, &why), &why);
        part[i].times = 1;
        step[i] = (dpn_step){&part[i], 1, REAL(rate)[i], (uint64_t)REAL(steps)[i]};
    }
    if (delta == R_NilValue) {
        dpn_delta out;
        check(dpn_sampling_delta(&out, workspace(), step, (size_t)count, number(epsilon), NULL, &why), &why);
        return interval(out.lower, out.upper);
    }
    dpn_epsilon out;
    check(dpn_sampling_epsilon(&out, workspace(), step, (size_t)count, number(delta), NULL, &why), &why);
    return interval(out.lower, out.upper);
}

static SEXP calibrate(SEXP family, SEXP epsilon, SEXP delta, SEXP bounds) {
    dpn_sensitivity set = {.dimension = (size_t)XLENGTH(bounds), .bound = REAL(bounds)};
    dpn_plan plan;
    dpn_error why;
    check(dpn_calibrate(&plan, text(family), number(epsilon), number(delta), &set, NULL, &why), &why);
    SEXP out = PROTECT(Rf_allocVector(VECSXP, 4)), names = PROTECT(Rf_allocVector(STRSXP, 4)),
         noise = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)plan.dimension));
    char printed[DPN_BLOCK_TEXT_SIZE];
    for (size_t i = 0; i < plan.dimension; i++)
        SET_STRING_ELT(noise, (R_xlen_t)i, Rf_mkChar(dpn_block_print(printed, dpn_plan_block(&plan, i), 0)));
    static const char *const member[] = {"noise", "mse", "epsilon", "delta_upper"};
    for (int i = 0; i < 4; i++) SET_STRING_ELT(names, i, Rf_mkChar(member[i]));
    SET_VECTOR_ELT(out, 0, noise);
    SET_VECTOR_ELT(out, 1, Rf_ScalarReal(plan.mse));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(plan.epsilon));
    SET_VECTOR_ELT(out, 3, Rf_ScalarReal(plan.delta.upper));
    Rf_setAttrib(out, R_NamesSymbol, names);
    dpn_plan_free(&plan);
    UNPROTECT(3);
    return out;
}

/* ---- Ledgers ---- */

static void close_ledger(SEXP pointer) {
    dpn_ledger_close(R_ExternalPtrAddr(pointer));
    R_ClearExternalPtr(pointer);
}

static SEXP ledger_open(SEXP path, SEXP create) {
    dpn_ledger *ledger;
    dpn_error why;
    const char *name = text(path);
    check(Rf_asLogical(create) ? dpn_ledger_create(&ledger, name, NULL, &why) : dpn_ledger_open(&ledger, name, NULL, &why),
          &why);
    SEXP out = PROTECT(R_MakeExternalPtr(ledger, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(out, close_ledger, TRUE);
    UNPROTECT(1);
    return out;
}

static dpn_ledger *ledger_of(SEXP pointer) {
    dpn_ledger *ledger = TYPEOF(pointer) == EXTPTRSXP ? R_ExternalPtrAddr(pointer) : NULL;
    if (!ledger) Rf_error("a ledger is expected: dp_ledger(path)");
    return ledger;
}

static dpn_decimal decimal(SEXP value) {
    dpn_decimal out;
    dpn_error why;
    check(dpn_decimal_parse(&out, text(value), &why), &why);
    return out;
}

static SEXP head_text(const dpn_head *head) {
    char printed[DPN_HEAD_TEXT_SIZE];
    return Rf_mkString(dpn_head_print(printed, head));
}

static SEXP ledger_init(SEXP pointer, SEXP name, SEXP epsilon, SEXP delta) {
    dpn_decimal of_epsilon = decimal(epsilon), of_delta = decimal(delta);
    dpn_filter *filter;
    dpn_head head;
    dpn_error why;
    const char *called = text(name);
    dpn_ledger *ledger = ledger_of(pointer);
    check(dpn_filter_new_default(&filter, &of_epsilon, &of_delta, &why), &why);
    dpn_ledger_budget budget = {.name = called, .plan = dpn_filter_plan_of(filter)};
    dpn_status status = dpn_ledger_add_budget(&head, ledger, &budget, &why);
    dpn_filter_free(filter);
    check(status, &why);
    return head_text(&head);
}

static SEXP ledger_charge(SEXP pointer, SEXP name, SEXP epsilon, SEXP delta) {
    dpn_decimal of_epsilon = decimal(epsilon), of_delta = decimal(delta);
    dpn_ledger *ledger = ledger_of(pointer);
    dpn_ledger_charge charge = {.name = text(name)};
    dpn_account account;
    dpn_receipt receipt;
    dpn_error why;
    check(dpn_ledger_account(&account, ledger, charge.name, &why), &why);
    charge.charge = dpn_charge_pure(account.filter, &of_epsilon, &of_delta);
    charge.relation = account.relation;
    charge.unit = account.unit;
    dpn_account_free(&account);
    check(dpn_ledger_spend(&receipt, ledger, &charge, &why), &why);
    return head_text(&receipt.head);
}

static SEXP ledger_account(SEXP pointer, SEXP name) {
    dpn_account account;
    dpn_error why;
    char printed[DPN_DECIMAL_TEXT_SIZE];
    check(dpn_ledger_account(&account, ledger_of(pointer), text(name), &why), &why);
    dpn_spent spent = dpn_filter_spent(account.filter);
    dpn_filter_plan plan = dpn_filter_plan_of(account.filter);
    dpn_decimal left = dpn_filter_largest_pure(account.filter);
    SEXP out = PROTECT(Rf_allocVector(VECSXP, 5)), names = PROTECT(Rf_allocVector(STRSXP, 5));
    static const char *const member[] = {"epsilon", "delta", "spent_epsilon", "left_pure", "charges"};
    for (int i = 0; i < 5; i++) SET_STRING_ELT(names, i, Rf_mkChar(member[i]));
    SET_VECTOR_ELT(out, 0, Rf_mkString(dpn_decimal_print(printed, &plan.epsilon)));
    SET_VECTOR_ELT(out, 1, Rf_mkString(dpn_decimal_print(printed, &plan.delta)));
    SET_VECTOR_ELT(out, 2, Rf_ScalarReal(spent.epsilon));
    SET_VECTOR_ELT(out, 3, Rf_mkString(dpn_decimal_print(printed, &left)));
    SET_VECTOR_ELT(out, 4, Rf_ScalarReal((double)spent.charges));
    Rf_setAttrib(out, R_NamesSymbol, names);
    dpn_account_free(&account);
    UNPROTECT(2);
    return out;
}

/* ---- Questions: what is freed at the end of a call, however it ends ---- */

typedef struct asking {
    dpn_question *question;
    dpn_fit *fit;
    dpn_model *model;
    dpn_declaration declaration;
} asking;

static void end_asking(SEXP pointer) {
    asking *of = R_ExternalPtrAddr(pointer);
    if (!of) return;
    dpn_model_free(of->model);
    dpn_question_free(of->question);
    dpn_fit_free(of->fit);
    dpn_declaration_free(&of->declaration);
    free(of);
    R_ClearExternalPtr(pointer);
}

static SEXP begin_asking(asking **out, SEXP declaration) {
    dpn_error why;
    const char *json = text(declaration);
    asking *of = calloc(1, sizeof *of);
    if (!of) Rf_error("no memory");
    SEXP pointer = PROTECT(R_MakeExternalPtr(of, R_NilValue, R_NilValue));
    R_RegisterCFinalizerEx(pointer, end_asking, TRUE);
    dpn_status status = dpn_declaration_read(&of->declaration, json, strlen(json), &why);
    if (status) memset(&of->declaration, 0, sizeof of->declaration);
    check(status, &why);
    *out = of;
    UNPROTECT(1);
    return pointer;
}

static void put_question(asking *of, dpn_ledger *ledger, const char *name, const dpn_inquiry *inquiry, SEXP fresh) {
    dpn_place place = {.kind = DPN_PLACE_DECLARED, .what = (char *)name};
    dpn_question_options options = dpn_question_options_init();
    dpn_error why;
    options.place = &place;
    options.inquiry = inquiry;
    options.hulls = dpn_exact_hulls();
    options.fresh = Rf_asLogical(fresh) == TRUE;
    check(dpn_question_new(&of->question, ledger, name, &of->declaration, &options, &why), &why);
    const dpn_registration *registration = dpn_question_registration(of->question);
    if (registration && registration->source.kind != DPN_PLACE_DECLARED)
        Rf_error("'%s' is registered with other data than a data frame", name);
}

static dpn_column column_of(SEXP values) {
    dpn_column column = {.kind = DPN_VALUE_REAL, .stride = sizeof(double)};
    if (TYPEOF(values) == REALSXP) {
        column.data = REAL(values);
        return column;
    }
    R_xlen_t rows = XLENGTH(values);
    dpn_field *field = (dpn_field *)R_alloc((size_t)rows + 1, sizeof *field);
    for (R_xlen_t i = 0; i < rows; i++) {
        SEXP one = STRING_ELT(values, i);
        const char *translated = one == NA_STRING ? NULL : Rf_translateCharUTF8(one);
        field[i] = (dpn_field){translated, translated ? strlen(translated) : 0};
    }
    column = (dpn_column){.kind = DPN_VALUE_TEXT, .data = field, .stride = sizeof *field};
    return column;
}

static SEXP answer_of(const dpn_answer *answer) {
    R_xlen_t cells = (R_xlen_t)(answer->groups * answer->outputs), keys = (R_xlen_t)(answer->groups * answer->bys);
    SEXP out = PROTECT(Rf_allocVector(VECSXP, 5)), key = PROTECT(Rf_allocVector(STRSXP, keys)),
         output = PROTECT(Rf_allocVector(STRSXP, (R_xlen_t)answer->outputs)), value = PROTECT(Rf_allocVector(REALSXP, cells)),
         low = PROTECT(Rf_allocVector(REALSXP, cells)), high = PROTECT(Rf_allocVector(REALSXP, cells));
    for (R_xlen_t i = 0; i < keys; i++) SET_STRING_ELT(key, i, Rf_mkCharCE(answer->key[i], CE_UTF8));
    for (size_t i = 0; i < answer->outputs; i++)
        SET_STRING_ELT(output, (R_xlen_t)i, Rf_mkCharCE(answer->output[i], CE_UTF8));
    for (R_xlen_t i = 0; i < cells; i++) {
        REAL(value)[i] = answer->cell[i].value;
        REAL(low)[i] = answer->cell[i].low;
        REAL(high)[i] = answer->cell[i].high;
    }
    SEXP parts[] = {key, output, value, low, high};
    for (int i = 0; i < 5; i++) SET_VECTOR_ELT(out, i, parts[i]);
    UNPROTECT(6);
    return out;
}

/* `columns` has a vector of numbers or texts for each name that the question may ask for: all are looked at before the charge. */
static SEXP release(SEXP pointer, SEXP name, SEXP declaration, SEXP columns, SEXP fresh) {
    asking *of;
    dpn_error why;
    dpn_ledger *ledger = ledger_of(pointer);
    SEXP kept = PROTECT(begin_asking(&of, declaration)), names = Rf_getAttrib(columns, R_NamesSymbol);
    put_question(of, ledger, text(name), NULL, fresh);
    const dpn_query *query = dpn_question_query(of->question);
    size_t count = 0, rows = 0;
    while (dpn_query_column(query, count)) count++;
    dpn_column *column = (dpn_column *)R_alloc(count + 1, sizeof *column);
    for (size_t c = 0; c < count; c++) {
        R_xlen_t found = 0, all = XLENGTH(columns);
        while (found < all && strcmp(Rf_translateCharUTF8(STRING_ELT(names, found)), dpn_query_column(query, c)) != 0) found++;
        if (found == all) Rf_error("the data have no column '%s'", dpn_query_column(query, c));
        column[c] = column_of(VECTOR_ELT(columns, found));
    }
    if (XLENGTH(columns) > 0) rows = (size_t)XLENGTH(VECTOR_ELT(columns, 0));
    dpn_rng *rng = source();
    check(dpn_question_charge(of->question, rng, &why), &why);
    dpn_tally *tally = dpn_question_tally(of->question);
    if (tally && dpn_tally_columns(tally, column, rows, &why)) check(dpn_question_fail(of->question, &why, &why), &why);
    const dpn_answer *answer;
    check(dpn_question_answer(&answer, of->question, rng, &why), &why);
    SEXP out = PROTECT(answer_of(answer));
    end_asking(kept);
    UNPROTECT(2);
    return out;
}

/* ---- Fits ---- */

static SEXP model_of(const dpn_model *model) {
    R_xlen_t count = (R_xlen_t)model->coefficients;
    SEXP out = PROTECT(Rf_allocMatrix(REALSXP, (int)count, 3));
    for (R_xlen_t i = 0; i < count; i++) {
        REAL(out)[i] = model->coefficient[i].value;
        REAL(out)[i + count] = model->coefficient[i].low;
        REAL(out)[i + 2 * count] = model->coefficient[i].high;
    }
    Rf_setAttrib(out, Rf_install("method"), Rf_mkString(model->method));
    Rf_setAttrib(out, Rf_install("interval"), Rf_mkString(model->interval));
    UNPROTECT(1);
    return out;
}

/* What a setting of that name is set to: `settings` are numbers with names. */
static void take_settings(dpn_fit_options *options, SEXP settings) {
    struct {
        const char *name;
        double *number;
        uint64_t *count;
        bool *flag;
    } const row[] = {{"l1", &options->l1, NULL, NULL},
                     {"l2", &options->l2, NULL, NULL},
                     {"rows", &options->rows, NULL, NULL},
                     {"clip", &options->clip, NULL, NULL},
                     {"step", &options->step, NULL, NULL},
                     {"within", &options->within, NULL, NULL},
                     {"share", &options->share, NULL, NULL},
                     {"quantile", &options->quantile, NULL, NULL},
                     {"sample_rate", &options->sample_rate, NULL, NULL},
                     {"passes", NULL, &options->passes, NULL},
                     {"points", NULL, &options->points, NULL},
                     {"blocks", NULL, &options->blocks, NULL},
                     {"within_l2", NULL, NULL, &options->within_l2}};
    SEXP names = Rf_getAttrib(settings, R_NamesSymbol);
    for (R_xlen_t i = 0; i < XLENGTH(settings); i++) {
        const char *name = names == R_NilValue ? "" : Rf_translateCharUTF8(STRING_ELT(names, i));
        double value = REAL(settings)[i];
        size_t k = 0, rows = sizeof row / sizeof *row;
        while (k < rows && strcmp(row[k].name, name) != 0) k++;
        if (k == rows) Rf_error("a fit has no setting '%s'", name);
        if (!(value >= 0 && value < 1e15)) Rf_error("the setting '%s' is no number of at least 0", name);
        if (row[k].number) *row[k].number = value;
        if (row[k].count) *row[k].count = (uint64_t)value;
        if (row[k].flag) *row[k].flag = value != 0;
    }
}

static dpn_fit_kind kind_of(const char *name) {
    unsigned kind = 0;
    while (dpn_fit_kind_name((dpn_fit_kind)kind) && strcmp(name, dpn_fit_kind_name((dpn_fit_kind)kind)) != 0) kind++;
    if (!dpn_fit_kind_name((dpn_fit_kind)kind)) Rf_error("there is no fit of the kind '%s'", name);
    return (dpn_fit_kind)kind;
}

/* `matrix` has a row of the target and the features for each row of the data, column by column as R has it transposed. */
static SEXP fit(SEXP pointer, SEXP name, SEXP declaration, SEXP kind, SEXP method, SEXP intercept, SEXP matrix, SEXP settings,
                SEXP fresh) {
    asking *of;
    dpn_error why;
    dpn_fit_options options = dpn_fit_options_init();
    SEXP kept = PROTECT(begin_asking(&of, declaration));
    size_t rows = (size_t)Rf_ncols(matrix);
    options.kind = kind_of(text(kind));
    take_settings(&options, settings);
    options.method = text(method);
    options.no_intercept = !Rf_asLogical(intercept);
    check(dpn_fit_new(&of->fit, &options, &why), &why);
    dpn_rng *rng = source();
    if (pointer == R_NilValue) {
        check(dpn_fit_plan(of->fit, &of->declaration, &why), &why);
        check(dpn_fit_numbers(of->fit, REAL(matrix), rows, &why), &why);
        check(dpn_fit_run(&of->model, of->fit, rng, &why), &why);
    } else {
        const char *written;
        put_question(of, ledger_of(pointer), text(name), dpn_fit_inquiry(of->fit), fresh);
        check(dpn_question_charge(of->question, rng, &why), &why);
        bool reads = dpn_question_look(of->question).state == DPN_QUESTION_CHARGED;
        if (reads && dpn_fit_numbers(of->fit, REAL(matrix), rows, &why))
            check(dpn_question_fail(of->question, &why, &why), &why);
        check(dpn_question_result(&written, of->question, rng, &why), &why);
        check(dpn_model_read(&of->model, written, strlen(written), &why), &why);
    }
    SEXP out = PROTECT(model_of(of->model));
    end_asking(kept);
    UNPROTECT(2);
    return out;
}

/* ---- What R may call ---- */

#define ROW(name, arguments) {"C_" #name, (DL_FUNC)name, arguments}
static const R_CallMethodDef calls[] = {
    ROW(law_print, 1),   ROW(law_at, 3),      ROW(law_facts, 1),     ROW(law_draw, 3),       ROW(compose, 5),
    ROW(profile, 4),     ROW(training, 5),    ROW(calibrate, 4),     ROW(ledger_open, 2),    ROW(ledger_init, 4),
    ROW(ledger_charge, 4), ROW(ledger_account, 2), ROW(release, 5), ROW(fit, 9),            {NULL, NULL, 0},
};

void R_init_dpnoise(DllInfo *library) {
    R_registerRoutines(library, NULL, calls, NULL, NULL);
    R_useDynamicSymbols(library, FALSE);
}
