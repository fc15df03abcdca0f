#!/usr/bin/env bash
# platforms.sh [plain|native|sample|arm64|wine ...]: runs tests/Programs/PlatformProbe as built, as a native program, on arm64 (qemu) and on Windows (Wine), and
# prints one table. "sample" is samples/NativeTool as a native program. Without a name it runs all.
# What it needs is unpacked from Debian's packages into a folder of its own, once; nothing is installed. PLATFORMS_CACHE names the folder.
#   --all           also runs the tests of Core, Sinks.File, Sinks.Syslog and Sinks.Otlp under Wine, each class in a process of its own, two at a time. A project of
#                   tests/ after it runs only the tests of that project, and a regular expression after that only classes that match.
# CLASS_LIMIT   seconds for each class. If its tests do not end, each method of the class runs in a process of its own
# METHOD_LIMIT  seconds for each of these methods
# The last line is "N passed, N failed, N skipped". A platform that cannot be run here is skipped, with the reason.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cache=${PLATFORMS_CACHE:-${TMPDIR:-/tmp}/asynclog-platforms-$(id -u)}
out=$PWD/artifacts/platforms
probe=tests/Programs/PlatformProbe
sample=samples/NativeTool
# An emulator starts a process in seconds.
limit=400
class_limit=${CLASS_LIMIT:-150}
method_limit=${METHOD_LIMIT:-60}
passed=0
failed=0
skipped=0
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_UI_LANGUAGE=en MSBUILDDISABLENODEREUSE=1

say() { printf '\n== %s ==\n' "$*"; }

skip() { # skip PLATFORM REASON
  echo "skipped: $1: $2"
  skipped=$((skipped + 1))
}

# An apt of its own, which changes nothing of the system: apt_of ARCHITECTURE STATUS-FILE
apt_of() {
  local folder=$cache/apt-$1
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  cat >"$folder/apt.conf" <<CONF
APT::Architecture "$1";
APT::Architectures "$1";
APT::Sandbox::User "";
Debug::NoLocking "true";
Dir::State::Lists "$folder/lists";
Dir::State::status "$2";
Dir::Cache "$folder/cache";
CONF
  export APT_CONFIG=$folder/apt.conf
  apt-get -qq update >"$folder/log" 2>&1 || { tail -1 "$folder/log"; return 1; }
}

