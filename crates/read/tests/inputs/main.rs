//! Every format but Kineto's, from the outside: through `open`, as the command line does.

mod corpus;
mod drawn;
mod fixtures;
mod hostile;
mod packed;
mod refused;
