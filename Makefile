.DEFAULT_GOAL := help
.PHONY: help setup train test torture evidence bench play fmt lint

GAME ?= cheskers

help: ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

setup: ## install libtorch into .venv, once (RAJA_TORCH=cpu or cuda chooses the flavour)
	@model/setup-libtorch.sh

train: setup ## train a small network from nothing and measure its strength
	cargo run --release --quiet -- train configs/quick.toml

test: setup ## run all tests
	cargo test --workspace

torture: setup ## run the tests that take too long for every day
	cargo test --release --workspace --test torture

evidence: setup ## measure again what the documents claim (PART=learning_cubic: only that)
	cargo test --release --test evidence -- --nocapture --test-threads=1 $(PART)

bench: setup ## run the benchmarks of all crates
	cargo bench --workspace

play: setup ## play in the terminal (GAME=cheskers)
	cargo run --release --quiet -- play $(GAME)

fmt: ## format the code
	cargo fmt --all

lint: setup ## check everything with clippy
	cargo clippy --workspace --all-targets -- -D warnings
	cargo clippy --workspace --test torture --test evidence -- -D warnings
