//! Shorter names for boxes that are too narrow for the full one.

use std::borrow::Cow;

use crate::FrameKind;
use crate::source::{base_name, source};

/// Names of falling length that say the same as `name`, the full one left out.
///
/// ```
/// use flamelane_model::FrameKind;
/// use flamelane_model::labels::shorter;
///
/// let kernel = "void at::native::vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >(int)";
/// let found = shorter(kernel, FrameKind::Kernel);
/// assert_eq!(found[0], "vectorized_elementwise_kernel<4, at::native::AddFunctor<float> >");
/// assert_eq!(found[1], "vectorized_elementwise_kernel");
/// ```
pub fn shorter(name: &str, kind: FrameKind) -> Vec<String> {
    let tries = match kind {
        _ if name.starts_with("enumerate(DataLoader)") => vec!["DataLoader.__next__".to_owned()],
        FrameKind::Python => python(name),
        FrameKind::Module => vec![module(name).to_owned()],
        FrameKind::Op => vec![name.strip_prefix("aten::").unwrap_or(name).to_owned()],
        FrameKind::Copy | FrameKind::Memset => {
            vec![name.split(" (").next().unwrap_or(name).to_owned()]
        }
        FrameKind::Annotation if !name.contains("::") => Vec::new(),
        _ if is_cpp(name) => {
            let signature = signature(name);
            let bare = bare(&signature);
            vec![signature, bare]
        }
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

/// The shortest name that says the same: for sentences.
pub fn shortest(name: &str, kind: FrameKind) -> String {
    shorter(name, kind).pop().unwrap_or_else(|| name.to_owned())
}

/// The longest of the names that fits into `room` cells, else the shortest cut with `…`; nothing
/// where not even three cells are free.
///
/// Where the next longer name begins with the one that fits, that is cut instead: it says more.
pub fn fit<'a>(name: &'a str, shorter: &'a [String], room: usize) -> Option<Cow<'a, str>> {
    let names = std::iter::once(name).chain(shorter.iter().map(String::as_str));
    let mut longer = "";
    for text in names {
        let width = cells(text);
        if width <= room {
            let says_more = width + 5 < room && longer.starts_with(text) && !longer.is_empty();
            let text = if says_more { Cow::Owned(cut(longer, room)) } else { Cow::Borrowed(text) };
            return Some(text);
        }
        longer = text;
    }
    (room >= 3).then(|| Cow::Owned(cut(longer, room)))
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

/// Without return type, parameters and namespaces that only say "the library".
fn signature(name: &str) -> String {
    let name = name.replace("(anonymous namespace)::", "");
    let (mut from, mut end, mut parts) = (0, name.len(), Vec::new());
    for (i, c) in outside(&name) {
        match c {
            '(' if i > from => {
                end = i;
                break;
            }
            ' ' => {
                from = i + 1;
                parts.clear();
            }
            ':' if name[i..].starts_with("::") => parts.push(i + 2),
            _ => {}
        }
    }
    let mut path = &name[from..end];
    // A class keeps its namespace: `cutlass::Kernel2`, `flash::fwd_kernel`.
    if let Some(at) = parts.len().checked_sub(2) {
        path = &name[parts[at]..end];
    }
    while let Some(rest) = NOISE.iter().find_map(|head| path.strip_prefix(head)) {
        path = rest;
    }
    path.trim_end().to_owned()
}

/// Namespaces that every kernel of a library has.
const NOISE: [&str; 8] =
    ["at::native::", "at::", "c10::", "torch::", "std::", "native::", "cuda::", "internal::"];

/// A signature without template arguments.
fn bare(signature: &str) -> String {
    outside(signature).map(|(_, c)| c).filter(|c| !matches!(c, '<' | '>' | '(' | ')')).collect()
}

/// Characters outside of `<…>` and `(…)`, with the brackets that open and close there.
fn outside(name: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let (mut depth, mut before) = (0usize, ' ');
    name.char_indices().filter(move |(_, c)| {
        // The arrow of `->` closes nothing.
        let closes = matches!(c, '>' | ')') && !(*c == '>' && before == '-');
        before = *c;
        depth = depth.saturating_sub(usize::from(closes));
        let kept = depth == 0;
        depth += usize::from(matches!(c, '<' | '('));
        kept
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: FrameKind, name: &str, expected: &[&str]) {
        assert_eq!(shorter(name, kind), expected, "{name}");
    }

    #[test]
    fn kernels_lose_what_only_the_compiler_reads() {
        let kernel = |name: &str, short: &str| {
            assert_eq!(shorter(name, FrameKind::Kernel).last().unwrap(), short, "{name}");
        };
        kernel("void cutlass::Kernel2<cutlass_80_tensorop_s16816gemm>(Params)", "cutlass::Kernel2");
        kernel(
            "void at::native::(anonymous namespace)::CatArrayBatchedCopy<int, 2>(int*)",
            "CatArrayBatchedCopy",
        );
        kernel(
            "std::enable_if<!(false), void>::type internal::gemvx::kernel<int, float>(P)",
            "gemvx::kernel",
        );
        kernel(
            "void flash::flash_fwd_kernel<Traits<(int)64>, false>(P)",
            "flash::flash_fwd_kernel",
        );
        kernel(
            "void vllm::reshape_and_cache_flash_kernel<T>(T const*)",
            "vllm::reshape_and_cache_flash_kernel",
        );
        check(
            FrameKind::Kernel,
            "void cutlass::Kernel2<gemm<(int)2> >(gemm::Params)",
            &["cutlass::Kernel2<gemm<(int)2> >", "cutlass::Kernel2"],
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
        check(FrameKind::Copy, "Memcpy DtoD (Device -> Device)", &["Memcpy DtoD"]);
        check(FrameKind::Python, "<built-in method mm of type object at 0x7f>", &["mm"]);
        check(FrameKind::Module, "nn.Module: Linear_3", &["Linear_3"]);
        check(FrameKind::Op, "aten::mm", &["mm"]);
        check(FrameKind::Synthetic, "[launched before capture]", &[]);
    }

    #[test]
    fn the_words_of_a_person_are_no_signature() {
        for name in ["decode(bs=32)", "step[DECODE bs=31]", "loss (masked)", "a<b"] {
            check(FrameKind::Annotation, name, &[]);
        }
        let loader = "enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__";
        for kind in [FrameKind::Annotation, FrameKind::Op] {
            check(kind, loader, &["DataLoader.__next__"]);
        }
    }

    #[test]
    fn the_longest_name_that_fits_is_taken_and_only_the_shortest_is_cut() {
        let short = ["forward x.py:5".to_owned(), "forward".to_owned()];
        let fitted = |room| fit("dir/x.py(5): forward", &short, room).map(Cow::into_owned);
        assert_eq!(fitted(20).as_deref(), Some("dir/x.py(5): forward"));
        assert_eq!(fitted(19).as_deref(), Some("forward x.py:5"));
        assert_eq!(fitted(13).as_deref(), Some("forward x.py…"));
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
