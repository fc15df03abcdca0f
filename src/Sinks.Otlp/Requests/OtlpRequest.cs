using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>One ExportLogsServiceRequest (opentelemetry-proto, collector/logs/v1), made of the records at the front of a batch. Belongs to one worker,
/// which uses it for one request after the other: what it holds is kept.</summary>
/// <remarks>One ResourceLogs with the resource, and one ScopeLogs per category in the order of their first records.</remarks>
/// <param name="resource">The encoded resource: <see cref="OtlpResource.Encode"/>.</param>
internal sealed class OtlpRequest(byte[] resource)
{
    private const int None = -1;
    private readonly RequestPieces _pieces = new();
    private readonly ScopeNames _names = new();
    private readonly Dictionary<string, int> _groupOf = new(StringComparer.Ordinal);
    private readonly List<RequestGroup> _groups = [];
    private readonly List<RequestRun> _runs = [];

    /// <summary>The bytes of the whole request.</summary>
    public int Length => _pieces.Length;

    /// <summary>The records in it.</summary>
    public int RecordCount { get; private set; }

    /// <summary>The bytes of those records in the batch: what <see cref="LogBatch.Advance"/> wants once they are delivered.</summary>
    public int BatchBytes { get; private set; }

    /// <summary>The bytes of the request, some of them in the batch; valid until the next <see cref="Fill"/> and as long as the batch stays as it is.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Pieces => _pieces.All;

    /// <summary>Makes the request of as many records at the front of the batch as the limits allow.</summary>
    /// <param name="batch">What is left of a batch; begins with a whole record, as <see cref="OtlpFormatter"/> encodes it.</param>
    /// <param name="maxRecords">The most records; at least 1.</param>
    /// <param name="maxBytes">The most bytes of the request.</param>
    /// <returns>How many records are in it; 0 when the first one alone is too large.</returns>
    public int Fill(LogBatch batch, int maxRecords, int maxBytes)
    {
        _pieces.Clear();
        _groups.Clear();
        _runs.Clear();
        BatchBytes = 0;
        var content = Take(batch, Math.Min(maxRecords, batch.Count), maxBytes);
        _groupOf.Clear();
        if (RecordCount == 0)
            return 0;
        _pieces.WriteHeader(OtlpTag.ResourceLogs, content);
        _pieces.Write(resource);
        foreach (ref readonly var group in CollectionsMarshal.AsSpan(_groups))
            Write(batch, group);
        _pieces.Cut();
        return RecordCount;
    }

    /// <summary>Groups records by category as long as they fit; gives back the size of what the outermost field holds.</summary>
    private int Take(LogBatch batch, int most, int maxBytes)
    {
        var content = resource.Length;
        var number = None;
        string? category = null;
        for (RecordCount = 0; RecordCount < most; RecordCount++)
        {
            var record = batch[RecordCount];
            var previous = number;
            // The next record is often one of the same logger.
            if (!ReferenceEquals(record.Category, category))
                number = _groupOf.GetValueOrDefault(record.Category, None);
            category = record.Category;
            var scope = number == None ? _names.Encode(category) : _groups[number].Scope;
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
        _groups.Add(new RequestGroup(scope, 0, None, None));
        return _groups.Count - 1;
    }

    private void Add(int number, int content, int length, bool isAdjacent)
    {
        ref var group = ref CollectionsMarshal.AsSpan(_groups)[number];
        var runs = CollectionsMarshal.AsSpan(_runs);
        if (isAdjacent)
        {
            runs[^1] = runs[^1] with { Length = runs[^1].Length + length };
            group = group with { Content = content };
            return;
        }

        if (group.Last != None)
            runs[group.Last] = runs[group.Last] with { Next = _runs.Count };
        group = group with { Content = content, First = group.First == None ? _runs.Count : group.First, Last = _runs.Count };
        _runs.Add(new RequestRun(BatchBytes, length, None));
    }

    private void Write(LogBatch batch, in RequestGroup group)
    {
        _pieces.WriteHeader(OtlpTag.ScopeLogs, group.Content);
        _pieces.Write(group.Scope);
        for (var i = group.First; i != None; i = _runs[i].Next)
            _pieces.Add(batch.Bytes.Slice(_runs[i].Start, _runs[i].Length));
    }
}
