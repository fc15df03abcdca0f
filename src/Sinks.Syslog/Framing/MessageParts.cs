using System.Buffers.Text;

namespace AsyncLog;

/// <summary>The parts of a message that the formatter rendered.</summary>
/// <param name="DataStart">Where structured data begins: behind header and space. In the older forms where the text begins.</param>
/// <param name="DataEnd">Where it ends.</param>
/// <param name="TextStart">Where the text begins, behind its space; the end of the message when there is none.</param>
internal readonly record struct MessageParts(int DataStart, int DataEnd, int TextStart)
{
    // Fields of the header that end with a space: PRI and version, time, HOSTNAME, APP-NAME, PROCID, MSGID.
    private const int HeaderFields = 6;
    private const int BsdTimestamp = 15;

    /// <summary>Finds the parts.</summary>
    public static MessageParts Of(ReadOnlySpan<byte> message, SyslogForm form)
    {
        // What a record is stands in it: one that was rendered before a reload may be of another form.
        if (!message[(message.IndexOf((byte)'>') + 1)..].StartsWith("1 "u8))
        {
            var text = TextOfBsd(message, form);
            return new MessageParts(text, text, text);
        }

        var data = 0;
        for (var field = 0; field < HeaderFields; field++)
            data += message[data..].IndexOf((byte)' ') + 1;
        var end = data + LengthOfData(message[data..]);
        return new MessageParts(data, end, Math.Min(end + 1, message.Length));
    }

    /// <summary>The length of the element at the beginning, and how many parameters it says are missing because of it.</summary>
    /// <param name="data">Structured data, an element at the beginning.</param>
    /// <param name="libraryId">The element in which <c>dropped</c> is no parameter but a number of them.</param>
    /// <param name="parameters">Its parameters, and those that it says were dropped before.</param>
    /// <param name="before">Those that were dropped before.</param>
    public static int LengthOfElement(ReadOnlySpan<byte> data, ReadOnlySpan<byte> libraryId, out int parameters, out int before)
    {
        parameters = 0;
        before = 0;
        var isLibrary = data[1..].StartsWith(libraryId);
        var at = 1;
        while (data[at] != (byte)']')
        {
            if (data[at++] != (byte)'=')
                continue;
            parameters++;
            var value = data[(at + 1)..];
            if (isLibrary && data[..(at - 1)].EndsWith(" dropped"u8) && Utf8Parser.TryParse(value, out int count, out _))
            {
                before += count;
                parameters--;
            }

            at += 1 + LengthOfValue(value) + 1;
        }

        parameters += before;
        return at + 1;
    }

    private static int LengthOfData(ReadOnlySpan<byte> data)
    {
        if (data[0] == (byte)'-')
            return 1;
        var length = 0;
        while (length < data.Length && data[length] == (byte)'[')
            length += LengthOfElement(data[length..], default, out _, out _);
        return length;
    }

    private static int LengthOfValue(ReadOnlySpan<byte> text)
    {
        var at = 0;
        while (text[at] != (byte)'"')
            at += text[at] == (byte)'\\' ? 2 : 1;
        return at;
    }

    // The time has spaces of its own and a fixed length; host and tag have none.
    private static int TextOfBsd(ReadOnlySpan<byte> message, SyslogForm form)
    {
        var at = message.IndexOf((byte)'>') + 1 + BsdTimestamp + 1;
        if (form == SyslogForm.Rfc3164)
            at += message[at..].IndexOf((byte)' ') + 1;
        var space = message[at..].IndexOf((byte)' ');
        return space < 0 ? message.Length : at + space + 1;
    }
}
