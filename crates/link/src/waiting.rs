//! Waiting: frames in which a thread waits for another, and frames that wake one.
//!
//! Names are those of `CPython`'s builtins and standard library, of `pthread` and of the C++ standard
//! library, as profilers write them.

use flamelane_model::Trace;
use rustc_hash::FxHashMap;

/// What a frame says of its thread and another one, by the object that both use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    /// Neither.
    Works,
    /// Sleeps until another thread uses the object.
    Waits(Object),
    /// Wakes a thread that sleeps on the object.
    Wakes(Object),
}

/// What a thread sleeps on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Object {
    /// One that the name identifies by its address: a number an address.
    Known(u32),
    /// Some object of this kind.
    Some(Kind),
}

/// Kinds of objects that a name may tell without telling which.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Kind {
    /// A lock, condition, event, queue or future of Python.
    Python,
    /// The event loop of `asyncio`.
    Loop,
    /// A condition variable or future of C++.
    Condition,
    /// A semaphore.
    Semaphore,
    /// A mutex.
    Mutex,
    /// A thread, until it ends.
    Thread,
    /// Autograd's workers, until they have run the graph.
    Backward,
}

/// The roles of all names of a trace, one a string.
pub(crate) fn roles(trace: &Trace) -> Vec<Role> {
    let mut addresses: FxHashMap<&str, u32> = FxHashMap::default();
    let role = |(_, name)| match role(name) {
        Some((waits, kind)) => {
            let object = address(name).map_or(Object::Some(kind), |address| {
                let fresh = addresses.len() as u32;
                Object::Known(*addresses.entry(address).or_insert(fresh))
            });
            // Only locks and queues are woken by a frame that names the same object.
            let object = if kind == Kind::Python { object } else { Object::Some(kind) };
            if waits { Role::Waits(object) } else { Role::Wakes(object) }
        }
        None => Role::Works,
    };
    trace.strings.iter().map(role).collect()
}

/// Whether a name waits (or else wakes), and on what.
fn role(name: &str) -> Option<(bool, Kind)> {
    if let Some(rest) = name.strip_prefix("<built-in method ") {
        return builtin(rest);
    }
    if name.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_')
        && let Some((place, function)) = name.rsplit_once("): ")
        && let Some((path, _)) = place.rsplit_once('(')
    {
        return python(path, function);
    }
    native(name)
}

/// `acquire of _thread.lock object at 0x7f2b1c0d5e40>`.
fn builtin(rest: &str) -> Option<(bool, Kind)> {
    let (method, of) = rest.split_once(" of ")?;
    let class = of.split([' ', '>']).next().unwrap_or(of);
    let is_lock = matches!(class, "_thread.lock" | "_thread.RLock" | "_multiprocessing.SemLock");
    match (method, class) {
        ("acquire" | "__enter__", _) if is_lock => Some((true, Kind::Python)),
        ("release" | "__exit__", _) if is_lock => Some((false, Kind::Python)),
        ("get", "_queue.SimpleQueue") => Some((true, Kind::Python)),
        ("put" | "put_nowait", "_queue.SimpleQueue") => Some((false, Kind::Python)),
        ("join", "_thread._ThreadHandle") => Some((true, Kind::Thread)),
        ("poll", "select.epoll" | "select.poll") | ("control", "select.kqueue") => {
            Some((true, Kind::Loop))
        }
        ("run_backward", _) => Some((true, Kind::Backward)),
        _ => None,
    }
}

/// Functions of the standard library and of autograd, in a file at `path`.
fn python(path: &str, function: &str) -> Option<(bool, Kind)> {
    let is_file = |file: &str| path.strip_suffix(file).is_some_and(is_library);
    let (waits, kind) = match function {
        "join" | "_wait_for_tstate_lock" if is_file("threading.py") => (true, Kind::Thread),
        "wait" | "wait_for" | "acquire" if is_file("threading.py") => (true, Kind::Python),
        "notify" | "notify_all" | "set" | "release" if is_file("threading.py") => {
            (false, Kind::Python)
        }
        "get" | "join" if is_file("queue.py") => (true, Kind::Python),
        "put" | "task_done" if is_file("queue.py") => (false, Kind::Python),
        "result" | "exception" | "wait" if is_file("concurrent/futures/_base.py") => {
            (true, Kind::Python)
        }
        "set_result" | "set_exception" if is_file("concurrent/futures/_base.py") => {
            (false, Kind::Python)
        }
        "select" if is_file("selectors.py") => (true, Kind::Loop),
        "call_soon_threadsafe" | "_write_to_self" if path.contains("asyncio/") => {
            (false, Kind::Loop)
        }
        "_engine_run_backward" if path.ends_with("torch/autograd/graph.py") => {
            (true, Kind::Backward)
        }
        _ => return None,
    };
    Some((waits, kind))
}

