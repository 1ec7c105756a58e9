/* Random numbers that are laid so that a decision hangs on their last bits. They belong to no test of their own: what decides
 * is compared with the whole string in exact arithmetic. */
#ifndef TESTS_UNIT_RANDOM_TIE_H
#define TESTS_UNIT_RANDOM_TIE_H

#include "random/decide.h"
#include "reference/draw.h"
#include "reference/real.h"

enum { TIE_WORDS = DPN_FRACTION_WORDS, TIE_BITS = 1600 };

/* The number (head + 0.word word ...) 2^exponent, to as many words as a lazy number has room for. */
typedef struct tie_number {
    uint64_t head;
    uint64_t word[TIE_WORDS];
    long exponent;
} tie_number;

/* All of its bits, and what follows is 0. */
real tie_value(const tie_number *x);

/* Random words behind a head that is there already; of those behind the first, at times all bits are 0 or all 1, so that the
 * number lies at an end of what is known of it. */
void tie_fill(tie_number *x, draw_source *random);

/* Aim at a target >= 0, in units of 2^exponent below 2^63: depth words of fraction are those of the target; the next one
 * (with depth -1 the head) is missed by 2^0 to 2^reach of its last place, above or below; the words behind are random. */
void tie_aim(tie_number *x, real target, int depth, int reach, draw_source *random);

/* A source for a test that reads a tape: words that are put one after the other, and random ones behind them. */
enum { TIE_TAPE = 2000 };
typedef struct tie_tape {
    uint64_t word[TIE_TAPE];
    size_t laid;
} tie_tape;

void tie_put(tie_tape *to, uint64_t word);
void tie_end(tie_tape *to, draw_source *random);

/* The words from .. TIE_WORDS - 1 of numbers, in turn: the order in which dpn_lazy_refine takes them. Number i has had[i]
 * of them already. */
void tie_put_turns(tie_tape *to, const tie_number *const *x, const int *had, size_t count);

#endif
