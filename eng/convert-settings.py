#!/usr/bin/env python3
"""Prints the settings of AsyncLog for an nlog.config, or for an appsettings.json with the section Serilog.

    python3 eng/convert-settings.py nlog.config

A comment names each setting that has no equivalent. docs/migrate-from-nlog.md and docs/migrate-from-serilog.md say what to do about it.
"""
import fnmatch
import json
import os
import re
import sys
import xml.etree.ElementTree as ElementTree

LEVELS = ["Trace", "Debug", "Information", "Warning", "Error", "Critical", "None"]
LEVEL_OF = {"verbose": 0, "trace": 0, "debug": 1, "info": 2, "information": 2, "warn": 3, "warning": 3, "error": 4, "fatal": 5, "off": 6}
# What a named file or stream says if the first one says something else.
DEFAULTS = {"Format": "Text", "OnStartup": "Append", "Color": "Auto", "Stream": "Output", "ErrorLevel": "None", "QueueFullMode": "DropWrite", "MaxQueueLength": 100000, "MaxLevel": "Critical"}
OWN = ("Path", "LogLevel", "Files", "Streams", "Template", "Properties")
notes, sinks, root = [], [], {"Logging": {}}


def note(what, why):
    if f"// {what}: {why}" not in notes:
        notes.append(f"// {what}: {why}")


def print_settings():
    logging = root["Logging"]
    for sink in sinks:
        note("In the code", f"builder.Logging.Add{sink['section']}();")
        options, levels = sink["options"], {category: LEVELS[level] for category, level in sink["levels"].items()}
        if logging.setdefault("LogLevel", levels) != levels:
            options["LogLevel"] = levels
        main = logging.setdefault(sink["section"], options)
        if main is not options:
            # Without what the first one hands down.
            for key in [key for key in main if key not in OWN]:
                if key not in options:
                    options[key] = DEFAULTS.get(key)
                elif options[key] == main[key]:
                    del options[key]
            main.setdefault("Files" if sink["section"] == "AsyncFile" else "Streams", {})[sink["name"]] = options
    print("\n".join(notes + [json.dumps(root, indent=2, ensure_ascii=False)]))


def calls(entries):
    """The names and arguments of a list of Serilog, which may be an object whose keys are numbers."""
    for entry in entries.values() if isinstance(entries, dict) else entries or []:
        yield (entry, {}) if isinstance(entry, str) else (entry["Name"], entry.get("Args", {}))


def is_true(value):
    return str(value).lower() == "true"


def read_serilog(serilog):
    minimum = serilog.get("MinimumLevel", "Information")
    minimum = minimum if isinstance(minimum, dict) else {"Default": minimum}
    levels = {"Default": minimum.get("Default", "Information"), **minimum.get("Override", {})}
    # A name that begins with $ is that of a switch.
    levels = {category: LEVEL_OF.get(level.lower(), 2) for category, level in levels.items()}
    constants = dict(serilog.get("Properties", {}))
    for name, _ in calls(serilog.get("Enrich")):
        if name in ("WithMachineName", "WithProcessId", "WithEnvironmentName"):
            constants[name[4:]] = "{" + name[4:] + "}"
        elif name == "WithThreadId":
            note("Enrich:WithThreadId", "{ThreadId} in a template; JSON and CLEF have no thread id")
        elif name != "FromLogContext":
            note(f"Enrich:{name}", "not here; use a scope or an enricher of Microsoft.Extensions.Telemetry")
    for name, arguments in calls(serilog.get("WriteTo")):
        read_serilog_sink(name, arguments, {}, levels, constants)
    for name, _ in calls(serilog.get("Destructure")):
        note(f"Destructure:{name}", "set AsyncLogOptions.ObjectJson with its MaxDepth in code" if name == "ToMaximumDepth" else "not here; System.Text.Json writes objects")
    for key in sorted(serilog.keys() - {"Using", "MinimumLevel", "Properties", "Enrich", "WriteTo", "Destructure"}):
        note(key, "set AcknowledgeLevel, FlushToDiskLevel and AcknowledgeFailure of a file" if key == "AuditTo" else "not here")


