//! Events as we make them up, with what a reader must make of each.

use super::mutate::Chance;

/// A made-up event: keys with raw JSON values, in order.
#[derive(Clone, Debug)]
pub(super) struct Made {
    pub(super) keys: Vec<(String, String)>,
    pub(super) args: Option<Vec<(String, String)>>,
    pub(super) expected: Expected,
}

/// What the trace must hold of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Expected {
    pub(super) is_device: bool,
    pub(super) name: String,
    /// Start and duration in ns, as the file counts.
    pub(super) ts: i64,
    pub(super) dur: i64,
    pub(super) lane: i64,
    pub(super) correlation: i64,
    pub(super) external: i64,
}

/// A JSON string.
pub(super) fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

fn micros(ns: i64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

/// Makes one event of a random category.
pub(super) fn event(chance: &mut Chance) -> Made {
    let category =
        *chance.pick(&["cpu_op", "kernel", "cuda_runtime", "python_function", "gpu_memcpy"]);
    let names =
        ["aten::mm", "void at::native::vectorized_elementwise_kernel<4>(int)", "é", "a, {b}: [c]"];
    let name = (*chance.pick(&names)).to_owned();
    let (ts, dur) = (2_415_995_397_190_650 + chance.below(1 << 30), chance.below(1 << 20));
    let (tid, stream) = (chance.below(3) + 4_242, chance.below(3) + 7);
    let (correlation, external) = (chance.below(1000) + 1, chance.below(1000) + 1);
    let is_device = matches!(category, "kernel" | "gpu_memcpy");
    let key = |key: &str, value: String| (key.to_owned(), value);
    let keys = vec![
        key("ph", quoted("X")),
        key("cat", quoted(category)),
        key("name", quoted(&name)),
        key("pid", if is_device { "0" } else { "4242" }.to_owned()),
        key("tid", if is_device { stream } else { tid }.to_string()),
        key("ts", micros(ts)),
        key("dur", micros(dur)),
    ];
    let args = match category {
        "cpu_op" => vec![
            key("External id", external.to_string()),
            key("Input Dims", format!("[[4, {}], [], [3]]", chance.below(3))),
            key("Input type", r#"["float", "", "c10::BFloat16"]"#.to_owned()),
        ],
        "python_function" => {
            vec![key("Python id", "7".to_owned()), key("Python parent id", "null".to_owned())]
        }
        "cuda_runtime" => vec![
            key("cbid", "211".to_owned()),
            key("External id", external.to_string()),
            key("correlation", correlation.to_string()),
        ],
        _ => vec![
            key("External id", external.to_string()),
            key("device", chance.below(2).to_string()),
            key("stream", stream.to_string()),
            key("correlation", correlation.to_string()),
            key("grid", format!("[{}, 1, 1]", chance.below(2) * chance.below(9))),
        ],
    };
    let has = |wanted: &str| args.iter().any(|(key, _)| key == wanted);
    let none = flamelane_model::NONE;
    let expected = Expected {
        is_device,
        name,
        ts,
        dur,
        lane: if is_device { stream } else { tid },
        correlation: if has("correlation") { correlation } else { none },
        external: if has("External id") { external } else { none },
    };
    Made { keys, args: Some(args), expected }
}

/// Writes an event; `space` is what stands between its tokens.
pub(super) fn written(made: &Made, space: &str) -> String {
    let object = |keys: &[(String, String)]| {
        let pairs: Vec<String> =
            keys.iter().map(|(key, value)| format!("{}:{space}{value}", quoted(key))).collect();
        format!("{{{space}{}{space}}}", pairs.join(&format!(",{space}")))
    };
    let mut keys = made.keys.clone();
    for (key, value) in &mut keys {
        if key == "args" {
            *value = made.args.as_ref().map_or_else(|| value.clone(), |args| object(args));
        }
    }
    object(&keys)
}
