//! Shorter names for boxes that are too narrow for the full one.

use std::borrow::Cow;

use flamelane_model::FrameKind;

use crate::source::{base_name, source};

/// Names of falling length that say the same as `name`, the full one left out.
///
/// ```
/// use flamelane_model::FrameKind;
/// use flamelane_write::labels::shorter;
///
/// let kernel = "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)";
/// assert_eq!(shorter(kernel, FrameKind::Kernel), ["vectorized_elementwise_kernel"]);
/// ```
pub fn shorter(name: &str, kind: FrameKind) -> Vec<String> {
    let tries = match kind {
        FrameKind::Python => python(name),
        FrameKind::Module => vec![module(name).to_owned()],
        FrameKind::Op => vec![name.strip_prefix("aten::").unwrap_or(name).to_owned()],
        _ if is_cpp(name) => vec![cpp(name)],
        _ => Vec::new(),
    };
    let mut kept: Vec<String> = Vec::new();
    for text in tries {
        let shortest = kept.last().map_or(name, String::as_str);
        if !text.trim().is_empty() && cells(&text) < cells(shortest) {
            kept.push(text);
        }
    }
    kept
}

/// The longest of the names that fits into `room` cells, else the shortest cut with `…`; nothing
/// where not even three cells are free.
pub fn fit<'a>(name: &'a str, shorter: &'a [String], room: usize) -> Option<Cow<'a, str>> {
    let names = std::iter::once(name).chain(shorter.iter().map(String::as_str));
    let mut shortest = name;
    for text in names {
        if cells(text) <= room {
            return Some(Cow::Borrowed(text));
        }
        shortest = text;
    }
    (room >= 3).then(|| Cow::Owned(cut(shortest, room)))
}

/// Width of a text in a fixed-width font, in advances of a Latin letter.
pub fn cells(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().map(cell).sum() }
}

/// Width of one character.
fn cell(c: char) -> usize {
    match u32::from(c) {
        0x0300..=0x036F | 0x200B..=0x200F | 0xFE00..=0xFE0F => 0,
        0x1100..=0x115F
        | 0x2E80..=0xA4CF
        | 0xAC00..=0xD7A3
        | 0xF900..=0xFAFF
        | 0xFE30..=0xFE6F
        | 0xFF00..=0xFF60
        | 0xFFE0..=0xFFE6
        | 0x1_F300..=0x1_FAFF
        | 0x2_0000..=0x3_FFFD => 2,
        _ => 1,
    }
}

fn cut(text: &str, room: usize) -> String {
    let mut left = room - 1;
    let mut kept = String::new();
    for c in text.chars() {
        let Some(rest) = left.checked_sub(cell(c)) else { break };
        left = rest;
        kept.push(c);
    }
    kept.push('…');
    kept
}

/// `torch/nn/module.py(12): f` → `module.py:12 f` → `f`.
fn python(name: &str) -> Vec<String> {
    if let Some(found) = source(name) {
        let place = format!("{} {}:{}", found.function, base_name(found.file), found.line);
        return vec![place, found.function.to_owned()];
    }
    // `<built-in method mm of type object at 0x7f…>` says little beside `mm`.
    let inside = name.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let words = inside.unwrap_or(name);
    for head in ["built-in method ", "built-in function "] {
        if let Some(rest) = words.strip_prefix(head) {
            let method = rest.split(' ').next().unwrap_or(rest);
            return vec![method.to_owned()];
        }
    }
    Vec::new()
}

/// `nn.Module: Linear_3` → `Linear_3`.
fn module(name: &str) -> &str {
    name.strip_prefix("nn.Module: ").unwrap_or(name)
}

/// Whether a name reads like a demangled C++ one.
fn is_cpp(name: &str) -> bool {
    !name.starts_with(['[', '<']) && (name.contains("::") || name.contains(['<', '(']))
}

