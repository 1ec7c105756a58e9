/* Names whose hashes are equal, names beyond a large page of memory, and what is new is zero, wherever its memory was before. */
#include "release/tally/names.h"
#include "release/tally/pages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct numbered {
    dpn_name name;
    size_t number; /* of the order in which they came, from 1 on */
} numbered;

/* A table and its memory, without a limit. */
typedef struct fixture {
    dpn_memory_limit limit;
    dpn_memory memory;
    dpn_names names;
    dpn_arena arena;
} fixture;

static void begin(fixture *out) {
    memset(out, 0, sizeof *out);
    out->memory.limit = &out->limit;
    out->names = (dpn_names){.item_size = sizeof(numbered), .memory = &out->memory};
    out->arena = (dpn_arena){.memory = &out->memory};
}

static void end(fixture *of) {
    dpn_names_free(&of->names);
    dpn_arena_free(&of->arena);
    assert_int_equal(of->memory.used, 0);
}

/* Look a name up that is new, or that came as this number. */
static void put(fixture *of, uint64_t hash, const char *bytes, size_t length, size_t number) {
    bool fresh;
    numbered *item = (numbered *)dpn_names_get(&of->names, &of->arena, hash, bytes, length, &fresh);
    assert_non_null(item);
    if (fresh) {
        assert_int_equal(item->number, 0);
        item->number = of->names.count;
    }
    assert_int_equal(item->number, number);
    assert_true(dpn_names_fetch_item(&of->names, hash) != NULL);
}

/* All of one hash: every length, and every place where two names can differ. */
static void equal_hashes_are_no_equal_names(void **state) {
    (void)state;
    enum { LONGEST = 40 };
    char bytes[LONGEST + 1];
    fixture of;
    begin(&of);
    for (int again = 0; again < 2; again++) {
        size_t number = 0;
        for (size_t length = 0; length <= LONGEST; length++) {
            memset(bytes, 'a', sizeof bytes);
            put(&of, 7, bytes, length, ++number);
            for (size_t at = 0; at < length; at++) {
                bytes[at] = '\0';
                put(&of, 7, bytes, length, ++number);
                bytes[at] = 'a';
            }
        }
    }
    end(&of);
}

/* Memory that was used before, of every size up to that of large pages. */
static void soil(void) {
    for (size_t size = 1 << 10; size <= 1 << 23; size *= 2) {
        void *memory = dpn_pages_take(size);
        assert_non_null(memory);
        if (size >= DPN_LARGE_PAGE) assert_int_equal((uintptr_t)memory % DPN_LARGE_PAGE, 0);
        memset(memory, 0xff, size);
        free(memory);
    }
}

static void zeros_are_zeros(void **state) {
    (void)state;
    static const size_t size[] = {1, 1000, DPN_LARGE_PAGE - 1, DPN_LARGE_PAGE, DPN_LARGE_PAGE + 1, 3 * DPN_LARGE_PAGE};
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        soil();
        unsigned char *memory = dpn_pages_zeros(size[i]);
        assert_non_null(memory);
        for (size_t j = 0; j < size[i]; j++)
            if (memory[j] != 0) fail_msg("byte %zu of %zu", j, size[i]);
        free(memory);
    }
}

/* So many that table and items lie in large pages; found again; and in order. */
static void many_names_are_kept(void **state) {
    (void)state;
    enum { NAMES = 200000 };
    fixture of;
    soil();
    begin(&of);
    for (int again = 0; again < 2; again++)
        for (size_t i = 0; i < NAMES; i++) {
            char text[32];
            size_t length = (size_t)snprintf(text, sizeof text, "%zu", i);
            put(&of, i * UINT64_C(0x9e3779b97f4a7c15), text, length, i + 1);
        }
    assert_true(of.names.slots * sizeof *of.names.slot > DPN_LARGE_PAGE && of.arena.bytes > DPN_LARGE_PAGE);
    dpn_names_sort(&of.names);
    assert_int_equal(of.names.count, NAMES);
    for (size_t i = 0; i < NAMES; i++) {
        const numbered *item = (const numbered *)of.names.slot[i].item;
        if (i > 0) assert_true(of.names.slot[i - 1].hash < of.names.slot[i].hash);
        assert_true(of.names.slot[i].hash == (item->number - 1) * UINT64_C(0x9e3779b97f4a7c15));
    }
    end(&of);
}

/* One table takes the items of another that has most of its names too, in room that was asked for: every name once, what came first
 * stays, and no search is long though all come in the order of hashes. */
static void names_are_adopted(void **state) {
    (void)state;
    enum { NAMES = 50000, SHIFT = 20000 };
    fixture into, from;
    begin(&into);
    begin(&from);
    for (size_t i = 0; i < NAMES; i++) {
        char text[32];
        size_t length = (size_t)snprintf(text, sizeof text, "%zu", i);
        put(&into, i * UINT64_C(0x9e3779b97f4a7c15), text, length, i + 1);
        length = (size_t)snprintf(text, sizeof text, "%zu", i + SHIFT);
        put(&from, (i + SHIFT) * UINT64_C(0x9e3779b97f4a7c15), text, length, i + 1);
    }
    assert_true(dpn_names_reserve(&into.names, 2 * NAMES));
    size_t slots = into.names.slots;
    assert_true(slots / 4 * 3 >= 2 * NAMES);
    for (size_t i = 0; i < from.names.slots; i++) {
        dpn_name *item = from.names.slot[i].item;
        if (!item) continue;
        size_t number = ((numbered *)item)->number - 1 + SHIFT;
        numbered *found = (numbered *)dpn_names_adopt(&into.names, item);
        assert_non_null(found);
        assert_int_equal((dpn_name *)found == item, number >= NAMES);
        assert_int_equal(found->number, number < NAMES ? number + 1 : number - SHIFT + 1);
    }
    assert_int_equal(into.names.count, NAMES + SHIFT);
    assert_int_equal(into.names.slots, slots);
    size_t farthest = 0;
    for (size_t i = 0; i < slots; i++)
        if (into.names.slot[i].item) {
            size_t far = (i - dpn_names_home(&into.names, into.names.slot[i].hash)) & (slots - 1);
            if (far > farthest) farthest = far;
        }
    assert_true(farthest < 200);
    dpn_names_free(&into.names);
    end(&from);
    end(&into);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_hashes_are_no_equal_names),
        cmocka_unit_test(zeros_are_zeros),
        cmocka_unit_test(many_names_are_kept),
        cmocka_unit_test(names_are_adopted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
