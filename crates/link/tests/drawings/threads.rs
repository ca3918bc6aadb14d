//! Threads that launch in turn, and threads that wait for others.

use flamelane_link::{Rules, link};
use flamelane_testkit::draw;

use crate::{check, idle, read_json};

/// Checks a drawing in which short words stand for long names: `get 1` and `put 1` use one queue,
/// `lock 2` and `free 2` one lock.
fn check_named(drawing: &str, expected: &str) {
    let mut json = draw::json(drawing);
    for number in ["1", "2"] {
        for (word, method, class) in [
            ("get", "get", "_queue.SimpleQueue"),
            ("put", "put", "_queue.SimpleQueue"),
            ("lock", "acquire", "_thread.lock"),
            ("free", "release", "_thread.lock"),
        ] {
            let name = format!("<built-in method {method} of {class} object at 0x7f{number}>");
            json = json.replace(&format!("\"{word} {number}\""), &format!("\"{name}\""));
        }
        json = json.replace("\"backward\"", "\"<built-in method run_backward of Engine object>\"");
    }
    let linked = link(read_json(&json), Rules::default());
    let mut found = idle(&linked).replace("<built-in method ", "").replace(" object>", "");
    found = found.replace(" of _queue.SimpleQueue", "").replace(" of _thread.lock", "");
    let expected: Vec<&str> = expected.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
    assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{drawing}");
}

#[test]
fn a_wait_for_a_thread_that_launches_nothing_is_what_that_thread_ran() {
    check_named(
        "
        main   | [step                                         ]
               |  aa [get 1                      ] bb
        helper |     [tokenize              ][put 1]
        gpu    |  aaaaa                             bbbb
        ",
        "
        1000 late host: step
        22000 late host: tokenize
        5000 late host: put
        1000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn what_another_object_wakes_says_nothing_of_a_wait() {
    check_named(
        "
        main   | [step                                         ]
               |  aa [get 1                      ] bb
        helper |     [tokenize              ][put 2]
        gpu    |  aaaaa                             bbbb
        ",
        "
        1000 late host: step
        27000 late host: step;get
        1000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn a_thread_that_waits_for_one_that_waits_too_is_followed_to_the_last() {
    check_named(
        "
        main   | [step                                                   ]
               |  aa [get 1                               ] bb
        helper |     [lock 2               ][sort   ][put 1]
        loader |     [decode         ][free 2]
        gpu    |  aaaaa                                      bbbb
        ",
        "
        1000 late host: step
        9000 late host: sort
        6000 late host: put
        15000 late host: decode
        6000 late host: release
        1000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn a_helper_with_nothing_to_do_leaves_the_wait_to_the_waiter() {
    check_named(
        "
        main   | [step                                         ]
               |  aa [get 1                      ] bb
        helper |         [tokenize      ]    [put 1]
        gpu    |  aaaaa                             bbbb
        ",
        "
        1000 late host: step
        6000 late host: step;get
        16000 late host: tokenize
        5000 late host: put
        1000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn the_only_thread_that_could_have_woken_another_did() {
    check(
        "
        main   | [step                                                   ]
               |  aa [threading.py(655): wait        ] bb
        helper |     [tokenize  ][threading.py(624): set]
        other  |     [sleep                                    ]
        gpu    |  aaaaa                                  bbbb
        ",
        "
        1000 late host: step
        10000 late host: tokenize
        21000 late host: threading.py(624): set
        2000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn one_of_two_threads_that_could_have_woken_another_is_not_guessed() {
    check(
        "
        main   | [step                                                   ]
               |  aa [threading.py(655): wait        ] bb
        helper |     [tokenize  ][threading.py(624): set]
        other  |     [sort    ][threading.py(398): notify]
        gpu    |  aaaaa                                  bbbb
        ",
        "
        1000 late host: step
        31000 late host: step;threading.py(655): wait
        2000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn joining_a_thread_is_waiting_for_the_one_that_ends() {
    check(
        "
        main   | [step                                  ]
               |  aa (pthread_join             ) bb
        worker |     (sort     ) (write       )
        other  |     (count                            )
        gpu    |  aaaaa                            bbbb
        ",
        "
        1000 late host: step
        2000 late host: step;pthread_join
        9000 late host: sort
        14000 late host: write
        2000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn one_of_two_threads_that_end_is_not_guessed() {
    check(
        "
        main   | [step                                  ]
               |  aa (pthread_join             ) bb
        worker |     (sort     ) (write       )
        other  |     (count           )
        gpu    |  aaaaa                            bbbb
        ",
        "
        1000 late host: step
        25000 late host: step;pthread_join
        2000 launch latency: step;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn a_launching_thread_that_sleeps_is_what_the_thread_did_that_woke_it() {
    check_named(
        "
        main   | [schedule            ][free 2] [rest          ]
               |  aa
        ubatch | [lock 2                  ] [half     ]
               |                              bb
        gpu    |    aaaa                       bbbb
        ",
        "
        15000 late host: schedule
        5000 late host: release
        2000 late host: half
        2000 dispatch: [dispatch]
        1000 launch latency: half;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn the_thread_that_waits_for_autograd_is_what_its_worker_ran() {
    check_named(
        "
        main   | [loss  ][backward                               ][optimizer   ]
               |   aa                                               cc
        worker |           (MulBackward ) (SumBackward       )
               |                                          bb
        gpu    |    aaa                                     bbb     ccc
        ",
        "
        14000 late host: MulBackward
        16000 late host: SumBackward
        2000 late host: loss
        6000 late host: run_backward of Engine
        2000 late host: optimizer
        1000 launch latency: loss;cudaLaunchKernel;[launch latency]
        2000 launch latency: SumBackward;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn a_worker_with_nothing_open_leaves_its_time_to_the_thread_that_launched_before() {
    check_named(
        "
        main   | [loss  ][prepare                  ][backward      ]
               |   aa
        worker |                                      (Mul     )
               |                                        bb
        gpu    |    aaa                                   bbb
        ",
        "
        2000 late host: Mul
        2000 late host: loss
        27000 late host: prepare
        2000 late host: run_backward of Engine
        1000 launch latency: loss;cudaLaunchKernel;[launch latency]
        2000 launch latency: Mul;cudaLaunchKernel;[launch latency]
        ",
    );
}

#[test]
fn a_stall_inside_a_launch_that_was_under_way_is_no_pause_of_the_device() {
    check(
        "
        main     | [step                                                 ]
                 |  aa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        overhead |         [Activity Buffer Request              ]
        gpu      |  aaaaa                                              bb
        ",
        "
        7000 launch latency: step;cudaLaunchKernel;[launch latency]
        39000 overhead: step;cudaLaunchKernel;Activity Buffer Request
        ",
    );
}

#[test]
fn a_long_launch_without_a_stall_is_the_devices_pause() {
    check(
        "
        main     | [step                                                 ]
                 |  aa bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb
        gpu      |  aaaaa                                              bb
        ",
        "
        46000 device other: [device other]
        ",
    );
}
