/* One ball: its volume, its entropy, a norm, a hull. */
#include "kit/fail.h"
#include "kit/json.h"
#include "kit/waiting.h"
#include "knorm/knorm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static dpn_status measure_volume(struct knorm_question *question, dpn_error *why) {
    struct knorm_ball *at = &question->ball[0];
    struct waiting waiting;
    waiting_start(&waiting, "volume");
    dpn_status status = dpn_ball_volume(&at->volume, at->ball, question->rng, (size_t)question->points, why);
    waiting_end(&waiting);
    return status;
}

static void write_volume(struct json *json, const dpn_volume *volume) {
    json_number(json, "volume", exp(volume->log));
    json_number(json, "log_volume", volume->log);
    json_bool(json, "exact", volume->exact);
    if (volume->exact) return;
    json_number(json, "log_volume_lower", volume->log_lower);
    json_number(json, "log_volume_upper", volume->log_upper);
    json_number(json, "acceptance", volume->acceptance);
}

static void print_volume(const dpn_volume *volume) {
    printf("  volume        %.10g", exp(volume->log));
    if (volume->exact)
        printf(" (by formula)\n");
    else
        printf(" (estimated: %.10g to %.10g but for one in a million)\n", exp(volume->log_lower),
               exp(volume->log_upper));
    printf("  log volume    %.10g\n", volume->log);
}

dpn_status knorm_volume(struct knorm_question *question, bool json, dpn_error *why) {
    dpn_status status = measure_volume(question, why);
    if (status) return status;
    const struct knorm_ball *at = &question->ball[0];
    if (json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ball", at->text);
        json_count(&object, "dimension", question->dimension);
        write_volume(&object, &at->volume);
        json_end(&object);
        return DPN_OK;
    }
    printf("%s in %zu dimensions\n", at->text, question->dimension);
    print_volume(&at->volume);
    return DPN_OK;
}

dpn_status knorm_entropy(struct knorm_question *question, bool json, dpn_error *why) {
    dpn_status status = measure_volume(question, why);
    if (status) return status;
    const struct knorm_ball *at = &question->ball[0];
    double entropy = dpn_knorm_entropy(question->dimension, at->delta / question->epsilon, at->volume.log);
    if (json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ball", at->text);
        json_count(&object, "dimension", question->dimension);
        json_number(&object, "epsilon", question->epsilon);
        json_number(&object, "sensitivity", at->delta);
        json_number(&object, "entropy", entropy);
        if (question->has_answers) json_number(&object, "information_gap", question->answers - entropy);
        write_volume(&object, &at->volume);
        json_end(&object);
        return DPN_OK;
    }
    printf("%s in %zu dimensions\n  sensitivity   %.10g\n  entropy       %.10g nats at epsilon %.10g\n", at->text,
           question->dimension, at->delta, entropy, question->epsilon);
    if (question->has_answers)
        printf("  information   I(T, Z) - I(Z, V) = H(T) - H(V) = %.10g nats, Z = T + V\n",
               question->answers - entropy);
    print_volume(&at->volume);
    return DPN_OK;
}

dpn_status knorm_norm(struct knorm_question *question, const struct numbers *u, bool json, dpn_error *why) {
    const struct knorm_ball *at = &question->ball[0];
    if (u->count != question->dimension)
        return refuse(why, DPN_EPARSE, "--at has %zu numbers, but %.40s has %zu dimensions", u->count, at->text,
                      question->dimension);
    double norm = dpn_ball_norm(at->ball, u->at), upper;
    dpn_status status = dpn_ball_norm_upper(&upper, at->ball, u->at, why);
    if (status) return status;
    if (json) {
        struct json object = json_begin(stdout);
        json_string(&object, "ball", at->text);
        json_number(&object, "norm", norm);
        json_number(&object, "norm_upper", upper);
        json_number(&object, "support", dpn_ball_support(at->ball, u->at));
        json_bool(&object, "inside", dpn_ball_contains(at->ball, u->at));
        json_end(&object);
        return DPN_OK;
    }
    printf("%s\n  norm          %.10g\n  at most       %.17g\n  support       %.10g\n", at->text, norm, upper,
           dpn_ball_support(at->ball, u->at));
    return DPN_OK;
}

dpn_status knorm_hull(struct knorm_question *question, bool json, dpn_error *why) {
    const struct knorm_ball *at = &question->ball[0];
    dpn_status status = measure_volume(question, why);
    double *vertex = calloc(question->dimension, sizeof *vertex);
    if (!status && !vertex) status = refuse(why, DPN_ENOMEM, "out of memory");
    size_t vertices = dpn_ball_vertices(at->ball), facets = dpn_ball_facets(at->ball);
    if (!status && facets == 0)
        status = refuse(why, DPN_EUNSUPPORTED, "%.40s is not made of vertices; give hull:FILE or k3", at->text);
    if (!status && json) {
        struct json object = json_begin(stdout);
        json_count(&object, "dimension", question->dimension);
        json_count(&object, "facets", facets);
        write_volume(&object, &at->volume);
        json_open_array(&object, "vertices");
        for (size_t v = 0; v < vertices; v++) {
            dpn_ball_vertex(vertex, at->ball, v);
            json_open_array(&object, NULL);
            for (size_t j = 0; j < question->dimension; j++) json_number(&object, NULL, vertex[j]);
            json_close_array(&object);
        }
        json_close_array(&object);
        json_end(&object);
    } else if (!status) {
        printf("%s in %zu dimensions\n  vertices      %zu\n  simplices     %zu\n", at->text, question->dimension,
               vertices, facets);
        print_volume(&at->volume);
    }
    free(vertex);
    return status;
}
