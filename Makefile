# Each target is the set-up, then one command. `make` lists them.
BENCHBOOK := .venv/bin/benchbook
PYTEST := .venv/bin/python -m pytest
PARALLEL := -n 2 --dist loadfile --no-loadscope-reorder
ROOT := $(if $(filter 0,$(shell id -u)),--allow-root)
# Asks another host for news, and the user whether it may.
NEWS := "@jupyterlab/apputils-extension:announcements"

help:		## this list
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

report:		## set up, measure what is missing, write the posts and the site
	@./setup.sh report
	@$(BENCHBOOK) report

test:		## set up, then all tests but the slow ones
	@./setup.sh test
	$(PYTEST) $(PARALLEL) -m "not slow"

check:		## unit tests, under a minute
	@./setup.sh python
	$(PYTEST) $(PARALLEL) -m "not slow and not browser and not engine"

test-all:	## all tests
	@./setup.sh test-all
	$(PYTEST) $(PARALLEL)

test-site:	## the tests of a rendered site, SITE=folder (default: _site)
	@./setup.sh test
	BENCHBOOK_SITE=$(abspath $(or $(SITE),_site)) $(PYTEST) tests/site/test_browser.py tests/site/test_dom.py

lab:		## JupyterLab on notebooks/
	@./setup.sh python
	@.venv/bin/jupyter labextension disable --level=sys_prefix $(NEWS)
	.venv/bin/python -m jupyter lab $(ROOT) --LabApp.default_url=/lab/tree/notebooks

site:		## render the site only
	@./setup.sh python
	@$(BENCHBOOK) site

vega:		## site/vega.js, before `quarto render`, which starts this itself
	-@./setup.sh python && .venv/bin/python -m benchbook.posts.vega

explore:	## site/explore/, before `quarto render`, which starts this itself
	-@./setup.sh python && .venv/bin/python -m benchbook.explore.files

search:		## _site/search.json, after `quarto render`, which starts this itself
	-@./setup.sh python && .venv/bin/python -m benchbook.posts.search

client-cost:	## install the Python clients that ingest's own cost is compared with
	@./setup.sh test
	@test -d build/client-cost/MySQLdb || .venv/bin/uv pip install -q -p .venv/bin/python \
	  --target build/client-cost 'psycopg[binary]==3.3.9' mysqlclient==2.3.1

benchmark:	## coverage, power, false alarms, speed, client cost, with peers
	@$(MAKE) --no-print-directory client-cost
	@for script in tests/benchmarks/[a-z]*.py; do grep -q __main__ $$script || continue; \
	  echo "== $$script"; .venv/bin/python $$script || exit; done

fuzz:		## every format on damaged files, for SECONDS=600
	@./setup.sh python
	@test -d build/fuzz/atheris || .venv/bin/uv pip install -q -p .venv/bin/python \
	  --target build/fuzz/atheris atheris==3.0.0
	PYTHONPATH=build/fuzz/atheris .venv/bin/python tests/fuzz/fuzz_formats.py \
	  -max_total_time=$(or $(SECONDS),600)

campaign:	## faults at random moments of every verb, for MINUTES=30 from SEED
	@./setup.sh test-all
	.venv/bin/python tests/campaign/campaign.py --minutes $(or $(MINUTES),30) $(if $(SEED),--seed $(SEED))

lint:		## ruff, mypy, shellcheck
	@./setup.sh test
	.venv/bin/ruff check src tests && .venv/bin/ruff format --check src tests
	.venv/bin/mypy src && shellcheck -x setup.sh .ci/run bench/*.sh bench/*/*.sh

lock:		## requirements.lock from pyproject.toml, for the oldest Python it allows
	@./setup.sh python
	.venv/bin/uv pip compile --python-version 3.11 --all-extras --generate-hashes \
	  --no-annotate --no-header --no-emit-index-url pyproject.toml -o requirements.lock

wheel:		## dist/: the library with drivers, templates and site, for a host without this checkout
	@./setup.sh python
	@rm -rf bench/bin site/explore site/vega.js
	.venv/bin/python -m hatchling build -t wheel

clean:		## remove what can be made again; measured runs stay
	rm -rf build dist _site site/vega.js site/explore bench/bin .pytest_cache .ruff_cache .mypy_cache

.PHONY: help report test check test-all test-site lab site vega explore search client-cost benchmark fuzz campaign lint lock wheel clean
.NOTPARALLEL:
