namespace AsyncLog;

/// <summary>A property that every record of a layout has.</summary>
/// <param name="Name">Its name.</param>
/// <param name="Value">Its value as JSON.</param>
internal sealed record JsonConstant(string Name, byte[] Value)
{
    public static JsonConstant[] From(IEnumerable<KeyValuePair<string, string>> properties)
    {
        var buffer = new RecordBuffer();
        return [.. properties.Where(static pair => pair.Key.Length > 0).Select(pair => new JsonConstant(pair.Key, Render(pair.Value, buffer)))];
    }

    private static byte[] Render(string value, RecordBuffer buffer)
    {
        buffer.Reset(int.MaxValue);
        var writer = new Utf8Writer(buffer);
        JsonText.WriteString(ref writer, value, EscapeStyle.Json);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }
}
