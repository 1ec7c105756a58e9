/* Groups, levels and predicates as they are typed in a shell. */
#include "release/declare/declaration.h"
#include "release/declare/words.h"

#include "base/error.h"
#include "base/text/excerpt.h"

#include <stdlib.h>
#include <string.h>

static dpn_status no_memory(dpn_error *why) {
    return dpn_fail(why, DPN_ENOMEM, "no memory for the declaration");
}

/* The sentence of a part, with the option and the text before it. */
static dpn_status refuse(dpn_status status, const char *option, const char *text, const char *reason, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    return status == DPN_ENOMEM ? no_memory(why)
                                : dpn_fail(why, status, "%s '%s': %s", option, dpn_show(shown, text), reason);
}

static dpn_grouping *find_grouping(const dpn_declaration *declaration, const char *column) {
    for (size_t i = 0; i < declaration->bys; i++)
        if (strcmp(declaration->by[i].column, column) == 0) return &declaration->by[i];
    return NULL;
}

/* ---- by ---- */

static dpn_status check_columns(const dpn_declaration *declaration, const dpn_words *words, dpn_error *why) {
    char shown[DPN_SHOWN_SIZE];
    if (words->count > DPN_DECLARATION_BYS)
        return dpn_fail(why, DPN_EPARSE, "there are more than %d columns", DPN_DECLARATION_BYS);
    for (size_t i = 0; i < words->count; i++) {
        const char *column = words->word[i].text;
        if (dpn_name_check(column, "a column's name", why)) return DPN_EPARSE;
        const dpn_grouping *there = find_grouping(declaration, column);
        bool twice = there && !there->levels_only;
        for (size_t j = 0; j < i; j++) twice |= strcmp(words->word[j].text, column) == 0;
        if (twice) return dpn_fail(why, DPN_EPARSE, "'%s' is given twice", dpn_show(shown, column));
    }
    return DPN_OK;
}

/* Put a column last, with the levels that were declared for it before. The copy of its name is used or freed. */
static void append_column(dpn_declaration *declaration, char *column) {
    dpn_grouping *there = find_grouping(declaration, column), grouping = {.column = column};
    if (there) {
        free(column);
        grouping = *there;
        size_t after = (size_t)(declaration->by + declaration->bys - (there + 1));
        memmove(there, there + 1, after * sizeof *there);
        declaration->bys--;
    }
    grouping.levels_only = false;
    declaration->by[declaration->bys++] = grouping;
}

static dpn_status append_columns(dpn_declaration *declaration, const dpn_words *words, dpn_error *why) {
    char **copy = calloc(words->count, sizeof *copy);
    dpn_grouping *by = copy ? realloc(declaration->by, (declaration->bys + words->count) * sizeof *by) : NULL;
    if (by) declaration->by = by;
    dpn_status status = by ? DPN_OK : no_memory(why);
    for (size_t i = 0; i < words->count && !status; i++) status = dpn_text_copy(&copy[i], words->word[i].text, why);
    for (size_t i = 0; i < words->count && !status; i++) {
        append_column(declaration, copy[i]);
        copy[i] = NULL;
    }
    dpn_texts_free(copy, words->count);
    return status;
}

dpn_status dpn_declare_by(dpn_declaration *declaration, const char *text, dpn_error *why) {
    dpn_words words;
    dpn_error reason;
    dpn_status status = dpn_words_split(&words, text, ",", &reason);
    if (status) return refuse(status, "by", text, reason.sentence, why);
    status = check_columns(declaration, &words, &reason);
    if (!status) status = append_columns(declaration, &words, &reason);
    dpn_words_free(&words);
    return status ? refuse(status, "by", text, reason.sentence, why) : DPN_OK;
}

/* ---- levels ---- */

/* The levels of a list. */
static dpn_status read_levels(dpn_grouping *out, const char *text, dpn_error *why) {
    dpn_words words;
    dpn_status status = dpn_words_split(&words, text, ",", why);
    if (status) return status;
    out->level = calloc(words.count, sizeof *out->level);
    if (out->level)
        out->levels = words.count;
    else
        status = no_memory(why);
    for (size_t i = 0; i < words.count && !status; i++) {
        if (dpn_name_check(words.word[i].text, "a level", why))
            status = DPN_EPARSE;
        else
            status = dpn_text_copy(&out->level[i], words.word[i].text, why);
    }
    dpn_words_free(&words);
    return status;
}

/* COLUMN=LEVEL,LEVEL... in a text that is changed. */
static dpn_status read_column_levels(dpn_grouping *out, char *text, dpn_error *why) {
    char *column, after;
    dpn_status status = dpn_word_take(&column, &after, &text, "=", why);
    if (status) return status;
    if (after != '=')
        return dpn_fail(why, DPN_EPARSE, "a column, =, and its levels are expected, as region=north,south");
    if (dpn_name_check(column, "the column's name", why)) return DPN_EPARSE;
    status = dpn_text_copy(&out->column, column, why);
    return status ? status : read_levels(out, text + 1, why);
}

