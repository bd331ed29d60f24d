# The plain loops that the cost of our clients is compared with, on the same libraries: of ingest
# (loops), and of sql where it searches vectors (loop_nearest).
#   make -C bench -f Makefile -f cost/loops/loops.mk OUT=dir loops loop_nearest
LOOPS = loop_mysql loop_postgres loop_sqlite
LOOP = $(addprefix $(OUT)/obj/,cost/loops/loop.o common/clock.o ingest/rows.o engines/schema.o)

.PHONY: loops loop_nearest
loops: $(LOOPS:%=$(OUT)/%)
loop_nearest: $(OUT)/loop_nearest

$(OUT)/loop_mysql: LDLIBS += -lmariadb
$(OUT)/loop_postgres: LDLIBS += -lpq
$(OUT)/loop_sqlite: LDLIBS += -lsqlite3
$(LOOPS:%=$(OUT)/%): $(OUT)/loop_%: $(OUT)/obj/cost/loops/loop_%.o $(LOOP)
	$(CC) $(OPT) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LDLIBS)

$(OUT)/loop_nearest: $(addprefix $(OUT)/obj/,cost/loops/loop_nearest.o common/clock.o vectors/fvecs.o)
	$(CC) $(OPT) $(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^) -lpq

$(OUT)/obj/cost/loops/%.o: CPPFLAGS += -I/usr/include/postgresql -I/usr/include/mariadb
$(OUT)/obj/cost/loops/loop_sqlite.o: | sqlite3.h
$(OUT)/obj/cost/loops/loop_postgres.o $(OUT)/obj/cost/loops/loop_nearest.o: | libpq-fe.h
$(OUT)/obj/cost/loops/loop_mysql.o: | mysql.h
