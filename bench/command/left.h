/* What a command leaves behind: daemons, and whatever else left its process group. */
#ifndef COMMAND_LEFT_H
#define COMMAND_LEFT_H

#define LEFT_NAME 16

struct left {
	unsigned ended;		/* processes */
	char name[LEFT_NAME];	/* of one of them */
};

/* From here on what is left by processes below this one becomes its child. */
void left_come_here(void);

/* Forgets the children that have ended. */
void left_reap(void);

/* Ends all below this process, by SIGTERM and then SIGKILL, and counts them. */
void left_end(struct left *left);

#endif
