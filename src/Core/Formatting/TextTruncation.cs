using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>Writes a text record that is longer than its limit: measures all parts, shares the room, and writes them again, shorter.</summary>
internal sealed class TextTruncation(TextLayout layout, int limit, Action<RecordBuffer, int> fixLines)
{
    /// <summary>Each text of the header gets at most this part of the record.</summary>
    private const int HeaderShare = 8;

    /// <summary>More than fixing the lines of one part can add.</summary>
    private const int FixesPerPart = 8;

    /// <summary>Appends the record.</summary>
    /// <param name="length">The length of the whole record if it is known.</param>
    public void Write(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long? length)
    {
        var start = output.Length;
        var sizes = new long[layout.Operations.Length];
        var measured = Measure(logEvent, scratch, sizes);
        var original = length ?? measured;
        var isTruncated = original > limit;
        var mark = isTruncated ? Mark(original) : layout.NewLine;
        var room = limit - mark.Length - (FixesPerPart * sizes.Length);
        var budgets = isTruncated
            ? new Budgets(layout.Operations, sizes, room, limit / HeaderShare)
            : new Budgets(layout.Operations, sizes, int.MaxValue, int.MaxValue);
        for (var i = 0; i < sizes.Length; i++)
            WritePart(i, logEvent, output, scratch, sizes[i], ref budgets);
        fixLines(output, start);
        if (output.Length - start + mark.Length > limit)
        {
            mark = Mark(Math.Max(original, output.Length - start + mark.Length));
            isTruncated = true;
            var end = Truncation.Find(output.WrittenSpan[start..], limit - mark.Length - Truncation.Mark.Length, EscapeStyle.Text);
            output.Rewind(start + end);
            output.Append(Truncation.Mark);
        }
        output.Append(mark);
        logEvent.WasTruncated = isTruncated;
    }

    /// <summary>Fills in the length of each part; returns the length of the whole record.</summary>
    private long Measure(LogEvent logEvent, FormatScratch scratch, long[] sizes)
    {
        long total = 0;
        long lineEnds = 0;
        for (var i = 0; i < sizes.Length; i++)
        {
            sizes[i] = Render(i, logEvent, scratch);
            if (layout.Operations[i].Placeholder == TextPlaceholder.Message)
                sizes[i] += logEvent.MessageLength - logEvent.Message.Length;
            total += sizes[i];
            if (sizes[i] > 0)
                lineEnds = scratch.Part.WrittenSpan.SequenceEqual(layout.NewLine) ? lineEnds + sizes[i] : 0;
        }
        return total - lineEnds + layout.NewLine.Length;
    }

    private long Render(int index, LogEvent logEvent, FormatScratch scratch)
    {
        scratch.Part.Reset(limit);
        var writer = new Utf8Writer(scratch.Part);
        layout.Write(ref writer, in layout.Operations[index], logEvent, scratch);
        writer.Flush();
        return scratch.Part.Total;
    }

    private void WritePart(int index, LogEvent logEvent, RecordBuffer output, FormatScratch scratch, long size, ref Budgets budgets)
    {
        var placeholder = layout.Operations[index].Placeholder;
        ref var budget = ref budgets.Of(placeholder);
        if (placeholder == TextPlaceholder.Properties && size > budget)
        {
            WriteProperties(logEvent, output, scratch, ref budget);
            return;
        }
        Render(index, logEvent, scratch);
        var most = Budgets.IsHeader(placeholder) ? budgets.Header : budget;
        budget -= placeholder is TextPlaceholder.Literal or TextPlaceholder.NewLine
            ? Append(output, scratch.Part.WrittenSpan)
            : Truncation.Append(output, scratch.Part.WrittenSpan, size, most, EscapeStyle.Text);
    }

    private static int Append(RecordBuffer output, ReadOnlySpan<byte> text)
    {
        output.Append(text);
        return text.Length;
    }

    /// <summary>Writes properties as long as they fit; of the first that does not, a text is shortened, and all after it are left out.</summary>
    private void WriteProperties(LogEvent logEvent, RecordBuffer output, FormatScratch scratch, ref int budget)
    {
        var first = budget;
        foreach (var property in layout.Leftovers(logEvent))
        {
            scratch.Part.Reset(limit);
            var writer = new Utf8Writer(scratch.Part);
            if (budget < first)
                writer.Write((byte)' ');
            layout.WritePair(ref writer, property, scratch);
            writer.Flush();
            var pair = scratch.Part.WrittenSpan;
            if (scratch.Part.Total <= budget)
            {
                budget -= Append(output, pair);
                continue;
            }
            var value = pair.IndexOf((byte)'=') + 1;
            var isQuoted = value > 0 && value < pair.Length && pair[value] == '"';
            var isText = property.Value.Kind is LogValueKind.String or LogValueKind.Object or LogValueKind.Json;
            if (isText && value > 0 && value + 2 + Truncation.Mark.Length < budget)
            {
                budget -= Truncation.Append(output, pair, scratch.Part.Total, budget - 1, EscapeStyle.Text);
                if (isQuoted)
                    budget -= Append(output, "\""u8);
            }
            return;
        }
    }

    private byte[] Mark(long original)
        => [.. Encoding.ASCII.GetBytes(string.Create(CultureInfo.InvariantCulture, $" [truncated, {original} bytes]")), .. layout.NewLine];

    /// <summary>The bytes that are left for each kind of part.</summary>
    [StructLayout(LayoutKind.Auto)]
    private struct Budgets
    {
        private int _fixed = int.MaxValue;
        private int _message;
        private int _properties;
        private int _exception;

        public Budgets(ReadOnlySpan<TextOperation> operations, long[] sizes, int room, int header)
        {
            Header = header;
            long message = 0;
            long properties = 0;
            long exception = 0;
            for (var i = 0; i < operations.Length; i++)
            {
                var placeholder = operations[i].Placeholder;
                if (placeholder == TextPlaceholder.Message)
                    message += sizes[i];
                else if (placeholder == TextPlaceholder.Exception)
                    exception += sizes[i];
                else if (!IsHeader(placeholder))
                    properties += sizes[i];
                else
                    room -= (int)(placeholder is TextPlaceholder.Literal or TextPlaceholder.NewLine ? sizes[i] : Math.Min(sizes[i], header));
            }
            (_message, _properties, _exception) = TruncationBudget.Share(room, message, properties, exception);
        }

        public int Header { get; }

        public static bool IsHeader(TextPlaceholder placeholder)
            => placeholder is not (TextPlaceholder.Message or TextPlaceholder.Exception or TextPlaceholder.Properties or TextPlaceholder.Scopes or TextPlaceholder.Property);

        [UnscopedRef]
        public ref int Of(TextPlaceholder placeholder)
        {
            switch (placeholder)
            {
                case TextPlaceholder.Message: return ref _message;
                case TextPlaceholder.Exception: return ref _exception;
                case TextPlaceholder.Properties or TextPlaceholder.Scopes or TextPlaceholder.Property: return ref _properties;
                default: return ref _fixed;
            }
        }
    }
}
