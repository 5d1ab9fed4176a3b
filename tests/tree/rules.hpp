// The rules about the source tree (docs/ARCHITECTURE.md, "Rules of the source"), each a pure
// function from a tree to the breaches of the rule. Exceptions are in tables, each with its reason.
#pragma once

#include "tests/tree/tree.hpp"

namespace tree {

// Includes are written from the root, exist, and go to the same floor or a floor below.
Breaches includes_that_point_up(const Tree& tree);
// Within a floor the rooms have an order: a room includes only itself and the rooms before it.
Breaches includes_that_climb(const Tree& tree);
// No room includes itself through other rooms: one line for each room of a circle.
Breaches circles_of_rooms(const Tree& tree);
// docs/ARCHITECTURE.md, "Rooms", names every room in that order.
Breaches rooms_missing_in_the_document(const Tree& tree);
// A library is included in one file, or in the few files that the table names.
Breaches libraries_out_of_their_place(const Tree& tree);

// Pure code has no I/O, clock, random numbers, threads, environment or log: two whole floors, and
// every source whose header says "Pure" before its first line of code.
Breaches impurities(const Tree& tree);

// File and type names say something: no "manager", no "utils".
Breaches empty_names(const Tree& tree);
// A header begins with a comment that describes it, and has an include guard.
Breaches silent_headers(const Tree& tree);
// A header of the product has at least two users besides its own source, but for a list of few.
// Tests are users, too.
Breaches headers_with_one_user(const Tree& tree);

// Every source is in a folder that is built.
Breaches sources_not_built(const Tree& tree);
// A document (NAME.md) that a comment or document names, and a source that a comment names, is in
// the tree: by its path from the root or from the same folder, or by its name alone.
Breaches documents_not_there(const Tree& tree);
// Every room has a README.md of at least two lines.
Breaches rooms_without_a_readme(const Tree& tree);
// No sleeping, no skipped test, nothing unfinished, no path of one machine.
Breaches forbidden_words(const Tree& tree);

}  // namespace tree
