/* Prints the monotonic and the wall clock, read together, and the boot they belong to. */
#include "common/clock.h"
#include "common/json.h"

int main(void)
{
	struct clock_pair now = clock_pair_now();
	char boot_id[BOOT_ID_SIZE];
	struct json json;

	clock_boot_id(boot_id, sizeof(boot_id));
	json_begin(&json, stdout);
	json_uint(&json, "mono_ns", now.mono_ns);
	json_uint(&json, "real_ns", now.real_ns);
	json_text(&json, "boot_id", boot_id);
	json_end(&json);
	return ferror(stdout) ? 1 : 0;
}
