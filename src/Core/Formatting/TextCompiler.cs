using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Makes the pieces of a text layout: what is known beforehand becomes bytes, and neighbouring bytes become one piece.</summary>
internal sealed class TextCompiler(RecordLayout layout, ApplicationInfo application, TimeProvider timeProvider, EscapeStyle style)
{
    private readonly List<TextPiece> _pieces = [];
    private readonly byte[] _newLine = Encoding.UTF8.GetBytes(layout.NewLine);

    public TextPiece[] Compile(TextTemplate template)
    {
        foreach (var part in template.Parts)
            Add(part);
        return [.. _pieces];
    }

    private void Add(TemplatePart part)
    {
        switch (part.Hole)
        {
            case TextHole.Literal: AddBytes(Encoding.UTF8.GetBytes(part.Text)); break;
            case TextHole.ProcessId: AddConstant(Environment.ProcessId.ToString(CultureInfo.InvariantCulture), part.Width); break;
            case TextHole.MachineName: AddConstant(Environment.MachineName, part.Width); break;
            case TextHole.ApplicationName: AddConstant(application.ApplicationName, part.Width); break;
            case TextHole.EnvironmentName: AddConstant(application.EnvironmentName, part.Width); break;
            case TextHole.Instance: AddConstant(layout.Instance, part.Width); break;
            case TextHole.Level: AddLevel(part); break;
            case TextHole.Exception: AddException(part); break;
            case TextHole.NewLine: _pieces.Add(new TextPiece { Hole = TextHole.NewLine, Bytes = _newLine }); break;
            case TextHole.Timestamp: AddTimestamp(part); break;
            case TextHole.Scopes: AddScopes(part); break;
            default:
                _pieces.Add(new TextPiece { Hole = part.Hole, Width = part.Width, Name = part.Text, Format = part.Format, IsShort = part.Format == "s" });
                AddScopesOfDefault(part);
                break;
        }
    }

    private void AddBytes(byte[] bytes)
    {
        // Scopes at the start of a record take the spaces that part them from the rest with them: without a scope it would begin with an escaped one.
        if (_pieces is [{ Hole: TextHole.Scopes, Width: 0, AfterScopes: [] }] && bytes.AsSpan().TrimStart((byte)' ') is { Length: var rest } && rest < bytes.Length)
        {
            _pieces[0] = new TextPiece { Hole = TextHole.Scopes, AfterScopes = bytes[..^rest] };
            bytes = bytes[^rest..];
            if (rest == 0)
                return;
        }
        if (_pieces.Count > 0 && _pieces[^1] is { Hole: TextHole.Literal } literal)
            _pieces[^1] = new TextPiece { Hole = TextHole.Literal, Bytes = [.. literal.Bytes, .. bytes] };
        else if (_pieces.Count > 0 && _pieces[^1] is { Hole: TextHole.Level } level)
            _pieces[^1] = Level(level.Bytes, [.. level.Levels.Select(name => (byte[])[.. name, .. bytes])], [.. level.AfterLevel, .. bytes]);
        else
            _pieces.Add(new TextPiece { Hole = TextHole.Literal, Bytes = bytes });
    }

    private void AddConstant(string text, int width) => AddBytes(Escaped(Padded(text, width)));

    private void AddLevel(TemplatePart part)
    {
        byte[] before = [];
        if (_pieces.Count > 0 && _pieces[^1] is { Hole: TextHole.Literal } literal)
        {
            before = literal.Bytes;
            _pieces.RemoveAt(_pieces.Count - 1);
        }
        var names = LevelNames.InForm(part.Format ?? "")!;
        _pieces.Add(Level(before, [.. names.Select(name => (byte[])[.. before, .. Encoding.UTF8.GetBytes(Padded(name, part.Width))])], []));
    }

    private void AddException(TemplatePart part)
    {
        var insteadOfIt = Array.Empty<byte>();
        if (layout.SingleLine && _pieces.Count > 0 && _pieces[^1].Hole == TextHole.NewLine)
        {
            insteadOfIt = _newLine;
            _pieces.RemoveAt(_pieces.Count - 1);
        }
        _pieces.Add(new TextPiece { Hole = TextHole.Exception, Width = part.Width, Bytes = insteadOfIt });
    }

    private void AddTimestamp(TemplatePart part)
    {
        var format = layout.TimestampFormat ?? part.Format ?? TextTemplate.DefaultTimestamp;
        var timestamp = new TimestampFormat(format, layout.UseUtcTimestamp ? null : timeProvider, style);
        _pieces.Add(new TextPiece { Hole = TextHole.Timestamp, Width = part.Width, Timestamp = timestamp });
    }

    private void AddScopes(TemplatePart part)
    {
        if (layout.IncludeScopes ?? true)
            _pieces.Add(new TextPiece { Hole = TextHole.Scopes, Width = part.Width });
        else
            AddConstant("", part.Width);
    }

    /// <summary>Whoever asks for scopes but not for a template gets them behind the message.</summary>
    private void AddScopesOfDefault(TemplatePart part)
    {
        if (part.Hole == TextHole.Message && layout.Template is null && layout.IncludeScopes == true)
            _pieces.Add(new TextPiece { Hole = TextHole.Scopes, Bytes = " "u8.ToArray() });
    }

    private static TextPiece Level(byte[] before, byte[][] names, byte[] after)
        => new() { Hole = TextHole.Level, Bytes = before, Levels = names, AfterLevel = after };

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
