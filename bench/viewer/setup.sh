#!/usr/bin/env bash
# Writes the made-up pages and installs the viewers to compare with, all into bench/out.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$root/bench/out
mkdir -p "$out/viewer" "$out/peers/node"
(cd "$root/viewer" && npm ci --silent)
(cd "$out/peers/node" && npm install --silent speedscope@1.25.0)
cargo install --quiet --root "$out/peers" "inferno@^0.12"
(cd "$root" && cargo run --quiet --release -p flamelane-write --example large_pages -- "$out/viewer")
# A tenth of the stacks as well: what the others can bear.
shuf -n 100000 --random-source=<(yes) "$out/viewer/flame.folded" > "$out/viewer/flame-100k.folded"
for size in flame-100k flame; do
  "$out/peers/bin/inferno-flamegraph" --minwidth 0 "$out/viewer/$size.folded" > "$out/viewer/$size.svg" 2> /dev/null
done
echo "now: node bench/viewer/measure.js $out/viewer; node bench/viewer/peers.js $out/viewer"
