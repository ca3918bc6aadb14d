//! LLM decoding in the manner of vLLM: schedule, prepare, forward, sample, hand out tokens.

use super::kernels::{ARGMAX, SCALAR_OUT, TOKENS_IN, TOKENS_OUT};
use super::layers::{Layers, decoder_layer, embedding, logits};
use crate::sim::{Event, Sim, StreamIdx, ThreadIdx};

/// The frame in which the second thread sleeps.
const ASLEEP: &str = "<built-in method acquire of _thread.lock object at 0x7f2b1c0d5e40>";

/// How the tokens of a step come back to the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Output {
    /// A copy, and a wait for it at the end of the step.
    Awaited,
    /// A copy, and a wait for that of the step before: the host runs one step ahead.
    Behind,
    /// As `Behind`, and a `.item()` that nobody meant as a wait.
    Item,
}

/// How steps are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    /// As vLLM: `execute_context_0(0)_generation_32(32)`.
    Execute,
    /// As SGLang: `step[DECODE bs=31]`.
    Bracket,
}

/// What a decoding run is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Decode {
    pub(super) layers: u32,
    pub(super) percent: i64,
    pub(super) marker: Marker,
    pub(super) output: Output,
    /// Host time of scheduling and preparing in percent of the usual.
    pub(super) engine_percent: i64,
    /// Host time of the detokenizer per step.
    pub(super) detokenize_ns: i64,
    pub(super) graph: bool,
    /// Collectives on stream 20.
    pub(super) tensor_parallel: bool,
    /// Half the batch runs on a second thread and stream.
    pub(super) second_thread: bool,
}

struct Engine {
    decode: Decode,
    stream: StreamIdx,
    collectives: Option<StreamIdx>,
    second: Option<(ThreadIdx, StreamIdx)>,
    last_output: Option<Event>,
}

/// Runs the steps.
pub(super) fn run(s: &mut Sim, decode: Decode, steps: u32) {
    let mut engine = Engine {
        decode,
        stream: StreamIdx::MAIN,
        collectives: decode.tensor_parallel.then(|| s.stream(20)),
        second: decode.second_thread.then(|| (s.thread(4301, "ubatch-1"), s.stream(21))),
        last_output: None,
    };
    s.python("<frozen runpy>(198): _run_module_as_main", |s| {
        s.python("<frozen runpy>(88): _run_code", |s| {
            s.python("serve/main.py(212): <module>", |s| {
                s.python("serve/main.py(180): main", |s| match engine.second {
                    Some((thread, _)) => in_second_thread(s, thread, &mut engine, steps),
                    None => engine.steps(s, steps),
                });
            });
        });
    });
}

/// Opens the frames of the second thread around all steps.
fn in_second_thread(s: &mut Sim, thread: ThreadIdx, engine: &mut Engine, steps: u32) {
    let main = s.current();
    s.on(thread, |s| {
        s.python("threading.py(1012): _bootstrap", |s| {
            s.python("threading.py(982): run", |s| {
                s.python("vllm/v1/worker/gpu_ubatch_wrapper.py(201): _ubatch_thread", |s| {
                    s.on(main, |s| engine.steps(s, steps));
                    s.join(main);
                });
            });
        });
    });
}

impl Engine {
    fn engine_ns(&self, usual: i64) -> i64 {
        usual * self.decode.engine_percent / 100
    }

    fn steps(&mut self, s: &mut Sim, steps: u32) {
        for step in 0..steps {
            self.step(s, u64::from(step));
        }
        s.place("stop", &[]);
        s.python("torch/profiler/profiler.py(849): stop", Sim::synchronize_device);
    }

    fn step(&mut self, s: &mut Sim, step: u64) {
        s.python("serve/engine.py(88): step", |s| {
            s.python("vllm/v1/engine/core.py(330): step", |s| {
                s.place("schedule", &[step]);
                s.python("vllm/v1/core/sched/scheduler.py(170): schedule", |s| {
                    s.leaves(6);
                    s.spend(self.engine_ns(110_000));
                });
                s.python("vllm/v1/worker/gpu_worker.py(372): execute_model", |s| {
                    s.python("torch/utils/_contextlib.py(120): decorate_context", |s| {
                        s.python("vllm/v1/worker/gpu_model_runner.py(1234): execute_model", |s| {
                            self.execute(s, step);
                        });
                    });
                });
                s.place("update", &[step]);
                s.python("vllm/v1/core/sched/scheduler.py(810): update_from_output", |s| {
                    s.leaves(6);
                    s.spend(self.engine_ns(60_000));
                });
            });
            self.detokenize(s, step);
        });
    }

