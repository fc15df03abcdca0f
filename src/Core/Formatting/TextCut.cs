using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>Writes a text record that is larger than its limit: measures all pieces, shares the room, and writes them again, shorter.</summary>
internal sealed class TextCut(TextLayout layout, TextLines lines, int limit)
{
    /// <summary>Texts of the header may have this part of the record each.</summary>
    private const int HeaderShare = 8;

    /// <summary>More than mending the lines of one piece can add.</summary>
    private const int MendPerPiece = 8;

    /// <summary>Appends the record.</summary>
    /// <param name="logEvent">The event.</param>
    /// <param name="output">Where to.</param>
    /// <param name="scratch">The event's scratch.</param>
    /// <param name="length">The length of the whole record if it is known.</param>
    public void Write(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long? length)
    {
        var start = output.Length;
        var sizes = new long[layout.Pieces.Length];
        var measured = Measure(logEvent, scratch, sizes);
        var original = length ?? measured;
        var isCut = original > limit;
        var mark = isCut ? Mark(original) : layout.NewLine;
        var room = limit - mark.Length - (MendPerPiece * sizes.Length);
        var budgets = isCut
            ? new Budgets(layout.Pieces, sizes, room, limit / HeaderShare)
            : new Budgets(layout.Pieces, sizes, int.MaxValue, int.MaxValue);
        for (var i = 0; i < sizes.Length; i++)
            WritePiece(i, logEvent, output, scratch, sizes, ref budgets);
        lines.Mend(output, start);
        if (output.Length - start + mark.Length > limit)
        {
            mark = Mark(Math.Max(original, output.Length - start + mark.Length));
            isCut = true;
            var end = Truncation.Find(output.WrittenSpan[start..], limit - mark.Length - Truncation.Mark.Length, EscapeStyle.Text);
            output.Rewind(start + end);
            output.Append(Truncation.Mark);
        }
        output.Append(mark);
        logEvent.WasTruncated = isCut;
    }

    /// <summary>Fills in the length of each piece; gives back the length of the whole record.</summary>
    private long Measure(LogEvent logEvent, FormatScratch scratch, long[] sizes)
    {
        long total = 0;
        long lineEnds = 0;
        for (var i = 0; i < sizes.Length; i++)
        {
            sizes[i] = Render(i, logEvent, scratch);
            if (layout.Pieces[i].Hole == TextHole.Message)
                sizes[i] += logEvent.MessageLength - logEvent.Message.Length;
            total += sizes[i];
            if (sizes[i] > 0)
                lineEnds = scratch.Piece.WrittenSpan.SequenceEqual(layout.NewLine) ? lineEnds + sizes[i] : 0;
        }
        return total - lineEnds + layout.NewLine.Length;
    }

    private long Render(int index, LogEvent logEvent, FormatScratch scratch)
    {
        scratch.Piece.Reset(limit);
        var writer = new Utf8Writer(scratch.Piece);
        layout.Write(ref writer, layout.Pieces[index], logEvent, scratch);
        writer.Flush();
        return scratch.Piece.Total;
    }

    private void WritePiece(int index, LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long[] sizes, ref Budgets budgets)
    {
        var piece = layout.Pieces[index];
        ref var budget = ref budgets.Of(piece.Hole);
        if (piece.Hole == TextHole.Properties && sizes[index] > budget)
        {
            WriteProperties(logEvent, output, scratch, ref budget);
            return;
        }
        Render(index, logEvent, scratch);
        var most = Budgets.IsHeader(piece.Hole) ? budgets.Header : budget;
        var used = piece.Hole is TextHole.Literal or TextHole.NewLine
            ? Append(output, scratch.Piece.WrittenSpan)
            : Truncation.Append(output, scratch.Piece.WrittenSpan, sizes[index], most, EscapeStyle.Text);
        budget -= used;
    }

    private static int Append(RecordBuffer output, ReadOnlySpan<byte> text)
    {
        output.Append(text);
        return text.Length;
    }

    /// <summary>Writes properties as long as they fit; the first that does not is cut if it is a text, all after it are left out.</summary>
    private void WriteProperties(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, ref int budget)
    {
        var first = budget;
        foreach (var property in layout.Leftovers(logEvent))
        {
            scratch.Piece.Reset(limit);
            var writer = new Utf8Writer(scratch.Piece);
            if (budget < first)
                writer.Write((byte)' ');
            layout.WritePair(ref writer, property, scratch);
            writer.Flush();
            var pair = scratch.Piece.WrittenSpan;
            if (scratch.Piece.Total <= budget)
            {
                budget -= Append(output, pair);
                continue;
            }
            var value = pair.IndexOf((byte)'=') + 1;
            var isQuoted = value > 0 && value < pair.Length && pair[value] == '"';
            var isText = property.Value.Kind is LogValueKind.String or LogValueKind.Object;
            if (isText && value > 0 && value + 2 + Truncation.Mark.Length < budget)
            {
                budget -= Truncation.Append(output, pair, scratch.Piece.Total, budget - 1, EscapeStyle.Text);
                if (isQuoted)
                    budget -= Append(output, "\""u8);
            }
            return;
        }
    }

    private byte[] Mark(long original)
        => [.. Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $" [truncated, {original} bytes]")), .. layout.NewLine];

    /// <summary>What is left for each kind of piece.</summary>
    [StructLayout(LayoutKind.Auto)]
    private struct Budgets
    {
        private int _fixed = int.MaxValue;
        private int _message;
        private int _properties;
        private int _exception;

        public Budgets(TextPiece[] pieces, long[] sizes, int room, int header)
        {
            Header = header;
            long message = 0;
            long properties = 0;
            long exception = 0;
            for (var i = 0; i < pieces.Length; i++)
            {
                var hole = pieces[i].Hole;
                if (hole == TextHole.Message)
                    message += sizes[i];
                else if (hole == TextHole.Exception)
                    exception += sizes[i];
                else if (!IsHeader(hole))
                    properties += sizes[i];
                else
                    room -= (int)(hole is TextHole.Literal or TextHole.NewLine ? sizes[i] : Math.Min(sizes[i], header));
            }
            var share = TruncationBudget.Share(room, message, properties, exception);
            (_message, _properties, _exception) = share;
        }

        public int Header { get; }

        public static bool IsHeader(TextHole hole)
            => hole is not (TextHole.Message or TextHole.Exception or TextHole.Properties or TextHole.Scopes or TextHole.Property);

        [UnscopedRef]
        public ref int Of(TextHole hole)
        {
            switch (hole)
            {
                case TextHole.Message: return ref _message;
                case TextHole.Exception: return ref _exception;
                case TextHole.Properties or TextHole.Scopes or TextHole.Property: return ref _properties;
                default: return ref _fixed;
            }
        }
    }
}
