/* What the notes of a plan say, and when: of each family, against what its shapes are. */
#include "calibrate/notes.h"

#include "law/facts.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct dpn_family *family(const char *name) {
    const struct dpn_family *out = dpn_family_find(name);
    if (!out) fail_msg("there is no %s", name);
    return out;
}

/* Gaussian noise is flipped Huber noise of alpha = 0, OSGT noise of m = 0 and Subbotin noise of p = 2; Laplace noise is a limit of the first two, and
 * Subbotin noise of p = 1, at the end of its domain. */
static void members_are_no_limits(void **state) {
    (void)state;
    static const struct {
        const char *asked, *found;
        bool limit;
    } row[] = {{"flipped-huber", "gaussian", false},
               {"osgt", "gaussian", false},
               {"subbotin", "gaussian", false},
               {"flipped-huber", "laplace", true},
               {"osgt", "laplace", true},
               {"truncated-laplace", "laplace", true},
               {"discrete-osgt", "discrete-laplace", true},
               {"huber", "gaussian", true}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char note[DPN_PLAN_NOTE_SIZE] = "";
        if (dpn_note_limit(note, family(row[i].asked), family(row[i].found)) != row[i].limit)
            fail_msg("%s, %s", row[i].asked, row[i].found);
        assert_true((strstr(note, "one of its members") == NULL) == row[i].limit);
        assert_true((strstr(note, "in the limit") != NULL) == row[i].limit);
        note[0] = '\0';
        assert_false(dpn_note_limit(note, family(row[i].asked), family(row[i].asked)));
        assert_int_equal(note[0], '\0');
    }
}

static void expect_edge(const struct dpn_family *one, double shape, double from, double to, const char *edge) {
    char note[DPN_PLAN_NOTE_SIZE] = "", text[40];
    dpn_note_edge(note, one, shape, from, to);
    snprintf(text, sizeof text, "edge of the search, %s:", edge ? edge : "");
    if (edge ? !strstr(note, text) : note[0] != '\0')
        fail_msg("%s, %g of %g to %g: '%s'", one->name, shape, from, to, note);
}

/* At an end of the range the note names it; a hundredth of the range within it there is none, nor at an end whose limit was looked at. */
static void edges_are_named(void **state) {
    (void)state;
    static const char *const names[] = {"flipped-huber", "osgt", "subbotin", "huber", "truncated-laplace"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct dpn_family *one = family(names[i]);
        expect_edge(one, 1.5, 1.5, 9, "1.5");
        expect_edge(one, 1.5001, 1.5, 9, "1.5");
        expect_edge(one, 9, 1.5, 9, "9");
        expect_edge(one, 8.999, 1.5, 9, "9");
        expect_edge(one, 1.6, 1.5, 9, NULL);
        expect_edge(one, 8.9, 1.5, 9, NULL);
        expect_edge(one, 1.5, NAN, 9, NULL);
        expect_edge(one, 9, 1.5, NAN, NULL);
        expect_edge(one, 9, NAN, 9, "9");
        expect_edge(one, 1.5, 1.5, NAN, "1.5");
    }
    const struct dpn_family *stairs = family("staircase");
    expect_edge(stairs, 0.25, 0.25, 0.75, "0.25");
    expect_edge(stairs, 0.75, 0.25, 0.75, "0.75");
    expect_edge(stairs, 1, 0.25, 1, NULL); /* uniform steps: nothing is beyond, and the other end is the same noise */
    expect_edge(stairs, stairs->shape->least, stairs->shape->least, 1, NULL);
    expect_edge(stairs, 0.5, 0.25, 0.75, NULL);
}

static void shapes_in_steps_are_told(void **state) {
    (void)state;
    static const struct {
        const char *name, *note;
    } row[] = {{"discrete-flipped-huber", "alpha is a whole number"},
               {"discrete-osgt", "2m is a whole number"},
               {"osgt", ""},
               {"subbotin", ""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char note[DPN_PLAN_NOTE_SIZE] = "";
        dpn_note_step(note, family(row[i].name));
        assert_string_equal(note, row[i].note);
    }
}

/* What does not fit is left out, and nothing is written beyond the room. */
static void notes_end_where_their_room_does(void **state) {
    (void)state;
    char note[DPN_PLAN_NOTE_SIZE + 1];
    note[0] = '\0';
    note[DPN_PLAN_NOTE_SIZE] = '!';
    dpn_note_add(note, "one");
    assert_string_equal(note, "one");
    dpn_note_add(note, "two");
    assert_string_equal(note, "one; two");
    for (int i = 0; i < 500; i++) dpn_note_add(note, "a sentence that is told again");
    assert_int_equal(strlen(note), DPN_PLAN_NOTE_SIZE - 1);
    assert_int_equal(note[DPN_PLAN_NOTE_SIZE], '!');
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_no_limits),
        cmocka_unit_test(edges_are_named),
        cmocka_unit_test(shapes_in_steps_are_told),
        cmocka_unit_test(notes_end_where_their_room_does),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
