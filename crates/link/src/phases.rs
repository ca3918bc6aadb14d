//! Phases: what a named range says it does, and for how many requests.

use crate::Rules;

/// (part of a name in lower case, phase), first match wins.
const WORDS: [(&str, &str); 14] = [
    ("mixed", "mixed"),
    ("extend", "prefill"),
    ("prefill", "prefill"),
    ("decode", "decode"),
    ("detokeniz", "detokenize"),
    ("tokeniz", "tokenize"),
    ("backward", "backward"),
    ("optimizer.step", "optimizer"),
    ("optimizer.zero_grad", "optimizer"),
    ("dataloader", "input"),
    ("forward", "forward"),
    ("kv_transfer", "transfer"),
    ("sampling", "postprocess"),
    ("sample", "postprocess"),
];

/// The phase a name tells: the rules' own patterns first, then the engines' and frameworks' words.
pub fn phase(name: &str, rules: &Rules) -> Option<String> {
    let lower = name.to_ascii_lowercase();
    if let Some((_, phase)) = rules.phases.iter().find(|(part, _)| lower.contains(part.as_str())) {
        return Some(phase.clone());
    }
    if let Some(phase) = execute_phase(&lower) {
        return Some(phase.to_owned());
    }
    let found = WORDS.iter().find(|(word, _)| lower.contains(word));
    found.map(|(_, phase)| (*phase).to_owned())
}

/// `execute_…context_C(…)_generation_G(…)`: the counts of both kinds of request say which it is.
fn execute_phase(lower: &str) -> Option<&'static str> {
    if !lower.starts_with("execute_") {
        return None;
    }
    let context = number_after(lower, "context_")?;
    let generation = number_after(lower, "generation_")?;
    Some(match (context > 0, generation > 0) {
        (true, true) => "mixed",
        (true, false) => "prefill",
        _ => "decode",
    })
}

/// The batch size a name tells: `bs=32`, `batch_size=32`, `generation_32(…)`.
pub fn batch(name: &str) -> Option<u64> {
    let lower = name.to_ascii_lowercase();
    for word in ["batch_size=", "batch=", "bs=", "batch_size:", "bs:"] {
        if let Some(number) = number_after(&lower, word) {
            return Some(number);
        }
    }
    if lower.starts_with("execute_") {
        let context = number_after(&lower, "context_")?;
        return Some(context.saturating_add(number_after(&lower, "generation_")?));
    }
    None
}

fn number_after(text: &str, word: &str) -> Option<u64> {
    let rest = &text[text.find(word)? + word.len()..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    rest[..digits].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_name_their_phases() {
        let rules = Rules::default();
        let phase = |name| phase(name, &rules);
        assert_eq!(phase("execute_context_0(0)_generation_32(32)").as_deref(), Some("decode"));
        assert_eq!(phase("execute_context_2(900)_generation_32(32)").as_deref(), Some("mixed"));
        assert_eq!(phase("step[EXTEND bs=1 toks=512]").as_deref(), Some("prefill"));
        assert_eq!(phase("## forward ##").as_deref(), Some("forward"));
        assert_eq!(phase("ProfilerStep#3"), None);
        let most = format!("execute_context_{0}(0)_generation_{0}(0)", u64::MAX);
        assert_eq!(batch(&most), Some(u64::MAX));
        assert_eq!(batch("step[DECODE bs=31]#4"), Some(31));
        assert_eq!(batch("execute_context_0(0)_generation_32(32)"), Some(32));
    }
}