def read_serilog_sink(name, arguments, queue, levels, constants):
    if name == "Async":
        if "bufferSize" in arguments:
            queue["MaxQueueLength"] = int(arguments["bufferSize"])
        queue |= {"QueueFullMode": "Wait"} if is_true(arguments.get("blockWhenFull")) else {}
        for inner, own in calls(arguments.get("configure")):
            read_serilog_sink(inner, own, queue, levels, constants)
        return
    if name not in ("File", "Console"):
        note(f"WriteTo:{name}", "not here; AsyncLog writes files, standard output, syslog and OTLP")
        return
    options = serilog_file(arguments) if name == "File" else {}
    formatter = arguments.get("formatter")
    formatter = formatter.get("type", "") if isinstance(formatter, dict) else formatter
    if formatter is None:
        default = "{Timestamp:yyyy-MM-dd HH:mm:ss.fff zzz} [{Level:u3}]" if name == "File" else "[{Timestamp:HH:mm:ss} {Level:u3}]"
        options["Template"] = arguments.get("outputTemplate", default + " {Message:lj}{NewLine}{Exception}").replace("{Properties:j}", "{Properties}").replace("{Level:u4}", "{Level:u3}")
        # Text has no constant properties: they become literals.
        for key, value in constants.items():
            if not str(value).startswith("{"):
                options["Template"] = options["Template"].replace("{" + key + "}", str(value))
    elif "Json" in formatter:
        options["Format"] = "Clef" if "Compact" in formatter else "Json"
        if constants:
            options["Properties"] = dict(constants)
    else:
        note(f"formatter {formatter}", "write an ILogFormatter and register it with AddLogFormatter")
    options |= {"ErrorLevel": LEVELS[LEVEL_OF[arguments["standardErrorFromLevel"].lower()]]} if "standardErrorFromLevel" in arguments else {}
    for key in sorted(arguments.keys() & {"theme", "hooks", "encoding", "formatProvider", "levelSwitch"}):
        note(key, "not here; colors are by level" if key == "theme" else "not here")
    least = LEVEL_OF[arguments.get("restrictedToMinimumLevel", "Verbose").lower()]
    label = os.path.basename(arguments["path"]).replace("-.", ".").replace(".", "-") if name == "File" else f"stream{len(sinks)}"
    levels = {category: max(level, least) for category, level in levels.items()}
    sinks.append({"section": f"Async{name}", "name": label, "options": {**options, **queue}, "levels": levels})


def serilog_file(arguments):
    interval = arguments.get("rollingInterval", "Infinite")
    date = {"Year": "yyyy", "Month": "yyyyMM", "Day": "yyyyMMdd", "Hour": "yyyyMMddHH", "Minute": "yyyyMMddHHmm"}.get(interval)
    stem, extension = os.path.splitext(arguments["path"])
    limit, count = arguments.get("fileSizeLimitBytes", 1 << 30), arguments.get("retainedFileCountLimit", 31)
    if limit is not None and not is_true(arguments.get("rollOnFileSizeLimit")):
        note("fileSizeLimitBytes", "AsyncLog begins a new file at the limit; Serilog stops writing")
    options = {"Path": f"{stem}{{Date:{date}}}{extension}" if date else arguments["path"], "RollingInterval": interval if date else "None"}
    options |= {"FileSizeLimit": None if limit is None else int(limit), "RetainedFileCountLimit": None if count is None else int(count)}
    return options | {key[0].upper() + key[1:]: arguments[key] for key in ("retainedFileTimeLimit", "flushToDiskInterval") if key in arguments}


# The renderers of NLog in a template, and in a path.
TEXT = {
    "longdate": "{Timestamp:yyyy-MM-dd HH:mm:ss.ffff}", "shortdate": "{Timestamp:yyyy-MM-dd}", "time": "{Timestamp:HH:mm:ss.ffff}", "logger": "{Category}", "loggername": "{Category}",
    "level": "{Level}", "loglevel": "{Level}", "message": "{Message}", "newline": "{NewLine}", "all-event-properties": "{Properties}", "scopenested": "{Scopes}", "ndlc": "{Scopes}", "ndc": "{Scopes}",
    "threadid": "{ThreadId}", "processid": "{ProcessId}", "machinename": "{MachineName}", "hostname": "{MachineName}", "activityid": "{TraceId}", "aspnet-traceidentifier": "{RequestId}",
    "aspnet-request-url": "{RequestPath}", "aspnet-mvc-action": "{ActionName}", "aspnet-request-connection-id": "{ConnectionId}",
    "aspnet-appname": "{ApplicationName}", "host-appname": "{ApplicationName}", "aspnet-environment": "{EnvironmentName}", "host-environment": "{EnvironmentName}",
    "microsoftconsolelayout": "{Level:w3}: {Category}[{EventId}] {Message}",
}
PATH = {"shortdate": "{Date:yyyy-MM-dd}", "basedir": "", "machinename": "{MachineName}", "hostname": "{MachineName}", "processid": "{ProcessId}", "dir-separator": "/"}
EXCEPTION = "{NewLine}{Exception}"


