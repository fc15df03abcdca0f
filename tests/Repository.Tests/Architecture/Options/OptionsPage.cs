using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Architecture.Options;

/// <summary>Makes docs/options.md. Default and range have columns: the meaning repeats them only where it says more.</summary>
internal static partial class OptionsPage
{
    private const string Head =
        """
        # Options

        This page lists every option that configuration can set. Code can set the same options in the delegate of `AddAsyncFile`, `AddAsyncConsole`, `AddAsyncSyslog` and
        `AddAsyncOtlp`, those of the process with `builder.Services.Configure<AsyncLogOptions>`, and those of requests in that of `UseAsyncLogRequestLogging`.

        Do not edit this page. A [command](../CONTRIBUTING.md#build-and-test) generates it from the option tables in the code. The packages contain the same tables as JSON schemas, so that editors
        complete and check `appsettings.json`.

        | Type | Written as |
        |---|---|
        | size | a number of bytes, or `64KB`, `1.5 GB`; 1 KB is 1,024 bytes |
        | time | `500ms`, `5s`, `10m`, `1h`, `7d`, or `00:00:05` |
        | level | `Trace`, `Debug`, `Information`, `Warning`, `Error`, `Critical`, `None` |
        | percent | `10` or `10%` |
        | octal | three or four octal digits: `"0640"` |
        | map | a section with names and values |

        Keys and values ignore case. An empty text means "none" if the type says "or none".

        | Change | While the application runs, a changed value |
        |---|---|
        | live | applies to the next record or batch |
        | live, new file | applies to the next record; a new file begins, so that no file mixes layouts |
        | reopen | opens the destination with the new value ([what happens to waiting records](configuration.md#changes-while-the-application-runs)) |
        | new queue | begins a new queue for the same destination, after the old one has drained |
        | restart | is reported and applies at the next start |

        """;

    public static string Create(IReadOnlyList<OptionReference> references)
    {
        var text = new StringBuilder(Head);
        var sinks = references.Where(static reference => reference.ChildrenKey is not null).ToList();
        foreach (var reference in references.Except(sinks))
            AddSection(text, $"{(reference.ForeignKey is null ? "Requests" : "Process")}: section `{reference.Section}`", reference.Summary, reference.Rows);

        // The file sink has all common options.
        var common = sinks[0].Rows.Where(static row => row.IsCommon).Concat(sinks.SelectMany(static sink => sink.Rows).Where(static row => row.IsCommon))
            .DistinctBy(static row => row.Key).ToList();
        var named = string.Join(", ", sinks.Select(static sink => $"`{sink.Section}:{sink.ChildrenKey}:NAME`"));
        AddSection(
            text, "Every sink",
            $"The section of each sink and its named instances ({named}) have these keys. A named instance inherits all options except `LogLevel`, `Enabled` and the destination.",
            common);
        foreach (var sink in sinks)
        {
            var missing = common.Select(static row => row.Key).Except(sink.Rows.Select(static row => row.Key)).ToList();
            var without = missing.Count == 0 ? "" : $" It does not have {Join(missing.Select(static key => $"`{key}`"))}.";
            var others = sink.Rows.Where(static row => row.IsCommon).ToDictionary(row => row, row => common.Find(other => other.Key == row.Key)!);
            var choices = others.Where(static pair => TypeOf(pair.Key.Form) != TypeOf(pair.Value.Form)).Select(static pair => $" `{pair.Key.Key}` is {TypeOf(pair.Key.Form)}.");
            AddSection(
                text, $"{sink.Package}: section `{sink.Section}`",
                $"{sink.Summary} Named instances are in `{sink.Section}:{sink.ChildrenKey}`.{without}{string.Concat(choices)}",
                [.. sink.Rows.Where(row => !row.IsCommon || row.Default != others[row].Default)]);
        }

        return text.ToString();
    }

    private static void AddSection(StringBuilder text, string title, string summary, IReadOnlyList<OptionRow> rows)
    {
        text.Append(CultureInfo.InvariantCulture, $"\n## {title}\n\n{summary}\n\n| Key | Type | Default | Range | Change | Meaning |\n|---|---|---|---|---|---|\n");
        foreach (var row in rows)
        {
            var cells = string.Join(
                " | ", $"`{row.Key}`", TypeOf(row.Form), row.Default is null ? "none" : $"`{row.Default}`", RangeOf(row), ChangeOf(row), MeaningOf(row));
            text.Append(CultureInfo.InvariantCulture, $"| {cells.Replace("\n", " ", StringComparison.Ordinal)} |\n");
        }

        foreach (var row in rows.Where(static row => row.Words.Count > 0 || row.Remarks.Length > 0))
        {
            text.Append(CultureInfo.InvariantCulture, $"\n### {row.Key}\n");
            if (row.Remarks.Length > 0)
                text.Append(CultureInfo.InvariantCulture, $"\n{row.Remarks}\n");
            if (row.Words.Count > 0)
                text.Append(CultureInfo.InvariantCulture, $"\n| Value | Means |\n|---|---|\n{string.Concat(row.Words.Select(static word => $"| `{word.Word}` | {word.Meaning} |\n"))}");
        }
    }

