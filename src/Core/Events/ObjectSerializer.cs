using System.Buffers;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.Json.Serialization.Metadata;

namespace AsyncLog;

/// <summary>Serializes the values of <c>{@Item}</c> with System.Text.Json. One for all loggers of a container. Any thread.</summary>
/// <param name="options">The application's options, or null for the defaults.</param>
/// <param name="report">Called with the text of the first problem of each type, until it is disposed.</param>
internal sealed class ObjectSerializer(JsonSerializerOptions? options, Action<string>? report) : IDisposable
{
    /// <summary>The most types with a problem that are reported.</summary>
    private const int MaxProblems = 256;

    // Of the most bytes of a message, which are four times those of a record: message and property fit one record.
    private const int LimitShare = 32;
    private const int LimitParts = 3;
    private const int MinLimit = 256;

    /// <summary>For events without a container.</summary>
    public static readonly ObjectSerializer Default = new(null, null);

    private readonly int _depth = options is { MaxDepth: > 0 } ? options.MaxDepth : ObjectContract.DefaultDepth;

    // Types without a contract. Weak, so that a collectible assembly can go.
    private readonly ConditionalWeakTable<Type, object> _refused = [];
    private readonly Dictionary<string, string> _problems = new(StringComparer.Ordinal);

    // The options keep the contract of each type that they met.
    private readonly ConditionalWeakTable<Type, JsonSerializerOptions> _ofCollectible = [];
    private JsonSerializerOptions? _created;
    private Action<string>? _report = report;
    private long _failed;

    /// <summary>The number of values that could not be serialized.</summary>
    public long Failed => Volatile.Read(ref _failed);

    /// <summary>The first problem of each type, and what to do.</summary>
    public IReadOnlyList<string> Problems
    {
        get
        {
            lock (_problems)
                return [.. _problems.Values];
        }
    }

    /// <summary>Serializes an object; null if it is a text to readers, or if that fails, which is counted, and reported once per type.</summary>
    /// <param name="value">The object.</param>
    /// <param name="values">The memory of the event.</param>
    /// <param name="messageLimit">The most bytes of the event's message.</param>
    public ObjectJson? TryWrite(object value, ObjectValues values, int messageLimit)
    {
        var type = value.GetType();
        if (ObjectTextConverter.IsText(value) && options?.Converters.Any(converter => converter.CanConvert(type)) is not true)
            return null;
        var json = values.Take();
        try
        {
            if (values.ContractOf(type, this) is { } contract)
            {
                RuntimeHelpers.EnsureSufficientExecutionStack();
                json.Write(value, contract, values.WriterOf(contract.Options, json), LimitFor(messageLimit), _depth);
                return json;
            }
        }
        catch (Exception exception) when (exception is not OutOfMemoryException)
        {
            Fail(type, $"{exception.GetType().Name}: {exception.Message}");
        }
        values.GiveBack();
        return null;
    }

    /// <summary>Ends the reports: the last event of a thread refers to the serializer, which must not keep the container alive.</summary>
    public void Dispose() => _report = null;

    private static int LimitFor(int messageLimit) => Math.Max(messageLimit / LimitShare * LimitParts, MinLimit);

    /// <summary>Returns the contract of a type; null if it has none, which is counted, and reported once.</summary>
    public JsonTypeInfo? FindContract(Type type)
    {
        if (_refused.TryGetValue(type, out _))
        {
            Interlocked.Increment(ref _failed);
            return null;
        }
        try
        {
            if (OptionsFor(type).TryGetTypeInfo(type, out var contract))
                return contract;
            Fail(type, type.Name.StartsWith('<')
                ? "no JSON contract, which an anonymous type cannot have without reflection. Use a named type"
                : $"no JSON contract. Add [JsonSerializable(typeof({NameOf(type)}))] to a JsonSerializerContext, and insert it into the TypeInfoResolverChain of AsyncLogOptions.SerializerOptions");
        }
        catch (Exception exception) when (exception is NotSupportedException or InvalidOperationException)
        {
            Fail(type, exception.Message);
        }
        _refused.TryAdd(type, this);
        return null;
    }

    // A race makes them twice, no more.
    private JsonSerializerOptions OptionsFor(Type type) => type.IsCollectible
        ? _ofCollectible.GetValue(type, _ => ObjectContract.Create(options))
        : _created ??= ObjectContract.Create(options);

    // As C# writes it.
    private static string NameOf(Type type) => type.Name.IndexOf('`', StringComparison.Ordinal) is > 0 and var end
        ? $"{type.Name[..end]}<{string.Join(", ", type.GetGenericArguments().Select(NameOf))}>"
        : type.Name;

    private void Fail(Type type, string problem)
    {
        Interlocked.Increment(ref _failed);
        var name = type.FullName ?? type.Name;
        var text = $"{{@}} writes {name} as its ToString(): {problem.TrimEnd('.')}.";
        lock (_problems)
        {
            if (_problems.Count >= MaxProblems || !_problems.TryAdd(name, text))
                return;
        }
        _report?.Invoke(text);
    }
}

/// <summary>The objects of one event as JSON, valid until its end.</summary>
#pragma warning disable CA1001 // The writer holds no more than a reference to the memory.
internal sealed class ObjectValues
#pragma warning restore CA1001
{
    private const int KeptObjects = 16;
    private readonly List<ObjectJson> _objects = [];
    private Utf8JsonWriter? _writer;
    private int _count;

    // Those of the last object: most threads log the same types again and again. None of a collectible assembly, which could not go.
    private ObjectSerializer? _serializer;
    private JsonTypeInfo? _contract;

    /// <summary>Returns memory for one more object.</summary>
    public ObjectJson Take()
    {
        if (_count == _objects.Count)
            _objects.Add(new ObjectJson());
        return _objects[_count++];
    }

    /// <summary>Returns what was taken last.</summary>
    public void GiveBack() => _objects[--_count].Release();

    /// <summary>Returns the contract of a type; null if it has none.</summary>
    public JsonTypeInfo? ContractOf(Type type, ObjectSerializer serializer)
    {
        if (_contract is not null && _contract.Type == type && ReferenceEquals(_serializer, serializer))
            return _contract;
        if (type.IsCollectible)
            return serializer.FindContract(type);
        _serializer = serializer;
        return _contract = serializer.FindContract(type);
    }

    /// <summary>Returns the writer for some options.</summary>
    public Utf8JsonWriter WriterOf(JsonSerializerOptions options, IBufferWriter<byte> output)
    {
        if (_writer is null || !ReferenceEquals(_writer.Options.Encoder, options.Encoder) || _writer.Options.MaxDepth != options.MaxDepth)
            _writer = new Utf8JsonWriter(output, new JsonWriterOptions { Encoder = options.Encoder, MaxDepth = options.MaxDepth, SkipValidation = true });
        return _writer;
    }

    /// <summary>Releases the objects. Allocates nothing.</summary>
    public void Clear()
    {
        for (var i = 0; i < _count; i++)
            _objects[i].Release();
        _count = 0;
        if (_objects.Count > KeptObjects)
            _objects.RemoveRange(KeptObjects, _objects.Count - KeptObjects);
    }
}
