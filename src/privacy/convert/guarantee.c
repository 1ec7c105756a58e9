/* Guarantees as text, and their domain. */
#include "privacy/convert/guarantee.h"

#include "base/error.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct parameter {
    const char *name;
    size_t offset;
    bool optional;
} parameter;

enum { PARAMETERS = 2 };

static const struct {
    const char *name;
    parameter parameter[PARAMETERS];
} notions[] = {
    [DPN_PURE] = {"pure", {{"epsilon", offsetof(dpn_guarantee, epsilon), false}}},
    [DPN_APPROXIMATE] = {"approximate",
                         {{"epsilon", offsetof(dpn_guarantee, epsilon), false},
                          {"delta", offsetof(dpn_guarantee, delta), false}}},
    [DPN_ZCDP] = {"zcdp", {{"xi", offsetof(dpn_guarantee, xi), true}, {"rho", offsetof(dpn_guarantee, rho), false}}},
    [DPN_RENYI] = {"renyi",
                   {{"order", offsetof(dpn_guarantee, order), false},
                    {"divergence", offsetof(dpn_guarantee, divergence), false}}},
    [DPN_GDP] = {"gdp", {{"mu", offsetof(dpn_guarantee, mu), false}}},
};
enum { NOTIONS = sizeof notions / sizeof *notions };

const char *dpn_notion_name(dpn_notion notion) {
    return notions[notion].name;
}

static double *member(dpn_guarantee *guarantee, size_t offset) {
    return (double *)(void *)((char *)guarantee + offset);
}

static double value_of(const dpn_guarantee *guarantee, size_t offset) {
    return *(const double *)(const void *)((const char *)guarantee + offset);
}

/* ---- The domain ---- */

dpn_status dpn_guarantee_check(const dpn_guarantee *guarantee, dpn_error *why) {
    if ((int)guarantee->notion < 0 || (int)guarantee->notion >= NOTIONS)
        return dpn_fail(why, DPN_EDOMAIN, "there is no such notion of privacy");
    const char *notion = dpn_notion_name(guarantee->notion);
    for (int i = 0; i < PARAMETERS; i++) {
        const parameter *p = &notions[guarantee->notion].parameter[i];
        if (!p->name) continue;
        double x = value_of(guarantee, p->offset);
        if (strcmp(p->name, "order") == 0 && x > 1) continue;
        if (strcmp(p->name, "order") == 0) return dpn_fail(why, DPN_EDOMAIN, "%s: order must be more than 1", notion);
        if (!(x >= 0 && x <= 1e100))
            return dpn_fail(why, DPN_EDOMAIN, "%s: %s must lie in [0, 1e100]", notion, p->name);
    }
    if (guarantee->notion == DPN_APPROXIMATE && guarantee->delta >= 1)
        return dpn_fail(why, DPN_EDOMAIN, "approximate: delta must be less than 1");
    return DPN_OK;
}

dpn_guarantee dpn_guarantee_simplest(const dpn_guarantee *guarantee) {
    if (guarantee->notion == DPN_PURE) return (dpn_guarantee){.notion = DPN_APPROXIMATE, .epsilon = guarantee->epsilon};
    if (guarantee->notion == DPN_ZCDP && guarantee->rho == 0)
        return (dpn_guarantee){.notion = DPN_APPROXIMATE, .epsilon = guarantee->xi};
    if (guarantee->notion == DPN_RENYI && isinf(guarantee->order))
        return (dpn_guarantee){.notion = DPN_APPROXIMATE, .epsilon = guarantee->divergence};
    return *guarantee;
}

/* ---- Text ---- */

static const char *skip_blanks(const char *s) {
    return s + strspn(s, " \t");
}

/* A word and a sign after it, with blanks around; the text after the sign, NULL if it is not so. */
static const char *read_word(char *out, size_t size, const char *s, char sign) {
    s = skip_blanks(s);
    size_t length = strspn(s, "abcdefghijklmnopqrstuvwxyz");
    if (length == 0 || length >= size) return NULL;
    memcpy(out, s, length);
    out[length] = '\0';
    s = skip_blanks(s + length);
    return *s == sign ? s + 1 : NULL;
}

