/* Bytes and packets of the network: the machine's own cards, and the loopback apart. */
#ifndef SAMPLER_NETWORK_H
#define SAMPLER_NETWORK_H

#include "common/json.h"

#include <stdbool.h>
#include <stdint.h>

#define INTERFACE_NAME 32
#define MAX_INTERFACES 256
#define NETWORK_VALUES 4

struct interface {
	char name[INTERFACE_NAME];
	bool hardware;		/* not a bridge, bond or tunnel over others */
};

struct network {
	int fd;
	struct interface list[MAX_INTERFACES];
	unsigned count;
	bool any_hardware, known, has_loopback;
	uint64_t values[NETWORK_VALUES], loopback_bytes;
};

void network_open(struct network *network);
void network_read(struct network *network);
void network_print(const struct network *network, struct json *json);

#endif
