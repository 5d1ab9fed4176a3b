# shellcheck shell=bash
# The packages: the version of the sources, one before it and one after it.
echo "Building"
version=$(sed -n 's/^project(surveybridge VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
arch=$(dpkg --print-architecture)
scripts/package "$version" "$kept/current" >/dev/null
scripts/package "$version" "$kept/again" >/dev/null
scripts/package 0.0.9 "$kept/previous" >/dev/null
scripts/package "$version.1" "$kept/next" >/dev/null
for name in surveybridge surveysandbox; do
  cmp "$kept/current/${name}_${version}_$arch.deb" "$kept/again/${name}_${version}_$arch.deb" ||
    fail "packed twice, and the bytes differ"
  ok "$name $version is packed twice with the same bytes"
  said=$(lintian --fail-on error --suppress-tags bad-distribution-in-changes-file \
    "$kept/current/${name}_${version}_$arch.deb" 2>&1) || fail "lintian:"$'\n'"$said"
  ok "lintian has no error about $name"
done
