using System.Runtime.InteropServices;
using System.Text;

namespace AsyncLog.Tests.Calls;

/// <summary>A sink that keeps the bytes of its records until they are compared.</summary>
internal sealed class KeptRecords : ILogSink
{
    private readonly Lock _gate = new();
    private readonly List<byte> _bytes = [];
    private readonly List<int> _ends = [];

    /// <summary>How many records it keeps.</summary>
    public int Count
    {
        get
        {
            lock (_gate)
                return _ends.Count;
        }
    }

    /// <summary>Compares all records with those of another sink.</summary>
    /// <param name="expected">The other sink.</param>
    /// <param name="layout">Names the layout in a failure.</param>
    /// <param name="describe">Says which call the record at an index comes from.</param>
    /// <param name="inAnyOrder">True if several threads logged.</param>
    public void AssertEqual(KeptRecords expected, string layout, Func<int, string> describe, bool inAnyOrder = false)
    {
        lock (_gate)
        {
            lock (expected._gate)
            {
                Compare(expected, layout, describe, inAnyOrder);
            }
        }
    }

    /// <summary>Forgets all records.</summary>
    public void Clear()
    {
        lock (_gate)
        {
            _bytes.Clear();
            _ends.Clear();
        }
    }

    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        lock (_gate)
        {
            for (var i = 0; i < batch.Count; i++)
            {
                _bytes.AddRange(batch[i].Bytes.Span);
                _ends.Add(_bytes.Count);
            }
        }

        return ValueTask.CompletedTask;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private void Compare(KeptRecords expected, string layout, Func<int, string> describe, bool inAnyOrder)
    {
        if (CollectionsMarshal.AsSpan(_bytes).SequenceEqual(CollectionsMarshal.AsSpan(expected._bytes)) && CollectionsMarshal.AsSpan(_ends).SequenceEqual(CollectionsMarshal.AsSpan(expected._ends)))
            return;
        var (ours, theirs) = (Records(), expected.Records());
        if (inAnyOrder)
        {
            Array.Sort(ours, StringComparer.Ordinal);
            Array.Sort(theirs, StringComparer.Ordinal);
        }

        for (var i = 0; i < Math.Min(ours.Length, theirs.Length); i++)
        {
            if (ours[i] != theirs[i])
                Assert.Fail($"{layout}, record {i} of {describe(i)}\n  with an event: {Shown(theirs[i])}\n  known:         {Shown(ours[i])}");
        }

        Assert.True(ours.Length == theirs.Length, $"{layout}: {ours.Length} records, with an event {theirs.Length}");
    }

    // One character per byte: a record need not be text.
    private string[] Records()
    {
        var records = new string[_ends.Count];
        var bytes = CollectionsMarshal.AsSpan(_bytes);
        for (var i = 0; i < records.Length; i++)
            records[i] = Encoding.Latin1.GetString(bytes[(i == 0 ? 0 : _ends[i - 1]).._ends[i]]);
        return records;
    }

    private static string Shown(string record)
    {
        var text = Encoding.UTF8.GetString(Encoding.Latin1.GetBytes(record));
        return text.Length <= 4000 ? text : $"{text[..2000]} ... {text[^2000..]}";
    }
}
