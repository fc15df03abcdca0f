using AsyncLog.Tests.Protocol;
using Kind = AsyncLog.Tests.Protocol.AnyValue.ValueOneofCase;

namespace AsyncLog.Tests.Differential;

/// <summary>A difference that is meant, with its reason in docs/otlp.md under the same name.</summary>
/// <param name="Name">The name in the table there.</param>
/// <param name="Explains">Whether it is all there is to a difference.</param>
internal sealed record AllowedDifference(string Name, Func<Difference, bool> Explains)
{
    public static IReadOnlyList<AllowedDifference> All { get; } =
    [
        new("event-id", static it => it is { Field: "[logrecord.event.id]", Official: [], Own: [{ IntValue: not 0 }] }),
        new("unique-keys", static it => it is { Official.Count: > 1, Own: [var own] } && it.Official.Contains(own) && it.Field is not "[exception.type]"),
        new("own-attribute-wins", static it => it is { Field: "[exception.type]", Official: [_, var last], Own: [var own] } && own.Equals(last)),
        new("empty-key", static it => it is { Field: "[]", Official: [_], Own: [] }),
        new("exception-type", static it => it.Field == "[exception.type]" && Texts(it) is var (official, own) && own == "System." + official),
        new("date-text", static it => Texts(it) is var (official, own) && IsDate(official, own)),
        new("number-types", static it => it is { Official: [{ ValueCase: Kind.StringValue } official], Own: [var own] } && official.StringValue == NumberText(own)),
        new("collections", static it => it is { Official: [{ ValueCase: Kind.StringValue } official], Own: [{ ValueCase: Kind.ArrayValue }] } && IsTypeName(official, "List`1")),
        new("byte-memory", static it => it is { Official: [{ ValueCase: Kind.StringValue } official], Own: [{ ValueCase: Kind.BytesValue }] } && IsTypeName(official, "ReadOnlyMemory<Byte>")),
        new("uri-text", static it => Texts(it) is var (official, own) && own is "https://shop.example/%7Ea?q=1" && official == new Uri(own).ToString()),
    ];

    private static (string Official, string Own)? Texts(Difference difference) =>
        difference is { Official: [{ ValueCase: Kind.StringValue } official], Own: [{ ValueCase: Kind.StringValue } own] } ? (official.StringValue, own.StringValue) : null;

    // Each of them as text of its own, in the order and with the precision that ISO 8601 asks for.
    private static bool IsDate(string official, string own) => (official, own) is
        ("01/02/2026 03:04:05", "2026-01-02T03:04:05.6780000Z") or ("01/02/2026 03:04:05 +05:00", "2026-01-02T03:04:05.0000000+05:00")
        or ("01/02/2026", "2026-01-02") or ("03:04", "03:04:05.0000000");

    private static string? NumberText(AnyValue value) => value.ValueCase switch
    {
        Kind.IntValue => FormattableString.Invariant($"{value.IntValue}"),
        Kind.DoubleValue => FormattableString.Invariant($"{value.DoubleValue}"),
        _ => null,
    };

    private static bool IsTypeName(AnyValue value, string name) =>
        value.StringValue.StartsWith("System.", StringComparison.Ordinal) && value.StringValue.Contains(name, StringComparison.Ordinal);
}
