# Makes a manual page of what a program prints with --help.
#   PROGRAM --help | awk -v program=PROGRAM -v about="what it is" -v version=1.2 -f help_page.awk
BEGIN {
  printf ".TH %s 1 \"\" \"%s %s\"\n", toupper(program), program, version
  printf ".SH NAME\n%s \\- %s\n.SH DESCRIPTION\n.nf\n", program, about
}
{
  sub(/^Usage: [^ ]*\//, "Usage: ")
  gsub(/\\/, "\\e")
  gsub(/-/, "\\-")
  sub(/^[.']/, "\\\\\\&&")
  print
}
END {
  print ".fi"
}
