//! Laws of the SVG: it is XML whatever names hold, and its data answers searches exactly.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flamelane_model::{Profile, Weight};
use flamelane_write::{Direction, Order, SvgOptions, write_svg};
use flate2::read::DeflateDecoder;
use proptest::prelude::*;
use serde_json::Value;

use crate::profiles::{any_profile, matched, profile};

fn options() -> SvgOptions {
    SvgOptions { title: "t <&> \"".to_owned(), ..SvgOptions::new(Weight::Gpu) }
}

fn svg(profile: &Profile, options: &SvgOptions) -> String {
    let mut bytes = Vec::new();
    write_svg(profile, options, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// The data in a picture, plain or packed.
fn data(svg: &str) -> Value {
    let inside = |open| Some(svg.split_once(open)?.1.split_once("</script>").unwrap().0);
    if let Some(packed) = inside("class=\"data packed\">") {
        let bytes = STANDARD.decode(packed).unwrap();
        return serde_json::from_reader(DeflateDecoder::new(&bytes[..])).unwrap();
    }
    serde_json::from_str(inside("class=\"data\">").unwrap()).unwrap()
}

fn numbers(data: &Value, key: &str) -> Vec<i64> {
    let list = data[key].as_array().unwrap();
    list.iter().map(|value| value.as_i64().unwrap()).collect()
}

/// What the script computes: weight of outermost hits, and what cut frames could add.
fn search(data: &Value, test: impl Fn(&str) -> bool) -> (i64, i64) {
    let (name, up) = (numbers(data, "name"), numbers(data, "up"));
    let mut total = numbers(data, "self");
    let mut parent = vec![0usize; name.len()];
    for i in 1..name.len() {
        parent[i] = (0..up[i]).fold(i - 1, |caller, _| parent[caller]);
    }
    let hit: Vec<bool> = (0..name.len())
        .map(|i| i > 0 && test(data["names"][name[i] as usize][0].as_str().unwrap()))
        .collect();
    let mut under = hit.clone();
    for i in 1..name.len() {
        under[i] |= under[parent[i]];
    }
    let mut unknown = 0;
    for row in data["cut"].as_array().unwrap() {
        let (node, cut) = (row[0].as_u64().unwrap() as usize, row[2].as_i64().unwrap());
        total[node] += cut;
        unknown += if under[node] { 0 } else { cut };
    }
    let mut found = vec![0; name.len()];
    for i in (1..name.len()).rev() {
        if hit[i] {
            found[i] = total[i];
        }
        total[parent[i]] += total[i];
        found[parent[i]] += found[i];
    }
    (found[0], unknown)
}

/// Panics where `xml` is not well-formed; as strict as the part of XML that we write.
fn check_xml(xml: &str) {
    let legal =
        |c: char| matches!(c, '\n' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..);
    assert!(xml.chars().all(legal), "illegal character");
    let mut open = Vec::new();
    let mut rest = xml;
    while let Some(at) = rest.find('<') {
        check_text(&rest[..at]);
        rest = &rest[at..];
        if let Some(body) = rest.strip_prefix("<![CDATA[") {
            rest = body.split_once("]]>").expect("open CDATA").1;
            continue;
        }
        let (tag, after) = rest[1..].split_once('>').expect("open tag");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(name), "wrong end tag");
            continue;
        }
        let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let name = check_attributes(tag);
        if !closed {
            open.push(name);
        }
    }
    check_text(rest);
    assert!(open.is_empty(), "{open:?} left open");
}

fn check_text(text: &str) {
    assert!(!text.contains("]]>"));
    for piece in text.split('&').skip(1) {
        let known = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(known.iter().any(|entity| piece.starts_with(entity)), "bare &: {piece:.20}");
    }
}

