"""What did RocksDB change from version to version?"""

from benchbook.results.db_bench import tree_costs, version_to_version
from benchbook.templates.db_bench_versions.finding import releases_finding
