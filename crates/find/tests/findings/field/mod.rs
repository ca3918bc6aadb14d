//! Situations from the field, each as a tape of its own: what a right report says of it.

mod copies;
mod host;
mod lies;
mod syncs;