static dpn_status read_value(double *out, const char *name, const char *s, size_t length, bool target, dpn_error *why) {
    char number[64];
    dpn_error reason;
    while (length > 0 && (s[length - 1] == ' ' || s[length - 1] == '\t')) length--;
    if (length >= sizeof number) return dpn_fail(why, DPN_EPARSE, "%s: the number is too long", name);
    memcpy(number, s, length);
    number[length] = '\0';
    bool order = strcmp(name, "order") == 0;
    if (order && strcmp(number, "inf") == 0) {
        *out = INFINITY;
        return DPN_OK;
    }
    dpn_status status =
        order != target ? dpn_number_parse_down(out, number, &reason) : dpn_number_parse_up(out, number, &reason);
    return status ? dpn_fail(why, status, "%s: %s", name, reason.sentence) : DPN_OK;
}

/* name=value, up to a comma or the bracket; *s moves behind that. */
static dpn_status read_parameter(dpn_guarantee *out, unsigned *given, const char **s, bool target, dpn_error *why) {
    char name[16];
    const char *notion = dpn_notion_name(out->notion), *value = read_word(name, sizeof name, *s, '=');
    if (!value) return dpn_fail(why, DPN_EPARSE, "%s: write name=value, not '%.40s'", notion, *s);
    value = skip_blanks(value);
    size_t length = strcspn(value, ",)");
    if (!value[length]) return dpn_fail(why, DPN_EPARSE, "%s: the closing bracket is missing", notion);
    for (unsigned i = 0; i < PARAMETERS; i++) {
        const parameter *p = &notions[out->notion].parameter[i];
        if (!p->name || strcmp(p->name, name) != 0) continue;
        if (*given & 1u << i) return dpn_fail(why, DPN_EPARSE, "%s: %s is given twice", notion, name);
        *given |= 1u << i;
        *s = value + length;
        return read_value(member(out, p->offset), name, value, length, target, why);
    }
    return dpn_fail(why, DPN_EPARSE, "%s has no parameter '%s'", notion, name);
}

static dpn_status read_guarantee(dpn_guarantee *out, const char *text, bool target, dpn_error *why) {
    char name[16];
    dpn_guarantee read = {0};
    unsigned given = 0, notion = 0;
    const char *s = text ? read_word(name, sizeof name, text, '(') : NULL;
    while (s && notion < NOTIONS && strcmp(notions[notion].name, name) != 0) notion++;
    if (!s || notion == NOTIONS)
        return dpn_fail(why, DPN_EPARSE,
                        "'%.40s' is not a guarantee: write pure(epsilon=E), approximate(epsilon=E,delta=D), "
                        "zcdp(xi=X,rho=R), renyi(order=A,divergence=V) or gdp(mu=M)",
                        text ? text : "");
    read.notion = (dpn_notion)notion;
    dpn_status status = DPN_OK;
    do status = read_parameter(&read, &given, &s, target, why);
    while (!status && *s++ == ',');
    if (status) return status;
    if (*skip_blanks(s)) return dpn_fail(why, DPN_EPARSE, "%s: '%.40s' stands after it", name, s);
    for (unsigned i = 0; i < PARAMETERS; i++) {
        const parameter *p = &notions[notion].parameter[i];
        if (p->name && !p->optional && !(given & 1u << i))
            return dpn_fail(why, DPN_EPARSE, "%s: %s is missing", name, p->name);
    }
    status = dpn_guarantee_check(&read, why);
    if (!status) *out = read;
    return status;
}

dpn_status dpn_guarantee_parse(dpn_guarantee *out, const char *text, dpn_error *why) {
    return read_guarantee(out, text, false, why);
}

dpn_status dpn_guarantee_parse_target(dpn_guarantee *out, const char *text, dpn_error *why) {
    return read_guarantee(out, text, true, why);
}

char *dpn_guarantee_print(char text[DPN_GUARANTEE_TEXT_SIZE], const dpn_guarantee *guarantee) {
    int used = snprintf(text, DPN_GUARANTEE_TEXT_SIZE, "%s(", dpn_notion_name(guarantee->notion));
    const char *comma = "";
    for (int i = 0; i < PARAMETERS; i++) {
        const parameter *p = &notions[guarantee->notion].parameter[i];
        char number[DPN_NUMBER_SIZE];
        if (!p->name) continue;
        dpn_number_print(number, value_of(guarantee, p->offset));
        used += snprintf(text + used, DPN_GUARANTEE_TEXT_SIZE - (size_t)used, "%s%s=%s", comma, p->name, number);
        comma = ",";
    }
    snprintf(text + used, DPN_GUARANTEE_TEXT_SIZE - (size_t)used, ")");
    return text;
}
