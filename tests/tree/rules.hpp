// The house's rules about its own source (docs/ARCHITECTURE.md, "Rules that make it hold"), each a
// pure function from a tree to what breaks it. Exceptions stand in tables, each with its reason.
#pragma once

#include "tests/tree/tree.hpp"

namespace tree {

// A file is one idea, a function fits a screen.
Breaches long_files(const Tree& tree);
Breaches long_functions(const Tree& tree);

// Includes are written from the root, exist, and point down only.
Breaches includes_that_point_up(const Tree& tree);
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
// No sleeping, no skipping, nothing unfinished, no path of the machine it was written on.
Breaches forbidden_words(const Tree& tree);

}  // namespace tree
