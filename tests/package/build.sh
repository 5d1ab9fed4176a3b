# shellcheck shell=bash
# The packages: the version of the sources, one before it and one after it.
echo "Building"
pack "$version" current
pack "$version" again
pack 0.0.9 previous
pack "$version.1" next
for name in surveybridge surveysandbox; do
  cmp "$kept/current/${name}_${version}_$arch.deb" "$kept/again/${name}_${version}_$arch.deb" ||
    fail "packed twice, and the bytes differ"
  ok "$name $version is packed twice with the same bytes"
  said=$(lintian --fail-on error --suppress-tags bad-distribution-in-changes-file \
    "$kept/current/${name}_${version}_$arch.deb" 2>&1) || fail "lintian:"$'\n'"$said"
  ok "lintian has no error about $name"
done

# What the flags of CMakePresets.json and CMakeLists.txt leave in the program.
dpkg-deb -x "$kept/current/surveybridge_${version}_$arch.deb" "$kept/unpacked"
program=$kept/unpacked/usr/bin/surveybridge
# hardened WHAT PATTERN COMMAND…
hardened() {
  local what=$1 pattern=$2
  shift 2
  "$@" "$program" | grep -E "$pattern" >/dev/null || fail "hardening: no $what"
  ok "hardening: $what"
}
hardened "position-independent program" 'Type: +DYN' readelf -hW
hardened "binding at the start" 'FLAGS_1.*NOW' readelf -dW
hardened "relocations that become read-only" GNU_RELRO readelf -lW
hardened "stack protector" __stack_chk_fail readelf -W --dyn-syms
hardened "fortified functions of the C library" '__[a-z]+_chk@' readelf -W --dyn-syms
hardened "assertions of the C++ library" __glibcxx_assert_fail readelf -W --dyn-syms
if [[ $arch == amd64 ]]; then
  hardened "marks for indirect jumps" endbr64 objdump -d --no-show-raw-insn
  hardened "probes of a growing stack" 'orq +\$0x0,\(%rsp\)' objdump -d --no-show-raw-insn
fi
