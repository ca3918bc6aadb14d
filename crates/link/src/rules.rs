//! Rules: everything about linking that a user may configure, with its defaults.

use crate::Naming;

/// Patterns and thresholds. `flamelane.toml` overrides them field by field.
#[derive(Clone, Debug)]
pub struct Rules {
    /// How stacks name their frames.
    pub naming: Naming,
    /// Path prefixes of the user's own code; win over the two below.
    pub user_prefixes: Vec<String>,
    /// Path prefixes of serving engines and model libraries.
    pub engine_prefixes: Vec<String>,
    /// Path prefixes of frameworks and installed libraries.
    pub library_prefixes: Vec<String>,
    /// Annotations whose name starts with one of these are steps, whatever else the file holds.
    pub step_prefixes: Vec<String>,
    /// (substring of an annotation's name in lower case, phase), first match wins.
    pub phases: Vec<(String, String)>,
    /// (substring of a kernel's name in lower case, family), tried before the built-in ones.
    pub families: Vec<(String, String)>,
    /// Which part of the trace to speak of.
    pub choice: Choice,
    /// Whether autograd's backward operators hang below the forward stack they belong to.
    pub backward_below_forward: bool,
}

/// Which part of the trace to speak of.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// The kept steps, or the whole run when there are none.
    #[default]
    KeptSteps,
    /// The whole file, nothing left out.
    Whole,
    /// Steps by their position in the file, first and last included.
    Steps(usize, usize),
    /// A stretch of time, in ns since the trace's origin.
    Time(i64, i64),
    /// Occurrences of one annotation.
    Range(String),
    /// Steps of one phase.
    Phase(String),
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

impl Default for Rules {
    fn default() -> Self {
        Self {
            naming: Naming::default(),
            user_prefixes: Vec::new(),
            engine_prefixes: owned(&[
                "vllm/",
                "sglang/",
                "tensorrt_llm/",
                "lmdeploy/",
                "transformers/",
                "diffusers/",
                "deepspeed/",
                "megatron/",
                "accelerate/",
                "peft/",
                "timm/",
                "xfuser/",
                "flash_attn/",
                "flashinfer/",
                "aiter/",
                "lightning/",
                "pytorch_lightning/",
            ]),
            library_prefixes: owned(&[
                "torch/",
                "triton/",
                "torchinductor_",
                "torch_compile_cache/",
                "torchvision/",
                "torchaudio/",
                "site-packages/",
                "dist-packages/",
                "lib/python",
                "asyncio/",
                "concurrent/",
                "threading.py",
                "contextlib.py",
                "multiprocessing/",
                "importlib/",
                "runpy.py",
                "queue.py",
                "selectors.py",
                "functools.py",
                "collections/",
                "numpy/",
                "scipy/",
                "typing.py",
                "enum.py",
                "logging/",
                "json/",
                "ray/",
                "uvloop/",
                "zmq/",
                "msgspec/",
                "abc.py",
                "copy.py",
                "random.py",
                "weakref.py",
                "re.py",
                "inspect.py",
                "dataclasses.py",
                "ast.py",
                "socket.py",
                "subprocess.py",
            ]),
            step_prefixes: Vec::new(),
            phases: Vec::new(),
            families: Vec::new(),
            choice: Choice::default(),
            backward_below_forward: false,
        }
    }
}
