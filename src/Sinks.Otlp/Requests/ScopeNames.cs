using System.Text;

namespace AsyncLog;

/// <summary>Categories as encoded InstrumentationScope fields; kept, for an application has few.</summary>
internal sealed class ScopeNames
{
    // Categories may be made from data, so what is kept has an end.
    private const int MostKept = 1024;
    private const int MostHeader = 6;

    private readonly Dictionary<string, byte[]> _known = new(StringComparer.Ordinal);

    /// <summary>The field Scope of ScopeLogs with the category as its name; an unpaired surrogate becomes U+FFFD.</summary>
    public byte[] Encode(string category)
    {
        if (_known.TryGetValue(category, out var scope))
            return scope;
        if (_known.Count == MostKept)
            _known.Clear();
        scope = Make(category);
        _known.Add(category, scope);
        return scope;
    }

    private static byte[] Make(string category)
    {
        var name = Encoding.UTF8.GetBytes(category);
        Span<byte> header = stackalloc byte[2 * MostHeader];
        header[0] = OtlpTag.Scope;
        var length = 1 + ProtoWriter.Put(header[1..], (uint)ProtoWriter.SizeOfField(name.Length));
        header[length++] = OtlpTag.ScopeName;
        length += ProtoWriter.Put(header[length..], (uint)name.Length);
        return [.. header[..length], .. name];
    }
}
