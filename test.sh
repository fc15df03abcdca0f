#!/usr/bin/env bash
# Builds everything with warnings as errors, checks format and size of the sources, runs every test project, and ends with the true totals.
# Needs only the .NET SDK; installs the programs that some tests drive (wrk, strace, openssl, rsyslog, syslog-ng, chromium, prometheus) where it may.
#
#   ./test.sh                    everything
#   ./test.sh Core.Tests Stress  only these test projects
#   CONFIGURATION=Debug ./test.sh
#   STRESS_SECONDS=600 ./test.sh Stress
#   ENDURANCE_SECONDS=180 ./test.sh Endurance
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

configuration=${CONFIGURATION:-Release}
export CONFIGURATION=$configuration
results=$PWD/artifacts/test-results
solution=AsyncLog.sln
passed=0
failed=0
skipped=0
problems=()

export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_UI_LANGUAGE=en MSBUILDDISABLENODEREUSE=1

say() { printf '\n== %s ==\n' "$*"; }

problem() {
  problems+=("$1")
  printf 'FAILED: %s\n' "$1"
}

finish() {
  say "summary"
  ((${#problems[@]} == 0)) || printf 'FAILED: %s\n' "${problems[@]}"
  # a step that is not a test, but failed, must not look like a green run
  ((${#problems[@]} > 0 && failed == 0)) && failed=${#problems[@]}
  printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
  ((failed == 0)) || exit 1
  exit 0
}

install_programs() {
  local missing=() name apt=() lists=
  for name in wrk strace openssl; do
    command -v "$name" >/dev/null || missing+=("$name")
  done
  command -v chromium >/dev/null || missing+=(chromium fonts-dejavu-core)
  # rsyslog and syslog-ng-core exclude each other, and prometheus would start a service: the tests unpack what is missing (tests/receivers), which
  # needs the lists of packages only
  if ! { command -v rsyslogd && command -v syslog-ng && command -v prometheus && command -v promtool; } >/dev/null && ! ls /var/lib/apt/lists/*_Packages* >/dev/null 2>&1; then
    lists="the lists of packages"
  fi
  ((${#missing[@]} > 0)) || [[ -n $lists ]] || return 0
  command -v apt-get >/dev/null || { echo "no apt-get: tests that need ${missing[*]} or syslog receivers will be skipped"; return 0; }
  if [[ $(id -u) == 0 ]]; then
    apt=(env DEBIAN_FRONTEND=noninteractive apt-get)
  elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
    apt=(sudo -n env DEBIAN_FRONTEND=noninteractive apt-get)
  else
    echo "not root: tests that need ${missing[*]} will be skipped"
    return 0
  fi
  "${apt[@]}" -qq update >/dev/null && ((${#missing[@]} == 0)) && return 0
  "${apt[@]}" -qq install -y --no-install-recommends "${missing[@]}" >/dev/null \
    || echo "cannot install ${missing[*]}: tests that need them will be skipped"
}

# A project that is not in the solution would be neither built nor formatted.
check_solution() {
  local project status=0
  for project in src/*/*.csproj tests/*/*.csproj samples/*/*.csproj bench/*/*.csproj; do
    grep -qF "${project//\//\\}" "$solution" || { echo "$project is not in $solution"; status=1; }
  done
  return $status
}

build() {
  dotnet restore "$solution" -v quiet || return 1
  dotnet build "$solution" --no-restore -c "$configuration" -warnaserror -v quiet -nologo -clp:NoSummary
}

check_format() {
  dotnet format whitespace "$solution" --verify-no-changes --no-restore -v quiet \
    && dotnet format style "$solution" --verify-no-changes --no-restore -v quiet
}

# The counts of an xunit report: attributes of its <assembly> elements. A test class that could not even start is an error.
count_report() {
  awk '
    function attribute(name) { return match($0, " " name "=\"[0-9]+\"") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4) + 0 : 0 }
    /<assembly / { passed += attribute("passed"); failed += attribute("failed") + attribute("errors"); skipped += attribute("skipped") + attribute("not-run") }
    END { print passed + 0, failed + 0, skipped + 0 }
  ' "$1"
}

# The counts of a program that is its own test: the last line "N passed, N failed[, N skipped]".
count_output() {
  awk '
    /^[0-9]+ passed, [0-9]+ failed/ { passed = $1; failed = $3; skipped = $5 + 0; found = 1 }
    END { if (found) print passed, failed, skipped; else print 0, 1, 0 }
  ' "$1"
}

# What failed or was skipped, with its message, out of everything the tests print.
show_failures() {
  awk '/\[(FAIL|SKIP)\]$/ { show = 1; print; next } show && /^      / { print; next } { show = 0 }' "$1" | head -300
}

run_tests() {
  local project=$1 name assembly output report status counts
  name=$(basename "$(dirname "$project")")
  say "tests/$name"
  assembly=$(dotnet msbuild "$project" -nologo -getProperty:TargetPath "-p:Configuration=$configuration") || { problem "$name: no assembly"; return; }
  output=$results/$name.out
  report=$results/$name.xml
  if [[ -f $(dirname "$assembly")/xunit.v3.core.dll ]]; then
    timeout -k 10 "${TEST_TIMEOUT:-900}" dotnet "$assembly" -noLogo -noColor -xml "$report" >"$output" 2>&1 </dev/null
    status=$?
    [[ -s $report ]] && counts=$(count_report "$report") || counts="0 1 0"
    show_failures "$output"
  else
    timeout -k 10 "${TEST_TIMEOUT:-900}" dotnet "$assembly" $(arguments_of "$name") >"$output" 2>&1 </dev/null
    status=$?
    counts=$(count_output "$output")
    tail -60 "$output"
  fi
  set -- $counts
  printf '%s: %d passed, %d failed, %d skipped (exit code %d)\n' "$name" "$1" "$2" "$3" "$status"
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
  if ((status != 0 || $2 > 0)); then
    problem "tests/$name"
    (($2 > 0)) || { failed=$((failed + 1)); tail -40 "$output"; }
  elif (($1 == 0)); then
    problem "tests/$name ran no test"
  fi
}

# Programs that take their length as an argument.
arguments_of() {
  case $1 in
    Stress) echo "${STRESS_SECONDS:-30}" ;;
    Endurance) echo "${ENDURANCE_SECONDS:-25}" ;;
  esac
}

rm -rf "$results"
mkdir -p "$results"

say "programs"
install_programs
say "build ($configuration)"
check_solution || problem "$solution is not complete"
build || { problem "build"; finish; }
if (($# == 0)); then
  say "format"
  check_format || problem "dotnet format finds something to change"
  say "size of the sources"
  eng/metrics.sh || problem "eng/metrics.sh: a file or a method is too long"
fi
for project in tests/*/*.csproj; do
  if (($# == 0)) || [[ " $* " == *" $(basename "$(dirname "$project")") "* ]]; then
    run_tests "$project"
  fi
done
finish
