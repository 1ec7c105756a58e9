#include "unit/random/tie.h"

#include "unit/base/wide-real.h"

real tie_value(const tie_number *x) {
    uint64_t limb[TIE_WORDS + 1];
    for (int i = 0; i < TIE_WORDS; i++) limb[TIE_WORDS - 1 - i] = x->word[i];
    limb[TIE_WORDS] = x->head;
    return limbs_real(limb, TIE_WORDS + 1, x->exponent - 64 * TIE_WORDS);
}

static void fill_at_random(tie_number *x, draw_source *random) {
    for (int i = 0; i < TIE_WORDS; i++) x->word[i] = draw_bits(random);
}

void tie_fill(tie_number *x, draw_source *random) {
    fill_at_random(x, random);
    if (draw_chance(random, 0.4)) return;
    uint64_t end = draw_chance(random, 0.5) ? UINT64_MAX : 0;
    for (int i = 1 + (int)(draw_bits(random) % 3); i < TIE_WORDS; i++) x->word[i] = end;
}

/* Up or down as a coin says, or the other way if that would leave 0 .. most; by one last place or by a random power of two. */
static uint64_t missed(uint64_t aim, uint64_t most, int reach, draw_source *random) {
    uint64_t by = draw_chance(random, 0.4) ? 1 : UINT64_C(1) << draw_bits(random) % (uint64_t)(reach + 1);
    bool up = draw_chance(random, 0.5);
    if (aim < by) up = true;
    if (aim > most - by) up = false;
    return up ? aim + by : aim - by;
}

void tie_aim(tie_number *x, real target, int depth, int reach, draw_source *random) {
    const uint64_t one = 1;
    real rest = r_mul(target, limbs_real(&one, 1, -x->exponent));
    x->head = mpfr_get_uj(rest, MPFR_RNDD);
    fill_at_random(x, random);
    if (depth < 0) {
        x->head = missed(x->head, UINT64_MAX >> 1, reach, random);
        return;
    }
    for (int i = 0; i <= depth; i++) {
        rest = r_times(r_sub(rest, r_floor(rest)), 0x1p64);
        x->word[i] = mpfr_get_uj(rest, MPFR_RNDD);
    }
    x->word[depth] = missed(x->word[depth], UINT64_MAX, reach, random);
}

void tie_put(tie_tape *to, uint64_t word) {
    to->word[to->laid++] = word;
}

void tie_end(tie_tape *to, draw_source *random) {
    while (to->laid < TIE_TAPE) tie_put(to, draw_bits(random));
}

void tie_put_turns(tie_tape *to, const tie_number *const *x, const int *had, size_t count) {
    for (int word = 0; word < TIE_WORDS; word++)
        for (size_t i = 0; i < count; i++)
            if (word >= had[i]) tie_put(to, x[i]->word[word]);
}
