# CHANGELOG.md as the changelog of a Debian package: awk -v package=NAME -v maintainer="NAME <ADDRESS>".
# "## [VERSION] - DATE" begins an entry, "### GROUP" a part of it; their lines follow. Other headings, and what has no
# date yet, are left out.
function finish() { if (date != "") printf "\n -- %s  %s\n\n", maintainer, date }
/^## / {
  finish()
  date = ""
  if ($2 !~ /^\[[0-9.]+\]$/ || $4 == "") next
  printf "%s (%s) unstable; urgency=medium\n\n", package, substr($2, 2, length($2) - 2)
  command = "LC_ALL=C date -u -R -d " $4
  command | getline date
  close(command)
  next
}
date == "" || /^$/ { next }
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
