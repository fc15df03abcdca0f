using System.Runtime.InteropServices;

namespace AsyncLog;

/// <summary>One ExportLogsServiceRequest (opentelemetry-proto, collector/logs/v1), made of the records at the front of a batch. Belongs to one worker,
/// which uses it for one request after the other: what it holds is kept.</summary>
/// <remarks>One ResourceLogs with the resource, and one ScopeLogs per category in the order of their first records.</remarks>
/// <param name="resource">The encoded resource: <see cref="OtlpResource.Encode"/>.</param>
internal sealed class OtlpRequest(byte[] resource)
{
    private const int NoGroup = -1;
    private readonly RequestChunks _chunks = new();
    private readonly ScopeNames _names = new();
    private readonly Dictionary<string, int> _groupOf = new(StringComparer.Ordinal);
    private readonly List<RequestGroup> _groups = [];

    // The record of the same group that follows each record; -1: none.
    private int[] _next = [];

    /// <summary>The bytes of the whole request.</summary>
    public int Length => _chunks.Length;

    /// <summary>The records in it.</summary>
    public int RecordCount { get; private set; }

    /// <summary>The bytes of those records in the batch: what <see cref="LogBatch.Advance"/> wants once they are delivered.</summary>
    public int BatchBytes { get; private set; }

    /// <summary>The pieces of the request, none of them large.</summary>
    public int ChunkCount => _chunks.Count;

    /// <summary>A piece of the request; valid until the next <see cref="Fill"/>.</summary>
    public ReadOnlyMemory<byte> GetChunk(int index) => _chunks[index];

    /// <summary>Makes the request of as many records at the front of the batch as the limits allow.</summary>
    /// <param name="batch">What is left of a batch; begins with a whole record.</param>
    /// <param name="maxRecords">The most records; at least 1.</param>
    /// <param name="maxBytes">The most bytes of the request.</param>
    /// <returns>How many records are in it; 0 when the first one alone is too large.</returns>
    public int Fill(LogBatch batch, int maxRecords, int maxBytes)
    {
        _chunks.Clear();
        _groups.Clear();
        BatchBytes = 0;
        var content = Take(batch, Math.Min(maxRecords, batch.Count), maxBytes);
        _groupOf.Clear();
        if (RecordCount == 0)
            return 0;
        _chunks.WriteHeader(OtlpTag.ResourceLogs, content);
        _chunks.Write(resource);
        foreach (ref readonly var group in CollectionsMarshal.AsSpan(_groups))
            Write(batch, group);
        return RecordCount;
    }

    /// <summary>Groups records by category as long as they fit; gives back the size of what the outermost field holds.</summary>
    private int Take(LogBatch batch, int most, int maxBytes)
    {
        if (_next.Length < most)
            _next = new int[Math.Max(most, _next.Length * 2)];
        var content = resource.Length;
        var number = NoGroup;
        string? category = null;
        for (RecordCount = 0; RecordCount < most; RecordCount++)
        {
            var record = batch[RecordCount];
            // The next record is often one of the same logger.
            if (!ReferenceEquals(record.Category, category))
                number = _groupOf.GetValueOrDefault(record.Category, NoGroup);
            category = record.Category;
            var size = RequestChunks.SizeOf(record.Bytes.Length);
            var scope = number == NoGroup ? _names.Encode(category) : _groups[number].Scope;
            var before = number == NoGroup ? 0 : _groups[number].Content;
            var after = number == NoGroup ? scope.Length + size : before + size;
            var larger = content + RequestChunks.SizeOf(after) - (number == NoGroup ? 0 : RequestChunks.SizeOf(before));
            if (RequestChunks.SizeOf(larger) > maxBytes)
                break;
            content = larger;
            BatchBytes += record.Bytes.Length;
            number = Add(category, number, scope, after);
        }

        return content;
    }

    // Gives back the number of its group.
    private int Add(string category, int number, byte[] scope, int content)
    {
        _next[RecordCount] = -1;
        if (number == NoGroup)
        {
            _groupOf[category] = _groups.Count;
            _groups.Add(new RequestGroup(scope, content, RecordCount, RecordCount));
            return _groups.Count - 1;
        }

        ref var group = ref CollectionsMarshal.AsSpan(_groups)[number];
        _next[group.Last] = RecordCount;
        group = group with { Content = content, Last = RecordCount };
        return number;
    }

    private void Write(LogBatch batch, in RequestGroup group)
    {
        _chunks.WriteHeader(OtlpTag.ScopeLogs, group.Content);
        _chunks.Write(group.Scope);
        for (var i = group.First; i >= 0; i = _next[i])
        {
            var bytes = batch[i].Bytes.Span;
            _chunks.WriteHeader(OtlpTag.LogRecord, bytes.Length);
            _chunks.Write(bytes);
        }
    }
}
