#!/usr/bin/env bash
# Builds every package into artifacts/packages, with a bill of materials (SPDX 2.3) beside each, and checks them: contents, and a fresh project of each
# template of the SDK and of AsyncLog.Templates that installs them, runs and logs.
#
#   eng/pack.sh                       version of the tag at HEAD (v1.2.3), else of the next patch: 1.2.4-dev.COMMITS
#   eng/pack.sh --version 1.2.3-rc.1  another version
#   eng/pack.sh --url URL             where the project lives; GitHub's CI sets it. A release needs one, for links in packages are absolute
#   eng/pack.sh --output DIR          another folder than artifacts/packages; it is emptied of packages
#   eng/pack.sh --no-check            no check
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

output=artifacts/packages version= url= check=true
while (($# > 0)); do
  case $1 in
    --version) version=$2; shift ;;
    --url) url=$2; shift ;;
    --output) output=$2; shift ;;
    --no-check) check=false ;;
    *) sed -n '2,/^set/{/^#/p}' "$0" >&2; exit 2 ;;
  esac
  shift
done

[[ -n $version ]] || version=$(eng/package/version.sh)
[[ -n $url || -z ${GITHUB_REPOSITORY:-} ]] || url=${GITHUB_SERVER_URL:-}/$GITHUB_REPOSITORY
if [[ $version != *-* ]]; then
  [[ -n $url ]] || { echo "$version is a release: --url says where the project lives" >&2; exit 1; }
  [[ -z $(git status --porcelain) ]] || { echo "$version is a release: commit or remove what git status shows" >&2; exit 1; }
  documents=v$version
fi

# Inside the repository, so that the paths of generated sources are the same on every machine.
build=$PWD/artifacts/pack
mkdir -p "$output" "$build"
rm -f "$output"/*.nupkg "$output"/*.spdx.json
output=$(cd "$output" && pwd)
export DOTNET_CLI_TELEMETRY_OPTOUT=1 DOTNET_NOLOGO=1 DOTNET_CLI_UI_LANGUAGE=en

# For CI: no path of this machine in an assembly. Analyzers run in ./test.sh.
dotnet pack eng/package/Packages.slnf -c Release -o "$output" --artifacts-path "$build" -v quiet -nologo -clp:NoSummary \
  -p:Version="$version" -p:ContinuousIntegrationBuild=true -p:RunAnalyzers=false ${url:+-p:ProjectUrl="$url"} -p:DocumentsRef="${documents:-$(git rev-parse HEAD)}"
python3 eng/package/sbom.py "$output" "$build/obj"
(cd "$output" && ls -1 -- *.nupkg)

[[ $check == false ]] || ASYNCLOG_RELEASE=1 ASYNCLOG_PACKAGES=$output dotnet run --project tests/Repository.Tests -c Release -- -noLogo -noColor -namespace AsyncLog.Tests.Packages
