using System.Text;

namespace AsyncLog;

/// <summary>The elements that are the same in every record: <c>timeQuality</c> and <c>origin</c> (RFC 5424 §7.1, §7.2). Rendered once.</summary>
internal static class FixedElements
{
    /// <summary>The bytes, and the places of their parameters in them.</summary>
    public static (byte[] Bytes, Parameter[] Parameters) Render(SyslogLayout layout, ParameterValues values)
    {
        var scratch = new SyslogScratch();
        var writer = new WireWriter(scratch, 0);
        if (layout.TimeQuality)
        {
            writer.Write("[timeQuality"u8);
            Add(ref writer, SdElement.TimeQuality, "tzKnown", "1", values, scratch);
            writer.Write((byte)']');
        }

        var origin = layout.Origin;
        (string Name, string? Value)[] parameters =
            [("ip", origin.Ip), ("enterpriseId", origin.EnterpriseId), ("software", origin.Software), ("swVersion", origin.SwVersion)];
        if (parameters.Any(static parameter => !string.IsNullOrEmpty(parameter.Value)))
        {
            writer.Write("[origin"u8);
            foreach (var (name, value) in parameters)
            {
                if (!string.IsNullOrEmpty(value))
                    Add(ref writer, SdElement.Origin, name, value, values, scratch);
            }

            writer.Write((byte)']');
        }

        return (writer.Written.ToArray(), scratch.Parameters.Items.ToArray());
    }

    private static void Add(ref WireWriter writer, SdElement element, string name, string value, ParameterValues values, SyslogScratch scratch)
    {
        var start = writer.Position;
        writer.Write(Encoding.ASCII.GetBytes($" {name}=\""));
        var isCut = values.Write(ref writer, value, scratch);
        writer.Write((byte)'"');
        scratch.Parameters.Add(new Parameter(element, start, writer.Position - start, name.Length, isCut));
    }
}
