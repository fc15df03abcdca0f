#!/usr/bin/env bash
# unpack-prometheus.sh: prints the folder with prometheus and promtool: where they are installed, or unpacked from Debian's package without
# installing it, because that would start a service.
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
if exe=$(command -v prometheus) && command -v promtool >/dev/null; then
  dirname "$exe"
  exit
fi
unpack_debs prometheus prometheus
echo "$root/usr/bin"
