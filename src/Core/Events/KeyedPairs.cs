using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Text.Json;
using System.Text.Json.Nodes;

namespace AsyncLog;

/// <summary>Reads collections of <see cref="KeyValuePair{TKey, TValue}"/> of any types, which are objects and not arrays: JsonObject, IHeaderDictionary, a type that is
/// an IReadOnlyDictionary alone, a list of pairs.</summary>
internal sealed class KeyedPairs
{
    // Of a collection, as everywhere.
    private const int MaxElements = 128;

    // Weak in the type, so that a collectible assembly can go.
    private static readonly ConditionalWeakTable<Type, KeyedPairs> Known = [];

    private readonly bool _isLazy;
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
        _isLazy = true;
        foreach (var candidate in collection.GetInterfaces())
        {
            if (!candidate.IsGenericType)
                continue;
            var definition = candidate.GetGenericTypeDefinition();
            _isLazy &= definition != typeof(ICollection<>) && definition != typeof(IReadOnlyCollection<>);
            if (definition != typeof(IEnumerable<>) || _enumerate is not null)
                continue;
            var pair = candidate.GetGenericArguments()[0];
            if (!pair.IsGenericType || pair.GetGenericTypeDefinition() != typeof(KeyValuePair<,>))
                continue;
            // Compiled ahead, a pair of value types may have no code that reflection can call: then the collection is enumerated as what it is.
            _isLazy &= RuntimeFeature.IsDynamicCodeSupported;
            if (!RuntimeFeature.IsDynamicCodeSupported)
                continue;
            _enumerate = candidate.GetMethod(nameof(IEnumerable.GetEnumerator));
            _key = pair.GetProperty("Key");
            _value = pair.GetProperty("Value");
        }
    }

    /// <summary>Gets the reader for a collection; null if its elements are no pairs.</summary>
    /// <param name="collection">The collection.</param>
    public static KeyedPairs? Of(IEnumerable collection)
    {
        ArgumentNullException.ThrowIfNull(collection);
        if (collection is SequenceOnce read)
            return read.Pairs;
        return Find(collection) is { _enumerate: not null, _key: not null, _value: not null } found ? found : null;
    }

    /// <summary>Enumerates the pairs, each in a box. The collection's own untyped enumerator may give something else.</summary>
    /// <param name="collection">A collection of the reader's type.</param>
    public IEnumerator Enumerate(IEnumerable collection)
        => collection is SequenceOnce read ? read.GetEnumerator() : (IEnumerator)_enumerate!.Invoke(collection, BindingFlags.DoNotWrapExceptions, null, null, null)!;

    /// <summary>Gets the key of a pair.</summary>
    /// <param name="pair">A pair from <see cref="Enumerate"/>.</param>
    public object? KeyOf(object pair) => _key!.GetValue(pair);

    /// <summary>Gets the value of a pair.</summary>
    /// <param name="pair">A pair from <see cref="Enumerate"/>.</param>
    public object? ValueOf(object pair) => _value!.GetValue(pair);

    /// <summary>Gets whether an object is a node, element or document of JSON, or a scalar of another library that is a sequence to its interfaces, as Json.NET's JValue.</summary>
    /// <param name="value">The object.</param>
    public static bool IsJson(object? value) => value is JsonNode or JsonElement or JsonDocument || IsScalar(value);

    /// <summary>Gets what JSON holds: null, a boolean, number or string, or else a collection of values or pairs.</summary>
    /// <param name="json">An object for which <see cref="IsJson"/> returns true.</param>
    /// <param name="hasFailed">True if it cannot be read, as a document that is disposed: the caller counts the placeholder that is returned.</param>
    public static LogValue ContentOf(object json, out bool hasFailed)
    {
        ArgumentNullException.ThrowIfNull(json);
        hasFailed = false;
        try
        {
            return ContentOf(json);
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            hasFailed = true;
            return LogValue.FromString($"<error: {json.GetType().FullName}>");
        }
    }

    /// <summary>Returns true if a sequence is a scalar to its users: it converts or formats itself, and has no count. A vector that formats itself is a collection.</summary>
    internal static bool IsScalar(object? value) => value is IEnumerable and not (ICollection or string) and (IConvertible or IFormattable);

    /// <summary>True if the keys are texts.</summary>
    internal bool HasTextKeys => _key!.PropertyType == typeof(string);

    /// <summary>Returns true if a sequence is no collection: each enumeration may run code, and give something else.</summary>
    internal static bool IsLazy(IEnumerable sequence) => sequence is not ICollection && Find(sequence)._isLazy;

    private static KeyedPairs Find(IEnumerable collection) => Known.GetValue(collection.GetType(), static type => new KeyedPairs(type));

    private static LogValue ContentOf(object json) => json switch
    {
        JsonDocument document => ContentOf(document.RootElement),
        JsonElement element => ContentOf(element),
        JsonValue node => ContentOf(node),
        JsonNode => LogValue.FromObject(json),
        _ => ContentOf((IEnumerable)json),
    };

    // A text where the type of the value is none of the framework's.
    private static LogValue ContentOf(IEnumerable scalar)
    {
        var type = (scalar as IConvertible)?.GetTypeCode() ?? TypeCode.Object;
        if (type is TypeCode.Empty or TypeCode.DBNull)
            return default;
        return type != TypeCode.Object ? LogValue.FromObject(Convert.ChangeType(scalar, type, CultureInfo.InvariantCulture))
            : LogValue.FromObject(scalar is IFormattable formattable ? formattable.ToString(null, CultureInfo.InvariantCulture) : scalar.ToString());
    }

    private static LogValue ContentOf(JsonValue node)
    {
        if (!node.TryGetValue<object>(out var held))
            held = node;
        if (held is JsonElement element)
            return ContentOf(element);
        var value = LogValue.FromObject(held);
        // An object of the application, which the node serializes.
        return value.Kind == LogValueKind.Object ? ContentOf(JsonElement.Parse(node.ToJsonString())) : value;
    }

    private static LogValue ContentOf(JsonElement element) => element.ValueKind switch
    {
        JsonValueKind.Object => LogValue.FromObject(element.EnumerateObject().Take(MaxElements).Select(static member => KeyValuePair.Create(member.Name, (object?)member.Value)).ToArray()),
        JsonValueKind.Array => LogValue.FromObject(element.EnumerateArray().Take(MaxElements).Select(static item => (object?)item).ToArray()),
        JsonValueKind.String => LogValue.FromObject(element.GetString()),
        JsonValueKind.True => LogValue.From(true),
        JsonValueKind.False => LogValue.From(false),
        JsonValueKind.Number when element.TryGetInt64(out var whole) => LogValue.From(whole),
        JsonValueKind.Number when element.TryGetUInt64(out var large) => LogValue.From(large),
        JsonValueKind.Number when element.TryGetDouble(out var number) && double.IsFinite(number) => LogValue.From(number),
        JsonValueKind.Number => LogValue.FromString(element.GetRawText()),
        _ => default,
    };
}

