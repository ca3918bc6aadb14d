//! The command line from outside: exit codes, messages, streams.

#![expect(clippy::unwrap_used, reason = "a test may fail where it stands")]

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// The bundled example.
fn example() -> PathBuf {
    fixture("kineto/llm-decode.json.gz")
}

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(name)
}

/// A folder of this test alone, empty.
fn place(test: &str) -> PathBuf {
    let place = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli").join(test);
    let _ = std::fs::remove_dir_all(&place);
    std::fs::create_dir_all(&place).unwrap();
    place
}

fn flamelane(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_flamelane"));
    command.args(args).env("NO_COLOR", "1").env("COLUMNS", "100").stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[track_caller]
fn fine(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    output
}

/// What a command that cannot do its work says; its standard output must stay empty.
#[track_caller]
fn refused(command: &mut Command) -> String {
    let output = command.output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(text(&output.stdout), "", "{said}");
    assert!(said.starts_with("error: "), "{said}");
    said
}

#[test]
fn wrong_kinds_of_file_are_named_with_a_hint() {
    let kinds: [(&str, &[u8], &str); 7] = [
        ("page.html", b"<!DOCTYPE html><html><body>404</body></html>", "an HTML page"),
        ("some.pickle", b"\x80\x04}.", "a Python pickle"),
        ("some.zip", b"PK\x03\x04rest of it", "a zip archive"),
        ("some.sqlite", b"SQLite format 3\0rest", "an SQLite database"),
        ("trace.json", b"PERFILE2rest", "a `perf.data` file"),
        ("some.xz", b"\xfd7zXZ\0rest", "compressed in a way that is not supported"),
        (
            "pointer.json",
            b"version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
            "a Git LFS pointer",
        ),
    ];
    let place = place("wrong-kinds");
    for (name, bytes, what) in kinds {
        std::fs::write(place.join(name), bytes).unwrap();
        for verb in ["report", "fold", "flame", "top", "steps", "inspect"] {
            let said = refused(flamelane(&[verb, name]).current_dir(&place));
            assert!(said.starts_with(&format!("error: cannot read `{name}`\n")), "{said}");
            assert!(said.contains(&format!("  because the input is {what}")), "{said}");
            assert!(said.contains("\n\nhint: "), "{said}");
        }
    }
}

#[test]
fn empty_and_missing_files_are_wrong_input() {
    let place = place("empty");
    std::fs::write(place.join("empty.json"), "").unwrap();
    let said = refused(flamelane(&["empty.json"]).current_dir(&place));
    assert!(said.contains("  because "), "{said}");
    let said = refused(flamelane(&["nothing.json"]).current_dir(&place));
    assert!(said.contains("hint: check the path"), "{said}");
    let said = refused(flamelane(&[]).arg(place.join("..").join("empty")));
    assert!(said.contains("empty.json"), "{said}");
}

#[test]
fn wrong_usage_is_two() {
    for args in [
        &["report"][..],
        &["fold", "x", "--no-such-flag"],
        &["top", "x", "--format", "yaml"],
        &["report", "x", "--whole", "--steps", "1"],
        &["report", "x", "--steps", "5..2"],
        &["report", "x", "--time", "1..2"],
    ] {
        refused(&mut flamelane(args));
    }
    let output = flamelane(&[]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("Usage: flamelane"), "{output:?}");
}

#[test]
fn words_that_are_no_weight_kind_or_group_are_refused_with_the_known_ones() {
    let example = example();
    let said = refused(flamelane(&["fold", "--weight", "gpuu"]).arg(&example));
    assert!(said.contains("no weight `gpuu`") && said.contains("gpu, gpu-busy, idle"), "{said}");
    let said = refused(flamelane(&["fold", "--stack", "operator"]).arg(&example));
    assert!(said.contains("`operator`"), "{said}");
    let said = refused(flamelane(&["top", "--by", "thing"]).arg(&example));
    assert!(said.contains("`thing`"), "{said}");
}

#[test]
fn finished_stacks_print_their_table_and_have_no_steps() {
    let stacks = fixture("folded/samples.txt");
    let report = fine(flamelane(&["report"]).arg(&stacks));
    let top = fine(flamelane(&["top", "--by", "frame"]).arg(&stacks));
    assert!(!report.stdout.is_empty() && report.stdout == top.stdout);
    let said = refused(flamelane(&["steps"]).arg(&stacks));
    assert!(said.contains("no timeline"), "{said}");
    for more in [["--format", "json"], ["--format", "markdown"], ["--check", "idle>1%"]] {
        let said = refused(flamelane(&["report"]).args(more).arg(&stacks));
        assert!(said.contains("`samples.txt` holds folded stacks, no timeline"), "{said}");
        for way_out in ["`flamelane report -o x.html`", "`flamelane top`", "`flamelane fold`"] {
            assert!(said.contains(way_out), "{said}");
        }
    }
}

/// The JSON of one element of a page.
fn of_page(page: &str, id: &str) -> Value {
    let (_, rest) = page.split_once(&format!("id=\"{id}\">")).unwrap();
    serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_page_of_finished_stacks_has_their_own_weights_and_no_report() {
    let place = place("page-of-stacks");
    for (file, format, weights) in [
        ("folded/samples.txt", "folded", &[("samples", "samples", 313)][..]),
        ("pprof/cpu.pb.gz", "pprof", &[("cpu", "ns", 120_000_000), ("samples", "samples", 12)]),
        (
            "pprof/heap.pb",
            "pprof",
            &[("inuse_space", "bytes", 1024), ("alloc_space", "bytes", 4196), ("gpu", "ns", 1241)],
        ),
        ("speedscope/several.json", "speedscope", &[("bytes", "bytes", 3585), ("time", "ns", 4)]),
    ] {
        let page = place.join("page.html");
        let report = fine(flamelane(&["report", "-o"]).arg(&page).arg(fixture(file)));
        let alone = fine(flamelane(&["report"]).arg(fixture(file)));
        assert_eq!(report.stdout, alone.stdout, "the table is printed with a page and without");
        let page = std::fs::read_to_string(&page).unwrap();
        assert_eq!(of_page(&page, "report")["captures"], serde_json::json!([]));
        let contents = of_page(&page, "contents");
        let profile = &contents["profiles"][0];
        assert_eq!(contents["charts"], serde_json::json!([]));
        assert_eq!(profile["capture"], Value::Null);
        assert_eq!(profile["stacks"]["file"], file.split_once('/').unwrap().1);
        assert_eq!(profile["stacks"]["format"], format);
        let said = text(&alone.stderr).lines().count();
        assert_eq!(profile["stacks"]["notes"].as_array().unwrap().len(), said, "{file}");
        let columns = profile["columns"].as_array().unwrap().iter();
        let told: Vec<_> = columns
            .map(|of| {
                let word = |key: &str| of[key].as_str().unwrap();
                (word("weight"), word("unit"), of["sum"].as_i64().unwrap())
            })
            .collect();
        assert_eq!(told, weights, "{file}");
    }
}

#[test]
fn a_dash_reads_standard_input() {
    let bytes = std::fs::read(example()).unwrap();
    let by_name = fine(flamelane(&["fold"]).arg(example()));
    let mut child = flamelane(&["fold", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let feeder = std::thread::spawn(move || stdin.write_all(&bytes));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(!output.stdout.is_empty() && output.stdout == by_name.stdout);
}

#[test]
fn a_directory_becomes_its_captures_and_one_bad_file_hides_no_other() {
    let place = place("directory");
    std::fs::copy(fixture("kineto/nccl.json.gz"), place.join("a.json.gz")).unwrap();
    std::fs::copy(fixture("kineto/loader.json.gz"), place.join("b.json.gz")).unwrap();
    std::fs::write(place.join("c.html"), "<!DOCTYPE html><html></html>").unwrap();
    let output = fine(flamelane(&["report", "--format", "json"]).arg(&place));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let files = report["captures"].as_array().unwrap();
    let files: Vec<&str> = files.iter().map(|one| one["file"].as_str().unwrap()).collect();
    assert_eq!(files, ["a.json.gz", "b.json.gz"]);
    let said = text(&output.stderr);
    assert!(said.contains("c.html") && said.contains("an HTML page"), "{said}");
}

#[test]
fn a_reader_that_has_enough_is_no_error() {
    let mut child = flamelane(&["fold", "--weight", "wall"])
        .arg(example())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(text(&output.stderr), "");
}

#[test]
fn an_output_that_cannot_be_written_is_said() {
    let place = place("unwritable");
    for (verb, file) in [("report", "x.html"), ("fold", "x.folded"), ("flame", "x.svg")] {
        let target = place.join("no-such-folder").join(file);
        let output = flamelane(&[verb, "-o"]).arg(&target).arg(example()).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("error: cannot write `") && said.contains(file), "{said}");
    }
}

#[test]
fn an_input_is_never_written_over() {
    let place = place("over");
    let (trace, link) = (place.join("trace.json.gz"), place.join("link.html"));
    std::fs::copy(example(), &trace).unwrap();
    std::fs::hard_link(&trace, &link).unwrap();
    let (folder, trace, link) =
        (place.to_str().unwrap(), trace.to_str().unwrap(), link.to_str().unwrap());
    for args in [
        [trace, "-o", trace].as_slice(),
        &[trace, "-o", link],
        &[folder, "-o", trace],
        &["fold", trace, "-o", trace],
        &["flame", trace, "-o", trace],
    ] {
        assert!(refused(&mut flamelane(args)).contains("it is the input"), "{args:?}");
    }
    assert_eq!(std::fs::read(trace).unwrap(), std::fs::read(example()).unwrap());
    let report = place.join("report.html");
    for _ in 0..2 {
        fine(&mut flamelane(&[folder, "-o", report.to_str().unwrap()]));
    }
}

#[test]
fn a_choice_that_nothing_meets_is_refused() {
    for (flag, value, says) in [
        ("--steps", "50..60", "it has 12"),
        ("--phase", "prefill", "phases of its steps: decode"),
        ("--range", "no such", "no annotation `no such`"),
        ("--time", "1s..2s", "it lasts 48."),
    ] {
        for verb in ["report", "fold", "top"] {
            let said = refused(flamelane(&[verb, flag, value]).arg(example()));
            assert!(said.contains(says), "{said}");
        }
    }
    for (flag, value) in [("--steps", "3"), ("--phase", "decode"), ("--time", "10ms..20ms")] {
        fine(flamelane(&["report", flag, value]).arg(example()));
    }
}

#[test]
fn opening_needs_a_report_to_open() {
    let said = refused(flamelane(&["--open"]).arg(example()));
    assert!(said.contains("-o report.html"), "{said}");
}

#[test]
fn a_misspelt_key_of_the_configuration_is_named() {
    let place = place("configuration");
    std::fs::write(place.join("flamelane.toml"), "[steps]\nmarker = [\"decode\"]\n").unwrap();
    let said = refused(flamelane(&["report"]).arg(example()).current_dir(&place));
    assert!(said.starts_with("error: cannot understand `flamelane.toml`"), "{said}");
    assert!(said.contains("unknown field `marker`") && said.contains("markers"), "{said}");
    let said = refused(flamelane(&["report", "--config", "none.toml"]).arg(example()));
    assert!(said.contains("none.toml"), "{said}");
}

#[test]
fn the_configuration_says_whose_code_steps_phases_and_families_are() {
    let place = place("configured");
    let toml = "[frames]\nuser = [\"vllm/v1/worker/\"]\n[steps]\nmarkers = [\"execute_\"]\n\
                [phases]\nexecute_ = \"serving\"\n[families]\nnvjet = \"our gemm\"\n";
    std::fs::write(place.join("flamelane.toml"), toml).unwrap();
    let output =
        fine(flamelane(&["report", "--format", "json"]).arg(example()).current_dir(&place));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let capture = &report["captures"][0];
    assert_eq!(capture["steps"]["marker"], "execute_");
    assert_eq!(capture["steps"]["list"][0]["phase"], "serving");
    assert_eq!(capture["families"][0]["name"], "our gemm");
    let users = capture["gpu_paths"].as_array().unwrap().iter();
    let users = users.filter_map(|path| path["user_frame"].as_str());
    assert!(users.clone().count() > 0);
    assert!(users.clone().all(|frame| !frame.starts_with("torch/")));
    assert!(users.clone().any(|frame| frame.starts_with("vllm/v1/worker/")), "{capture}");
}

#[test]
fn the_configuration_sets_thresholds_and_names_unknown_ones() {
    let place = place("thresholds");
    let write = |toml| std::fs::write(place.join("flamelane.toml"), toml).unwrap();
    write("[thresholds]\nheadline_share = 2\nlisted_share = 0.5\n");
    let report =
        flamelane(&["report", "--format", "json"]).arg(example()).current_dir(&place).output();
    let report: Value = serde_json::from_slice(&report.unwrap().stdout).unwrap();
    assert_eq!(
        report["captures"][0]["findings"],
        Value::Array(Vec::new()),
        "none owns half a step"
    );
    write("[thresholds]\nheadline = 1\n");
    let said = refused(flamelane(&["report"]).arg(example()).current_dir(&place));
    assert!(said.contains("no threshold is called `headline`"), "{said}");
    assert!(said.contains("hint:") && said.contains("headline_share"), "{said}");
}

#[test]
fn a_check_exits_with_one_and_says_which_condition_holds() {
    let check = |conditions| {
        let mut command = flamelane(&["report", "--quiet", "--check", conditions]);
        command.arg(example()).output().unwrap()
    };
    let fine = check("idle>90%,sync-cliff>1s");
    assert_eq!((fine.status.code(), text(&fine.stderr).as_str()), (Some(0), ""));
    let found = check("idle>90%,sync-cliff>1us,step>1ns");
    let said = text(&found.stderr);
    assert_eq!(found.status.code(), Some(1), "{said}");
    assert!(said.contains("sync-cliff>1us holds: ") && said.contains("step>1ns holds: "), "{said}");
    assert!(!said.contains("idle>90%"), "{said}");
    let said = refused(flamelane(&["report", "--check", "idles>1%"]).arg(example()));
    assert!(said.contains("`idles>1%`") && said.contains("hint: known are idle"), "{said}");
}

#[test]
fn times_that_do_not_fit_together_break_nothing() {
    let place = place("far");
    let kernel = |device: u32, at: u64, len: u64| {
        format!(
            r#"{{"ph":"X","cat":"kernel","name":"k","pid":{device},"tid":7,"ts":{at},"dur":{len},"args":{{"stream":7,"device":{device}}}}}"#
        )
    };
    let far = 9_200_000_000_000_000;
    let mut events =
        vec![r#"{"ph":"X","cat":"cpu_op","name":"a","pid":1,"tid":1,"ts":0,"dur":9}"#.to_owned()];
    for device in 0..3 {
        events.extend((0..8).map(|n| kernel(device, n * 10, 5)));
        events.push(kernel(device, far, 5_000_000_000_000));
        events.push(kernel(device, 1_000, far - 2_000));
    }
    let file = place.join("far.json");
    std::fs::write(&file, format!(r#"{{"schemaVersion":1,"traceEvents":[{}]}}"#, events.join(",")))
        .unwrap();
    for format in ["text", "json", "markdown"] {
        let output =
            flamelane(&["report", "--quiet", "--format", format]).arg(&file).output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{format}: {}", text(&output.stderr));
    }
    let html = place.join("far.html");
    let output = flamelane(&["report", "--quiet", "-o"]).arg(&html).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let output = flamelane(&["steps", "--quiet"]).arg(&file).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

/// Sum of the values at the ends of folded lines.
fn folded_sum(output: &Output) -> i64 {
    let values = text(&output.stdout);
    let values = values.lines().map(|line| line.rsplit_once(' ').unwrap().1);
    values.map(|value| value.parse::<i64>().unwrap()).sum()
}

#[test]
fn the_whole_files_device_time_is_the_same_in_fold_and_report() {
    for name in ["llm-decode", "graph-decode", "nccl", "backward"] {
        let file = fixture(&format!("kineto/{name}.json.gz"));
        let folded = fine(flamelane(&["fold", "--whole", "--weight", "gpu"]).arg(&file));
        let report = fine(flamelane(&["report", "--format", "json"]).arg(&file));
        let report: Value = serde_json::from_slice(&report.stdout).unwrap();
        let totals = &report["captures"][0]["totals"];
        let of = |key: &str| totals[key].as_i64().unwrap();
        let all = of("kernels_ns") + of("copies_ns") + of("memsets_ns") + of("graph_rows_ns");
        assert_eq!(folded_sum(&folded), all, "{name}");
    }
}

#[test]
fn idle_time_is_the_same_in_fold_and_report() {
    for name in ["llm-decode", "multi-thread", "overlap-steps"] {
        let file = fixture(&format!("kineto/{name}.json.gz"));
        let folded = fine(flamelane(&["fold", "--weight", "idle"]).arg(&file));
        let report = fine(flamelane(&["report", "--format", "json"]).arg(&file));
        let report: Value = serde_json::from_slice(&report.stdout).unwrap();
        let window = &report["captures"][0]["window"];
        assert_eq!(folded_sum(&folded), window["idle_ns"].as_i64().unwrap(), "{name}");
    }
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let place = place("same");
    for name in ["a.html", "b.html"] {
        fine(flamelane(&["-o", name]).arg(example()).current_dir(&place));
    }
    let read = |name: &str| std::fs::read(place.join(name)).unwrap();
    assert!(read("a.html") == read("b.html"));
}

#[test]
fn quiet_silences_remarks_and_keeps_errors() {
    let damaged = fixture("chrome/unfinished.json");
    let loud = fine(flamelane(&["fold"]).arg(&damaged));
    assert!(text(&loud.stderr).contains("note: "), "{loud:?}");
    let silent = fine(flamelane(&["--quiet", "fold"]).arg(&damaged));
    assert_eq!(text(&silent.stderr), "");
    refused(&mut flamelane(&["--quiet", "no-such-file"]));
}

#[test]
fn a_check_does_not_pass_on_what_it_could_not_read() {
    let place = place("unread");
    let junk = place.join("notes.txt");
    std::fs::write(&junk, "not a profile at all").unwrap();
    let missing = place.join("missing.json");
    for unread in [&junk, &missing] {
        let mut fine = flamelane(&["report", "--check", "idle>99%"]);
        let fine = fine.arg(example()).arg(unread).output().unwrap();
        let said = text(&fine.stderr);
        assert_eq!(fine.status.code(), Some(2), "{said}");
        assert!(said.contains("`--check` cannot judge"), "{said}");
    }
    let mut found = flamelane(&["report", "--check", "step>1ns"]);
    let found = found.arg(example()).arg(&missing).output().unwrap();
    assert_eq!(found.status.code(), Some(1), "a condition that holds goes first");
    std::fs::copy(example(), place.join("trace.json.gz")).unwrap();
    let beside = flamelane(&["report", "--check", "idle>99%"]).arg(&place).output().unwrap();
    assert_eq!(beside.status.code(), Some(0), "what else lies in a directory may be anything");
    let stacks = place.join("a.folded");
    std::fs::write(&stacks, "main;work 5\nmain;rest 3\n").unwrap();
    let said = refused(flamelane(&["report", "--check", "idle>1%"]).arg(&stacks));
    assert!(said.contains("no timeline"), "{said}");
}

#[test]
fn nothing_is_written_over_what_reading_needs() {
    let place = place("helpers");
    let config = place.join("flamelane.toml");
    std::fs::write(&config, "[steps]\nmarkers = [\"step\"]\n").unwrap();
    for (command, option) in
        [("report", "--config"), ("report", "--graph-names"), ("fold", "--config")]
    {
        let mut command = flamelane(&[command, option]);
        let said = refused(command.arg(&config).arg("-o").arg(&config).arg(example()));
        assert!(said.contains(option), "{said}");
        assert!(std::fs::read_to_string(&config).unwrap().contains("markers"));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn exit_codes_stand_whatever_becomes_of_the_output() {
    use std::process::{Command, Stdio};
    let full = || Stdio::from(std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap());
    let code = |command: &mut Command| command.status().unwrap().code();
    let mut missing = flamelane(&["report", "missing.json"]);
    assert_eq!(code(missing.stdout(Stdio::null()).stderr(full())), Some(2));
    let mut found = flamelane(&["report", "--check", "step>1ns"]);
    assert_eq!(code(found.arg(example()).stdout(Stdio::null()).stderr(full())), Some(1));
    // A reader that is gone before the first byte.
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut found = flamelane(&["report", "--check", "step>1ns"]);
    assert_eq!(code(found.arg(example()).stdout(writer).stderr(Stdio::null())), Some(1));
    let mut found = flamelane(&["report", "--check", "step>1ns"]);
    assert_eq!(code(found.arg(example()).stdout(full()).stderr(Stdio::null())), Some(1));
    let mut fine = flamelane(&["report", "--check", "step>3600s"]);
    assert_eq!(code(fine.arg(example()).stdout(full()).stderr(Stdio::null())), Some(2));
}

#[test]
fn nothing_of_a_name_is_obeyed_by_the_terminal() {
    let said = refused(&mut flamelane(&["report", "na\u{1b}[31mme\u{9b}.json"]));
    assert!(said.contains("na\u{fffd}[31mme\u{fffd}.json"), "{said:?}");
    assert!(!said.contains('\u{1b}') && !said.contains('\u{9b}'), "{said:?}");
}

#[test]
fn what_is_asked_for_and_not_there_is_said() {
    let said = refused(flamelane(&["whatif", "--graph", "no_such_frame"]).arg(example()));
    assert!(said.contains("no frame's name holds `no_such_frame`"), "{said}");
    for fixture in ["backward", "graph-decode", "llm-decode"] {
        let file = example().with_file_name(format!("{fixture}.json.gz"));
        let output = flamelane(&["whatif"]).arg(file).arg("--drop-sync").output().unwrap();
        let said = text(&output.stdout);
        assert!(said.contains("without ") || said.contains("no prediction"), "{fixture}: {said}");
    }
    let place = place("names");
    let said = refused(flamelane(&["report", "--graph-names"]).arg(&place).arg(example()));
    assert!(said.contains("is a directory"), "{said}");
    let missing = place.join("missing.json");
    let said = refused(flamelane(&["report", "--graph-names"]).arg(&missing).arg(example()));
    assert!(said.contains("missing.json"), "{said}");
    let mut own = flamelane(&["report", "--graph-names"]);
    let output = own.arg(example()).arg(example()).output().unwrap();
    assert!(text(&output.stderr).contains("has no graph replays"), "{}", text(&output.stderr));
    let config = place.join("flamelane.toml");
    std::fs::write(&config, "[steps]\nmarkers = [\"\"]\n").unwrap();
    let said = refused(flamelane(&["report", "--config"]).arg(&config).arg(example()));
    assert!(said.contains("`steps.markers` is empty"), "{said}");
    std::fs::write(&config, "[thresholds]\nno_such = -1\n").unwrap();
    let said = refused(flamelane(&["report", "--config"]).arg(&config).arg(example()));
    assert!(said.contains("no threshold is called `no_such`"), "{said}");
}
