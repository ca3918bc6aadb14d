#!/usr/bin/env bash
# Installs the peers into a virtual environment: bench/setup.sh [FOLDER], by default bench/out/venv.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${1:-$here/out/venv}
python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --requirement "$here/requirements.txt"
"$venv/bin/python" -c 'import hta.trace_analysis, orjson; print("peers ready in", __import__("sys").prefix)'
