//! Training: a loader, a forward pass with autograd, a backward pass on its own thread, an optimizer.

use super::decode::item;
use super::kernels::{ADAMW, BATCH_IN, ELEMENTWISE, GEMM, GEMM_SMALL, GEMM_WIDE};
use crate::capture::HostIdx;
use crate::sim::{Copy, Event, Kernel, Sim, StreamIdx, ThreadIdx};

/// What a training run is like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Train {
    pub(super) layers: u32,
    pub(super) percent: i64,
    /// The loader's wait in ns, in turn over the steps.
    pub(super) waits: &'static [i64],
    /// Bytes of a batch.
    pub(super) batch_bytes: u64,
    /// The loss is read back with `.item()` in each step.
    pub(super) item: bool,
    /// The next batch is copied on stream 13 while the device computes.
    pub(super) prefetch: bool,
}

struct Trainer {
    train: Train,
    stream: StreamIdx,
    copies: StreamIdx,
    autograd: ThreadIdx,
    prefetched: Option<Event>,
}

/// A forward operator that the backward pass comes back to.
struct Forward {
    sequence: u32,
    op: Option<HostIdx>,
    kernel: Kernel,
    matrix: bool,
}

/// Runs the steps.
pub(super) fn run(s: &mut Sim, train: Train, steps: u32) {
    let mut trainer = Trainer {
        train,
        stream: StreamIdx::MAIN,
        copies: s.stream(13),
        autograd: s.thread(4301, "pt_autograd_0"),
        prefetched: None,
    };
    s.python("<frozen runpy>(88): _run_code", |s| {
        s.python("train.py(300): <module>", |s| {
            s.python("train.py(250): main", |s| {
                for step in 0..steps {
                    s.place("step", &[u64::from(step)]);
                    let name = format!("ProfilerStep#{}", step + 10);
                    s.step(&name, |s| {
                        s.python("train.py(120): train_step", |s| {
                            trainer.step(s, u64::from(step));
                        });
                        s.place("step end", &[u64::from(step)]);
                    });
                }
                s.place("stop", &[]);
                s.python("torch/profiler/profiler.py(849): stop", Sim::synchronize_device);
            });
        });
    });
}

impl Trainer {
    fn step(&mut self, s: &mut Sim, step: u64) {
        self.input(s, step);
        let mut forwards = Vec::new();
        s.place("forward", &[step]);
        s.annotate("forward", |s| {
            s.module("LlamaForCausalLM", 0, |s| {
                s.python("transformers/models/llama/modeling_llama.py(800): forward", |s| {
                    for layer in 0..self.train.layers {
                        self.layer(s, (step, layer), &mut forwards);
                    }
                });
            });
            s.place("forward end", &[step]);
        });
        s.place("backward", &[step]);
        s.python("torch/_tensor.py(620): backward", |s| {
            s.python("torch/autograd/__init__.py(254): backward", |s| {
                s.python("torch/autograd/graph.py(823): _engine_run_backward", |s| {
                    self.backward(s, step, &forwards);
                });
            });
        });
        s.place("optimizer", &[step]);
        self.optimizer(s);
        if self.train.item {
            s.place("item", &[step]);
            s.python("train.py(131): log_loss", |s| item(s, self.stream));
        }
    }

    fn input(&mut self, s: &mut Sim, step: u64) {
        let wait = self.train.waits[step as usize % self.train.waits.len()];
        s.place("input", &[step]);
        s.python("train.py(60): next_batch", |s| {
            s.annotate("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__", |s| {
                loader_next(s, wait);
            });
            s.place("input copy", &[step]);
            if let Some(copied) = self.prefetched.take() {
                s.wait_event(self.stream, copied);
            } else {
                self.copy_batch(s, self.stream);
            }
            if self.train.prefetch {
                s.place("prefetch", &[step]);
                self.copy_batch(s, self.copies);
                self.prefetched = Some(s.record_event(self.copies));
            }
        });
    }

    fn copy_batch(&self, s: &mut Sim, stream: StreamIdx) {
        let batch = Copy { bytes: self.train.batch_bytes, ..BATCH_IN };
        s.op("aten::to", |s| {
            s.op("aten::_to_copy", |s| s.op("aten::copy_", |s| s.copy(&batch, stream)));
        });
    }