def of(element, name):
    """An attribute or an element below; the names of NLog ignore case."""
    found = [value for key, value in element.attrib.items() if key.split("}")[-1].lower() == name.lower()]
    return found[0] if found else next((below.text for below in element if tag(below) == name and len(below) == 0), None)


def tag(element):
    return element.tag.split("}")[-1]


def below(element, *names):
    return [child for child in element if tag(child) in names]


def translate(layout, target, variables, renderers):
    text, at = "", 0
    while at < len(layout):
        if layout[at:at + 2] != "${":
            text, at = text + layout[at] * (2 if layout[at] in "{}" else 1), at + 1
            continue
        parts, depth, at = [""], 1, at + 2
        while depth > 0:
            # A backslash escapes the next sign.
            sign = layout[at:at + 2] if layout[at] == "\\" or layout[at:at + 2] == "${" else layout[at]
            depth += {"${": 1, "}": -1}.get(sign, 0)
            if sign == ":" and depth == 1:
                parts.append("")
            elif depth > 0:
                parts[-1] += sign[1:] if sign[0] == "\\" and depth == 1 else sign
            at += len(sign)
        text += render(parts[0].lower(), dict(part.split("=", 1) if "=" in part and "${" not in part.split("=")[0] else ("", part) for part in parts[1:]), target, variables, renderers)
    return text


def render(name, options, target, variables, renderers):
    options = {key.lower(): value for key, value in options.items()}
    value = options.get("item", options.get("variable", options.get("", "")))
    placeholder = renderers.get(name)
    if name in variables or (name == "var" and value in variables):
        return translate(variables[value if name == "var" else name], target, variables, renderers)
    if name in ("exception", "onexception"):
        return EXCEPTION
    if name == "date":
        placeholder = f"{{{'Date' if renderers is PATH else 'Timestamp'}:{options.get('format', options.get('', 'yyyy/MM/dd HH:mm:ss.fff'))}}}"
    elif name == "environment" and renderers is PATH:
        placeholder = f"%{value}%"
    elif name in ("event-properties", "event-property", "scopeproperty", "mdlc", "mdc") and value:
        placeholder = {"EventId_Id": "{EventId}", "EventId_Name": "{EventName}"}.get(value, f"{{{value}}}")
    elif name in ("level", "loglevel"):
        form = {"triletter": ":t3", "firstcharacter": ":u3"}.get(options.get("format", "").lower(), "")
        placeholder = f"{{Level{':u' if is_true(options.get('uppercase')) else ':w' if is_true(options.get('lowercase')) else form}}}"
    elif name in ("logger", "loggername") and is_true(options.get("shortname")):
        placeholder = "{Category:s}"
    if placeholder is None:
        note(f"target {target}, ${{{name}}}", "not here")
        return ""
    if "padding" in options:
        placeholder = re.sub(r"^\{(\w+)", rf"{{\1,{options['padding']}", placeholder)
    return placeholder + (EXCEPTION if is_true(options.get("withexception")) or name == "microsoftconsolelayout" else "")


def read_target(target, name, queue, variables):
    kind = of(target, "type").lower()
    queue |= {"MaxQueueLength": int(of(target, "queueLimit"))} if of(target, "queueLimit") else {}
    queue |= {"QueueFullMode": "Wait"} if of(target, "overflowAction") == "Block" else {}
    for inner in below(target, "target"):
        read_target(inner, name, queue, variables)
    if kind not in ("file", "console", "coloredconsole"):
        if kind not in ("asyncwrapper", "bufferingwrapper", "retryingwrapper", "autoflushwrapper"):
            note(f"target {name}", f"{of(target, 'type')} is not here; AsyncLog writes files, standard output, syslog and OTLP")
        return
    options = nlog_file(target, name, variables) if kind == "file" else {"Stream": "Error"} if is_true(of(target, "stdErr")) else {}
    if any(len(layout) > 0 for layout in below(target, "layout")):
        options["Format"] = "Json"
        note(f"target {name}", f"{of(below(target, 'layout')[0], 'type')} becomes Format Json, which has its own names of members")
    else:
        text = translate(of(target, "layout") or "${longdate}|${level:uppercase=true}|${logger}|${message:withexception=true}", name, variables, TEXT)
        # An exception is on lines of its own.
        options["Template"] = text.replace(EXCEPTION, "") + (EXCEPTION if EXCEPTION in text else "")
    sinks.append({"section": "AsyncFile" if kind == "file" else "AsyncConsole", "name": name, "options": {**options, **queue}, "levels": {}})


