#!/usr/bin/env python3
"""Mutation testing of a part of the sources: changes one operator, condition, assignment or call at a time, builds, and runs one test project.

  eng/mutate.py --sources 'src/Core/Delivery/*.cs,src/Core/Sinks/LogBatch.cs' --tests tests/Core.Tests --count 75 --seed 7 [--only '-namespace AsyncLog.Tests.Delivery']

A mutant is killed when a test fails or the run does not end in time. Survivors are printed with their line: each is a missing test, or a change that makes no
difference. The seed chooses the mutants, so that a run can be repeated on the same commit. Works in the checkout it is called in and puts every file back.
"""
import argparse
import glob
import os
import random
import re
import signal
import subprocess

OPERATORS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "), (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "),
    (r" \+ ", " - "), (r" - ", " + "), (r"\+\+;", "--;"), (r" \+= ", " -= "), (r" -= ", " += "), (r"return true;", "return false;"), (r"return false;", "return true;"),
    (r"Math\.Min", "Math.Max"), (r"Math\.Max", "Math.Min"),
    # A condition is negated unless it declares a variable.
    (r"\bif \((?!.*is \{|.*is [A-Z]\w* \w+|.*out )(.*)\)$", r"if (!(\1))"),
    # A call or an assignment is left out.
    (r"^(\s+)(?!return|throw|var |using |if|else|break|continue|case|base|this\()([_a-zA-Z][\w.]*\(.*\);)$", r"\1;//\2"),
    (r"^(\s+)([_a-zA-Z][\w.]*) = (.*;)$", r"\1_ = \3"),
]


def mutants(files):
    for file in files:
        with open(file, encoding="utf-8") as source:
            for number, line in enumerate(source.read().split("\n")):
                text = line.strip()
                if text.startswith(("//", "[", "using ", "namespace ")) or any(word in text for word in ("Debug.Assert", "const ", "class ", "struct ")):
                    continue
                code = line.split(" // ")[0]
                for pattern, replacement in OPERATORS:
                    for match in re.finditer(pattern, code):
                        yield file, number, text, code[: match.start()] + match.expand(replacement) + code[match.end():]


def try_mutant(file, number, changed, arguments, assembly):
    with open(file, encoding="utf-8") as source:
        original = source.read()
    lines = original.split("\n")
    lines[number] = changed
    try:
        with open(file, "w", encoding="utf-8") as source:
            source.write("\n".join(lines))
        build = ["dotnet", "build", arguments.tests, "-c", "Release", "-v", "q", "-nologo", "-clp:NoSummary", "--no-restore",
                 "-p:RunAnalyzers=false", "-p:EnforceCodeStyleInBuild=false", "-p:TreatWarningsAsErrors=false"]
        if subprocess.run(build, capture_output=True).returncode:
            return None
        run = subprocess.Popen(["dotnet", assembly, "-noLogo", "-noColor", "-stopOnFail", *arguments.only.split()],
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        try:
            return "killed" if run.wait(timeout=arguments.timeout) else "SURVIVED"
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            run.wait()
            return "timeout"
    finally:
        with open(file, "w", encoding="utf-8") as source:
            source.write(original)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sources", required=True, help="files or patterns, separated by commas")
    parser.add_argument("--tests", required=True, help="the folder of the test project")
    parser.add_argument("--only", default="", help="arguments of the test program that choose tests")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=200, help="seconds of one test run")
    arguments = parser.parse_args()
    files = []
    for pattern in arguments.sources.split(","):
        found = sorted(glob.glob(pattern, recursive=True))
        if not found:
            parser.error(f"no file matches '{pattern}' of --sources")
        files += found
    project = glob.glob(arguments.tests + "/*.csproj")[0]
    assembly = subprocess.run(["dotnet", "msbuild", project, "-nologo", "-getProperty:TargetPath", "-p:Configuration=Release"], capture_output=True, text=True).stdout.strip()
    candidates = list(mutants(files))
    random.Random(arguments.seed).shuffle(candidates)
    print(f"{len(candidates)} mutants possible in {len(files)} files", flush=True)
    tried = killed = 0
    for file, number, text, changed in candidates:
        if tried == arguments.count:
            break
        outcome = try_mutant(file, number, changed, arguments, assembly)
        if outcome is None:
            continue
        tried += 1
        killed += outcome != "SURVIVED"
        print(f"{outcome} {file}:{number + 1}: {text} => {changed.strip()}", flush=True)
    print(f"{killed} of {tried} killed")


if __name__ == "__main__":
    main()
