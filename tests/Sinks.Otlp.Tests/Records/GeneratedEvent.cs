using System.Collections.Frozen;
using System.Numerics;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Records;

/// <summary>What an application logs.</summary>
internal sealed record GeneratedEvent
{
    private const int DeepestContainer = 9;

    private static readonly Gen<string> Texts = Gen.Elements(
            "a", "word ", "é", "€", "😀", "\n", "\t", "\0", "\u0085", "\u2028", "\uFEFF", "\uD83D", "\uDC00", "\"", "=", "exception.type")
        .Several().SelectMany(static pieces => Gen.Elements(1, 1, 1, 3, 40).Select(times => string.Concat(Enumerable.Repeat(string.Concat(pieces), times))));

    // Few, so that they repeat; those of the library and of activity tracking among them.
    private static readonly Gen<string> Keys = Gen.OneOf(
        Gen.Elements("a", "b", "A", "", "TraceId", "SpanId", "ParentId", "exception.type", "exception.message", "exception.stacktrace", "logrecord.event.id", "é"), Texts);

    private static readonly Gen<object?> Numbers = Gen.OneOf(
        Gen.Choose(int.MinValue, int.MaxValue).Select(static n => (object?)n),
        Gen.Elements<object?>(
            (sbyte)-3, (byte)200, short.MinValue, ushort.MaxValue, uint.MaxValue, long.MinValue, long.MaxValue, 127L, 128L, ulong.MaxValue, 5UL,
            Int128.MaxValue, UInt128.MaxValue, BigInteger.Pow(-10, 33), (Half)1.5, 0.1f, 0.0, -0.0, double.NaN, double.PositiveInfinity, 1e17, 0.1m));

    private static readonly Gen<object?> Others = Gen.Elements<object?>(
        null, true, false, 'x', '\uD800', DayOfWeek.Monday, Guid.Empty, new Version(1, 2), new Uri("https://Shop.example/%7Ea"), new DateTime(2026, 1, 2, 3, 4, 5, DateTimeKind.Utc),
        new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(5)), new DateOnly(2026, 1, 2), new TimeOnly(3, 4), TimeSpan.FromSeconds(90061), new byte[] { 0, 255 },
        new ReadOnlyMemory<byte>([7]), new Memory<byte>([8, 9]), Array.Empty<byte>());

    private static readonly Gen<object?> Scalars = Gen.OneOf(Texts.Select(static text => (object?)text), Numbers, Others);

    private static readonly Gen<object?>[] Containers = MakeContainers();

    private static readonly Gen<KeyValuePair<string, object?>[]> Lists = MakeLists();

    public string? Message { get; init; }

    public LogLevel Level { get; init; }

    public int EventId { get; init; }

    public string? EventName { get; init; }

    public KeyValuePair<string, object?>[] State { get; init; } = [];

    public KeyValuePair<string, object?>[][] Scopes { get; init; } = [];

    /// <summary>Message and text of the exception, or null for none.</summary>
    public (string Message, string Text)? Exception { get; init; }

    /// <summary>Trace flags, or null without an activity.</summary>
    public int? Flags { get; init; }

    public static Gen<GeneratedEvent> All { get; } =
        from message in Gen.OneOf(Texts.Select(static text => (string?)text), Gen.Constant((string?)null))
        from level in Gen.Elements(Enum.GetValues<LogLevel>()[..^1])
        from id in Gen.Elements(0, 0, 7, -1)
        from name in Gen.OneOf(Gen.Constant((string?)null), Texts.Select(static text => (string?)text))
        from state in Lists
        from scopes in Gen.OneOf(Gen.Constant(Array.Empty<KeyValuePair<string, object?>[]>()), Lists.ArrayOf(2))
        from exception in Gen.OneOf(Gen.Constant(((string, string)?)null), Texts.Two().Select(static pair => ((string, string)?)(pair.Item1, pair.Item2)))
        from flags in Gen.Elements<int?>(null, null, 0, 1)
        select new GeneratedEvent
        {
            Message = message,
            Level = level,
            EventId = id,
            EventName = name,
            State = state,
            Scopes = scopes,
            Exception = exception,
            Flags = flags,
        };

    // FsCheck prints all events of a set that fails.
    public override string ToString() => $"{Level} with {State.Length} properties and {Scopes.Length} scopes";

    private static Gen<KeyValuePair<string, object?>[]> MakeLists()
    {
        var values = Gen.OneOf(Scalars, Scalars, Scalars, Gen.Choose(1, DeepestContainer).SelectMany(static depth => Containers[depth]));
        return Keys.SelectMany(_ => values, static (key, value) => KeyValuePair.Create(key, value)).Several();
    }

    // Made once: to make them takes longer than to draw from them.
    private static Gen<object?>[] MakeContainers()
    {
        var containers = new Gen<object?>[DeepestContainer + 1];
        containers[0] = Scalars;
        for (var depth = 1; depth <= DeepestContainer; depth++)
            containers[depth] = ContainersOf(depth == 1 ? Scalars : Gen.OneOf(Scalars, containers[depth - 1]));
        return containers;
    }

    private static Gen<object?> ContainersOf(Gen<object?> items)
        => Gen.OneOf(
            items.ArrayOf(2).Select(static list => (object?)list),
            items.ArrayOf(3).Select(static list => (object?)list.ToList()),
            items.ArrayOf(2).Select(static list => (object?)list.Where(static item => item is not null)),
            Gen.Choose(-300, 300).ArrayOf().Select(static list => (object?)list),
            Gen.Choose(0, 140).Select(static count => (object?)Enumerable.Range(0, count)),
            Texts.ArrayOf(3).Select(static list => (object?)list),
            Keys.SelectMany(_ => items, static (key, value) => KeyValuePair.Create(key, value)).ArrayOf(4).Select(static pairs => (object?)pairs.ToList()),
            Gen.Choose(0, 5).SelectMany(_ => items, static (key, value) => KeyValuePair.Create(key, value)).ArrayOf(3)
                .Select(static pairs => (object?)pairs.DistinctBy(static pair => pair.Key).ToFrozenDictionary()),
            Texts.Two().ArrayOf(2).Select(static pairs => (object?)pairs.Select(static pair => KeyValuePair.Create(pair.Item1, pair.Item2)).ToList()));
}

internal static class GenExtensions
{
    private const int Few = 8;

    // A scope has at most 128 properties; three lists together exceed the limit of attributes.
    private const int Most = 128;

    /// <summary>Mostly a few, as applications log; now and then very many.</summary>
    public static Gen<T[]> Several<T>(this Gen<T> item) => Gen.Choose(0, 49).SelectMany(static rare => rare == 0 ? Gen.Choose(0, Most) : Gen.Choose(0, Few)).SelectMany(item.ArrayOf);
}
