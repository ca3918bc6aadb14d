# What people run by hand; `just` alone lists it.

_default:
    @just --list --unsorted

# Everything that CI runs, quickest first.
check:
    .ci/run

# The tests alone.
test:
    cargo nextest run --workspace
    cargo test --workspace --doc

# The viewer's types and tests.
viewer:
    cd viewer && npm ci && npm run check && npm test

# Formats, then asks every lint and house check.
lint:
    cargo fmt --all
    cargo xtask tidy
    cargo clippy --workspace --all-targets -- -D warnings

# Measures flamelane beside its peers and writes docs/benchmarks.md.
bench *ARGS:
    bench/setup.sh
    cargo build --release --package flamelane
    cargo build --release --package flamelane-read --example floors
    bench/run.py --write docs/benchmarks.md {{ARGS}}

# The speed gate of CI.
gate:
    cargo build --release --package flamelane
    cargo build --release --package flamelane-read --example floors
    python3 bench/gate.py

# Fuzzes one reader for a while, from its fixtures: just fuzz kineto 60
fuzz TARGET SECONDS="60":
    mkdir -p fuzz/corpus/{{TARGET}}
    find fixtures/{{TARGET}} -type f -not -name README.md -not -name '*.truth.*' -exec cp -t fuzz/corpus/{{TARGET}} {} + || true
    gunzip --quiet --force fuzz/corpus/{{TARGET}}/*.gz || true
    cd fuzz && cargo run --release --bin {{TARGET}} -- -max_len=8192 -max_total_time={{SECONDS}} corpus/{{TARGET}}
