//! Graphs: what a file says of their nodes, beside the spans that the nodes ran as.

use crate::{NONE, StrId};

/// What a file says of the nodes of graphs.
///
/// A node's id is the number of its graph in the upper 32 bits and its own number below, as CUPTI
/// counts them; numbers of nodes grow in the order in which they were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GraphNodes {
    /// (node id, row of [`Self::stacks`]), by id, each id once: the code that recorded the node.
    pub recorded: Vec<(i64, u32)>,
    /// Frames of the recording code, outermost first; each stack once.
    pub stacks: Vec<Vec<StrId>>,
    /// (device span, name of a region), by span: regions that were named while the graph was
    /// recorded and that the file writes beside the spans of its nodes.
    pub regions: Vec<(u32, StrId)>,
}

/// The id of node `node` of graph `graph`: some writers keep the graph's number apart.
pub fn node_id(graph: i64, node: i64) -> i64 {
    let fits = |number: i64, bits: u32| number > 0 && number < 1 << bits;
    if node != NONE && fits(graph, 31) && (node == 0 || fits(node, 32)) {
        return graph << 32 | node;
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_has_its_graph_in_the_upper_half_however_it_was_written() {
        assert_eq!(node_id(5, 7), (5 << 32) + 7);
        assert_eq!(node_id(5, (5 << 32) + 7), (5 << 32) + 7);
        assert_eq!(node_id(NONE, (5 << 32) + 7), (5 << 32) + 7);
        assert_eq!(node_id(NONE, 7), 7);
        assert_eq!(node_id(5, NONE), NONE);
        assert_eq!(node_id(i64::MAX, 7), 7);
        assert_eq!(node_id(-1, -7), -7);
    }
}