# Unpacks packages, with those they depend on that are not installed: unpack NAME PACKAGE...
unpack() (
  name=$1
  shift
  [[ ! -e $cache/$name/.done ]] || exit 0
  command -v apt-get >/dev/null || { echo "no apt-get to fetch $*"; exit 1; }
  rm -rf "${cache:?}/$name"
  case $name in
    arm64) : >"$cache/none"; apt_of arm64 "$cache/none" || exit 1
      (cd "$cache/apt-arm64/cache/archives" && apt-get -qq download "$@" >../../log 2>&1) || { tail -1 "$cache/apt-arm64/log"; exit 1; }
      debs=("$cache"/apt-arm64/cache/archives/*.deb) ;;
    *) apt_of "$(dpkg --print-architecture)" /var/lib/dpkg/status || exit 1
      folder=$(dirname "$APT_CONFIG")
      rm -f "$folder"/cache/archives/*.deb
      apt-get -qq install -y --no-install-recommends --download-only "$@" >"$folder/log" 2>&1 || { tail -1 "$folder/log"; exit 1; }
      debs=("$folder"/cache/archives/*.deb) ;;
  esac
  for deb in "${debs[@]}"; do dpkg -x "$deb" "$cache/$name" || exit 1; done
  touch "$cache/$name/.done"
)

# Sets launcher to what starts a program for arm64, or prints why it cannot.
setup_arm64() {
  local qemu
  unpack arm64 libc6 libgcc-s1 libstdc++6 libssl3 libicu72 zlib1g || return 1
  qemu=$(command -v qemu-aarch64-static) || { unpack qemu qemu-user-static || return 1; qemu=$cache/qemu/usr/bin/qemu-aarch64-static; }
  launcher=("$qemu" -L "$cache/arm64")
}

# Sets launcher to what starts a program for Windows, or prints why it cannot.
setup_wine() {
  local root=$cache/wine/usr dlls mingw
  unpack wine wine64 libwine || return 1
  dlls=$root/lib/x86_64-linux-gnu/wine/x86_64-windows
  if [[ ! -e $dlls/zlib1.dll ]]; then
    # As the package does when it is installed: the server's path, and zlib as one of Wine's own libraries.
    sed -i "s|=/usr/lib/wine/|=$root/lib/wine/|" "$root/lib/wine/wineserver"
    mingw=$root/x86_64-w64-mingw32/lib/zlib1.dll
    { head -c 64 "$mingw"; printf 'Wine builtin DLL'; head -c 16 /dev/zero; tail -c +97 "$mingw"; } >"$dlls/zlib1.dll"
  fi
  # DOTNET_EnableWriteXorExecute: with the default, .NET ends with a segmentation fault after some seconds.
  launcher=(env WINEPREFIX="$cache/prefix" WINEDEBUG=-all DISPLAY= DOTNET_EnableWriteXorExecute=0 LD_LIBRARY_PATH="$root/lib/x86_64-linux-gnu" "$root/lib/wine/wine64")
  [[ ! -e $cache/prefix/.done ]] || return 0
  rm -rf "$cache/prefix"
  # .NET 10 does not run on Windows 7, which Debian's Wine is at first.
  { timeout 200 "${launcher[@]}" wineboot -i && timeout 60 "${launcher[@]}" winecfg -v win10; } >"$cache/wine.log" 2>&1 || { echo "Wine cannot be set up: $(tail -1 "$cache/wine.log")"; return 1; }
  touch "$cache/prefix/.done"
}

# publish NAME BUILD PROJECT OPTION...: into $out/NAME, with intermediate files in $out/BUILD. Warnings are errors.
publish() {
  local name=$1 build=$2 project=$3
  shift 3
  dotnet publish "$project" -c Release -o "$out/$name" --artifacts-path "$out/$build" -p:RunAnalyzers=false -p:TreatWarningsAsErrors=true -v quiet -nologo "$@" >"$out/$name.publish" 2>&1 \
    && ! grep -q 'warning IL' "$out/$name.publish"
}

# run_probe NAME COMMAND...: leaves what it printed in $out/NAME.out, with the seconds in NAME.seconds.
run_probe() {
  local name=$1 start=$SECONDS
  shift
  timeout -k 5 "$limit" "$@" 2>"$out/$name.err" </dev/null | tr -d '\r' >"$out/$name.out"
  echo "${PIPESTATUS[0]}" >"$out/$name.status"
  echo $((SECONDS - start)) >"$out/$name.seconds"
}

native() {
  local linker options start=$SECONDS
  linker=$(command -v clang >/dev/null && echo clang || echo gcc)
  options=(-r linux-x64 -p:Native=true "-p:CppCompilerAndLinker=$linker")
  if wanted native; then
    publish native build-native "$probe" "${options[@]}" && echo $((SECONDS - start)) >"$out/native.published" && run_probe native "$out/native/PlatformProbe"
  fi
  if wanted sample; then
    publish sample build-native "$sample" "${options[@]}" && touch "$out/sample.published"
  fi
}

plain() {
  local start=$SECONDS
  dotnet build "$probe" -c Release -v quiet -nologo -clp:NoSummary >"$out/plain.publish" 2>&1 && echo $((SECONDS - start)) >"$out/plain.published" \
    && run_probe plain dotnet "$probe/bin/Release/net10.0/PlatformProbe.dll"
}

emulated() { # emulated NAME RUNTIME PROGRAM SETUP OPTION...
  local name=$1 start problem
  problem=$("$4") || { echo "${problem:-$4 failed}" >"$out/$name.missing"; return; }
  "$4" >/dev/null
  start=$SECONDS
  publish "$name" build-emulated "$probe" -r "$2" --self-contained "${@:5}" || return
  echo $((SECONDS - start)) >"$out/$name.published"
  PROBE_LAUNCHER=$([[ $name != arm64 ]] || echo "${launcher[*]}") DOTNET_EnableWriteXorExecute=0 run_probe "$name" "${launcher[@]}" "$out/$name/$3"
}

row() { # row NAME TITLE PROGRAM
  local name=$1 counts size=-
  if [[ -e $out/$name.missing ]]; then
    skip "$2" "$(<"$out/$name.missing")"
    return
  fi
  if [[ ! -e $out/$name.published ]]; then
    printf '%-34s cannot be published:\n' "$2"
    tail -20 "$out/$name.publish"
    failed=$((failed + 1))
    return
  fi
  counts=$(tail -1 "$out/$name.out" 2>/dev/null | awk '/^[0-9]+ passed, [0-9]+ failed, [0-9]+ not here$/ { print $1, $3, $5 }')
  # A program that dies or hangs is a failure.
  [[ -n $counts ]] || { counts="$(grep -c '^passed' "$out/$name.out") 1 $(grep -c '^not here' "$out/$name.out")"; echo "FAILED    $2: ended with $(<"$out/$name.status") after: $(tail -1 "$out/$name.out")" >>"$out/$name.out"; }
  set -- "$@" $counts
  [[ $3 == - ]] || size=$(du -sm "$out/$name" --exclude='*.dbg' --exclude='*.pdb' --exclude='*.xml' | cut -f1)
  printf '%-34s %7d %7d %9d %11s %7s %8s\n' "$2" "$4" "$5" "$6" "$(<"$out/$name.published")" "$(<"$out/$name.seconds")" "$size"
  passed=$((passed + $4))
  failed=$((failed + $5))
}

# Milliseconds until a program has printed its first line, the median of eleven starts.
first_line() {
  local start line times=()
  for _ in {1..11}; do
    start=${EPOCHREALTIME/./}
    IFS= read -r line < <("$@" 2>/dev/null)
    [[ -n $line ]] || { echo "nothing"; return; }
    times+=($(((${EPOCHREALTIME/./} - start) / 1000)))
  done
  printf '%s\n' "${times[@]}" | sort -n | sed -n 6p
}

sample_row() {
  if [[ ! -e $out/sample.published ]]; then
    echo "FAILED    samples/NativeTool cannot be published as a native program:"
    tail -20 "$out/sample.publish"
    failed=$((failed + 1))
    return
  fi
  export Logging__AsyncFile__Path=$out/sample.log Logging__AsyncSyslog__Enabled=false Logging__AsyncOtlp__Enabled=false
  dotnet build "$sample" -c Release -v quiet -nologo -clp:NoSummary >"$out/sample.publish" 2>&1
  printf 'samples/NativeTool, Native AOT: no warning, %s ms from start to first line (JIT: %s ms), %s MB\n' "$(first_line "$out/sample/NativeTool")" \
    "$(first_line dotnet "$sample/bin/Release/net10.0/NativeTool.dll")" "$(du -m "$out/sample/NativeTool" | cut -f1)"
  passed=$((passed + 1))
}

wanted() { [[ " ${names[*]} " == *" $1 "* ]]; }

# run_tests FILE LIMIT PROGRAM OPTION...: runs tests in one process under Wine, at most LIMIT seconds, and keeps what they printed in FILE. False if they did not end.
run_tests() {
  # The test support makes .NET's exceptions work under Wine 8.
  DOTNET_STARTUP_HOOKS=AsyncLog.Tests.Support timeout -k 1 "$2" "${launcher[@]}" "$3" -noLogo -noColor "${@:4}" 2>&1 </dev/null | tr -d '\r' >"$1"
  grep -q '  Total: ' "$1"
}

# run_class FOLDER PROGRAM CLASS: the tests of a class. If they do not end, each method of it runs in a process of its own.
run_class() {
  local folder=$1 program=$2 class=$3 method
  ! run_tests "$folder/$class" "$class_limit" "$program" -class "$class" || return 0
  mv "$folder/$class" "$folder/$class.unended"
  grep -F "$class." "$folder.methods" | while IFS= read -r method; do
    run_tests "$folder/$method" "$method_limit" "$program" -method "$method" || printf '    %s [NO END] %s\n' "$method" "$(tail -1 "$folder/$method")" >>"$folder/$method"
  done
}

all_tests() { # all_tests PROJECT
  local project=$1 folder=$out/tests-$1 program problem class start
  rm -rf "$folder"
  mkdir -p "$folder"
  problem=$(setup_wine) || { skip "tests/$project" "$problem"; return; }
  setup_wine
  publish "all-$project" build-emulated "tests/$project" -r win-x64 --self-contained || { tail -5 "$out/all-$project.publish"; echo "FAILED    tests/$project cannot be published"; failed=$((failed + 1)); return; }
  program=$(ls "$out/all-$project"/AsyncLog.*Tests.exe)
  "${launcher[@]}" "$program" -list methods -noLogo 2>/dev/null </dev/null | tr -d '\r' | grep '^AsyncLog' | sort >"$folder.methods"
  start=$SECONDS
  while IFS= read -r class; do
    run_class "$folder" "$program" "$class" &
    (($(jobs -rp | wc -l) < 2)) || wait -n
  done < <(sed 's/\.[^.]*$//' "$folder.methods" | sort -u | grep -E "$classes")
  wait
  rm -f "$folder"/*.unended
  cat "$folder"/* | awk -v project="$project" -v seconds=$((SECONDS - start)) '
    / Total: / { gsub(",", ""); for (i = 1; i < NF; i++) n[$i] += $(i + 1) }
    /\[NO END\]/ { open++ }
    END { printf "%-34s %7d %7d %7d %7d %7d\n", project, n["Total:"] - n["Skipped:"] - n["Failed:"], n["Failed:"] + n["Errors:"], open, n["Skipped:"], seconds }' | tee "$folder.row"
  set -- $(<"$folder.row")
  passed=$((passed + $2))
  failed=$((failed + $3 + $4))
}

names=()
all=()
classes=.
while (($# > 0)); do
  case $1 in
    plain | native | sample | arm64 | wine) names+=("$1") ;;
    --all)
      all=(Core.Tests Sinks.File.Tests Sinks.Syslog.Tests Sinks.Otlp.Tests)
      [[ -z ${2:-} || ! -d tests/$2 ]] || { all=("$2"); names+=(none); shift; }
      [[ ${names[*]} != none || -z ${2:-} ]] || { classes=$2; shift; } ;;
    *) echo "no platform is called $1" >&2; exit 2 ;;
  esac
  shift
done
((${#names[@]} > 0)) || names=(plain native sample arm64 wine)
rm -rf "$out"/{plain,native,sample,arm64,wine}{,.*}
mkdir -p "$out" "$cache"
say "platforms"
native &
job=$!
! wanted plain || plain
! wanted wine || emulated wine win-x64 PlatformProbe.exe setup_wine
! wanted arm64 || emulated arm64 linux-arm64 PlatformProbe setup_arm64 -p:PublishReadyToRun=true
wait "$job"

printf '%-34s %7s %7s %9s %11s %7s %8s\n' platform passed failed "not here" "publish s" "run s" MB
! wanted plain || row plain "linux-x64" -
! wanted native || row native "linux-x64, Native AOT" PlatformProbe
! wanted arm64 || row arm64 "linux-arm64, qemu" PlatformProbe
! wanted wine || row wine "win-x64, Wine" PlatformProbe.exe
! wanted sample || sample_row
for name in plain native arm64 wine; do
  [[ ! -e $out/$name.out ]] || grep -v '^passed\|^[0-9]' "$out/$name.out" | sed "s/^/$name: /"
done
if ((${#all[@]} > 0)); then
  printf '\n%-34s %7s %7s %7s %7s %7s\n' "tests under Wine" passed failed "no end" skipped "run s"
  for project in "${all[@]}"; do all_tests "$project"; done
  for project in "${all[@]}"; do cat "$out/tests-$project"/* 2>/dev/null | grep '\[FAIL\]\|\[NO END\]'; done
  echo
  echo "skipped, by reason:"
  for project in "${all[@]}"; do cat "$out/tests-$project"/* 2>/dev/null | grep -A 1 '\[SKIP\]' | grep -v '\[SKIP\]\|^--$'; done | sort | uniq -c | sort -rn
fi
echo
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
