#include "network.h"

#include "files.h"

#include <string.h>
#include <unistd.h>

static const char *const NAMES[NETWORK_VALUES] = {
	"rx_bytes", "rx_packets", "tx_bytes", "tx_packets"
};

void network_open(struct network *network)
{
	network->fd = files_open(files_path("proc/net/dev"));
	network->count = 0;
	network->any_hardware = false;
}

/* A device of its own is in sysfs: what passes a bridge passes a card too. */
static const struct interface *find(struct network *network, const char *name,
				    size_t length)
{
	struct interface *found;

	for (unsigned i = 0; i < network->count; i++) {
		found = &network->list[i];
		if (!strncmp(found->name, name, length) && !found->name[length])
			return found;
	}
	if (network->count == MAX_INTERFACES || length >= INTERFACE_NAME)
		return NULL;
	found = &network->list[network->count++];
	memcpy(found->name, name, length);
	found->name[length] = '\0';
	found->hardware = !access(files_path("sys/class/net/%s/device", found->name),
				  F_OK);
	network->any_hardware |= found->hardware;
	return found;
}

/* `  eth0: rx_bytes rx_packets 6 more, tx_bytes tx_packets 6 more` */
static void take_line(const char *at, uint64_t values[NETWORK_VALUES])
{
	values[0] = text_number(&at);
	values[1] = text_number(&at);
	at = text_skip(at, 6);
	values[2] = text_number(&at);
	values[3] = text_number(&at);
}

/* The name before the colon; false where the line has none. */
static bool name_of(const char **line, size_t *length)
{
	while (**line == ' ')
		++*line;
	*length = strcspn(*line, ":\n");
	return (*line)[*length] == ':';
}

static void sum_up(struct network *network, const char *text)
{
	uint64_t values[NETWORK_VALUES];
	const struct interface *found;
	size_t length;

	memset(network->values, 0, sizeof(network->values));
	for (const char *line = text; line; line = text_next_line(line)) {
		if (!name_of(&line, &length))
			continue;
		take_line(line + length + 1, values);
		if (length == 2 && !strncmp(line, "lo", 2)) {
			network->loopback_bytes = values[0];
			network->has_loopback = true;
			continue;
		}
		found = find(network, line, length);
		if (!found || (network->any_hardware && !found->hardware))
			continue;
		for (int i = 0; i < NETWORK_VALUES; i++)
			network->values[i] += values[i];
		network->known = true;
	}
}

void network_read(struct network *network)
{
	bool hardware = network->any_hardware;
	const char *text = files_read(network->fd);

	network->known = network->has_loopback = false;
	sum_up(network, text);
	if (hardware != network->any_hardware)	/* the first card: bridges no more */
		sum_up(network, text);
}

void network_print(const struct network *network, struct json *json)
{
	if (network->known) {
		json_open(json, "net", '{');
		for (int i = 0; i < NETWORK_VALUES; i++)
			json_uint(json, NAMES[i], network->values[i]);
		json_close(json, '}');
	}
	if (network->has_loopback)
		json_uint(json, "loopback_bytes", network->loopback_bytes);
}
