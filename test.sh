#!/usr/bin/env bash
# Builds everything with warnings as errors, runs the tests of a tier, and ends with the true totals: "N passed, N failed, N skipped".
#
#   ./test.sh fast               what a change is tried with: no root, no programs of the system, nothing slow; under 90 s on two cores after the build
#   ./test.sh                    everything, on two cores within 15 minutes; as root on Debian it installs the programs that tests drive
#   ./test.sh release            everything with the full counts of docs/testing.md (ASYNCLOG_RELEASE=1), and "platforms --all"; takes a day
#   ./test.sh platforms          one program on every platform that can be run or emulated here (eng/platforms.sh, docs/platforms.md); ten minutes
#   ./test.sh platforms --all    also the tests of Core and of the sinks under Wine
#   ./test.sh mutants            changes 100 places of src and prints the changes that no test sees (docs/testing.md); half an hour
#   ./test.sh mutants COUNT SEED [FOLDER...]   repeats a run, or looks at these folders of src only
#   ./test.sh [TIER] NAME...     only these projects of tests/: ./test.sh fast Core.Tests
#   CONFIGURATION=Debug ./test.sh
#   TEST_TIMEOUT=600 ./test.sh   seconds of processor time that one project may take (900; release: 8 hours); three times as much real time may pass
#
# One test: dotnet run --project tests/Core.Tests -c Release -- -method "*Disposing_while_threads_write*" (or -class "*RaceTests", -trait "Category=slow").
# Tests that "fast" leaves out carry a trait: Category=system needs root, a mount, a namespace or a program beside the SDK; Category=slow takes its time.
# A skipped test counts as failed unless eng/allowed-skips.txt allows its reason.
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

