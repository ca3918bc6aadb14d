"""The standard library's parser alone: `load_json.py FILE`."""

import gzip
import json
import sys

file = sys.argv[1]
with (gzip.open if file.endswith(".gz") else open)(file, "rb") as source:
    print(len(json.load(source)["traceEvents"]))
