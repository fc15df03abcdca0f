using System.Globalization;
using Microsoft.Extensions.Logging;

namespace Replay;

/// <summary>Provides logs: generated ones by name, any other by path.</summary>
internal static class LogReader
{
    private const string SingleValue = "{Line}";

    /// <exception cref="UsageException">There is no such log, or it cannot be read.</exception>
    public static ReplayLog Read(string log, ulong seed, int lines)
    {
        if (LogGenerator.TryGenerate(log, seed, lines) is { } generated)
            return generated;
        if (!File.Exists(log))
            throw new UsageException($"--log '{log}' is not valid: expected {string.Join(", ", LogGenerator.Names)} or the path of a text log that exists");
        try
        {
            var structure = Path.ChangeExtension(log, ".structured.csv");
            var texts = File.ReadAllLines(log);
            return new ReplayLog(log, File.Exists(structure) ? Structured(texts, CsvTable.Read(structure), CategoryOf(log)) : Plain(texts, CategoryOf(log)));
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException)
        {
            throw new UsageException($"--log '{log}' cannot be read: {exception.Message}");
        }
    }

    private static string CategoryOf(string path) => Path.GetFileNameWithoutExtension(path);

    private static ReplayLine[] Plain(string[] texts, string category)
        => [.. texts.Select(text => Single(text, LevelWord.In(text), category, default))];

    private static ReplayLine[] Structured(string[] texts, CsvTable table, string category)
    {
        var templates = new Dictionary<string, LineTemplate>(StringComparer.Ordinal);
        return [.. texts.Select((text, index) => index < table.Rows.Count ? Structured(text, table, table.Rows[index], category, templates) : Single(text, LevelWord.In(text), category, default))];
    }

    private static ReplayLine Structured(string text, CsvTable table, string[] row, string category, Dictionary<string, LineTemplate> templates)
    {
        var level = LevelWord.Of(table.Field(row, "Level"));
        category = table.Field(row, "Component") ?? category;
        var eventId = EventIdOf(table.Field(row, "EventId"));
        // A row that is not about this line says nothing of its template. Tables leave out spaces at the end.
        if (table.Field(row, "Content") is not { } content || !text.TrimEnd().EndsWith(content.TrimEnd(), StringComparison.Ordinal) || table.Field(row, "EventTemplate") is not { } written)
            return Single(text, level, category, eventId);
        if (!templates.TryGetValue(written, out var template))
            templates[written] = template = new LineTemplate(written);
        return template.Match(content) is { } values ? new ReplayLine(level, category, eventId, template.Text, values) : Single(content, level, category, eventId);
    }

    private static ReplayLine Single(string text, LogLevel level, string category, EventId eventId) => new(level, category, eventId, SingleValue, [text]);

    // E10
    private static EventId EventIdOf(string? text)
        => text is ['E', ..] && int.TryParse(text.AsSpan(1), NumberStyles.None, CultureInfo.InvariantCulture, out var number) ? new EventId(number, text) : default;
}
