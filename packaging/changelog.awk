# CHANGELOG.md as the changelog of a Debian package:
# awk -v package=NAME -v maintainer="NAME <ADDRESS>" -v version=NUMBER -v today="DATE, as date -R writes it".
# "## [VERSION] - DATE" begins an entry, "### GROUP" a part of it; their lines follow. What is not released yet is of the version
# that is built, today. Other headings are left out, and so is an entry without lines.
function finish() { if (begun) printf "\n -- %s  %s\n\n", maintainer, date; begun = 0 }
/^## / {
  finish()
  date = ""
  if ($2 == "[Unreleased]") { number = version; date = today }
  if ($2 !~ /^\[[0-9.]+\]$/ || $4 == "") next
  number = substr($2, 2, length($2) - 2)
  command = "LC_ALL=C date -u -R -d " $4
  command | getline date
  close(command)
  next
}
date == "" || /^$/ { next }
!begun { printf "%s (%s) unstable; urgency=medium\n\n", package, number; begun = 1 }
/^### / { print "  [ " $2 " ]"; next }
# Debian's lines have at most 80 characters.
function wrapped(text, indent,   words, count, i, line) {
  count = split(text, words, " ")
  line = indent words[1]
  for (i = 2; i <= count; i++) {
    if (length(line " " words[i]) > 80) { print line; line = "    " words[i] }
    else line = line " " words[i]
  }
  print line
}
{ indent = /^- / ? "  " : "    "; sub(/^- /, "* "); wrapped($0, indent) }
END { finish() }
