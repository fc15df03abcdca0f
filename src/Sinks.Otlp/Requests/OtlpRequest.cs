using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog;

/// <summary>Builds one ExportLogsServiceRequest after the other (opentelemetry-proto, collector/logs/v1) from the records at the front of a batch. Worker only;
/// its memory is reused.</summary>
/// <remarks>One ResourceLogs with the resource, and one ScopeLogs per category in the order of their first records.</remarks>
/// <param name="resource">The encoded resource: <see cref="OtlpResource.Encode"/>.</param>
internal sealed class OtlpRequest(byte[] resource)
{
    private const int None = -1;
    private readonly SegmentedBuffer _buffer = new();
    private readonly ScopeCache _scopes = new();
    private readonly Dictionary<string, int> _groupOf = new(StringComparer.Ordinal);
    private readonly List<Group> _groups = [];
    private readonly List<RecordRange> _ranges = [];

    public int Length => _buffer.Length;

    public int RecordCount { get; private set; }

    /// <summary>The bytes of the records in the batch, for <see cref="LogBatch.Advance"/> after the delivery.</summary>
    public int BatchBytes { get; private set; }

    /// <summary>The bytes of the request, some of them in the batch: valid until the next <see cref="Fill"/> or change of the batch.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Pieces => _buffer.Pieces;

    /// <summary>Builds the request of as many records as the limits allow.</summary>
    /// <param name="batch">A batch that begins with a whole record, as the formatter encodes it.</param>
    /// <param name="maxRecords">The most records; at least 1.</param>
    /// <param name="maxBytes">The most bytes of the request.</param>
    /// <returns>The number of records; 0: the first one alone is too large.</returns>
    public int Fill(LogBatch batch, int maxRecords, int maxBytes)
    {
        _buffer.Clear();
        _groups.Clear();
        _ranges.Clear();
        BatchBytes = 0;
        var content = Take(batch, Math.Min(maxRecords, batch.Count), maxBytes);
        _groupOf.Clear();
        if (RecordCount == 0)
            return 0;
        _buffer.WriteHeader(OtlpTag.ResourceLogs, content);
        _buffer.Write(resource);
        foreach (ref readonly var group in CollectionsMarshal.AsSpan(_groups))
            Write(batch, group);
        _buffer.EndPiece();
        return RecordCount;
    }

    // Groups records by category as long as they fit; returns the size of the content of ResourceLogs.
    private int Take(LogBatch batch, int maxRecords, int maxBytes)
    {
        var content = resource.Length;
        var number = None;
        string? category = null;
        for (RecordCount = 0; RecordCount < maxRecords; RecordCount++)
        {
            var record = batch[RecordCount];
            var previous = number;
            // The next record is often one of the same logger.
            if (!ReferenceEquals(record.Category, category))
                number = _groupOf.GetValueOrDefault(record.Category, None);
            category = record.Category;
            var scope = number == None ? _scopes.Encode(category) : _groups[number].Scope;
            var before = number == None ? 0 : _groups[number].Content;
            var after = (number == None ? scope.Length : before) + record.Bytes.Length;
            var larger = content + ProtoWriter.SizeOfField(after) - (number == None ? 0 : ProtoWriter.SizeOfField(before));
            if (ProtoWriter.SizeOfField(larger) > maxBytes)
                break;
            content = larger;
            if (number == None)
                number = Begin(category, scope);
            Add(number, after, record.Bytes.Length, isAdjacent: number == previous);
            BatchBytes += record.Bytes.Length;
        }

        return content;
    }

    private int Begin(string category, byte[] scope)
    {
        _groupOf[category] = _groups.Count;
        _groups.Add(new Group(scope, 0, None, None));
        return _groups.Count - 1;
    }

    private void Add(int number, int content, int length, bool isAdjacent)
    {
        ref var group = ref CollectionsMarshal.AsSpan(_groups)[number];
        var ranges = CollectionsMarshal.AsSpan(_ranges);
        if (isAdjacent)
        {
            ranges[^1] = ranges[^1] with { Length = ranges[^1].Length + length };
            group = group with { Content = content };
            return;
        }

        if (group.Last != None)
            ranges[group.Last] = ranges[group.Last] with { Next = _ranges.Count };
        group = group with { Content = content, First = group.First == None ? _ranges.Count : group.First, Last = _ranges.Count };
        _ranges.Add(new RecordRange(BatchBytes, length, None));
    }

    private void Write(LogBatch batch, in Group group)
    {
        _buffer.WriteHeader(OtlpTag.ScopeLogs, group.Content);
        _buffer.Write(group.Scope);
        for (var i = group.First; i != None; i = _ranges[i].Next)
            _buffer.Add(batch.Bytes.Slice(_ranges[i].Start, _ranges[i].Length));
    }

    // The records of one category; Content is the size of its ScopeLogs so far, First and Last are numbers of ranges.
    private readonly record struct Group(byte[] Scope, int Content, int First, int Last);

    // Consecutive records of one category: as many consecutive fields of a ScopeLogs. Next is the number of the category's next range.
    private readonly record struct RecordRange(int Start, int Length, int Next);

    // Caches categories as encoded InstrumentationScope fields: an application has few.
    private sealed class ScopeCache
    {
        // Categories may be made from data: the cache is bounded.
        private const int MaxKept = 1024;
        private const int MaxHeaderBytes = 6;
        private readonly Dictionary<string, byte[]> _known = new(StringComparer.Ordinal);

        public byte[] Encode(string category)
        {
            if (_known.TryGetValue(category, out var scope))
                return scope;
            if (_known.Count == MaxKept)
                _known.Clear();
            scope = Make(category);
            _known.Add(category, scope);
            return scope;
        }

        private static byte[] Make(string category)
        {
            var name = Encoding.UTF8.GetBytes(category);
            Span<byte> header = stackalloc byte[2 * MaxHeaderBytes];
            header[0] = OtlpTag.Scope;
            var length = 1 + ProtoWriter.Put(header[1..], (uint)ProtoWriter.SizeOfField(name.Length));
            header[length++] = OtlpTag.ScopeName;
            length += ProtoWriter.Put(header[length..], (uint)name.Length);
            return [.. header[..length], .. name];
        }
    }
}