    fn execute(&mut self, s: &mut Sim, step: u64) {
        let name = match self.decode.marker {
            Marker::Execute => "execute_context_0(0)_generation_32(32)".to_owned(),
            Marker::Bracket => "step[DECODE bs=31]".to_owned(),
        };
        s.place("marker", &[step]);
        s.step(&name, |s| {
            s.place("prepare", &[step]);
            self.prepare(s);
            s.python("vllm/v1/worker/gpu_model_runner.py(1102): _model_forward", |s| {
                self.forward(s, step);
            });
            s.place("sample", &[step]);
            s.python("vllm/v1/sample/sampler.py(60): forward", |s| {
                s.op("aten::argmax", |s| s.launch(&ARGMAX, self.stream));
            });
            self.output(s, step);
            s.place("marker end", &[step]);
        });
    }

    fn prepare(&self, s: &mut Sim) {
        s.python("vllm/v1/worker/gpu_model_runner.py(612): _prepare_inputs", |s| {
            s.leaves(8);
            s.spend(self.engine_ns(70_000));
            s.python("vllm/v1/utils.py(130): copy_to_gpu", |s| {
                s.op("aten::copy_", |s| s.copy(&TOKENS_IN, self.stream));
            });
            s.op("aten::zero_", |s| s.op("aten::fill_", |s| s.memset(8192, self.stream)));
            s.spend(self.engine_ns(20_000));
        });
    }

    fn forward(&self, s: &mut Sim, step: u64) {
        let count = self.decode.layers;
        let layers = Layers {
            stream: self.stream,
            percent: self.decode.percent,
            collectives: self.collectives,
        };
        if let Some((thread, stream)) = self.second {
            let second = Layers { stream, ..layers };
            s.place("second", &[step]);
            s.wake(thread, ASLEEP, |s| second_half(s, &second, (step, count)));
        }
        if self.decode.graph {
            let works = s.record_graph(|s| model(s, &layers, (step, count)));
            s.place("replay", &[step]);
            s.python("vllm/compilation/cuda_graph.py(174): __call__", |s| {
                s.python("torch/cuda/graphs.py(88): replay", |s| s.replay(&works, self.stream));
            });
        } else {
            model(s, &layers, (step, count));
        }
    }

    fn output(&mut self, s: &mut Sim, step: u64) {
        if self.decode.output == Output::Item {
            s.place("item", &[step]);
            s.python("serve/sampler.py(88): check_eos", |s| item(s, self.stream));
        }
        s.place("output", &[step]);
        s.python("vllm/v1/worker/gpu_model_runner.py(1500): _bookkeeping_sync", |s| {
            s.op("aten::copy_", |s| s.copy(&TOKENS_OUT, self.stream));
            let copied = s.record_event(self.stream);
            let awaited = match self.decode.output {
                Output::Awaited => Some(copied),
                Output::Behind | Output::Item => self.last_output,
            };
            self.last_output = Some(copied);
            s.python("torch/cuda/streams.py(227): synchronize", |s| {
                if let Some(event) = awaited {
                    s.synchronize_event(event);
                }
            });
            s.spend(self.engine_ns(15_000));
        });
    }

    fn detokenize(&self, s: &mut Sim, step: u64) {
        if self.decode.detokenize_ns == 0 {
            return;
        }
        s.place("detokenize", &[step]);
        s.python("serve/detokenizer.py(41): detokenize_batch", |s| {
            for _ in 0..4 {
                s.python("transformers/tokenization_utils_fast.py(650): _decode", |s| {
                    s.leaves(2);
                    s.python(
                        "<built-in method decode of tokenizers.Tokenizer object at 0x55d0a1b2c3d0>",
                        |s| s.spend(self.decode.detokenize_ns / 5),
                    );
                });
            }
            s.spend(self.decode.detokenize_ns / 5);
        });
    }
}

fn model(s: &mut Sim, layers: &Layers, (step, count): (u64, u32)) {
    s.place("embedding", &[step]);
    s.module("LlamaForCausalLM", 0, |s| {
        s.python("vllm/model_executor/models/llama.py(590): forward", |s| {
            embedding(s, layers, step);
            for number in 0..count {
                decoder_layer(s, layers, (step, number));
            }
        });
    });
    s.place("logits", &[step]);
    logits(s, layers);
}

/// The second thread runs half as many layers on its own stream.
fn second_half(s: &mut Sim, layers: &Layers, (step, count): (u64, u32)) {
    s.python("vllm/v1/worker/gpu_ubatch_wrapper.py(188): _run_ubatch", |s| {
        for number in 0..count.div_ceil(2) {
            decoder_layer(s, layers, (step, 1000 + number));
        }
    });
}

/// A `.item()`: four bytes to pageable memory, and a wait for all that was launched.
pub(super) fn item(s: &mut Sim, stream: StreamIdx) {
    s.python("<built-in method item of Tensor object at 0x7f1b3c28e1d0>", |s| {
        s.op("aten::item", |s| {
            s.op("aten::_local_scalar_dense", |s| {
                s.copy(&SCALAR_OUT, stream);
                s.spend(500);
                s.synchronize(stream);
            });
        });
    });
}
