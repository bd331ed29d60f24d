/* Removes a folder with all that is in it; what cannot be removed stays. */
#ifndef BENCH_REMOVE_H
#define BENCH_REMOVE_H

#include <ftw.h>
#include <stdio.h>

#define REMOVE_OPEN 32	/* folders that are open at once */

static inline int remove_entry(const char *path, const struct stat *facts, int flag,
			       struct FTW *where)
{
	(void)facts;
	(void)flag;
	(void)where;
	remove(path);
	return 0;
}

static inline void remove_tree(const char *path)
{
	nftw(path, remove_entry, REMOVE_OPEN, FTW_DEPTH | FTW_PHYS);
}

#endif
