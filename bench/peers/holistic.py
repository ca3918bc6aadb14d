"""What Holistic Trace Analysis says of one trace: `holistic.py FILE`.

It takes a folder with one file a rank, so the file is linked into a new one. Pictures are off: flamelane's
JSON report draws none either.
"""

import pathlib
import sys
import tempfile

from hta.trace_analysis import TraceAnalysis

file = pathlib.Path(sys.argv[1]).resolve()
with tempfile.TemporaryDirectory() as folder:
    ending = ".json.gz" if file.suffix == ".gz" else ".json"
    (pathlib.Path(folder) / f"rank0{ending}").symlink_to(file)
    analysis = TraceAnalysis(trace_dir=folder)
    print(analysis.get_temporal_breakdown(visualize=False))
    print(analysis.get_idle_time_breakdown(visualize=False)[0])
    kinds, kernels = analysis.get_gpu_kernel_breakdown(visualize=False)
    print(kinds, len(kernels))