/// Without return type, template arguments, parameters and namespaces that only say "the library".
fn cpp(name: &str) -> String {
    let bare = bare(name);
    let path = bare.rsplit(' ').next().unwrap_or(&bare);
    let mut path = path.trim_start_matches("::");
    while let Some(rest) = NOISE.iter().find_map(|head| path.strip_prefix(head)) {
        path = rest;
    }
    // A class keeps its namespace: `cutlass::Kernel2`, `flash::fwd_kernel`.
    let parts: Vec<&str> = path.split("::").filter(|part| !part.is_empty()).collect();
    parts[parts.len().saturating_sub(2)..].join("::")
}

/// Namespaces that every kernel of a library has.
const NOISE: [&str; 8] =
    ["at::native::", "at::", "c10::", "torch::", "std::", "native::", "cuda::", "internal::"];

/// A C++ name without anything in `<…>` and `(…)`; `(anonymous namespace)` goes with them.
fn bare(name: &str) -> String {
    let mut kept = String::with_capacity(name.len());
    let mut depth = 0usize;
    let mut before = ' ';
    for c in name.chars() {
        match c {
            '<' | '(' => depth += 1,
            // The arrow of `->` closes nothing.
            '>' if before == '-' => {}
            '>' | ')' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
        before = c;
    }
    kept.trim().trim_end_matches(" const").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: FrameKind, name: &str, expected: &[&str]) {
        assert_eq!(shorter(name, kind), expected, "{name}");
    }

    #[test]
    fn kernels_lose_what_only_the_compiler_reads() {
        let kernel = |name, short| check(FrameKind::Kernel, name, &[short]);
        kernel("void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm>(Params)", "cutlass::Kernel2");
        kernel(
            "void at::native::(anonymous namespace)::CatArrayBatchedCopy<int, 2>(int*)",
            "CatArrayBatchedCopy",
        );
        kernel(
            "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, float>(P)",
            "gemvx::kernel",
        );
        kernel("void flash::flash_fwd_kernel<Traits<(int)64>, false>(P)", "flash::flash_fwd_kernel");
        kernel(
            "void vllm::reshape_and_cache_flash_kernel<T>(T const*)",
            "vllm::reshape_and_cache_flash_kernel",
        );
        check(FrameKind::Kernel, "ampere_fp16_s16816gemm_fp16_128x64_ldg8_f2f_tn", &[]);
        check(FrameKind::Kernel, "triton_poi_fused_add_0", &[]);
    }

    #[test]
    fn python_frames_lose_the_path_first_and_then_the_line() {
        check(
            FrameKind::Python,
            "vllm/model_executor/models/llama.py(571): forward",
            &["forward llama.py:571", "forward"],
        );
        check(FrameKind::Python, "<built-in method mm of type object at 0x7f>", &["mm"]);
        check(FrameKind::Module, "nn.Module: Linear_3", &["Linear_3"]);
        check(FrameKind::Op, "aten::mm", &["mm"]);
        check(FrameKind::Synthetic, "[launched before capture]", &[]);
    }

    #[test]
    fn the_longest_name_that_fits_is_taken_and_only_the_shortest_is_cut() {
        let short = ["forward x.py:5".to_owned(), "forward".to_owned()];
        let fitted = |room| fit("dir/x.py(5): forward", &short, room).map(Cow::into_owned);
        assert_eq!(fitted(20).as_deref(), Some("dir/x.py(5): forward"));
        assert_eq!(fitted(19).as_deref(), Some("forward x.py:5"));
        assert_eq!(fitted(7).as_deref(), Some("forward"));
        assert_eq!(fitted(5).as_deref(), Some("forw…"));
        assert_eq!(fitted(2), None);
        assert_eq!(fit("核心循环", &[], 6).as_deref(), Some("核心…"));
    }

    #[test]
    fn any_text_can_be_shortened() {
        for name in ["", "<", ">>(", "::", "a::", "void ", "((", "<>::<>", "operator()"] {
            for kind in FrameKind::ALL {
                assert!(shorter(name, kind).iter().all(|text| !text.is_empty()));
            }
        }
    }
}
