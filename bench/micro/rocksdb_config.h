/* What RocksDB's own build finds out about the compiler, from what the flags allow. */
#define ROCKSDB_PLATFORM_POSIX 1
#define ROCKSDB_LIB_IO_POSIX 1
#define OS_LINUX 1
#ifdef __SSE4_2__
#define HAVE_SSE42 1
#endif
#ifdef __PCLMUL__
#define HAVE_PCLMUL 1
#endif
