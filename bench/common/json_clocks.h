/* What lines up the records of several programs: both clocks at one moment, and the boot. */
#ifndef BENCH_JSON_CLOCKS_H
#define BENCH_JSON_CLOCKS_H

#include "json.h"

void json_clocks(struct json *json);

#endif
