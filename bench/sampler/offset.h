/* How far the clock of another host is from ours. */
#ifndef SAMPLER_OFFSET_H
#define SAMPLER_OFFSET_H

/* Answers each line of standard input with our clock. Both return an exit status. */
int offset_answer(void);

/* Asks a command that does so; prints what to add to its clock, and the round trip. */
int offset_ask(char **command);

#endif
