/* Laws as text: family(name=value,...). */
#include "base/error.h"
#include "law/facts.h"
#include "law/generic.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The family whose name is the first length characters of name, or NULL. */
static const struct dpn_family *find_family(const char *name, size_t length) {
    for (const struct dpn_family *const *f = dpn_families; *f; f++)
        if (strlen((*f)->name) == length && memcmp((*f)->name, name, length) == 0) return *f;
    return NULL;
}

static size_t find_parameter(const struct dpn_family *family, const char *name, size_t length) {
    size_t i = 0, n = dpn_family_arity(family);
    while (i < n && !(strlen(family->parameter[i]) == length && memcmp(family->parameter[i], name, length) == 0)) i++;
    return i;
}

dpn_status dpn_family_make(dpn_law *law, const struct dpn_family *family, const double *parameter, dpn_error *why) {
    dpn_law made = {.family = family};
    for (size_t i = 0, n = dpn_family_arity(family); i < n; i++) {
        if (!isfinite(parameter[i]))
            return dpn_fail(why, DPN_EDOMAIN, "%s: %s must be a finite number", family->name, family->parameter[i]);
        made.parameter[i] = parameter[i] == 0 ? 0 : parameter[i]; /* no negative zero */
    }
    const char *reason = family->refuse(made.parameter);
    if (reason) return dpn_fail(why, DPN_EDOMAIN, "%s: %s", family->name, reason);
    if (family->prepare) family->prepare(&made);
    if (made.constant[DPN_PDF0] == 0) dpn_generic_prepare(&made);
    *law = made;
    return DPN_OK;
}

dpn_status dpn_law_make(dpn_law *law, const char *family, const double *parameter, size_t count, dpn_error *why) {
    const struct dpn_family *found = family ? dpn_family_find(family) : NULL;
    if (!found) return dpn_fail(why, DPN_EPARSE, "there is no family '%.40s'", family ? family : "");
    if (count != dpn_family_arity(found))
        return dpn_fail(why, DPN_EPARSE, "%s takes %zu parameters, not %zu", family, dpn_family_arity(found), count);
    return dpn_family_make(law, found, parameter, why);
}

/* A cursor over the text. */
static const char *skip_blanks(const char *s) {
    while (*s == ' ' || *s == '\t') s++;
    return s;
}

/* The length of a word that starts at s and ends before a blank or one of the signs. */
static size_t word_length(const char *s) {
    return strcspn(s, " \t()=,");
}

/* Read name=value into parameter; *at moves past it. */
static dpn_status read_pair(const struct dpn_family *family, double *parameter, bool *given, const char **at,
                            dpn_error *why) {
    const char *name = skip_blanks(*at);
    size_t length = word_length(name);
    const char *s = skip_blanks(name + length);
    if (length == 0 || *s != '=')
        return dpn_fail(why, DPN_EPARSE, "%s: expected name=value at '%.40s'", family->name, name);
    size_t i = find_parameter(family, name, length);
    if (i == dpn_family_arity(family))
        return dpn_fail(why, DPN_EPARSE, "%s has no parameter '%.*s'", family->name, (int)(length > 40 ? 40 : length),
                        name);
    if (given[i]) return dpn_fail(why, DPN_EPARSE, "%s: %s is given twice", family->name, family->parameter[i]);

    const char *number = skip_blanks(s + 1);
    size_t digits = word_length(number);
    char text[1100]; /* a double written out in full has up to 1075 characters */
    if (digits >= sizeof text)
        return dpn_fail(why, DPN_EPARSE, "%s: the number for %s is too long", family->name, family->parameter[i]);
    memcpy(text, number, digits);
    text[digits] = '\0';
    dpn_error reason;
    dpn_status status = dpn_number_parse(&parameter[i], text, &reason);
    if (status) return dpn_fail(why, status, "%s: %s: %s", family->name, family->parameter[i], reason.sentence);
    given[i] = true;
    *at = skip_blanks(number + digits);
    return DPN_OK;
}

dpn_status dpn_law_parse(dpn_law *law, const char *text, dpn_error *why) {
    if (!text || !*skip_blanks(text))
        return dpn_fail(why, DPN_EPARSE, "the law is empty; write for example gaussian(sigma=1)");
    const char *name = skip_blanks(text);
    size_t length = word_length(name);
    const struct dpn_family *family = find_family(name, length);
    if (!family) return dpn_fail(why, DPN_EPARSE, "there is no family '%.*s'", (int)(length > 40 ? 40 : length), name);

    double parameter[DPN_LAW_PARAMETERS] = {0};
    bool given[DPN_LAW_PARAMETERS] = {false};
    const char *at = skip_blanks(name + length);
    if (*at == '(') {
        at = skip_blanks(at + 1);
        for (bool more = *at != ')'; more;) {
            dpn_status status = read_pair(family, parameter, given, &at, why);
            if (status) return status;
            more = *at == ',';
            if (more) at++;
        }
        if (*at != ')') return dpn_fail(why, DPN_EPARSE, "%s: expected ',' or ')' at '%.40s'", family->name, at);
        at = skip_blanks(at + 1);
    }
    if (*at) return dpn_fail(why, DPN_EPARSE, "%s: unexpected '%.40s' after the law", family->name, at);
    for (size_t i = 0, n = dpn_family_arity(family); i < n; i++)
        if (!given[i]) return dpn_fail(why, DPN_EPARSE, "%s: %s is missing", family->name, family->parameter[i]);
    return dpn_family_make(law, family, parameter, why);
}

char *dpn_law_print(char text[DPN_LAW_TEXT_SIZE], const dpn_law *law) {
    const struct dpn_family *family = law->family;
    char number[DPN_NUMBER_SIZE];
    int used = snprintf(text, DPN_LAW_TEXT_SIZE, "%s(", family->name);
    for (size_t i = 0, n = dpn_family_arity(family); i < n; i++)
        used += snprintf(text + used, DPN_LAW_TEXT_SIZE - (size_t)used, "%s%s=%s", i ? "," : "", family->parameter[i],
                         dpn_number_print(number, law->parameter[i]));
    snprintf(text + used, DPN_LAW_TEXT_SIZE - (size_t)used, ")");
    return text;
}

const char *dpn_family_name(size_t index) {
    size_t count = 0;
    while (dpn_families[count]) count++;
    return index < count ? dpn_families[index]->name : NULL;
}

const char *dpn_family_parameter(size_t index, size_t parameter) {
    if (!dpn_family_name(index) || parameter >= dpn_family_arity(dpn_families[index])) return NULL;
    return dpn_families[index]->parameter[parameter];
}

const char *dpn_family_formula(size_t index) {
    return dpn_family_name(index) ? dpn_families[index]->formula : NULL;
}

const char *dpn_law_family(const dpn_law *law) {
    return law->family->name;
}

double dpn_law_parameter(const dpn_law *law, const char *name) {
    size_t i = find_parameter(law->family, name, strlen(name));
    return i < dpn_family_arity(law->family) ? law->parameter[i] : NAN;
}
