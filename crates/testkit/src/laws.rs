//! Conservation laws that every truth obeys.

use crate::truth::Truth;

/// Panics unless busy and idle make the window, and pieces cover idle time exactly once.
pub fn check(truth: &Truth) {
    let wall = truth.window.to_ns - truth.window.from_ns;
    for device in &truth.devices {
        assert_eq!(
            device.window_busy_ns + device.window_idle_ns,
            wall,
            "busy and idle: {device:?}"
        );
        assert!(device.busy_ns <= device.sum_ns, "a union exceeds its sum: {device:?}");
        let mut covered = 0;
        let mut at = truth.window.from_ns;
        for piece in truth.idle.iter().filter(|piece| piece.device == device.device) {
            assert!(at <= piece.from_ns && piece.from_ns < piece.to_ns, "disjoint: {piece:?}");
            covered += piece.to_ns - piece.from_ns;
            at = piece.to_ns;
        }
        assert!(at <= truth.window.to_ns, "pieces end with the window");
        if truth.idle_pieces_left_out == 0 {
            assert_eq!(covered, device.window_idle_ns, "pieces cover the gaps of {device:?}");
        }
    }
    let idle: i64 = truth.devices.iter().map(|device| device.window_idle_ns).sum();
    assert_eq!(truth.idle_ns_by_owner.values().sum::<i64>(), idle, "owners share the idle time");
    assert_eq!(truth.gpu_ns_by_path.values().sum::<i64>(), truth.totals.device_ns, "paths");
    let of_steps: i64 = truth.steps.iter().map(|step| step.busy_ns + step.idle_ns).sum();
    assert!(of_steps <= wall * truth.devices.len() as i64, "steps share the window");
}
