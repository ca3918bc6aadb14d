//! Made-up traces with known answers, for tests and examples; never part of the product.
//!
//! In: a scenario and a seed, a drawing, or a seed alone. Out: Kineto JSON, and beside it a
//! [`Truth`] that was found without any code of the product. It never opens a file.
//!
//! ```
//! use flamelane_testkit::{Layout, Options, Scenario, Truth};
//!
//! let capture = Options { steps: 2, layers: 1, ..Options::new(Scenario::EagerDecode) }.simulate();
//! let truth = Truth::of(&capture);
//! assert_eq!(truth.steps.len(), 2);
//! assert!(capture.to_json(Layout::Kineto).contains("\"name\": \"aten::mm\""));
//! ```

pub mod bundled;
pub mod capture;
pub mod draw;
pub mod laws;
pub mod random;

mod chance;
mod event_text;
mod json;
mod layout;
mod metadata;
mod scenario;
mod sim;
mod truth;

pub use chance::Chance;
pub use layout::{Layout, Relayout};
pub use scenario::{Change, Options, Scenario};
pub use truth::{DeviceTruth, IdlePiece, OwnerKind, Span, StepTruth, Totals, Truth};
