//! Wrong kinds: files that people hand to a profile viewer, that we know and do not read (yet).

/// A kind of file that is recognised only to say what it is and what to do instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[expect(missing_docs, reason = "each variant's `what` says it")]
pub enum Foreign {
    Chakra,
    MemorySnapshot,
    MemorySnapshotJson,
    MemoryTimeline,
    Pickle,
    Html,
    Svg,
    Xml,
    Zip,
    NsysReport,
    NsysStream,
    NcuReport,
    NsysSqlite,
    RocmSqlite,
    Sqlite,
    Perfetto,
    XPlane,
    Proton,
    RocprofJson,
    RocprofCsv,
    NsysCsv,
    PerfData,
    PerfScript,
    Parquet,
    Elf,
    TorchTable,
    CpuProfile,
    FirefoxProfile,
    Marshal,
    GitLfsPointer,
    UnsupportedCompression,
}

impl Foreign {
    /// What it is, as a phrase after "the input is".
    pub fn what(self) -> &'static str {
        match self {
            Self::Chakra => "a Chakra execution trace, which has operators but no times",
            Self::MemorySnapshot => "a PyTorch memory snapshot",
            Self::MemorySnapshotJson => "a PyTorch memory snapshot in JSON",
            Self::MemoryTimeline => "a raw memory timeline of `export_memory_timeline`",
            Self::Pickle => "a Python pickle",
            Self::Html => "an HTML page",
            Self::Svg => "an SVG picture",
            Self::Xml => "an XML file",
            Self::Zip => "a zip archive",
            Self::NsysReport => "an Nsight Systems report",
            Self::NsysStream => "an unfinished Nsight Systems recording",
            Self::NcuReport => "an Nsight Compute report",
            Self::NsysSqlite => "an Nsight Systems export (SQLite)",
            Self::RocmSqlite => "a ROCm profile (SQLite: rpd or rocpd)",
            Self::Sqlite => "an SQLite database",
            Self::Perfetto => "a Perfetto trace (protobuf)",
            Self::XPlane => "an XPlane profile of JAX or TensorFlow",
            Self::Proton => "a Triton Proton profile",
            Self::RocprofJson => "rocprofv3 output in JSON",
            Self::RocprofCsv => "rocprof output in CSV",
            Self::NsysCsv => "a table of `nsys stats` in CSV",
            Self::PerfData => "a `perf.data` file",
            Self::PerfScript => "the text output of `perf script`",
            Self::Parquet => "a Parquet file",
            Self::Elf => "a program or library (ELF)",
            Self::TorchTable => "a table printed by `key_averages().table()`",
            Self::CpuProfile => "a V8 CPU profile",
            Self::FirefoxProfile => "a Firefox profile",
            Self::Marshal => "a `cProfile` dump",
            Self::GitLfsPointer => "a Git LFS pointer, not the file it stands for",
            Self::UnsupportedCompression => {
                "compressed in a way that is not supported (xz or bzip2)"
            }
        }
    }

    /// What to do instead.
    pub fn hint(self) -> &'static str {
        match self {
            Self::Chakra => {
                "give the Kineto trace of the same run, from `torch.profiler.profile` and \
                 `export_chrome_trace`"
            }
            Self::MemorySnapshot | Self::MemorySnapshotJson => {
                "memory snapshots come with a later release; open it at https://pytorch.org/memory_viz"
            }
            Self::MemoryTimeline => {
                "give the trace of the same run instead, from `export_chrome_trace`"
            }
            Self::Pickle => "pickles can run code and are never loaded; export the profile as JSON",
            Self::Html => {
                "this is often a download page or an error page saved in place of the file; \
                 download the raw file"
            }
            Self::Svg => {
                "give the stacks that the picture was drawn from (folded, speedscope, pprof)"
            }
            Self::Zip => "unpack it and give the trace inside",
            Self::NsysReport => {
                "export it first with `nsys export --type sqlite -o OUT FILE`; that export is read \
                 by a later release"
            }
            Self::NsysStream => {
                "turn it into a report with `QdstrmImporter -i FILE`, or record again and let it finish"
            }
            Self::NcuReport => {
                "it measures single kernels, not a timeline; record one with `nsys profile` or \
                 `torch.profiler`"
            }
            Self::NsysSqlite | Self::RocmSqlite => "its reader comes with a later release",
            Self::Sqlite => "databases of Nsight Systems and ROCm come with a later release",
            Self::Perfetto => {
                "its reader comes with a later release; export Chrome JSON instead \
                 (`traceconv json FILE OUT`)"
            }
            Self::XPlane => {
                "its reader comes with a later release; `trace.json.gz` next to it can be read"
            }
            Self::Proton => {
                "its reader comes with a later release; record with `data=\"trace\"` for a \
                 Chrome trace"
            }
            Self::RocprofJson | Self::RocprofCsv => {
                "its reader comes with a later release; `torch.profiler` on ROCm writes a trace \
                 that can be read"
            }
            Self::NsysCsv => {
                "it holds sums only; export the report with `nsys export --type sqlite -o OUT FILE`"
            }
            Self::PerfData => {
                "fold it first: `perf script | stackcollapse-perf.pl`, or `perf script report \
                 stackcollapse`"
            }
            Self::PerfScript => {
                "its reader comes with a later release; fold it with `stackcollapse-perf.pl`"
            }
            Self::Xml | Self::Parquet => "give the profile itself as a trace, stacks or pprof",
            Self::Elf => "give the profile, not the program it was taken of",
            Self::TorchTable => {
                "it holds sums without stacks; export the trace with `export_chrome_trace`"
            }
            Self::CpuProfile | Self::FirefoxProfile => {
                "load it at https://www.speedscope.app and export it from there"
            }
            Self::Marshal => "record with `py-spy record -f raw`, which keeps the stacks",
            Self::GitLfsPointer => "fetch the file with `git lfs pull`",
            Self::UnsupportedCompression => "unpack it first; gzip and zstd are read as they are",
        }
    }
}
