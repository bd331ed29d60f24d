#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define LONGEST_LINE (1 << 20)

static char buffer[LONGEST_LINE];

static bool failed(const struct output *output)
{
	fprintf(stderr, "sampler: cannot write %s: %s\n", output->name, strerror(errno));
	return false;
}

bool output_open(struct output *output, const char *name)
{
	bool standard = !strcmp(name, "-");
	int fd;

	*output = (struct output){ .name = standard ? "standard output" : name };
	fd = standard ? STDOUT_FILENO
		      : open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	output->file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!output->file)
		return failed(output);
	setvbuf(output->file, buffer, _IOFBF, sizeof(buffer));
	return true;
}

/* What a full disk took of the last line is taken back. */
bool output_check(struct output *output)
{
	if (!ferror(output->file)) {
		output->whole = ftello(output->file);
		return true;
	}
	failed(output);
	/* A pipe has no length. */
	if (output->whole >= 0 && ftruncate(fileno(output->file), output->whole))
		return false;
	return false;
}
