/*
 * Drops what the page cache holds of programs and libraries, so that the next run reads
 * them into other pages. The same bytes can be half as fast in unlucky pages, and they
 * would stay there for every run of a study. What some process has mapped stays.
 *
 * USAGE
 *   uncache PATH...         of a folder all programs and libraries in it
 *   uncache --all PATH...   all files; what is not on disk yet stays
 */
#include <fcntl.h>
#include <ftw.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OPEN_FOLDERS 32

static bool all;

static int drop(const char *path, const struct stat *info, int type, struct FTW *where)
{
	int file;
	bool program = info->st_mode & 0111 || strstr(path + where->base, ".so");

	if (type != FTW_F || !(all || program))
		return 0;
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file >= 0) {
		posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
		close(file);
	}
	return 0;
}

/* Whatever cannot be dropped is no reason not to measure. */
int main(int argc, char **argv)
{
	all = argc > 1 && !strcmp(argv[1], "--all");
	for (int i = 1 + all; i < argc; i++)
		nftw(argv[i], drop, OPEN_FOLDERS, 0);
	return 0;
}
