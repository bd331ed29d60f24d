/*
 * hnswlib for C: what build_hnswlib.sh makes lib/libbenchhnsw.so of, against the headers of
 * one release. Nothing is thrown out of here: NULL, false or 0 says that it failed.
 */
#include "hnswlib/hnswlib.h"

#include <cstddef>
#include <cstdint>
#include <memory>

namespace {

struct graph {
	std::unique_ptr<hnswlib::SpaceInterface<float>> space;
	std::unique_ptr<hnswlib::HierarchicalNSW<float>> index;
};

} // namespace

extern "C" {

/* inner: by inner product, which the caller's vectors of length 1 make cosine. */
void *bench_hnsw_make(int inner, size_t dim, size_t most, size_t m, size_t ef_construction)
try {
	auto made = std::make_unique<graph>();

	if (inner)
		made->space = std::make_unique<hnswlib::InnerProductSpace>(dim);
	else
		made->space = std::make_unique<hnswlib::L2Space>(dim);
	made->index = std::make_unique<hnswlib::HierarchicalNSW<float>>(
		made->space.get(), most, m, ef_construction);
	return made.release();
} catch (...) {
	return nullptr;
}

void bench_hnsw_free(void *handle)
{
	delete static_cast<graph *>(handle);
}

bool bench_hnsw_add(void *handle, const float *vector, size_t id)
try {
	static_cast<graph *>(handle)->index->addPoint(vector, id);
	return true;
} catch (...) {
	return false;
}

bool bench_hnsw_remove(void *handle, size_t id)
try {
	static_cast<graph *>(handle)->index->markDelete(id);
	return true;
} catch (...) {
	return false;
}

void bench_hnsw_ef(void *handle, size_t ef)
{
	static_cast<graph *>(handle)->index->setEf(ef);
}

/* The ids of the nearest, farthest first; returns how many. */
size_t bench_hnsw_search(void *handle, const float *vector, size_t k, int64_t *ids)
try {
	auto found = static_cast<graph *>(handle)->index->searchKnn(vector, k);
	size_t n = 0;

	for (; !found.empty() && n < k; found.pop())
		ids[n++] = static_cast<int64_t>(found.top().second);
	return n;
} catch (...) {
	return 0;
}

} // extern "C"
