// RocksDB's crc32c (util/crc32c.cc), which every block and log record passes through.
#include "library.h"

#include "rocksdb/version.h"
#include "util/crc32c.h"

#include <string>

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)

namespace {

const char *version()
{
	return TEXT(ROCKSDB_MAJOR) "." TEXT(ROCKSDB_MINOR) "." TEXT(ROCKSDB_PATCH);
}

// "Supported on x86" is the three-way loop; "Not supported on x86" is the table.
const char *code_path()
{
	static const std::string path = rocksdb::crc32c::IsFastCrc32Supported();

	return path.c_str();
}

const char *prepare(struct job *job)
{
	job->expected = reference_crc32c(job->block, job->block_size);
	return nullptr;
}

uint64_t crc32c_repeat(struct job *job, uint64_t repetitions)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < repetitions; i++) {
		const unsigned char *block = unknown(job->block);

		sum += rocksdb::crc32c::Value(reinterpret_cast<const char *>(block),
					      job->block_size);
	}
	return sum;
}

const struct micro_step STEPS[] = {
	{ "crc32c", prepare, crc32c_repeat, nullptr, nullptr },
};

} // namespace

extern const struct library rocksdb_library = {
	"rocksdb", version, code_path, nullptr, STEPS, sizeof(STEPS) / sizeof(STEPS[0]),
};
