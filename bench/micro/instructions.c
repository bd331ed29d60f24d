/*
 * Reads `objdump -d -C --no-show-raw-insn` and counts instructions by class in each
 * function whose name contains one of the arguments. Prints function, mnemonic_class and
 * count, separated by tabs. src/benchbook/disassembly.py has the same classes.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An instruction belongs to the first class it fits. */
enum class { CRC32, PCLMUL, ZMM, YMM, XMM, BRANCH, NOP, OTHER, NCLASSES };

static const char *const CLASS_NAMES[NCLASSES] = {
	"crc32", "pclmul", "zmm", "ymm", "xmm", "branch", "nop", "other",
};

static const char *const PREFIXES[] = {
	"lock ", "rep ", "repz ", "repnz ", "bnd ", "notrack ", "data16 ", "cs ", "ds ",
	"es ", "ss ", "rex.W ",
};

static bool starts(const char *text, const char *with)
{
	return strncmp(text, with, strlen(with)) == 0;
}

static const char *skip_prefixes(const char *text)
{
	for (size_t i = 0; i < sizeof(PREFIXES) / sizeof(PREFIXES[0]); i++)
		if (starts(text, PREFIXES[i])) {
			text += strlen(PREFIXES[i]);
			while (*text == ' ')
				text++;
			i = (size_t)-1;		/* another may follow */
		}
	return text;
}

static enum class classify(const char *text)
{
	const char *name = skip_prefixes(text);

	if (starts(name, "crc32"))
		return CRC32;
	if (starts(name, "pclmul") || starts(name, "vpclmul"))
		return PCLMUL;
	if (strstr(name, "%zmm"))
		return ZMM;
	if (strstr(name, "%ymm"))
		return YMM;
	if (strstr(name, "%xmm"))
		return XMM;
	if (*name == 'j' || starts(name, "call") || starts(name, "ret"))
		return BRANCH;
	if (starts(name, "nop") || starts(name, "xchg   %ax,%ax") || starts(name, "int3"))
		return NOP;
	return OTHER;
}

static bool wanted(const char *function, int n, char **parts)
{
	for (int i = 0; i < n; i++)
		if (strstr(function, parts[i]))
			return true;
	return false;
}

static void print_counts(const char *function, unsigned long counts[NCLASSES])
{
	for (int i = 0; i < NCLASSES; i++)
		if (counts[i] > 0)
			printf("%s\t%s\t%lu\n", function, CLASS_NAMES[i], counts[i]);
	memset(counts, 0, NCLASSES * sizeof(counts[0]));
}

/* "0000000000001139 <name>:" begins a function; cuts the name out, or gives NULL. */
static char *function_of(char *line)
{
	char *name = strstr(line, " <"), *end = strrchr(line, '>');

	if (!isxdigit((unsigned char)*line) || !name || !end || strcmp(end, ">:\n") != 0)
		return NULL;
	*end = '\0';
	return name + 2;
}

int main(int argc, char **argv)
{
	unsigned long counts[NCLASSES] = { 0 };
	char *line = NULL, *function = NULL;
	size_t size = 0;

	puts("function\tmnemonic_class\tcount");
	while (getline(&line, &size, stdin) != -1) {
		char *name = function_of(line), *text = strchr(line, '\t');

		if (name) {
			print_counts(function ? function : "", counts);
			free(function);
			function = wanted(name, argc - 1, argv + 1) ? strdup(name) : NULL;
		} else if (function && text) {
			counts[classify(text + 1)]++;
		}
	}
	print_counts(function ? function : "", counts);
	free(function);
	free(line);
	return fflush(stdout) || ferror(stdout) ? 1 : 0;
}
