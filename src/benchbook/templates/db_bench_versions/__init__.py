"""What did RocksDB change from version to version?"""

from benchbook.templates.db_bench_versions.finding import releases_finding
from benchbook.views.db_bench import tree_costs, version_to_version
