# One binary per library, compiler and flags:
#   make -C bench micro OUT=dir CC=gcc-12 OPT="-O3 -march=native" LIB=rocksdb SRC=folder
# SRC is what `fetch.sh NAME VERSION` prints; with LIBVERSION the library has to say the same.
# Library and driver are compiled by CC with OPT. Without LIB only `ours` is in it.
#
# ISA: what LIB's own build adds for the file under test, whatever the flags. RocksDB
# compiles util/crc32c.cc with -msse4.2 -mpclmul (CMakeLists.txt) and chooses at run time;
# ISA= builds it as a portable package does (Debian's db_bench): then crc32c is a table.
LIB ?= ours
SRC ?=
MICRO = $(OUT)/obj/micro
MACHINE := $(shell $(CC) -dumpmachine 2>/dev/null)
rocksdb_ISA = $(if $(filter x86_64%,$(MACHINE)),-msse4.2 -mpclmul)
ISA ?= $($(LIB)_ISA)
# gcc-12 -> g++-12, clang-19 -> clang++-19, cc -> c++, in whatever folder CC is
CXX = $(if $(findstring /,$(CC)),$(dir $(CC)))$(or $(filter c++,$(patsubst cc,c++,$(notdir \
	$(CC)))),$(subst gcc,g++,$(subst clang,clang++,$(notdir $(CC)))))

