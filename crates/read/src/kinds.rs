//! What a frame of finished stacks names, guessed from its text: such files do not say.

use flamelane_model::FrameKind;

/// Starts of the runtime calls we know (`cudaLaunchKernel`, `hipMemcpyAsync`, `cuLaunchKernelEx`).
const RUNTIME: [&str; 4] = ["cuda", "hip", "cu", "musa"];
const OPS: [&str; 6] = ["aten::", "torch::", "c10d::", "prims::", "triton::", "vllm::"];

/// The kind of a frame by its name alone.
pub(crate) fn guess(name: &str) -> FrameKind {
    if let Some(kind) = annotated(name) {
        return kind;
    }
    if is_python(name) {
        return FrameKind::Python;
    }
    if is_thread(name) {
        return FrameKind::Thread;
    }
    // With parameters it is the native function behind the operator, not the operator.
    if OPS.iter().any(|prefix| name.starts_with(prefix)) && !name.contains('(') {
        return FrameKind::Op;
    }
    if is_runtime(name) { FrameKind::Runtime } else { FrameKind::Native }
}

/// The kind by the suffix that stack folders write: `_[k]` kernel, `_[i]` inlined, `_[j]` jitted.
fn annotated(name: &str) -> Option<FrameKind> {
    let base = name.strip_suffix(']')?;
    if base.ends_with("_[k") {
        return Some(FrameKind::Os);
    }
    if base.ends_with("_[i") {
        return Some(FrameKind::Native);
    }
    let jitted = base.strip_suffix("_[j")?;
    // Python's perf support names its trampolines `py::function:file.py`.
    let python = jitted.starts_with("py::") || is_python(jitted);
    Some(if python { FrameKind::Python } else { FrameKind::Native })
}

/// `func (file.py:12)` of py-spy, `file.py(12): func` of the PyTorch profiler.
fn is_python(name: &str) -> bool {
    let place = name.strip_suffix(')').and_then(|head| head.rfind(" (").map(|at| &head[at + 2..]));
    if let Some(place) = place {
        let file = place.rsplit_once(':').map_or(place, |(file, line)| {
            if line.bytes().all(|byte| byte.is_ascii_digit()) { file } else { place }
        });
        return is_python_file(file);
    }
    if name.starts_with("py::") {
        return true;
    }
    let Some((file, rest)) = name.split_once('(') else { return false };
    let Some((line, rest)) = rest.split_once(')') else { return false };
    let numbered = !line.is_empty() && line.bytes().all(|byte| byte.is_ascii_digit());
    numbered && rest.starts_with(':') && is_python_file(file)
}

/// Whether `file` is the source of interpreted code.
pub(crate) fn is_python_file(file: &str) -> bool {
    let ends = [".py", ".pyx", ".pyc", ".pyi", ".ipynb"];
    ends.iter().any(|end| file.ends_with(end))
        || ["<string>", "<stdin>", "<__array_function__ internals>"].contains(&file)
        || file.starts_with("<frozen ")
        || file.starts_with("<ipython-input")
        || file.starts_with("<eval_with_key>")
}

/// py-spy's `thread (123): name`, `Thread 0x1 (idle): name`, `process 123:"cmd"`.
fn is_thread(name: &str) -> bool {
    let starts = |word: &str, then: fn(char) -> bool| {
        name.strip_prefix(word).is_some_and(|rest| rest.starts_with(then))
    };
    starts("thread (", |c| c.is_ascii_hexdigit())
        || starts("Thread ", |c| c.is_ascii_digit())
        || starts("process ", |c| c.is_ascii_digit())
}

fn is_runtime(name: &str) -> bool {
    RUNTIME.iter().any(|prefix| {
        let rest = name.strip_prefix(prefix).unwrap_or_default();
        rest.starts_with(|c: char| c.is_ascii_uppercase())
            && rest.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: FrameKind, names: &[&str]) {
        for name in names {
            assert_eq!(guess(name), kind, "{name}");
        }
    }

    #[test]
    fn kinds_are_guessed_from_names() {
        check(
            FrameKind::Python,
            &[
                "main (llama_decode.py:104)",
                "<module> (a b/llama.py:1)",
                "_call (<frozen importlib._bootstrap>:241)",
                "torch/nn/modules/module.py(1787): _call_impl",
                "llama_decode.py(139):_<module>",
                "py::run:/srv/app.py_[j]",
            ],
        );
        check(FrameKind::Thread, &["thread (2635): MainThread", "process 12:\"python x.py\""]);
        check(FrameKind::Op, &["aten::mm", "c10d::allreduce_"]);
        check(FrameKind::Runtime, &["cudaLaunchKernel", "hipMemcpyAsync", "cuLaunchKernelEx"]);
        check(FrameKind::Os, &["sys_read_[k]"]);
        check(
            FrameKind::Native,
            &[
                "0x7f535684524a (libc.so.6)",
                "start_thread",
                "java::run_[j]",
                "foo_[i]",
                "cutlass::Kernel<f>(int)",
                "cudart::apply(int)",
                "torch::autograd::Engine::run(int)",
                "",
            ],
        );
    }
}
