/* A ledger that version 0.1.0 wrote, before there were quotas, registrations and renewals: its export, its key and its last
 * head. It has the budgets people (alias staff) and visits, and a charge to each. */
#ifndef DPN_TEST_OLD_LEDGER_H
#define DPN_TEST_OLD_LEDGER_H

static const char old_key[] = "7058913a8e5ec35a283e2fb917980abdadc504706e04e5ee0a5b0d4f44716a4e\n";

static const char old_head[] = "6:addade1dac8cdb65";

/* clang-format off */
static const char old_ledger[] =
    "{\"number\": 1, \"tag\": \"5ae1908dd779feb2911ed2412af4b349d719bf2370057d2291e23907d8e768d"
    "2\", \"entry\": {\"kind\": \"ledger\", \"time\": \"2026-11-17T00:32:21Z\", \"user\": null,"
    " \"identity\": \"f91df3e44081a49ed6eeb489dfaf9f62\"}}\n"
    "{\"number\": 2, \"tag\": \"8a4627f95a05a2d65b8f8cc0731231cf8c28e3c2fbbd90477b96209d7482fbe"
    "a\", \"entry\": {\"kind\": \"budget\", \"time\": \"2026-11-17T00:32:21Z\", \"user\": \"roo"
    "t\", \"name\": \"people\", \"relation\": \"add-remove\", \"unit\": \"row\", \"epsilon\": "
    "\"1\", \"delta\": \"1e-6\", \"delta_renyi\": \"9e-7\", \"orders\": [2.44, 3.04, 3.88, 5.07"
    ", 6.76, 9.15, 12.5, 17.3, 24, 33.6, 47.1, 66.2, 93.2], \"weights\": [\"0.02\", \"0.02\", "
    "\"0.02\", \"0.03\", \"0.03\", \"0.05\", \"0.07\", \"0.1\", \"0.4\", \"0.1\", \"0.08\", \"0"
    ".05\", \"0.03\"]}}\n"
    "{\"number\": 3, \"tag\": \"8b429e8002313e7fa8c42b9d16545a0c3bdeea1478d986ae78a7d64386fb9cf"
    "4\", \"entry\": {\"kind\": \"alias\", \"time\": \"2026-11-17T00:32:21Z\", \"user\": \"root"
    "\", \"name\": \"staff\", \"of\": \"people\"}}\n"
    "{\"number\": 4, \"tag\": \"2791b47911986383c2f1870d4058956fe45ad115bca5f5155648065b40fdbb3"
    "9\", \"entry\": {\"kind\": \"charge\", \"time\": \"2026-11-17T00:32:21Z\", \"user\": \"roo"
    "t\", \"name\": \"staff\", \"of\": \"people\", \"relation\": \"add-remove\", \"unit\": \"ro"
    "w\", \"epsilon\": \"0.25\", \"delta\": \"1e-8\", \"divergence\": [0.07324957867569785, 0.0"
    "890049762747247, 0.10881868315982039, 0.13230521978364182, 0.1574391881765, 0.180945684874"
    "0139, 0.2001335882833843, 0.2146800872494796, 0.22495949867021464, 0.23233314862111684, 0."
    "23750673709755607, 0.24116657331474517, 0.2437533685479553], \"asked\": null, \"specificat"
    "ion\": null, \"note\": \"mean age\", \"plan\": null}}\n"
    "{\"number\": 5, \"tag\": \"2ff1e0efaf28735b3034816f35748bc2343a27df35137bf338f27c847c2f582"
    "e\", \"entry\": {\"kind\": \"budget\", \"time\": \"2026-11-17T00:32:21Z\", \"user\": \"roo"
    "t\", \"name\": \"visits\", \"relation\": \"replace\", \"unit\": \"person\", \"epsilon\": "
    "\"2\", \"delta\": \"0\", \"delta_renyi\": \"0\", \"orders\": [], \"weights\": []}}\n"
    "{\"number\": 6, \"tag\": \"addade1dac8cdb65a99b707f4b47442cc1b973cce11224b3b37520f8a83720a"
    "3\", \"entry\": {\"kind\": \"charge\", \"time\": \"2026-11-17T00:32:21Z\", \"user\": \"roo"
    "t\", \"name\": \"visits\", \"of\": \"visits\", \"relation\": \"replace\", \"unit\": \"pers"
    "on\", \"epsilon\": \"1\", \"delta\": \"0\", \"divergence\": [], \"asked\": {\"relation\": "
    "\"add-remove\", \"epsilon\": \"0.5\", \"delta\": \"0\"}, \"specification\": null, \"note\""
    ": null, \"plan\": null}}\n";
/* clang-format on */

#endif