# <lib>_INCLUDE, _SOURCES: where its headers are, what is compiled of it.
# <lib>_FUNCTIONS: parts of the names of the functions whose instructions are counted.
ours_FUNCTIONS = reference_crc32c one_stream repeat_
rocksdb_INCLUDE = -isystem $(SRC) -isystem $(SRC)/include
rocksdb_SOURCES = util/crc32c.cc
rocksdb_FUNCTIONS = crc32c
xxhash_INCLUDE = -isystem $(SRC)
xxhash_FUNCTIONS = XXH xxh
lz4_INCLUDE = -isystem $(SRC)/lib
lz4_SOURCES = lib/lz4.c
lz4_FUNCTIONS = LZ4_compress LZ4_decompress
zstd_INCLUDE = -isystem $(SRC)/lib
zstd_SOURCES = $(patsubst $(SRC)/%,%,$(wildcard $(addprefix $(SRC)/lib/,\
	common/*.c compress/*.c decompress/*.c decompress/*.S)))
# Level 3 never reaches these: without OPT's flags they take 2 s to compile, not 8.
# The Huffman decoder is partly assembly, as zstd ships it; no compiler changes that part.
ZSTD_IDLE = zstd_lazy zstd_opt zstd_ldm zstdmt_compress
zstd_FUNCTIONS = ZSTD_compressBlock_ ZSTD_decompressSequences HUF_decompress

MICRO_C = $(filter-out instructions,$(patsubst micro/%.c,%,$(wildcard micro/*.c)))
MICRO_LIBRARIES = lz4 rocksdb xxhash xxhash_source zstd
MICRO_OBJECTS = $(addprefix $(MICRO)/,$(addsuffix .o,\
	$(filter-out $(MICRO_LIBRARIES),$(MICRO_C)) \
	$(filter $(LIB) $(LIB)_source,$(MICRO_LIBRARIES)) \
	$(addprefix source/,$(basename $($(LIB)_SOURCES)))))
MICRO_CPPFLAGS = $($(LIB)_INCLUDE) -DLIBRARY=$(LIB)_library \
	-DMICRO_ISA='"$(if $(filter rocksdb,$(LIB)),$(ISA))"'
MICRO_CXXFLAGS = -std=c++17 -D_GNU_SOURCE -pthread -Wall -Wextra -Wshadow -Werror \
	$(NDEBUG) -I.
# Other people's code is compiled as it is: its warnings are not ours to mend.
MICRO_FOREIGN = -w -DNDEBUG -D_GNU_SOURCE -pthread $($(LIB)_INCLUDE)
MICRO_LINK = $(if $(filter rocksdb,$(LIB)),$(CXX),$(CC))

.PHONY: micro micro-source
micro: $(OUT)/micro $(OUT)/instructions.tsv
	@found=$$($< --version) && { [ -z "$(LIBVERSION)" ] || [ "$$found" = "$(LIBVERSION)" ] || { \
	  echo "bench: $(SRC) holds $(LIB) $$found, not $(LIBVERSION)" >&2; exit 1; }; }

micro-source:
	@case "$(LIB)" in ours) ;; rocksdb|xxhash|lz4|zstd) test -d "$(SRC)" || { echo \
	"bench: LIB=$(LIB) needs SRC=<the folder fetch.sh prints>" >&2; exit 1; } ;; \
	*) echo "bench: no library $(LIB)" >&2; exit 1;; esac

# clang can link -flto by its plugin for ld, or by lld: whichever is installed.
$(OUT)/micro: $(MICRO_OBJECTS) $(COMMON) $(GAP)
	@linker=; if [ -n "$(and $(findstring clang,$(CC)),$(findstring -flto,$(OPT)))" ]; then \
	  for linker in "" -fuse-ld=lld none; do \
	    echo 'int main(void) { return 0; }' | $(CC) -flto $$linker -x c -o $(MICRO)/lto - \
	    2>/dev/null && break; done; fi; \
	if [ "$$linker" = none ]; then echo "bench: $(CC) cannot link -flto here:" \
	  "install lld of the same version (package lld-N)" >&2; exit 1; fi; \
	set -x; $(MICRO_LINK) $(OPT) -pthread $(LDFLAGS) $$linker -o $@ $(objects) -lm

$(MICRO)/%.o: micro/%.c $(MICRO)/flags
	@mkdir -p $(@D)
	$(CC) $(OPT) $(CFLAGS) $(MICRO_CPPFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(MICRO)/%.o: micro/%.cc $(MICRO)/flags
	@mkdir -p $(@D)
	$(CXX) $(OPT) $(MICRO_CXXFLAGS) $(MICRO_CPPFLAGS) $(CPPFLAGS) -MMD -MP -c -o $@ $<

$(MICRO)/xxhash_source.o: CFLAGS = -std=gnu11 $(MICRO_FOREIGN)

$(MICRO)/source/%.o: $(SRC)/%.c $(MICRO)/flags
	@mkdir -p $(@D)
	$(CC) $(OPT) $(MICRO_FOREIGN) $(if $(filter $(ZSTD_IDLE),$(*F)),-O0) $(CPPFLAGS) -c -o $@ $<

$(MICRO)/source/%.o: $(SRC)/%.S $(MICRO)/flags
	@mkdir -p $(@D)
	$(CC) $(OPT) $(MICRO_FOREIGN) $(CPPFLAGS) -c -o $@ $<

$(MICRO)/source/%.o: $(SRC)/%.cc $(MICRO)/flags
	@mkdir -p $(@D)
	$(CXX) $(OPT) $(ISA) -std=c++17 -include micro/rocksdb_config.h $(MICRO_FOREIGN) \
	$(CPPFLAGS) -c -o $@ $<

$(MICRO)/flags: force | micro-source
	@mkdir -p $(@D)
	@printf '%s\n' \
	'$(subst ','\'',$(CC) $(OPT) $(CFLAGS) $(MICRO_CPPFLAGS) $(ISA) $(BUILD_NO))' \
	> $@.new; cmp -s $@.new $@ || mv $@.new $@

# What the compiler made of it: the compiler post explains its numbers by this table.
$(OUT)/instructions.tsv: $(OUT)/micro $(MICRO)/instructions
	objdump -d -C --no-show-raw-insn $< | $(MICRO)/instructions $($(LIB)_FUNCTIONS) > $@.new
	@mv $@.new $@

$(MICRO)/instructions: micro/instructions.c $(MICRO)/flags
	$(CC) -O1 -std=c11 -D_GNU_SOURCE $(WARNINGS) -o $@ $<
