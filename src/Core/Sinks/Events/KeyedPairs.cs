using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncLog;

/// <summary>Reads collections of <see cref="KeyValuePair{TKey, TValue}"/> of any types, which are objects and not arrays: JsonObject, IHeaderDictionary, a type that is
/// an IReadOnlyDictionary alone, a list of pairs.</summary>
[Experimental("ASYNCLOG001")]
public sealed class KeyedPairs
{
    // Weak in the type, so that a collectible assembly can go.
    private static readonly ConditionalWeakTable<Type, KeyedPairs> Known = [];

    private readonly MethodInfo? _enumerate;
    private readonly PropertyInfo? _key;
    private readonly PropertyInfo? _value;

    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicProperties, typeof(KeyValuePair<,>))]
    [DynamicDependency(DynamicallyAccessedMemberTypes.PublicMethods, typeof(IEnumerable<>))]
    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A collection whose interface was trimmed away is written as an array of texts.")]
    [UnconditionalSuppressMessage("Trimming", "IL2065", Justification = "The members of the two generic types are kept by the dependencies above.")]
    [UnconditionalSuppressMessage("Trimming", "IL2075", Justification = "The members of the two generic types are kept by the dependencies above.")]
    private KeyedPairs(Type collection)
    {
        // Compiled ahead, a pair of value types may have no code that reflection can call.
        if (!RuntimeFeature.IsDynamicCodeSupported)
            return;
        foreach (var candidate in collection.GetInterfaces())
        {
            if (!candidate.IsGenericType || candidate.GetGenericTypeDefinition() != typeof(IEnumerable<>))
                continue;
            var pair = candidate.GetGenericArguments()[0];
            if (!pair.IsGenericType || pair.GetGenericTypeDefinition() != typeof(KeyValuePair<,>))
                continue;
            _enumerate = candidate.GetMethod(nameof(IEnumerable.GetEnumerator));
            _key = pair.GetProperty("Key");
            _value = pair.GetProperty("Value");
            return;
        }
    }

    /// <summary>Gets the reader for a collection; null where its elements are no pairs.</summary>
    /// <param name="collection">The collection.</param>
    public static KeyedPairs? Of(IEnumerable collection)
    {
        ArgumentNullException.ThrowIfNull(collection);
        return Known.GetValue(collection.GetType(), static type => new KeyedPairs(type)) is { _enumerate: not null, _key: not null, _value: not null } found ? found : null;
    }

    /// <summary>Enumerates the pairs, each in a box. The collection's own untyped enumerator may give something else.</summary>
    /// <param name="collection">A collection of the reader's type.</param>
    public IEnumerator Enumerate(IEnumerable collection)
        => (IEnumerator)_enumerate!.Invoke(collection, BindingFlags.DoNotWrapExceptions, null, null, null)!;

    /// <summary>Gets the key of a pair.</summary>
    /// <param name="pair">A pair from <see cref="Enumerate"/>.</param>
    public object? KeyOf(object pair) => _key!.GetValue(pair);

    /// <summary>Gets the value of a pair.</summary>
    /// <param name="pair">A pair from <see cref="Enumerate"/>.</param>
    public object? ValueOf(object pair) => _value!.GetValue(pair);

    /// <summary>Gets the number, string or boolean in a node of JSON; the node itself where it holds something else.</summary>
    /// <param name="node">The node.</param>
    public static LogValue ScalarOf(JsonValue node)
    {
        ArgumentNullException.ThrowIfNull(node);
        if (!node.TryGetValue<object>(out var held))
            return LogValue.FromObject(node);
        var value = held is JsonElement element ? ScalarOf(element) : LogValue.FromObject(held);
        return value.Kind == LogValueKind.Object ? LogValue.FromObject(node) : value;
    }

    private static LogValue ScalarOf(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.String => LogValue.FromObject(element.GetString()),
        JsonValueKind.True => LogValue.From(true),
        JsonValueKind.False => LogValue.From(false),
        JsonValueKind.Number when element.TryGetInt64(out var whole) => LogValue.From(whole),
        JsonValueKind.Number when element.TryGetUInt64(out var large) => LogValue.From(large),
        JsonValueKind.Number when element.TryGetDouble(out var number) && double.IsFinite(number) => LogValue.From(number),
        JsonValueKind.Null => default,
        _ => LogValue.FromObject(element),
    };
}