/// Whether files of the standard library lie here: profilers leave out what `sys.path` says, or
/// write `/usr/lib/python3.12/`.
fn is_library(folder: &str) -> bool {
    let last = folder.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    folder.is_empty() || (folder.ends_with('/') && last.starts_with("python3"))
}

/// Calls of the system and of C++.
fn native(name: &str) -> Option<(bool, Kind)> {
    let bare = name.split(['(', '@', '<']).next().unwrap_or(name).trim_end();
    let found = match bare {
        "pthread_cond_wait" | "pthread_cond_timedwait" | "pthread_cond_clockwait" => {
            (true, Kind::Condition)
        }
        "pthread_cond_signal" | "pthread_cond_broadcast" => (false, Kind::Condition),
        "sem_wait" | "sem_timedwait" | "sem_clockwait" => (true, Kind::Semaphore),
        "sem_post" => (false, Kind::Semaphore),
        "pthread_mutex_lock" | "pthread_mutex_timedlock" | "std::mutex::lock" => {
            (true, Kind::Mutex)
        }
        "pthread_mutex_unlock" | "std::mutex::unlock" => (false, Kind::Mutex),
        "pthread_join" | "std::thread::join" => (true, Kind::Thread),
        _ => return cpp(name),
    };
    Some(found)
}

/// Members of templates: `std::future<int>::get()`, `std::promise<void>::set_value()`.
fn cpp(name: &str) -> Option<(bool, Kind)> {
    let member = name.split('(').next().unwrap_or(name).rsplit("::").next()?;
    let of = |class: &str| name.starts_with(class);
    match member {
        "get" | "wait" | "wait_for" | "wait_until"
            if of("std::future<") || of("std::shared_future<") || of("std::__basic_future<") =>
        {
            Some((true, Kind::Condition))
        }
        "wait" | "wait_for" | "wait_until" if of("std::condition_variable") => {
            Some((true, Kind::Condition))
        }
        "notify_one" | "notify_all" if of("std::condition_variable") => {
            Some((false, Kind::Condition))
        }
        "set_value" | "set_exception" if of("std::promise<") => Some((false, Kind::Condition)),
        _ => None,
    }
}

/// The address in a name.
fn address(name: &str) -> Option<&str> {
    let (_, after) = name.split_once(" at 0x")?;
    let n_digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
    Some(&after[..n_digits]).filter(|digits| !digits.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn waits(name: &str) -> Option<bool> {
        role(name).map(|(waits, _)| waits)
    }

    #[test]
    fn frames_that_wait_and_frames_that_wake_are_known() {
        for name in [
            "<built-in method acquire of _thread.lock object at 0x7f2b1c0d5e40>",
            "<built-in method acquire of _thread.lock object>",
            "<built-in method get of _queue.SimpleQueue object at 0x7f2b>",
            "<built-in method run_backward of torch._C._EngineBase object at 0x7f2b>",
            "<built-in method poll of select.epoll object at 0x7f2b>",
            "threading.py(655): wait",
            "/usr/lib/python3.12/threading.py(1149): join",
            "concurrent/futures/_base.py(428): result",
            "queue.py(154): get",
            "torch/autograd/graph.py(823): _engine_run_backward",
            "pthread_cond_wait@@GLIBC_2.3.2",
            "pthread_join",
            "std::future<c10::IValue>::get()",
            "std::condition_variable::wait(std::unique_lock<std::mutex>&)",
        ] {
            assert_eq!(waits(name), Some(true), "{name}");
        }
        for name in [
            "<built-in method release of _thread.lock object at 0x7f2b1c0d5e40>",
            "<built-in method put of _queue.SimpleQueue object at 0x7f2b>",
            "threading.py(398): notify",
            "asyncio/base_events.py(840): call_soon_threadsafe",
            "concurrent/futures/_base.py(537): set_result",
            "pthread_cond_signal",
            "std::promise<void>::set_value()",
        ] {
            assert_eq!(waits(name), Some(false), "{name}");
        }
    }

    #[test]
    fn names_that_look_alike_say_nothing() {
        for name in [
            "<built-in method get of dict object at 0x7f2b>",
            "<built-in method join of str object at 0x7f2b>",
            "<built-in method wait of PyCapsule object at 0x7f2b>",
            "<built-in method acquire of Pool object at 0x7f2b>",
            "my_threading.py(1): wait",
            "serve/queue.py(8): get",
            "queue.py(8): get_batch",
            "multiprocessing/queues.py(98): get",
            "## Request wait() ##",
            "aten::select",
            "cudaStreamWaitEvent",
            "): ",
            "std::future",
        ] {
            assert_eq!(waits(name), None, "{name}");
        }
    }
}