    fn layer(&self, s: &mut Sim, (step, layer): (u64, u32), forwards: &mut Vec<Forward>) {
        s.place("layer", &[step, u64::from(layer)]);
        s.module("LlamaDecoderLayer", layer, |s| {
            s.module("LlamaAttention", layer, |s| {
                self.linear(s, &GEMM, forwards);
                self.multiply(s, forwards);
                self.linear(s, &GEMM_SMALL, forwards);
            });
            s.module("LlamaMLP", layer, |s| {
                self.linear(s, &GEMM_WIDE, forwards);
                self.multiply(s, forwards);
                self.linear(s, &GEMM, forwards);
            });
        });
    }

    fn linear(&self, s: &mut Sim, kernel: &Kernel, forwards: &mut Vec<Forward>) {
        let kernel = kernel.scaled(self.train.percent);
        let sequence = s.next_sequence();
        s.op("aten::linear", |s| {
            s.op("aten::matmul", |s| {
                let ((), op) = s.autograd_op("aten::mm", Some((sequence, false)), |s| {
                    s.allocate(33_554_432);
                    s.launch(&kernel, self.stream);
                });
                forwards.push(Forward { sequence, op, kernel, matrix: true });
            });
        });
    }

    fn multiply(&self, s: &mut Sim, forwards: &mut Vec<Forward>) {
        let kernel = ELEMENTWISE.scaled(self.train.percent);
        let sequence = s.next_sequence();
        let ((), op) = s.autograd_op("aten::mul", Some((sequence, false)), |s| {
            s.launch(&kernel, self.stream);
        });
        forwards.push(Forward { sequence, op, kernel, matrix: false });
    }

    fn backward(&self, s: &mut Sim, step: u64, forwards: &[Forward]) {
        let wait =
            "<built-in method run_backward of torch._C._EngineBase object at 0x7f3ab0c1d2e0>";
        s.wait_in(wait, self.autograd, |s| {
            s.on(self.autograd, |s| {
                s.spend(18_000);
                for (nr, forward) in forwards.iter().rev().enumerate() {
                    s.place("node", &[step, nr as u64]);
                    self.node(s, forward);
                }
            });
            s.join(self.autograd);
            s.place("backward end", &[step]);
            s.spend(12_000);
        });
    }

    fn node(&self, s: &mut Sim, forward: &Forward) {
        // The engine takes the node from its queue; no range is open meanwhile.
        s.spend(2500);
        let node = if forward.matrix { "MmBackward0" } else { "MulBackward0" };
        let sequence = Some((forward.sequence, true));
        let evaluate = format!("autograd::engine::evaluate_function: {node}");
        let ((), op) = s.autograd_op(&evaluate, sequence, |s| {
            s.autograd_op(node, sequence, |s| {
                let inner = if forward.matrix { "aten::mm" } else { "aten::mul" };
                for _ in 0..2 {
                    s.op(inner, |s| s.launch(&forward.kernel, self.stream));
                }
            });
        });
        s.link_autograd(forward.op, op);
        if forward.matrix {
            s.op("autograd::engine::evaluate_function: torch::autograd::AccumulateGrad", |s| {
                s.op("torch::autograd::AccumulateGrad", |s| {
                    s.op("aten::add_", |s| s.launch(&ELEMENTWISE, self.stream));
                });
            });
        }
    }

    fn optimizer(&self, s: &mut Sim) {
        s.annotate("Optimizer.step#AdamW.step", |s| {
            s.python("torch/optim/adamw.py(220): step", |s| {
                for _ in 0..self.train.layers.div_ceil(2) {
                    s.python("torch/optim/adam.py(867): _fused_adam", |s| {
                        s.op("aten::_foreach_add_", |s| s.launch(&ELEMENTWISE, self.stream));
                        s.op("aten::_fused_adamw_", |s| s.launch(&ADAMW, self.stream));
                    });
                }
            });
        });
    }
}

fn loader_next(s: &mut Sim, wait: i64) {
    s.python("torch/utils/data/dataloader.py(701): __next__", |s| {
        s.python("torch/utils/data/dataloader.py(1448): _next_data", |s| {
            s.python("multiprocessing/queues.py(113): get", |s| {
                s.python(
                    "<built-in method poll of _multiprocessing.Connection object at 0x7f9e0a51>",
                    |s| s.spend(wait),
                );
                s.spend(20_000);
            });
            s.spend(30_000);
        });
    });
}
