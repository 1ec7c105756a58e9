/* A ledger in a directory of its own, with the data set "people" registered and two quotas of it. Failures end the test. */
#ifndef DPN_TESTS_OFFICE_H
#define DPN_TESTS_OFFICE_H

#include <dpnoise/question.h>

struct office {
    char directory[200], path[220];
    dpn_ledger *ledger;
    dpn_rng *rng;
};

/* "people" has epsilon 3, "people/team-a" and "people/team-b" 2 each; "visits" has 3 and is not registered. */
struct office office_open(void);
void office_close(struct office *office);

void office_register(struct office *office, const char *json, uint64_t version);

/* Put a question, written with single quotes, that must be accepted. */
dpn_question *office_ask(struct office *office, const char *name, const char *json);

/* Pay for it, give it the rows of "people" if it wants some, and answer. */
const dpn_answer *office_answer(struct office *office, dpn_question *question);
void office_rows(dpn_question *question);

/* What was spent of a budget, in decimals. */
void office_spent(struct office *office, const char *name, const char *epsilon);

void office_expect(dpn_status wanted, dpn_status got, const dpn_error *why, const char *words);
void office_same(const dpn_answer *a, const dpn_answer *b);

#endif
