using System.Text;

namespace AsyncLog.Tests.Formatting;

/// <summary>Runs what writes into a <see cref="Utf8Writer"/> and gives back the bytes.</summary>
internal static class Raw
{
    public delegate void Write(ref Utf8Writer writer);

    public static byte[] Bytes(Write write)
    {
        var buffer = new RecordBuffer();
        buffer.Reset(int.MaxValue);
        var writer = new Utf8Writer(buffer);
        write(ref writer);
        writer.Flush();
        return buffer.WrittenSpan.ToArray();
    }

    public static string Text(Write write) => Encoding.UTF8.GetString(Bytes(write));
}
