using System.Collections;
using System.Text;
using AsyncLog.Tests.Formatting;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

public sealed class LazySequenceTests
{
    private static readonly string[] Formats = ["Json", "Text", "Clef"];

    private readonly List<string> _records = [];
    private readonly CapturingLogger _logger = new();
    private int _enumerations;
    private int _disposals;

    public LazySequenceTests() => _logger.Look = logEvent =>
    {
        _records.Clear();
        foreach (var format in Formats)
        {
            var layout = new RecordLayout { Format = format, Template = format == "Text" ? "{Message}|{Items}{NewLine}" : null };
            var record = new RecordBuffer();
            LogFormatters.Create(layout, Said.Application, TimeProvider.System).Format(logEvent, record);
            _records.Add(Encoding.UTF8.GetString(record.WrittenSpan));
        }
    };

    [Fact]
    public void A_lazy_sequence_is_enumerated_once_for_the_message_and_every_layout()
    {
        // Read by the indexer at first, then from the arguments where they lie.
        for (var i = 1; i <= 40; i++)
        {
            _logger.LogInformation("taken {Items}", Count(3));
            Assert.Equal((i, i), (_enumerations, _disposals));
            Assert.Contains("\"Message\":\"taken 0, 1, 2\",\"State\":{\"Items\":[0,1,2]", _records[0], StringComparison.Ordinal);
            Assert.Equal("taken 0, 1, 2|[0,1,2]\n", _records[1]);
            Assert.Contains("\"@m\":\"taken 0, 1, 2\"", _records[2], StringComparison.Ordinal);
            Assert.Contains("\"Items\":[0,1,2]", _records[2], StringComparison.Ordinal);
        }
    }

    [Fact]
    public void A_sequence_that_can_be_read_once_is_the_same_in_message_and_properties()
    {
        var queue = new Queue<int>([1, 2, 3]);
        _logger.LogInformation("taken {Items}", Take());
        Assert.Contains("\"Message\":\"taken 1, 2, 3\",\"State\":{\"Items\":[1,2,3]", _records[0], StringComparison.Ordinal);
        Assert.Equal("taken 1, 2, 3|[1,2,3]\n", _records[1]);
        Assert.Contains("\"@m\":\"taken 1, 2, 3\"", _records[2], StringComparison.Ordinal);
        Assert.EndsWith("\"Items\":[1,2,3]}\n", _records[2], StringComparison.Ordinal);

        IEnumerable<int> Take()
        {
            while (queue.TryDequeue(out var next))
                yield return next;
        }
    }

    [Fact]
    public void Lazy_pairs_are_an_object_and_enumerated_once()
    {
        _logger.LogInformation("taken {Items}", Count(2).Select(static i => KeyValuePair.Create("k" + i, i)));
        Assert.Equal(1, _enumerations);
        Assert.Contains("\"Message\":\"taken [k0, 0], [k1, 1]\",\"State\":{\"Items\":{\"k0\":0,\"k1\":1}", _records[0], StringComparison.Ordinal);
        Assert.EndsWith("|{\"k0\":0,\"k1\":1}\n", _records[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_lazy_sequence_inside_a_collection_is_enumerated_once()
    {
        _logger.LogInformation("taken {Items}", (object)new object[] { 7, Count(2) });
        Assert.Equal(1, _enumerations);
        Assert.Contains("\"Items\":[7,[0,1]]", _records[0], StringComparison.Ordinal);
        Assert.Contains("\"Items\":[7,[0,1]]", _records[2], StringComparison.Ordinal);
    }

    [Fact]
    public void A_sequence_that_throws_is_enumerated_once_and_each_layout_says_so()
    {
        _logger.LogInformation("taken {Items}", Failing());
        Assert.Equal(1, _enumerations);
        Assert.Contains("\"Message\":\"taken 0<error: System.IO.IOException>\",\"State\":{\"Items\":\"<error: System.IO.IOException>\"", _records[0], StringComparison.Ordinal);
        Assert.Equal("taken 0<error: System.IO.IOException>|<error: System.IO.IOException>\n", _records[1]);
        Assert.Contains("\"@m\":\"taken 0<error: System.IO.IOException>\"", _records[2], StringComparison.Ordinal);
        Assert.Contains("\"Items\":\"<error: System.IO.IOException>\"", _records[2], StringComparison.Ordinal);

        IEnumerable<int> Failing()
        {
            _enumerations++;
            yield return 0;
            throw new IOException("gone");
        }
    }

    [Fact]
    public void An_endless_sequence_is_disposed_at_the_end_of_the_event()
    {
        _logger.Limit = 4096;
        var look = _logger.Look!;
        _logger.Look = logEvent =>
        {
            look(logEvent);
            Assert.Equal(0, _disposals);
        };
        _logger.LogInformation("taken {Items}", Count(int.MaxValue));
        Assert.Equal((1, 1), (_enumerations, _disposals));
    }

    [Fact]
    public void A_sequence_that_cannot_be_disposed_of_harms_nothing()
    {
        _logger.Limit = 4096;
        _logger.LogInformation("taken {Items}", new Clinging());
        Assert.StartsWith("taken 1, 1, 1", _logger.Message, StringComparison.Ordinal);
        _logger.LogInformation("next {Items}", 1);
        Assert.Equal("next 1|1\n", _records[1]);
        Assert.Equal(0, _logger.RenderErrors);
    }

    [Fact]
    public void A_sequence_that_logs_when_it_is_disposed_of_gets_an_event_of_its_own()
    {
        var messages = new List<string>();
        _logger.Limit = 4096;
        _logger.Look = logEvent => messages.Add(Encoding.UTF8.GetString(logEvent.Message)[..7]);
        _logger.LogInformation("taken: {Items}", new Clinging { Disposing = () => _logger.LogInformation("nested: {Items}", 1) });
        Assert.Equal(["taken: ", "nested:"], messages);
        _logger.LogInformation("another {Items}", 2);
        Assert.Equal("another 2", _logger.Message);
    }

    [Fact]
    public void A_collection_is_handed_to_formatters_as_it_is()
    {
        var logEvent = TestEvents.FromTemplate("m");
        IEnumerable[] collections = [new[] { 1 }, new List<int>(), new HashSet<int> { 1 }, new Dictionary<string, int>(), new Queue<int>()];
        Assert.All(collections, collection => Assert.Same(collection, logEvent.ReadOnce(collection)));
        var lazy = Count(2);
        var read = logEvent.ReadOnce(lazy);
        Assert.Same(read, logEvent.ReadOnce(lazy));
        Assert.Equal([0, 1], read.Cast<int>());
        Assert.Equal([0, 1], read.Cast<int>());
        Assert.Equal(1, _enumerations);
        logEvent.Reset();
    }

    private IEnumerable<int> Count(int count)
    {
        _enumerations++;
        try
        {
            for (var i = 0; i < count; i++)
                yield return i;
        }
        finally
        {
            _disposals++;
        }
    }

    private sealed class Clinging : IEnumerable<int>, IEnumerator<int>
    {
        public Action Disposing { get; init; } = static () => throw new InvalidOperationException("stays");

        public int Current => 1;

        object IEnumerator.Current => 1;

        public IEnumerator<int> GetEnumerator() => this;

        IEnumerator IEnumerable.GetEnumerator() => this;

        public bool MoveNext() => true;

        public void Reset()
        {
            // Not asked for.
        }

        public void Dispose() => Disposing();
    }
}
