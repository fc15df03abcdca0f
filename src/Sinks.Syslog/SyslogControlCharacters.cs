namespace AsyncLog;

/// <summary>What becomes of control characters and line breaks in the message and in values.</summary>
public enum SyslogControlCharacters
{
    /// <summary><c>\n</c>, <c>\r</c>, <c>\t</c>, all others <c>\uxxxx</c>.</summary>
    Escape,

    /// <summary>One space for each.</summary>
    Space,

    /// <summary>They stay; not with line feed framing, local sockets or the RFC 3164 form.</summary>
    Keep,
}
