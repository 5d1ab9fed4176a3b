// The rules about the source tree (docs/ARCHITECTURE.md, "Rules of the source"), each a pure
// function from a tree to the breaches of the rule. Exceptions are in tables, each with its reason.
#pragma once

#include "tests/tree/tree.hpp"

namespace tree {

// A file is one idea, a function fits a screen.
Breaches long_files(const Tree& tree);
Breaches long_functions(const Tree& tree);

// Includes are written from the root, exist, and point down only.
Breaches includes_that_point_up(const Tree& tree);
// Within a floor the rooms have an order: a room includes only itself and the rooms before it.
Breaches includes_that_climb(const Tree& tree);
// No room includes, through others, itself: one line for each room of a circle.
Breaches circles_of_rooms(const Tree& tree);
// The table of rooms in docs/ARCHITECTURE.md has every room, in that order.
Breaches rooms_missing_in_the_document(const Tree& tree);
// A library is known to one file, or to the few that the table names.
Breaches libraries_out_of_their_place(const Tree& tree);

// What is pure has no I/O, clock, randomness, threads, environment or logging: two whole rooms, and
// every source whose header says "Pure" before its first line of code.
Breaches impurities(const Tree& tree);

// No file or type is named after nothing in particular.
Breaches empty_names(const Tree& tree);
// A header opens with a comment that says what it is, and is guarded.
Breaches silent_headers(const Tree& tree);

// Every source lies in a folder that the build takes: a file that is not built is decoration.
Breaches sources_not_built(const Tree& tree);
// A comment or document that names a document (NAME.md) names one of the tree, by its path from the
// root, or by its bare name where only one file has it.
Breaches documents_not_there(const Tree& tree);
// Every room says at its door what lives there: a README.md of at least two lines.
Breaches rooms_without_a_readme(const Tree& tree);
// No sleeping, no skipping, nothing unfinished, no path of the machine it was written on.
Breaches forbidden_words(const Tree& tree);

}  // namespace tree
