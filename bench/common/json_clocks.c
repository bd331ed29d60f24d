#include "json_clocks.h"

#include "clock.h"

void json_clocks(struct json *json)
{
	struct clock_pair now = clock_pair_now();
	char boot_id[BOOT_ID_SIZE];

	clock_boot_id(boot_id, sizeof(boot_id));
	json_uint(json, "mono_ns", now.mono_ns);
	json_uint(json, "real_ns", now.real_ns);
	json_text(json, "boot_id", boot_id);
}
