using System.Text;

namespace AsyncLog;

/// <summary>A number for a text, the same in every process: the 64-bit FNV-1a hash of its UTF-8 bytes. Not cryptographic, because that would load OpenSSL at
/// every start.</summary>
internal static class Fnv1a
{
    public static ulong Of(string text)
    {
        var hash = 0xCBF29CE484222325;
        foreach (var value in Encoding.UTF8.GetBytes(text))
            hash = unchecked((hash ^ value) * 0x100000001B3);
        return hash;
    }
}
