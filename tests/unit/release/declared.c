/* Declarations in tests. */
#include "unit/release/declared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

dpn_declaration declared_read(const char *json) {
    dpn_declaration out;
    dpn_error why;
    if (dpn_declaration_read(&out, json, strlen(json), &why)) fail_msg("%s: %s", json, why.sentence);
    return out;
}

char *declared_write(const dpn_declaration *declaration) {
    char *out, *again;
    size_t length = 0;
    dpn_error why;
    if (dpn_declaration_write(&out, &length, declaration, &why)) fail_msg("%s", why.sentence);
    if (dpn_declaration_write(&again, NULL, declaration, &why)) fail_msg("%s", why.sentence);
    assert_true(length == strlen(out) && strcmp(out, again) == 0);
    free(again);
    return out;
}

static void same_texts(char *const *a, char *const *b, size_t count) {
    assert_true(!a == !b);
    for (size_t i = 0; a && i < count; i++) assert_string_equal(a[i], b[i]);
}

static void same_text(const char *a, const char *b) {
    assert_true(!a == !b);
    if (a) assert_string_equal(a, b);
}

/* Member by member. */
void declared_same(const dpn_declaration *a, const dpn_declaration *b) {
    assert_true(a->statistics == b->statistics && a->bys == b->bys && a->wheres == b->wheres);
    for (size_t i = 0; i < a->statistics; i++) {
        const dpn_statistic *s = &a->statistic[i], *t = &b->statistic[i];
        assert_true(s->kind == t->kind && s->columns == t->columns && s->edges == t->edges);
        same_texts(s->column, t->column, s->columns);
        same_texts(s->lower, t->lower, s->columns);
        same_texts(s->upper, t->upper, s->columns);
        same_texts(s->edge, t->edge, s->edges);
        same_text(s->quantile, t->quantile);
        same_text(s->step, t->step);
    }
    for (size_t i = 0; i < a->bys; i++) {
        assert_string_equal(a->by[i].column, b->by[i].column);
        assert_true(a->by[i].levels == b->by[i].levels && a->by[i].levels_only == b->by[i].levels_only);
        same_texts(a->by[i].level, b->by[i].level, a->by[i].levels);
    }
    for (size_t i = 0; i < a->wheres; i++) {
        assert_string_equal(a->where[i].column, b->where[i].column);
        assert_string_equal(a->where[i].value, b->where[i].value);
        assert_int_equal(a->where[i].is, b->where[i].is);
    }
    same_text(a->person, b->person);
    same_text(a->epsilon, b->epsilon);
    same_text(a->delta, b->delta);
    same_text(a->noise, b->noise);
    assert_true(a->max_rows == b->max_rows && a->max_groups == b->max_groups && a->relation == b->relation);
    assert_true(a->per_person == b->per_person);
    same_text(a->missing_value, b->missing_value);
    assert_int_equal(a->nas, b->nas);
    same_texts(a->na, b->na, a->nas);
    assert_true(a->missing == b->missing && a->count_left_out == b->count_left_out &&
                a->nonnegative == b->nonnegative && a->consistent == b->consistent);
}

/* JSON with single quotes for double ones. */
char *declared_quotes(char out[DECLARED_SIZE], const char *json) {
    assert_true(strlen(json) < DECLARED_SIZE);
    strcpy(out, json);
    for (char *at = out; *at; at++)
        if (*at == '\'') *at = '"';
    return out;
}

dpn_status declared_type(dpn_declaration *d, unsigned part, const char *words, dpn_error *why) {
    switch (part) {
    case DECLARED_BY:
        return dpn_declare_by(d, words, why);
    case DECLARED_LEVELS:
        return dpn_declare_levels(d, words, why);
    case DECLARED_WHERE:
        return dpn_declare_where(d, words, why);
    case DECLARED_MISSING:
        return dpn_declare_missing(d, words, why);
    case DECLARED_NA:
        return dpn_declare_na(d, words, why);
    default:
        return dpn_declare_statistic(d, (dpn_statistic_kind)part, words, why);
    }
}