/// <summary>The lazy sequences among the values of one event: each is enumerated once, for the message and all layouts, and disposed at the end of the event.</summary>
internal sealed class SequenceReads : IDisposable
{
    private readonly Dictionary<IEnumerable, SequenceOnce> _reads = new(ReferenceEqualityComparer.Instance);

    private SequenceReads()
    {
    }

    /// <summary>Returns a collection as it is, and what is read of a lazy sequence.</summary>
    public static IEnumerable Of(IEnumerable items, FormatScratch scratch)
        => items is ICollection or SequenceOnce || !KeyedPairs.IsLazy(items) ? items : Read(items, scratch);

    // Allocates nothing and does not throw.
    public void Dispose()
    {
        foreach (var pair in _reads)
            pair.Value.Dispose();
    }

    private static SequenceOnce Read(IEnumerable items, FormatScratch scratch)
    {
        if (scratch.Held is not SequenceReads reads)
            scratch.Hold(reads = new SequenceReads());
        if (!reads._reads.TryGetValue(items, out var read))
            reads._reads.Add(items, read = new SequenceOnce(items));
        return read;
    }
}

/// <summary>A lazy sequence of which each element is read once, when it is first needed: it may be endless.</summary>
internal sealed class SequenceOnce(IEnumerable source) : IEnumerable, IDisposable
{
    private readonly List<object?> _items = [];
    private IEnumerator? _rest;
    private bool _isRead;
    private Exception? _fault;

    /// <summary>Reads the elements if they are pairs, else null.</summary>
    public KeyedPairs? Pairs { get; } = KeyedPairs.Of(source);

    public IEnumerator GetEnumerator()
    {
        for (var i = 0; i < _items.Count || TryReadNext(); i++)
            yield return _items[i];
    }

    // Only where the sequence was not read to its end.
    public void Dispose()
    {
        try
        {
            End();
        }
        catch (Exception exception)
        {
            // Harmless: the elements that were needed are written; A_sequence_that_cannot_be_disposed_of_harms_nothing. Kept for a reader that comes too late.
            _fault = exception;
        }
    }

    private bool TryReadNext()
    {
        if (_fault is not null)
            ExceptionDispatchInfo.Throw(_fault);
        if (_isRead)
            return false;
        try
        {
            _rest ??= Pairs is { } pairs ? pairs.Enumerate(source) : source.GetEnumerator();
            if (_rest.MoveNext())
            {
                _items.Add(_rest.Current);
                return true;
            }
            _isRead = true;
            End();
            return false;
        }
        catch (Exception exception)
        {
            // For each reader at the same place.
            _fault = exception;
            throw;
        }
    }

    private void End()
    {
        var rest = _rest;
        _rest = null;
        (rest as IDisposable)?.Dispose();
    }
}
