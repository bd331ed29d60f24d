# The plain loops that ingest's own cost is compared with, on the same client libraries:
#   make -C bench -f Makefile -f cost/loops/loops.mk OUT=dir loops
LOOPS = loop_mysql loop_postgres loop_sqlite
LOOP = $(addprefix $(OUT)/obj/,cost/loops/loop.o common/clock.o ingest/rows.o engines/schema.o)

.PHONY: loops
loops: $(LOOPS:%=$(OUT)/%)

$(OUT)/loop_mysql: LDLIBS += -lmariadb
$(OUT)/loop_postgres: LDLIBS += -lpq
$(OUT)/loop_sqlite: LDLIBS += -lsqlite3
$(LOOPS:%=$(OUT)/%): $(OUT)/loop_%: $(OUT)/obj/cost/loops/loop_%.o $(LOOP)
	$(CC) $(OPT) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LDLIBS)

$(OUT)/obj/cost/loops/%.o: CPPFLAGS += -I/usr/include/postgresql -I/usr/include/mariadb
$(OUT)/obj/cost/loops/loop_sqlite.o: | sqlite3.h
$(OUT)/obj/cost/loops/loop_postgres.o: | libpq-fe.h
$(OUT)/obj/cost/loops/loop_mysql.o: | mysql.h
