// The GUI-state hierarchy of a trace: a tree in which each event is a node, below the event that opened the
// state it was sent to.
//
// The problem. An event in a dialog only matters if the dialog is open. A flat list hides that; a tree shows
// it, and a whole visit to a dialog can be dropped as one subtree.
//
//     event  0 1 2 3 4 5 6         states before them  A A B B A C C
//
//     root ── 0 ── 1 ── 4          1 opened B, so 2 and 3 are below it; 4 finds A again on the way up from 3
//                  │    │          and becomes the sibling of 1; 4 opened C
//                  2 3  5 6
//
// The rule (Jiang et al., "SimplyDroid: Efficient Event Sequence Simplification for Android Application", ASE
// 2017, table 1): walk from the previous event up towards the root. The first node met that has the same
// state becomes the left sibling; if there is none, the new node is a child of the previous event.
//
// The root stands for the start of the app. It is not an event here, never matches and is never removed. (In
// the paper the launch is event 1 and plays this part.)
//
// Values; const functions may be called by several threads.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace marmoset {

class Hierarchy {
 public:
  static constexpr uint32_t kRoot = UINT32_MAX;

  // From parents: parents[i] is kRoot or less than i, and nodes are in preorder (all nodes below a node
  // follow it without a gap). Checked.
  explicit Hierarchy(std::vector<uint32_t> parents);

  // By the paper's rule, from the state before each event.
  static Hierarchy FromStates(std::span<const uint32_t> states_before);

  // One level: nobody knows of a hierarchy.
  static Hierarchy Flat(size_t nodes);

  size_t size() const { return parents_.size(); }
  uint32_t parent(uint32_t node) const { return parents_[node]; }
  uint32_t level(uint32_t node) const { return levels_[node]; }  // 1 below the root.
  uint32_t depth() const { return depth_; }                      // The largest level; 0 for an empty tree.

  // The node and all below it are the nodes node … end(node)-1.
  uint32_t end(uint32_t node) const { return ends_[node]; }
  uint32_t SubtreeSize(uint32_t node) const { return ends_[node] - node; }

  std::vector<uint32_t> NodesAt(uint32_t level) const;

 private:
  std::vector<uint32_t> parents_;
  std::vector<uint32_t> levels_;
  std::vector<uint32_t> ends_;
  uint32_t depth_ = 0;
};

}  // namespace marmoset
