#!/usr/bin/env bash
# stop.sh DIR: stops every receiver started with DIR (SIGTERM, SIGKILL after 5 s) and waits for its end.
set -euo pipefail
[ -d "${1:-}" ] || { echo "usage: $0 DIR" >&2; exit 1; }
for name in rsyslog syslog-ng; do
  f=$1/$name.pid
  [ -e "$f" ] || continue
  pid=$(cat "$f")
  if [ -r "/proc/$pid/cmdline" ] && tr '\0' ' ' <"/proc/$pid/cmdline" | grep -q "$name"; then
    kill "$pid" 2>/dev/null || true
    for _ in $(seq 50); do kill -0 "$pid" 2>/dev/null || break; sleep 0.1; done
    kill -KILL "$pid" 2>/dev/null || true
  fi
  rm -f "$f"; echo "$name stopped"
done
