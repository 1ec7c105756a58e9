/* The members of a JSON object that is read into a declaration. Sentences name the place. */
#ifndef DPN_DECLARE_MEMBERS_H
#define DPN_DECLARE_MEMBERS_H

#include "base/text/json.h"
#include "release/declare/declaration.h"

/* What is read, with the place of the object at hand for the sentences: "" or "statistics[2]". */
typedef struct dpn_members {
    dpn_json json;
    char place[40];
    dpn_error *why;
} dpn_members;

dpn_status dpn_member_refuse(const dpn_members *r, dpn_status status, const char *member, const char *reason);
dpn_status dpn_member_no_memory(const dpn_members *r);

/* Refuse members other than those of these names, which are separated by blanks, and what is no object. */
dpn_status dpn_members_know(const dpn_members *r, const dpn_json_value *object, const char *names);

/* A member; NULL if it is absent or null, which `need` refuses.
 * Errors   DPN_EPARSE if it is given twice. */
dpn_status dpn_member_find(const dpn_json_value **out, const dpn_members *r, const dpn_json_value *object,
                           const char *name);
dpn_status dpn_member_need(const dpn_json_value **out, const dpn_members *r, const dpn_json_value *object,
                           const char *name);

/* A value as text that is to be freed: a name, level or value as it is; a number in its one form; an edge, which may be
 * infinite. Strings and JSON numbers are read alike, by their text. */
typedef dpn_status dpn_member_reader(char **out, const dpn_members *r, const dpn_json_value *value, const char *member);
dpn_member_reader dpn_member_name, dpn_member_number, dpn_member_edge;

/* As many texts as an array has elements, at least one; *count is set at once, so that what was read before an error
 * can be freed. One text as a list of one. */
dpn_status dpn_member_list(char ***out, size_t *count, const dpn_members *r, const dpn_json_value *value,
                           const char *member, dpn_member_reader *read_one);
dpn_status dpn_member_single(char ***out, const dpn_members *r, const dpn_json_value *value, const char *member,
                             dpn_member_reader *read_one);

/* Members that may be absent, and then leave *out as it is: a text; one of the words that `word` gives for 0, 1, ...;
 * true or false; a whole number in digits. */
dpn_status dpn_member_text(char **out, const dpn_members *r, const dpn_json_value *object, const char *name,
                           dpn_member_reader *read_one);
dpn_status dpn_member_choice(size_t *out, const dpn_members *r, const dpn_json_value *object, const char *name,
                             const char *(*word)(size_t));
dpn_status dpn_member_bool(bool *out, const dpn_members *r, const dpn_json_value *object, const char *name);
dpn_status dpn_member_count(uint64_t *out, const dpn_members *r, const dpn_json_value *object, const char *name);

/* What is written in brief (brief.c): the members "count": true, "sum": "income" or ["income:0:200000", "hours"] and so on, a
 * kind of statistic each, after those of "statistics"; a predicate "age>=18". Both as dpn_declare_statistic and dpn_declare_where
 * understand them. */
dpn_status dpn_brief_statistics(dpn_declaration *out, const dpn_members *r, const dpn_json_value *object);
dpn_status dpn_brief_predicate(dpn_predicate *out, const dpn_members *r, const dpn_json_value *value);

#endif
