#!/usr/bin/env bash
# Prints the measures of the sources, per project of src/ and in sum. They are to be looked at; only a circle of folders or of more than four files
# fails, as it fails tests/Repository.Tests.
#
#   eng/metrics.sh [FOLDER]...    (src/Core src/Sinks.File ...)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec python3 - "$@" <<'PYTHON'
import collections, os, re, sys

TYPE = re.compile(r'^(?:\[.*\]\s*)?(?:(?:public|internal|file|static|sealed|abstract|readonly|ref|partial|unsafe)\s+)*'
                  r'(?:class|struct|interface|enum|record(?:\s+struct|\s+class)?|delegate\s+\S+)\s+([A-Za-z_]\w*)', re.M)
NAME = re.compile(r'(?<![\w.])[A-Za-z_]\w*|(?<=\bAsyncLog\.)[A-Za-z_]\w*')
TEXT = re.compile(r'//[^\n]*|"""[\s\S]*?"""|"(?:\\.|[^"\\\n])*"')


def folder(path):
    return os.path.dirname(path) or '.'


def circles(arrows):
    def reach(node):
        seen, left = set(), [node]
        while left:
            for other in arrows.get(left.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    left.append(other)
        return seen
    reached = {node: reach(node) for node in arrows}
    return {frozenset(o for o in reached[n] if n in reached.get(o, ())) for n in arrows if n in reached[n]}


def measure(root):
    sources = {}
    for where, folders, files in os.walk(root):
        folders[:] = [name for name in folders if name not in ('bin', 'obj')]
        for name in files:
            if name.endswith('.cs'):
                path = os.path.join(where, name)
                with open(path, encoding='utf-8-sig') as file:
                    sources[os.path.relpath(path, root)] = file.read()
    code = {path: TEXT.sub(lambda m: '' if m[0][0] == '/' else '""', text) for path, text in sources.items()}
    declared = collections.defaultdict(set)
    for path, text in code.items():
        for match in TYPE.finditer(text):
            declared[match[1]].add(path)
    uses = {path: {next(iter(declared[name])) for name in NAME.findall(text) if len(declared.get(name, ())) == 1} - {path} for path, text in code.items()}
    users = collections.Counter(other for others in uses.values() for other in others)
    between = collections.defaultdict(set)
    for path, others in uses.items():
        between[folder(path)] |= {folder(other) for other in others} - {folder(path)}
    lines = {path: text.count('\n') for path, text in sources.items()}
    why = sum(bool(re.match(r'\s*//(?!/)', line)) for text in sources.values() for line in text.splitlines())
    folders = collections.Counter(map(folder, sources))
    file_circles = sorted((sorted(c) for c in circles(uses) if len(c) > 1), key=len, reverse=True)
    folder_circles = sorted(sorted(c) for c in circles(between))
    return dict(files=len(sources), types=len(declared), lines=sum(lines.values()), largest=max(lines.values()), once=sum(users[path] == 1 for path in sources),
                folders=len(folders), crowded=max(folders.values()), why=why, file_circles=file_circles, folder_circles=folder_circles)


def row(name, m):
    print(f"{name:14}{m['files']:7}{m['types']:7}{m['lines']:8}{m['lines'] // m['files']:6}{m['largest']:9}{m['once']:6} ({m['once'] / m['files']:4.0%})"
          f"{m['files'] / m['folders']:9.1f}{m['crowded']:9}{m['why'] / m['lines']:7.1%}{len(m['folder_circles']):9}{max(map(len, m['file_circles']), default=0):9}")


roots = sys.argv[1:] or sorted('src/' + name for name in os.listdir('src') if os.path.isdir('src/' + name))
print(f"{'':14}{'files':>7}{'types':>7}{'lines':>8}{'mean':>6}{'largest':>9}{'used once':>13}{'/folder':>9}{'largest':>9}{'why':>7}{'circles':>9}{'of files':>9}")
measured = {root: measure(root) for root in roots}
for root, m in measured.items():
    row(os.path.basename(root), m)
total = {key: sum(m[key] for m in measured.values()) for key in ('files', 'types', 'lines', 'once', 'folders', 'why')}
total.update(largest=max(m['largest'] for m in measured.values()), crowded=max(m['crowded'] for m in measured.values()),
             file_circles=[c for m in measured.values() for c in m['file_circles']], folder_circles=[c for m in measured.values() for c in m['folder_circles']])
row('all', total)

try:
    with open('docs/architecture.md', encoding='utf-8') as file:
        way = file.read().split('## The path of a record', 1)[1].split('\n## ', 1)[0]
    print(f"\na record's path from ILogger.Log to the commit: {len(set(re.findall(r'[(]../(src/[^)#]+[.]cs)', way)))} files (docs/architecture.md)")
except (FileNotFoundError, IndexError):
    pass

failed = False
for root, m in measured.items():
    for circle in m['folder_circles']:
        failed = True
        print(f"{root}: folders in a circle: {' '.join(circle)}")
    for circle in m['file_circles']:
        failed |= len(circle) > 4
        print(f"{root}: {len(circle)} files in a circle: {' '.join(circle)}" + (' (more than 4)' if len(circle) > 4 else ''))
sys.exit(failed)
PYTHON