    private static string TypeOf(OptionForm form)
    {
        var type = form.Kind switch
        {
            OptionFormKind.Boolean => "`true`, `false`",
            OptionFormKind.Integer => "number",
            OptionFormKind.Choice when form.Type == typeof(LogLevel) => "level",
            OptionFormKind.Choice => string.Join(", ", form.Words.Select(static word => $"`{word}`")),
            OptionFormKind.OpenChoice => string.Join(", ", form.Words.Select(static word => $"`{word}`")) + ", or a registered name",
            OptionFormKind.Map => $"map of {Values(form)}",
            OptionFormKind.Text when form.Type == typeof(Uri) => "URI",
            OptionFormKind.Text when form.Type is { IsEnum: true } choice => $"`{Enum.GetNames(choice)[0]}` to `{Enum.GetNames(choice)[^1]}`, or its number",
            _ => form.Kind.ToString().ToLowerInvariant(),
        };
        type += form.Kind is not (OptionFormKind.Choice or OptionFormKind.OpenChoice) && form.Words.Count > 0 ? $" or `{form.Words[0]}`" : "";
        return form.IsOptional ? type + " or none" : type;
    }

    private static string Values(OptionForm form) => form.Type == typeof(LogLevel) ? "levels" : form.Type == typeof(int) ? "numbers" : "texts";

    private static string RangeOf(OptionRow row)
    {
        const string must = "must be ";
        var rule = row.Form.Rule is { } text && text.StartsWith(must, StringComparison.Ordinal) ? text[must.Length..] : row.Form.Rule;
        return string.Join("; ", new[] { rule }.Concat(row.Conditions).OfType<string>());
    }

    private static string ChangeOf(OptionRow row) => row.Reload switch
    {
        OptionReload.Live => "live",
        OptionReload.LiveNewFile => "live, new file",
        OptionReload.Rebuild => row.IsCommon ? "new queue" : "reopen",
        _ => "restart",
    };

    private static string MeaningOf(OptionRow row)
    {
        const string sentenceEnd = ". ";
        if (Default().Match(row.Value) is not { Success: true } start)
            return $"{row.Summary} {row.Value}".Trim();
        var end = row.Value.IndexOf(sentenceEnd, start.Length, StringComparison.Ordinal);
        var (first, rest) = end < 0 ? (row.Value[start.Length..].TrimEnd('.'), "") : (row.Value[start.Length..end], row.Value[(end + sentenceEnd.Length)..]);
        var value = start.Groups["value"].Value;
        var parts = first.Split("; ").Select((part, index) => index > 0 ? WithoutRange(part, row)
            : part.StartsWith(", or ", StringComparison.Ordinal) ? "also set by " + part[", or ".Length..]
            : part is "" or ": none" ? ""
            : (value is "null" or "empty" ? "none" : value) + part);
        var said = string.Join("; ", parts.Where(static part => part.Length > 0));
        return string.Join(' ', new[] { row.Summary, said.Length == 0 ? "" : $"{char.ToUpperInvariant(said[0])}{said[1..]}.", rest }.Where(static sentence => sentence.Length > 0));
    }

    private static string WithoutRange(string part, OptionRow row)
        => RangeOf(row).Length == 0 ? part : part.Contains("only with ", StringComparison.Ordinal) ? "" : Range().Replace(part, "").TrimStart(',', ' ');

    // The default as an XML comment says it, as far as the column says the same.
    [GeneratedRegex("^Default (?<value>`[^`]+`|null|empty|none|true|false|[0-9][0-9,]*( (KB|MB|ms|s|days))?)(?=[;:.]|, or )")]
    private static partial Regex Default();

    [GeneratedRegex("^(more than 0|at (least|most) (?!`|twice)[^,]+|[0-9,]+( [A-Za-z]+)? to [0-9,]+( [A-Za-z]+)?)(, at most [^,]+)?$|^[0-9,]+( [A-Za-z]+)? to [0-9,]+ [A-Z]+(?=, at least)")]
    private static partial Regex Range();

    private static string Join(IEnumerable<string> names) => string.Join(", ", names);
}