/* Give the levels to the column's grouping, which may have to be made. What is taken is NULL in *levels. */
static dpn_status append_levels(dpn_declaration *declaration, dpn_grouping *levels, dpn_error *why) {
    dpn_grouping *there = find_grouping(declaration, levels->column);
    if (there && there->level) return dpn_fail(why, DPN_EPARSE, "this column has its levels already");
    if (there) {
        there->level = levels->level;
        there->levels = levels->levels;
        levels->level = NULL;
        return DPN_OK;
    }
    dpn_grouping *by = realloc(declaration->by, (declaration->bys + 1) * sizeof *by);
    if (!by) return no_memory(why);
    declaration->by = by;
    levels->levels_only = true;
    by[declaration->bys++] = *levels;
    *levels = (dpn_grouping){0};
    return DPN_OK;
}

dpn_status dpn_declare_levels(dpn_declaration *declaration, const char *text, dpn_error *why) {
    char *copy;
    dpn_grouping levels = {0};
    dpn_error reason;
    dpn_status status = dpn_text_copy(&copy, text, why);
    if (status) return status;
    status = read_column_levels(&levels, copy, &reason);
    free(copy);
    if (!status) status = append_levels(declaration, &levels, &reason);
    dpn_grouping_free(&levels);
    return status ? refuse(status, "levels", text, reason.sentence, why) : DPN_OK;
}

/* ---- where ---- */

/* The comparison at *at, which moves behind it. What people write for one by mistake would else become a part of the
 * value. */
static dpn_status read_comparison(dpn_predicate_is *out, char **at, dpn_error *why) {
    static const struct {
        const char *sign, *hint;
        dpn_predicate_is is;
    } signs[] = {
        {"==", "write = instead of ==", 0},  {"=<", "write <= instead of =<", 0}, {"=>", "write >= instead of =>", 0},
        {"<>", "write != instead of <>", 0}, {"<=", NULL, DPN_IS_LESS_OR_EQUAL},  {">=", NULL, DPN_IS_GREATER_OR_EQUAL},
        {"!=", NULL, DPN_IS_NOT_EQUAL},      {"=", NULL, DPN_IS_EQUAL},           {"<", NULL, DPN_IS_LESS},
        {">", NULL, DPN_IS_GREATER},
    };
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        size_t length = strlen(signs[i].sign);
        if (strncmp(*at, signs[i].sign, length) != 0) continue;
        if (signs[i].hint)
            return dpn_fail(why, DPN_EPARSE, "%s, or put a value that starts so in double quotes", signs[i].hint);
        *out = signs[i].is;
        *at += length;
        return DPN_OK;
    }
    return dpn_fail(why, DPN_EPARSE, "a column, one of = != < <= > >=, and a value are expected, as age>=18");
}

static dpn_status read_predicate(dpn_predicate *out, char *text, dpn_error *why) {
    char *column, *value, after, sign[3];
    dpn_status status = dpn_word_take(&column, &after, &text, "=<>!", why);
    if (status) return status;
    if (!after) return dpn_fail(why, DPN_EPARSE, "one of = != < <= > >= is missing, as in age>=18");
    sign[0] = after; /* the word's zero may stand where it was */
    sign[1] = text[1];
    sign[2] = '\0';
    char *behind = sign;
    status = read_comparison(&out->is, &behind, why);
    if (status) return status;
    text += behind - sign;
    status = dpn_word_take(&value, &after, &text, "", why);
    if (status) return status;
    if (dpn_name_check(column, "the column's name", why) || dpn_name_check(value, "the value", why)) return DPN_EPARSE;
    status = dpn_text_copy(&out->column, column, why);
    return status ? status : dpn_value_copy(&out->value, value, why);
}

dpn_status dpn_declare_where(dpn_declaration *declaration, const char *text, dpn_error *why) {
    char *copy;
    dpn_predicate predicate = {0};
    dpn_error reason;
    dpn_status status = dpn_text_copy(&copy, text, why);
    if (status) return status;
    status = read_predicate(&predicate, copy, &reason);
    free(copy);
    dpn_predicate *where = NULL;
    if (!status) {
        where = realloc(declaration->where, (declaration->wheres + 1) * sizeof *where);
        if (!where) status = no_memory(&reason);
    }
    if (status) {
        free(predicate.column);
        free(predicate.value);
        return refuse(status, "where", text, reason.sentence, why);
    }
    declaration->where = where;
    where[declaration->wheres++] = predicate;
    return DPN_OK;
}
