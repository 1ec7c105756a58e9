/* The text of kinds of noise that are known by two numbers, alpha and beta. */
#include "calibrate/noise/kind.h"

#include "base/error.h"

#include <dpnoise/number.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void dpn_noise_print_alpha_beta(char text[DPN_BLOCK_TEXT_SIZE], const dpn_block *block, int digits) {
    char alpha[DPN_NUMBER_SIZE], beta[DPN_NUMBER_SIZE];
    const char *name = dpn_noise_kind_of(block)->name;
    if (digits > 0)
        snprintf(text, DPN_BLOCK_TEXT_SIZE, "%s(alpha=%.*g,beta=%.*g)", name, digits, block->epsilon, digits,
                 block->beta);
    else
        snprintf(text, DPN_BLOCK_TEXT_SIZE, "%s(alpha=%s,beta=%s)", name, dpn_number_print(alpha, block->epsilon),
                 dpn_number_print(beta, block->beta));
}

static dpn_status read_number(double *out, const char *name, const char *from, size_t length, dpn_error *why) {
    char words[DPN_NUMBER_SIZE + 64];
    if (length >= sizeof words) return dpn_fail(why, DPN_EPARSE, "%s(alpha=A,beta=B) is expected", name);
    memcpy(words, from, length);
    words[length] = '\0';
    dpn_status status = dpn_number_parse(out, words, why);
    if (status) return status;
    if (*out > 0 && isfinite(*out)) return DPN_OK;
    return dpn_fail(why, DPN_EDOMAIN, "alpha and beta of %s noise must be positive and finite", name);
}

dpn_status dpn_noise_parse_alpha_beta(dpn_block *out, const char *rest, dpn_error *why) {
    static const char between[] = ",beta=";
    const char *second = strstr(rest, between), *name = dpn_noise_kind_of(out)->name;
    size_t length = strlen(rest);
    double alpha, beta;
    if (!second || length == 0 || rest[length - 1] != ')')
        return dpn_fail(why, DPN_EPARSE, "%s(alpha=A,beta=B) is expected", name);
    dpn_status status = read_number(&alpha, name, rest, (size_t)(second - rest), why);
    const char *from = second + sizeof between - 1;
    if (!status) status = read_number(&beta, name, from, (size_t)(rest + length - 1 - from), why);
    if (status) return status;
    out->epsilon = alpha;
    out->beta = beta;
    return DPN_OK;
}
