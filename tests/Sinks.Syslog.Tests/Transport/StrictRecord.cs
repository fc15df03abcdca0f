using System.Text;
using System.Text.RegularExpressions;

namespace AsyncLog.Tests.Transport;

/// <summary>The grammar of RFC 5424 §6, nothing forgiven.</summary>
internal static partial class StrictRecord
{
    public static bool Parses(ReadOnlySpan<byte> record) => Grammar().IsMatch(new UTF8Encoding(false, throwOnInvalidBytes: true).GetString(record));

    /// <summary>A field of the header, counted from 0 (PRI and version).</summary>
    public static string Field(string record, int index) => record.Split(' ')[index];

    [GeneratedRegex(
        """^<(?:\d|[1-9]\d|1[0-8]\d|19[01])>1 (?:-|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{1,6}(?:Z|[+-]\d\d:\d\d)) [!-~]{1,255} [!-~]{1,48} [!-~]{1,128} [!-~]{1,32} (?:-|(?:\[[!#-<>-\\^-~]{1,32}(?: [!#-<>-\\^-~]{1,32}="(?:[^"\\\]]|\\.)*")*\])+)(?: .*)?$""",
        RegexOptions.Singleline | RegexOptions.CultureInvariant)]
    private static partial Regex Grammar();
}