/// Checks `name a="…" b="…"` and returns the name.
fn check_attributes(tag: &str) -> &str {
    let (name, mut rest) = tag.split_once(' ').unwrap_or((tag, ""));
    assert!(!name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric()), "tag {name:?}");
    let mut seen = Vec::new();
    while !rest.is_empty() {
        let (key, value) = rest.split_once("=\"").expect("attribute");
        let (value, after) = value.split_once('"').expect("closed attribute");
        check_text(value);
        assert!(!seen.contains(&key), "{key} twice");
        seen.push(key);
        rest = after.strip_prefix(' ').unwrap_or(after);
    }
    name
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn any_name_gives_xml_and_the_same_bytes_twice(profile in any_profile(), narrow in any::<bool>()) {
        let direction = if narrow { Direction::Flame } else { Direction::Icicle };
        let order = if narrow { Order::Alphabetical } else { Order::LeftHeavy };
        let width = if narrow { 90 } else { 1200 };
        let options = SvgOptions { direction, order, width, ..options() };
        let text = svg(&profile, &options);
        check_xml(&text);
        prop_assert_eq!(svg(&profile, &options), text);
    }

    #[test]
    fn a_search_counts_what_is_not_drawn(profile in any_profile(), part in "[a-cA-C]{1,2}|Module") {
        let exact = matched(&profile, |name| name.contains(&part));
        let options = SvgOptions { min_width: 300.0, ..options() };
        let found = search(&data(&svg(&profile, &options)), |name| name.contains(&part));
        prop_assert_eq!(found, (exact, 0));
    }

    #[test]
    fn with_cut_frames_a_search_gives_bounds(profile in any_profile(), max_frames in 0..20usize) {
        let exact = matched(&profile, |name| name.contains('a'));
        let data = data(&svg(&profile, &SvgOptions { max_frames, ..options() }));
        let (least, unknown) = search(&data, |name| name.contains('a'));
        prop_assert!(data["name"].as_array().unwrap().len() <= max_frames + 1);
        prop_assert!(least <= exact && exact <= least + unknown, "{least} {exact} {unknown}");
    }
}

#[test]
fn long_data_is_packed_and_holds_the_same() {
    let lines: Vec<String> = (0..9000).map(|i| format!("a;b{};c{i} 1", i % 7)).collect();
    let profile = profile(&lines.join("\n"));
    let text = svg(&profile, &options());
    check_xml(&text);
    assert!(text.contains("class=\"data packed\">") && text.len() < 150_000);
    let found = search(&data(&text), |name| name.ends_with('5'));
    assert_eq!(found, (matched(&profile, |name| name.ends_with('5')), 0));
}

#[test]
fn recursion_is_counted_once() {
    let profile = profile("f;f;f 5\nf;g 3\nh;f 2\nh 1");
    let data = data(&svg(&profile, &options()));
    assert_eq!(search(&data, |name| name == "f"), (10, 0));
}

#[test]
fn names_are_data_as_they_are_and_text_as_xml_allows() {
    let name = "a<b>\u{1b}]]>&";
    let text = svg(&profile(&format!("{name} 1")), &options());
    check_xml(&text);
    assert_eq!(data(&text)["names"][1][0], name);
    assert!(text.contains("a&lt;b&gt;␛]]&gt;&amp;\n"));
}

#[test]
fn a_very_deep_stack_is_drawn_to_the_row_limit_and_kept_as_data() {
    let mut profile = Profile::new();
    let name = profile.strings.intern("f");
    let frames = vec![(name, flamelane_model::FrameKind::Python); 40_000];
    let node = profile.stacks.intern_path(&frames);
    profile.add(Weight::Gpu, node, 7);
    let text = svg(&profile, &options());
    assert_eq!(text.matches("<g class=\"box python").count(), 255);
    assert!(text.contains("39,745 frames merged"));
    assert_eq!(search(&data(&text), |name| name == "f"), (7, 0));
}

#[test]
fn a_picture_of_nothing_says_so() {
    let text = svg(&Profile::new(), &options());
    check_xml(&text);
    assert!(text.contains("gpu: nothing measured"));
}
