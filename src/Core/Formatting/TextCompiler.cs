using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>One operation of a compiled text layout. In an array: no cache line of its own for each.</summary>
internal readonly struct TextOperation(TextPlaceholder placeholder, ReadOnlySpan<byte> text, int width = 0, object? operand = null)
{
    /// <summary>The text of a literal, the text before a level or before scopes, or the line end that takes the place of a missing exception.</summary>
    public readonly Utf8Literal Text = new(text);

    public readonly TextPlaceholder Placeholder = placeholder;

    public readonly int Width = width;

    /// <summary>A <see cref="TimestampFormat"/>, <see cref="LevelTexts"/> or <see cref="PropertyReference"/>; the text after scopes; for a category not null if it is short.</summary>
    public readonly object? Operand = operand;
}

/// <summary>The text of each level with the literals around it.</summary>
internal sealed class LevelTexts(byte[] before, byte[][] names, byte[] after)
{
    /// <summary>By level.</summary>
    public readonly Utf8Literal[] Texts = Array.ConvertAll(names, name => new Utf8Literal((byte[])[.. before, .. name, .. after]));

    public byte[] Before => before;

    public byte[] After => after;

    public LevelTexts Append(byte[] bytes) => new(before, names, [.. after, .. bytes]);
}

/// <summary>A property that a template names.</summary>
internal sealed record PropertyReference(string Name, string? Format);

/// <summary>Compiles a text template: constant values become bytes, and adjacent bytes become one operation.</summary>
internal sealed class TextCompiler(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider, EscapeStyle style)
{
    // Foreground and background by level, as .NET's console provider has them (ECMA-48, SGR): grey, grey, green, yellow, black on red, white on red.
    private static readonly string[] LevelColors = ["37", "37", "32", "1;33", "30;41", "1;37;41", "0"];

    private readonly List<TextOperation> _operations = [];
    private readonly byte[] _newLine = Encoding.UTF8.GetBytes(layout.NewLine);

    public TextOperation[] Compile(TextTemplate template)
    {
        foreach (var part in template.Parts)
            Add(part);
        return [.. _operations];
    }

    private void Add(TemplatePart part)
    {
        switch (part.Placeholder)
        {
            case TextPlaceholder.Literal: AddBytes(Encoding.UTF8.GetBytes(part.Text)); break;
            case TextPlaceholder.ProcessId: AddConstant(Environment.ProcessId.ToString(CultureInfo.InvariantCulture), part.Width); break;
            case TextPlaceholder.MachineName: AddConstant(Environment.MachineName, part.Width); break;
            case TextPlaceholder.ApplicationName: AddConstant(application.ApplicationName, part.Width); break;
            case TextPlaceholder.EnvironmentName: AddConstant(application.EnvironmentName, part.Width); break;
            case TextPlaceholder.Instance: AddConstant(layout.Instance, part.Width); break;
            case TextPlaceholder.Level: AddLevel(part); break;
            case TextPlaceholder.Exception: AddException(part); break;
            case TextPlaceholder.NewLine: _operations.Add(new TextOperation(TextPlaceholder.NewLine, _newLine)); break;
            case TextPlaceholder.Timestamp: AddTimestamp(part); break;
            case TextPlaceholder.Scopes: AddScopes(part); break;
            case TextPlaceholder.Property: AddOperation(part, new PropertyReference(part.Text, part.Format)); break;
            case TextPlaceholder.Message: AddMessage(part); break;
            default: AddOperation(part, part.Format); break;
        }
    }

    private void AddOperation(TemplatePart part, object? operand) => _operations.Add(new TextOperation(part.Placeholder, [], part.Width, operand));

    private void AddBytes(byte[] bytes)
    {
        // Spaces after scopes at the start of a record belong to the scopes: without a scope the record would begin with an escaped space.
        if (_operations is [{ Placeholder: TextPlaceholder.Scopes, Width: 0, Operand: null }] && bytes.AsSpan().TrimStart((byte)' ') is { Length: var rest } && rest < bytes.Length)
        {
            _operations[0] = new TextOperation(TextPlaceholder.Scopes, [], operand: bytes[..^rest]);
            bytes = bytes[^rest..];
            if (rest == 0)
                return;
        }
        if (_operations is [.., { Placeholder: TextPlaceholder.Literal } literal])
            _operations[^1] = new TextOperation(TextPlaceholder.Literal, [.. literal.Text.Span, .. bytes]);
        else if (_operations is [.., { Placeholder: TextPlaceholder.Level } level])
            _operations[^1] = new TextOperation(TextPlaceholder.Level, level.Text.Span, operand: ((LevelTexts)level.Operand!).Append(bytes));
        else
            _operations.Add(new TextOperation(TextPlaceholder.Literal, bytes));
    }

    private void AddConstant(string text, int width) => AddBytes(Escaped(Padded(text, width)));

    private void AddLevel(TemplatePart part)
    {
        byte[] before = [];
        if (_operations is [.., { Placeholder: TextPlaceholder.Literal } literal])
        {
            before = literal.Text.Span.ToArray();
            _operations.RemoveAt(_operations.Count - 1);
        }
        var names = LevelNames.InForm(part.Format ?? "")!;
        var texts = new LevelTexts(before, [.. names.Select((name, level) => Encoding.UTF8.GetBytes(Colored(Padded(name, part.Width), level)))], []);
        _operations.Add(new TextOperation(TextPlaceholder.Level, before, operand: texts));
    }

    private void AddException(TemplatePart part)
    {
        byte[] inPlaceOfIt = [];
        if (layout.SingleLine && _operations is [.., { Placeholder: TextPlaceholder.NewLine }])
        {
            inPlaceOfIt = _newLine;
            _operations.RemoveAt(_operations.Count - 1);
        }
        _operations.Add(new TextOperation(TextPlaceholder.Exception, inPlaceOfIt, part.Width));
    }

    private void AddTimestamp(TemplatePart part)
    {
        var format = layout.TimestampFormat ?? part.Format ?? TextTemplate.DefaultTimestamp;
        AddOperation(part, new TimestampFormat(format, layout.UseUtcTimestamp ? null : timeProvider, style));
    }

    private void AddScopes(TemplatePart part)
    {
        if (layout.IncludeScopes ?? true)
            AddOperation(part, null);
        else
            AddConstant("", part.Width);
    }

    private void AddMessage(TemplatePart part)
    {
        AddOperation(part, null);
        // If the options include scopes but have no template, scopes follow the message.
        if (layout.Template is null && layout.IncludeScopes == true)
            _operations.Add(new TextOperation(TextPlaceholder.Scopes, " "u8));
    }

    private string Colored(string name, int level) => layout.ColorLevels ? $"\e[{LevelColors[level]}m{name}\e[0m" : name;

    private static string Padded(string text, int width) => width < 0 ? text.PadRight(-width) : text.PadLeft(width);

    private byte[] Escaped(string text)
    {
        var buffer = new RecordBuffer();
        var writer = new Utf8Writer(buffer);
        Escaping.Write(ref writer, text, style);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}
