/* The numbers that an option was given. */
#define _POSIX_C_SOURCE 200809L
#include "kit/fail.h"
#include "kit/options.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The failure of an option's value: its name in front of the reason. */
static dpn_status refuse_value(const char *name, const dpn_error *reason, dpn_error *why) {
    return refuse(why, reason->status, "%s: %s", name, reason->sentence);
}

static dpn_status read_number(double *out, const char *text, enum number_kind kind, dpn_error *why) {
    bool infinite = kind != NUMBER_FINITE && kind != NUMBER_PROBABILITY && kind != NUMBER_FINITE_UP;
    if (infinite && (strcmp(text, "inf") == 0 || strcmp(text, "+inf") == 0)) {
        *out = INFINITY;
        return DPN_OK;
    }
    if (infinite && strcmp(text, "-inf") == 0) {
        *out = -INFINITY;
        return DPN_OK;
    }
    double x;
    dpn_status status = kind == NUMBER_NOT_ABOVE                               ? dpn_number_parse_down(&x, text, why)
                        : kind == NUMBER_NOT_BELOW || kind == NUMBER_FINITE_UP ? dpn_number_parse_up(&x, text, why)
                                                                               : dpn_number_parse(&x, text, why);
    if (status) return status;
    if (kind == NUMBER_PROBABILITY && !(x >= 0 && x <= 1))
        return refuse(why, DPN_EDOMAIN, "%.40s is not a probability, which lies between 0 and 1", text);
    *out = x;
    return DPN_OK;
}

/* Append the numbers of a comma list. There is room. */
static dpn_status read_list(struct numbers *out, const char *list, const char *name, enum number_kind kind,
                            dpn_error *why) {
    char *copy = strdup(list);
    if (!copy) return refuse(why, DPN_ENOMEM, "out of memory");
    dpn_status status = DPN_OK;
    for (char *item = copy, *next; item && !status; item = next) {
        next = strchr(item, ',');
        if (next) *next++ = '\0';
        dpn_error reason;
        status = read_number(&out->at[out->count], item, kind, &reason);
        if (status)
            refuse_value(name, &reason, why);
        else
            out->count++;
    }
    free(copy);
    return status;
}

static size_t count_items(const char *list) {
    size_t count = 1;
    for (; *list; list++) count += *list == ',';
    return count;
}

dpn_status arguments_numbers(struct numbers *out, const struct arguments *arguments, const char *name,
                             enum number_kind kind, dpn_error *why) {
    size_t room = 1;
    for (size_t i = 0; i < arguments->givens; i++)
        if (strcmp(arguments->given[i].option->name, name) == 0) room += count_items(arguments->given[i].value);
    struct numbers read = {calloc(room, sizeof *read.at), 0};
    dpn_status status = read.at ? DPN_OK : refuse(why, DPN_ENOMEM, "out of memory");
    for (size_t i = 0; i < arguments->givens && !status; i++)
        if (strcmp(arguments->given[i].option->name, name) == 0)
            status = read_list(&read, arguments->given[i].value, name, kind, why);
    if (status)
        free(read.at);
    else
        *out = read;
    return status;
}

dpn_status arguments_decimals(struct decimals *out, const struct arguments *arguments, const char *name,
                              dpn_error *why) {
    dpn_status status = arguments_numbers(&out->nearest, arguments, name, NUMBER_OR_INFINITE, why);
    if (!status) status = arguments_numbers(&out->below, arguments, name, NUMBER_NOT_ABOVE, why);
    if (!status) status = arguments_numbers(&out->above, arguments, name, NUMBER_NOT_BELOW, why);
    return status;
}

void decimals_free(struct decimals *decimals) {
    free(decimals->nearest.at);
    free(decimals->below.at);
    free(decimals->above.at);
}

dpn_status arguments_number(double *out, const struct arguments *arguments, const char *name, dpn_error *why) {
    const char *text = arguments_value(arguments, name);
    dpn_error reason;
    return !text || !dpn_number_parse(out, text, &reason) ? DPN_OK : refuse_value(name, &reason, why);
}

dpn_status read_count(uint64_t *out, const char *text, dpn_error *why) {
    static const uint64_t most = 1000000000000000000u;
    uint64_t count;
    if (*text && strspn(text, "0123456789") == strlen(text)) {
        /* Digits are read as an integer, which is exact beyond 2^53 too; too many of them saturate, and are refused. */
        count = strtoull(text, NULL, 10);
    } else {
        double x;
        dpn_status status = dpn_number_parse(&x, text, why);
        if (status) return status;
        bool whole = x >= 1 && x <= (double)most && floor(x) == x && dpn_number_compare(text, x) == 0;
        count = whole ? (uint64_t)x : 0;
    }
    if (count == 0 || count > most) return refuse(why, DPN_EDOMAIN, "%.40s is not a whole number from 1 to 1e18", text);
    *out = count;
    return DPN_OK;
}

dpn_status arguments_count(uint64_t *out, const struct arguments *arguments, const char *name, dpn_error *why) {
    const char *text = arguments_value(arguments, name);
    dpn_error reason;
    return !text || !read_count(out, text, &reason) ? DPN_OK : refuse_value(name, &reason, why);
}

dpn_status arguments_bytes(uint64_t *out, const struct arguments *arguments, const char *name, dpn_error *why) {
    static const char units[] = "KMG";
    const char *text = arguments_value(arguments, name), *unit;
    size_t length = text ? strlen(text) : 0;
    char digits[32];
    dpn_error reason;
    uint64_t count;
    if (length < 2 || length >= sizeof digits || !(unit = strchr(units, text[length - 1])))
        return arguments_count(out, arguments, name, why);
    memcpy(digits, text, length - 1);
    digits[length - 1] = '\0';
    int shift = 10 * (int)(unit - units + 1);
    dpn_status status = read_count(&count, digits, &reason);
    if (!status && count > UINT64_C(1) << (60 - shift))
        status = refuse(&reason, DPN_EDOMAIN, "%.40s is more than there can be", text);
    if (status) return refuse_value(name, &reason, why);
    *out = count << shift;
    return DPN_OK;
}
