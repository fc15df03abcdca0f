#!/usr/bin/env bash
# Prints the version of the packages of the commit that is checked out: that of its tag (v1.2.3), or the next patch as a preview (1.2.4-dev.COMMITS).
set -euo pipefail

if ! described=$(git describe --tags --match 'v[0-9]*' --long 2>/dev/null); then
  echo "0.1.0-dev.$(git rev-list --count HEAD)"
  exit 0
fi
# v1.2.3-0-gabcdef: the tag itself. v1.2.3-5-gabcdef: five commits behind it.
[[ $described =~ ^v([0-9]+\.[0-9]+)\.([0-9]+)(-[0-9A-Za-z.]+)?-([0-9]+)-g[0-9a-f]+$ ]] || { echo "$described: the tag is no version such as v1.2.3 or v1.2.3-rc.1" >&2; exit 1; }
minor=${BASH_REMATCH[1]} patch=${BASH_REMATCH[2]} preview=${BASH_REMATCH[3]} commits=${BASH_REMATCH[4]}
if ((commits == 0)); then
  echo "$minor.$patch$preview"
elif [[ -n $preview ]]; then
  echo "$minor.$patch$preview.dev.$commits"
else
  echo "$minor.$((patch + 1))-dev.$commits"
fi