def nlog_file(target, name, variables):
    path, size, files = (of(target, key) for key in ("fileName", "archiveAboveSize", "maxArchiveFiles"))
    path = translate(path, name, variables, PATH).lstrip("/" if "${basedir}" in path else "")
    options = {"Path": path, "RollingInterval": of(target, "archiveEvery") or ("Day" if "{Date" in path else "None"), "FileSizeLimit": int(size) if size else None}
    # The active file counts too.
    options["RetainedFileCountLimit"] = int(files) + 1 if files else None
    for key, option, unit in (("maxArchiveDays", "RetainedFileTimeLimit", "d"), ("header", "Header", "")):
        options |= {option: of(target, key) + unit} if of(target, key) else {}
    for key, value in {"deleteOldFileOnStartup": "Truncate", "archiveOldFileOnStartup": "Roll"}.items():
        options |= {"OnStartup": value} if is_true(of(target, key)) else {}
    for key, why in {"archiveSuffixFormat": "set ArchiveName", "archiveFileName": "set ArchiveName", "archiveNumbering": "set ArchiveName", "lineEnding": "set NewLine", "footer": "not here"}.items():
        if of(target, key):
            note(f"target {name}, {key}", why)
    return options


def is_written(rules, target, logger, level):
    """Asks the rules in their order."""
    written = suppressed = False
    for rule in rules:
        if not fnmatch.fnmatchcase(logger, of(rule, "name") or "*"):
            continue
        if of(rule, "finalMinLevel"):
            suppressed = level < LEVEL_OF[of(rule, "finalMinLevel").lower()]
        names = of(rule, "levels") or of(rule, "level")
        least, most = LEVEL_OF[(of(rule, "minlevel") or "Trace").lower()], LEVEL_OF[(of(rule, "maxlevel") or "Fatal").lower()]
        if suppressed or not (level in [LEVEL_OF[one.strip().lower()] for one in names.split(",")] if names else least <= level <= most):
            continue
        written = written or target in [one.strip() for one in (of(rule, "writeTo") or "").split(",")]
        suppressed = is_true(of(rule, "final"))
    return written


def set_levels(sink, rules):
    # A logger of each pattern.
    loggers = {"Default": "~", **{(of(rule, "name") or "*").rstrip("*.") or "Default": (of(rule, "name") or "*").replace("*", "~") for rule in rules}}
    for category in sorted(loggers, key=lambda category: (category != "Default", len(category))):
        levels = [level for level in range(6) if is_written(rules, sink["name"], loggers[category], level)]
        parent = max((known for known in sink["levels"] if category.startswith(known + ".")), key=len, default="Default")
        most = sink["options"].setdefault("MaxLevel", LEVELS[levels[-1]]) if levels else None
        if sink["levels"].get(parent) != (lowest := levels[0] if levels else 6):
            sink["levels"][category] = lowest
        if levels and levels != list(range(levels[0], LEVELS.index(most) + 1)):
            note(f"target {sink['name']}, loggers {category}", "the levels have a gap or another end; use one file for each range")
    if sink["options"].get("MaxLevel") == "Critical":
        del sink["options"]["MaxLevel"]


def read_nlog(config):
    root.update({"AsyncLog": {"Strict": True}} if is_true(of(config, "throwConfigExceptions")) else {})
    if (log := of(config, "internalLogFile")):
        note("internalLogFile", f"set the environment variable ASYNCLOG_DIAGNOSTICS=info;file={log}")
    variables = {of(variable, "name").lower(): of(variable, "value") or variable.text or "" for variable in below(config, "variable")}
    for target in [target for targets in below(config, "targets") for target in below(targets, "target", "wrapper-target", "compound-target")]:
        read_target(target, of(target, "name"), {}, variables)
    rules = [rule for group in below(config, "rules") for rule in group if of(rule, "enabled") != "false"]
    for rule in rules:
        if len(rule) > 0 or "*" in (of(rule, "name") or "").rstrip("*"):
            note(f"rule {of(rule, 'name')}", "not here; a file selects by the beginning of the category and by level")
    for sink in sinks:
        set_levels(sink, rules)


if len(sys.argv) != 2:
    sys.exit(__doc__)
with open(sys.argv[1], encoding="utf-8-sig") as source:
    content = source.read()
if content.lstrip().startswith("<"):
    read_nlog(ElementTree.fromstring(content))
else:
    # Without comments, and commas at the end of a list. A text may contain both.
    for pattern in (r"//[^\n]*|/\*.*?\*/", r",(?=\s*[}\]])"):
        content = re.sub(r'("(?:[^"\\]|\\.)*")|' + pattern, lambda match: match[1] or "", content, flags=re.DOTALL)
    read_serilog(json.loads(content).get("Serilog", {}))
if not sinks:
    note("the file", "it names no file or console of Serilog (section Serilog) or of NLog (nlog.config)")
print_settings()
