#!/usr/bin/env bash
# Sizes of files and methods. A file over 250 lines or a method over 50 fails, unless it stands in the list below with its reason.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# path[:method] <space> reason
exceptions() {
  sed -n '/^# EXCEPTIONS$/,$ { /^# [^E]/ s/^# //p }' "${BASH_SOURCE[0]}"
}

sources() { find "$@" -name '*.cs' -not -path '*/bin/*' -not -path '*/obj/*' | sort; }

# One line per file: lines, path.
file_lengths() { sources "$@" | while read -r file; do printf '%d %s\n' "$(wc -l <"$file")" "$file"; done; }

# One line per method, property or constructor with a block body: lines, path:name. Relies on the house format (Allman, four spaces):
# a block that opens one step inside a type is a member.
method_lengths() {
  sources "$@" | while read -r file; do
    awk -v file="$file" '
      function indent(line) { match(line, /^ */); return RLENGTH }
      { sub(/\r$/, "") }
      /^ *\/\// || /^ *\[/ || /^ *#/ { next }
      /^ *$/ { if (!inside) declaration = ""; next }
      inside { if (/^ *}/ && indent($0) == start) { print NR - first + 1, file ":" name; inside = 0; declaration = "" } ; next }
      /^ *{$/ {
        at = indent($0)
        if (declaration ~ /(^|[ (])(class|struct|interface|enum|record|namespace) /) { type = at; declaration = ""; next }
        inside = 1; start = at; first = line ? line : NR; name = declaration
        sub(/^ */, "", name); sub(/[<(].*/, "", name); sub(/.* /, "", name); next
      }
      { if (declaration == "") line = NR; declaration = declaration $0; if (/[;}]$/) declaration = "" }
    ' "$file"
  done
}

# median, 90th percentile and maximum of the numbers in the first column
spread() {
  sort -n | awk '{ value[NR] = $1 } END { if (NR) printf "median %d, p90 %d, max %d, count %d\n", value[int((NR + 1) / 2)], value[int(NR * 0.9 + 0.999)], value[NR], NR }'
}

files=$(file_lengths src)
methods=$(method_lengths src)
echo "files in src:   $(spread <<<"$files")   (budget: median 60, p90 150)"
echo "methods in src: $(spread <<<"$methods")   (budget: p90 25)"
source_lines=$(awk '{ sum += $1 } END { print sum + 0 }' <<<"$files")
test_lines=$(file_lengths tests | awk '{ sum += $1 } END { print sum + 0 }')
echo "lines: $source_lines in src, $test_lines in tests"

status=0
long=$(awk '$1 > 250 { print $2, $1, "lines (file)" }' < <(file_lengths src samples bench); awk '$1 > 50 { print $2, $1, "lines (method)" }' < <(method_lengths src samples bench))
while read -r what rest; do
  [[ -n $what ]] || continue
  if reason=$(exceptions | grep -F -- "$what "); then
    echo "allowed: $what $rest: ${reason#* }"
  else
    echo "too long: $what $rest"
    status=1
  fi
done <<<"$long"
exit $status

# EXCEPTIONS
