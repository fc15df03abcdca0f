namespace AsyncLog;

/// <summary>Which characters are escaped, and how.</summary>
internal enum EscapeStyle : byte
{
    /// <summary>A line of text: control characters, line breaks and bidi controls; a backslash stays as it is.</summary>
    Text,

    /// <summary>A string of the JSON layout: as text, and <c>"</c> and <c>\</c>.</summary>
    Json,

    /// <summary>A string inside compact JSON that is itself a value's text: only what JSON demands, with <c>\b</c> and <c>\f</c>.</summary>
    CompactJson,

    /// <summary>Nothing is escaped, but what is no UTF-8 is repaired: for sinks that escape the finished text themselves.</summary>
    None,
}
