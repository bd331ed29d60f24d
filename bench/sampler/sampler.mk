# The sidecar of a run:  make -C bench OUT=dir sampler
SAMPLER = $(patsubst %.c,$(OUT)/obj/%.o,$(wildcard sampler/*.c) common/clock.c common/json.c \
	common/json_clocks.c common/others.c common/usage.c)

.PHONY: sampler
sampler: $(OUT)/sampler

$(OUT)/sampler: $(SAMPLER)
	$(CC) $(OPT) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^)
