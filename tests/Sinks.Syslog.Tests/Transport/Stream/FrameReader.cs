using System.Globalization;
using System.Text;

namespace AsyncLog.Tests.Transport.Stream;

/// <summary>Takes a received stream apart by octet counts, as a receiver does.</summary>
internal static class FrameReader
{
    /// <summary>Reads whole frames.</summary>
    /// <param name="stream">All bytes of one connection.</param>
    /// <param name="rest">Bytes of a frame that is not whole; -1: what stands there is no frame.</param>
    public static List<string> Octets(ReadOnlySpan<byte> stream, out int rest)
    {
        var frames = new List<string>();
        while (stream.Length > 0)
        {
            int space = stream[..Math.Min(stream.Length, 8)].IndexOf((byte)' ');
            int count = 0;
            bool isCount = space > 0 && stream[0] != '0' && int.TryParse(stream[..space], NumberStyles.None, CultureInfo.InvariantCulture, out count);
            if (!isCount && (space >= 0 || stream.Length >= 8 || stream.IndexOfAnyExceptInRange((byte)'0', (byte)'9') >= 0))
            {
                rest = -1;
                return frames;
            }

            if (!isCount || stream.Length < space + 1 + count)
                break;
            frames.Add(Encoding.UTF8.GetString(stream.Slice(space + 1, count)));
            stream = stream[(space + 1 + count)..];
        }

        rest = stream.Length;
        return frames;
    }
}
