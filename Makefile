# make demo   set up, then learn a year of flights
# make test   set up and run all tests
# make lint   formatting, clippy, ruff, mypy
# make bench  measure beside scikit-learn, and beside Vowpal Wabbit where it is installed
# make fuzz   ten minutes of random bytes for every parser (needs cargo-fuzz)
# make docs   write the commands' help into docs/command-line.md
# make paper  the paper's experiments at its size, from the kept curves on; docs/paper.md from them
# make lock   resolve the development requirements again

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := Cargo.toml Cargo.lock pyproject.toml $(shell find crates -name '*.rs' -o -name Cargo.toml)

.PHONY: demo test lint bench fuzz paper docs lock clean

demo: $(VENV)/built
	$(BIN)/lapwing demo

test: $(VENV)/built
	cargo test --quiet --workspace
	$(BIN)/python -m pytest -n auto --dist loadgroup

lint: $(VENV)/built
	cargo fmt --check
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

bench: $(VENV)/built
	$(BIN)/python -m benchmarks
	$(BIN)/python -m benchmarks.text

# From fuzz/corpus, which `cargo test` replays; what is found stays in fuzz/found. A stable compiler
# will do, without sanitizers: they look for what safe code cannot have.
FUZZ_SECONDS ?= 600
fuzz:
	@command -v cargo-fuzz >/dev/null || { echo "cargo-fuzz is missing: cargo install cargo-fuzz"; exit 1; }
	for target in $$(cargo fuzz list); do \
		mkdir -p fuzz/found/$$target && \
		RUSTC_BOOTSTRAP=1 cargo fuzz run --sanitizer none $$target fuzz/found/$$target fuzz/corpus/$$target -- \
			-max_total_time=$(FUZZ_SECONDS) -timeout=10 -rss_limit_mb=1024 -max_len=4096 || exit 1; \
	done

docs: $(VENV)/built
	$(BIN)/python -m tests.command_line_page

paper: $(VENV)/built
	$(BIN)/lapwing paper all --size paper --jobs 2 --out paper/results
	$(BIN)/python -m paper.page

lock: $(VENV)/ready
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile --quiet --universal --python-version 3.10 --no-header --no-annotate \
		--no-emit-index-url requirements-dev.in -o requirements-dev.txt

clean:
	rm -rf $(VENV) target

# The package, built in release mode and installed so that Python sources are used in place.
$(VENV)/built: $(VENV)/ready $(SOURCES)
	PATH="$(CURDIR)/$(BIN):$$PATH" VIRTUAL_ENV="$(CURDIR)/$(VENV)" PIP_QUIET=1 \
		$(BIN)/maturin develop --release --quiet
	@touch $@

$(VENV)/ready: requirements-dev.txt
	@command -v cargo >/dev/null || { echo "Lapwing is built with Rust: install cargo 1.89 or newer, https://rustup.rs"; exit 1; }
	@command -v $(PYTHON) >/dev/null || { echo "Lapwing needs Python 3.10 or newer, and there is no $(PYTHON) here"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || { echo "Lapwing needs Python 3.10 or newer, and $(PYTHON) is older; make PYTHON=python3.12 chooses another"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { echo "Python's venv module is missing (Debian: apt install python3-venv)"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --requirement requirements-dev.txt
	@touch $@