# Debian's packages for the programs that tests drive. rsyslog and syslog-ng-core exclude each other, and prometheus would start a service: the
# tests unpack what is missing (tests/receivers), which needs the lists of packages only.
install_programs() {
  local pair program missing=() apt=() lists=
  for pair in wrk strace openssl chromium bindfs g++ mkfs.ext4:e2fsprogs setpriv:util-linux ip:iproute2; do
    program=${pair%%:*}
    command -v "$program" >/dev/null || [[ -x /usr/sbin/$program || -x /sbin/$program ]] || missing+=("${pair##*:}")
  done
  [[ " ${missing[*]} " != *" chromium "* ]] || missing+=(fonts-dejavu-core)
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
  for project in src/*/*.csproj tests/*/*.csproj samples/*/*.csproj bench/*/*.csproj templates/*.csproj; do
    grep -qF "${project//\//\\}" "$solution" || { echo "$project is not in $solution"; status=1; }
  done
  return $status
}

build() {
  dotnet restore "$solution" -v quiet || return 1
  # One compiler for all projects: each of its own would first be compiled itself, with its analyzers.
  local options=(--no-restore -c "$configuration" -warnaserror -v quiet -nologo -clp:NoSummary -p:UseSharedCompilation=true) status
  dotnet build "$solution" "${options[@]}" && { [[ " $* " != *" Core.Tests.checked "* ]] || dotnet build tests/Core.Tests "${options[@]}" -p:ChecksInvariants=true; }
  status=$?
  dotnet build-server shutdown --vbcscompiler >/dev/null
  return $status
}

# The rules of .editorconfig for code are part of the build. Those for every text, such as the last line end, are not.
check_format() {
  dotnet format whitespace . --folder --exclude artifacts --verify-no-changes -v quiet
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

# One line per skipped test: "project: test: reason".
skips_of() { # skips_of PROJECT OUTPUT
  awk -v project="$1" '
    /\[SKIP\]$/ { name = $0; sub(/^ +/, "", name); sub(/ \[SKIP\]$/, "", name); getline; sub(/^ +/, ""); print project ": " name ": " $0 }
    /^skipped: / { sub(/^skipped: /, ""); print project ": " $0 }
  ' "$2"
}

# The lines of standard input that eng/allowed-skips.txt does not allow in this tier.
forbidden_skips() {
  grep -vE -f <(awk -v tier="$tier" '/^(#|$)/ { next } $1 == "any" || $1 == tier { sub(/^[^ ]+ +/, ""); print }' eng/allowed-skips.txt)
}

# Runs a program with a limit of processor time, which a busy machine does not use up. The limit of real time ends a program that hangs.
limited() {
  (ulimit -S -t "$timeout" && exec timeout -k 10 "$((timeout * 3))" "$@")
}

# Runs one project, which names the tests that take longer than five minutes; leaves its counts, seconds and processor seconds in NAME.counts and the lines to show in NAME.log.
run_tests() {
  local name=$1 project=tests/${1%.checked}/*.csproj properties=() assembly output=$results/$1.out report=$results/$1.xml status counts forbidden started=$SECONDS
  [[ $name != *.checked ]] || properties=(-p:ChecksInvariants=true)
  assembly=$(dotnet msbuild $project -nologo -getProperty:TargetPath "-p:Configuration=$configuration" "${properties[@]}") || { echo "$name: no assembly"; echo "0 1 0 0 0" >"$results/$name.counts"; return; }
  if [[ -f $(dirname "$assembly")/xunit.v3.core.dll ]]; then
    limited dotnet "$assembly" -noLogo -noColor -diagnostics -longRunning 300 "${filter[@]}" -xml "$report" >"$output" 2>&1 </dev/null
    status=$?
    [[ -s $report ]] && counts=$(count_report "$report") || counts="0 1 0"
    show_failures "$output"
  else
    limited dotnet "$assembly" $(arguments_of "$name") >"$output" 2>&1 </dev/null
    status=$?
    counts=$(count_output "$output")
    tail -60 "$output"
  fi
  set -- $counts
  local passed=$1 failed=$2 skipped=$3
  forbidden=$(skips_of "$name" "$output" | forbidden_skips)
  if [[ -n $forbidden ]]; then
    printf 'SKIPPED, but eng/allowed-skips.txt does not allow it:\n%s\n' "$forbidden"
    failed=$((failed + $(wc -l <<<"$forbidden")))
    skipped=$((skipped - $(wc -l <<<"$forbidden")))
  fi
  if ((failed == 0 && status != 0)); then
    failed=1
    echo "exit code $status:"
    tail -40 "$output"
  elif ((failed == 0 && passed == 0)); then
    failed=1
    echo "ran no test"
  fi
  # The second line: the programs that this shell waited for, with theirs.
  times >"$results/$name.times"
  counts=$(awk 'NR == 2 { for (i = 1; i <= NF; i++) { split($i, part, "[ms]"); sum += part[1] * 60 + part[2] } printf "%.0f", sum }' "$results/$name.times")
  echo "$passed $failed $skipped $((SECONDS - started)) $counts" >"$results/$name.counts"
}

# Programs that take their length as an argument; without one they know their own and that of a release.
arguments_of() {
  [[ $1 != Stress || $tier != fast ]] || echo 4
}

# Two projects at a time, the longest first: most of them wait for something half of their time. Each is shown when it has ended.
run_all() {
  local name running=0
  for name in "$@"; do
    ((running < 2)) || { wait -n; running=$((running - 1)); show_ended; }
    (run_tests "$name") >"$results/$name.log" 2>&1 &
    running=$((running + 1))
  done
  wait
  show_ended
  for name in "$@"; do
    [[ -e $results/$name.counts.shown ]] || problem "tests/$name left no result"
  done
}

show_ended() {
  local counts name
  for counts in "$results"/*.counts; do
    [[ -e $counts ]] || continue
    name=$(basename "$counts" .counts)
    say "tests/$name"
    cat "$results/$name.log"
    set -- $(<"$counts")
    mv "$counts" "$counts.shown"
    printf '%s: %d passed, %d failed, %d skipped in %d s, %d s of a processor\n' "$name" "$@"
    passed=$((passed + $1))
    failed=$((failed + $2))
    skipped=$((skipped + $3))
    (($2 == 0)) || problem "tests/$name"
  done
}

tier=full
[[ ${1:-} != platforms ]] || exec eng/platforms.sh "${@:2}"
if [[ ${1:-} == mutants ]]; then
  dotnet build tests/Programs/Mutants -c Release -v quiet -nologo -clp:NoSummary && exec dotnet tests/Programs/Mutants/bin/Release/net10.0/Mutants.dll "${@:2}"
  exit 1
fi
case ${1:-} in
  fast | release) tier=$1; shift ;;
esac
filter=()
timeout=${TEST_TIMEOUT:-900}
case $tier in
  fast) filter=(-trait- Category=system -trait- Category=slow) ;;
  release)
    export ASYNCLOG_RELEASE=1
    timeout=${TEST_TIMEOUT:-28800}
    ;;
esac

# The longest first. Allocation and Endurance are not for "fast": one measures processes of its own for minutes, one waits.
# Core.Tests.checked is Core.Tests against a build of Core that checks its invariants. Support is the library of all tests.
projects=(Repository.Tests Sinks.Syslog.Tests Integration.Tests Endurance AspNetCore.Tests Bench.Tests Core.Tests Allocation Stress Core.Tests.checked Sinks.Otlp.Tests Sinks.File.Tests)
for project in tests/*/*.csproj; do
  name=$(basename "$(dirname "$project")")
  [[ $name != Support ]] || continue
  [[ " ${projects[*]} " == *" $name "* ]] || projects+=("$name")
done
selected=()
for name in "${projects[@]}"; do
  if (($# > 0)); then
    [[ " $* " == *" $name "* ]] && selected+=("$name")
  elif [[ $tier != fast || $name != @(Allocation|Endurance|Core.Tests.checked) ]]; then
    selected+=("$name")
  fi
done
((${#selected[@]} > 0)) || { echo "no project of tests/ is called $*" >&2; exit 2; }

rm -rf "$results"
mkdir -p "$results"

if [[ $tier != fast ]]; then
  say "programs"
  install_programs
fi
say "build ($configuration)"
check_solution || problem "$solution is not complete"
build "${selected[@]}" || { problem "build"; finish; }
if (($# == 0)) && [[ $tier != fast ]]; then
  say "format"
  check_format || problem "dotnet format finds something to change"
fi
built=$SECONDS
run_all "${selected[@]}"
if (($# == 0)) && [[ $tier == release ]]; then
  eng/platforms.sh --all | tee "$results/platforms.out"
  set -- $(count_output "$results/platforms.out")
  passed=$((passed + $1))
  failed=$((failed + $2))
  skipped=$((skipped + $3))
  (($2 == 0)) || problem "platforms"
fi
echo
echo "build: $built s, tests: $((SECONDS - built)) s"
finish
