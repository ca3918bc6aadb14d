//! Typed 32-bit handles into the tables of a trace or profile.

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// Makes the handle of the row `index`.
            ///
            /// A table never holds more than `u32::MAX` rows: readers stop before.
            pub fn new(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok(), "table overflow");
                Self(index as u32)
            }

            /// The row this handle names.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

id! {
    /// A row of [`Strings`](crate::Strings).
    StrId;
    /// A row of `Trace::processes`.
    ProcessId;
    /// A row of `Trace::devices`.
    DeviceId;
    /// A row of `Trace::lanes`.
    LaneId;
    /// A row of [`HostSpans`](crate::HostSpans), in file order.
    HostSpanId;
    /// A row of [`Calls`](crate::Calls), in file order.
    CallId;
    /// A row of [`DeviceSpans`](crate::DeviceSpans), in file order.
    DeviceSpanId;
    /// A node of [`Stacks`](crate::Stacks); the root is 0.
    StackId;
}
