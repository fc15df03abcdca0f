using System.Collections;
using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;

namespace AsyncLog;

/// <summary>A sequence of an event that is computed when it is enumerated: a query, an iterator. It is enumerated once per event, as far as any layout needs it,
/// and every layout gets the same elements.</summary>
internal sealed class KeptSequence : IEnumerable
{
    // Events that are never ended, as those of a formatter's tests, must not pile up.
    private const int MaxKept = 32;

    // Weak in the type, so that a collectible assembly can go.
    private static readonly ConditionalWeakTable<Type, object> Lazy = [];
    private static readonly object Yes = new();
    private static readonly object No = new();

    // Those of the thread's event.
    [ThreadStatic]
    private static List<KeptSequence>? _ofEvent;

    private readonly List<object?> _items = [];
    private IEnumerator? _rest;
    private ExceptionDispatchInfo? _fault;
    private bool _isBegun;

    private KeptSequence(IEnumerable source) => Source = source;

    /// <summary>True after the first such sequence of the process: without one, events need not look.</summary>
    public static bool IsUsed { get; private set; }

    /// <summary>The sequence that was logged.</summary>
    public IEnumerable Source { get; }

    /// <summary>Returns what stands for a value in the thread's event: a sequence that is computed is kept, other values are themselves.</summary>
    public static object Of(object value) => value is IEnumerable source && IsLazy(source) ? Find(source) : value;

    /// <summary>Releases the sequences of the thread's event.</summary>
    public static void Release()
    {
        if (_ofEvent is not { Count: > 0 } kept)
            return;
        foreach (var sequence in kept)
            sequence.End();
        kept.Clear();
    }

    public IEnumerator GetEnumerator()
    {
        for (var i = 0; i < _items.Count || TryRead(); i++)
            yield return _items[i];
    }

    // Collections have their elements already. Pairs of keys and values are read by their own interfaces.
    private static bool IsLazy(IEnumerable source)
        => source is not (string or ICollection or KeptSequence)
            && ReferenceEquals(Lazy.GetValue(source.GetType(), static type => IsCollection(type) ? No : Yes), Yes);

    [UnconditionalSuppressMessage("Trimming", "IL2070", Justification = "A collection whose interface was trimmed away is kept too.")]
    private static bool IsCollection(Type type) => Array.Exists(
        type.GetInterfaces(),
        static candidate => candidate.IsGenericType && (candidate.GetGenericTypeDefinition() == typeof(ICollection<>) || candidate.GetGenericTypeDefinition() == typeof(IReadOnlyCollection<>)
            || (candidate.GetGenericTypeDefinition() == typeof(IEnumerable<>) && candidate.GetGenericArguments()[0] is { IsGenericType: true } item && item.GetGenericTypeDefinition() == typeof(KeyValuePair<,>))));

    private static KeptSequence Find(IEnumerable source)
    {
        IsUsed = true;
        var kept = _ofEvent ??= [];
        foreach (var known in kept)
        {
            if (ReferenceEquals(known.Source, source))
                return known;
        }

        if (kept.Count == MaxKept)
            Release();
        var sequence = new KeptSequence(source);
        kept.Add(sequence);
        return sequence;
    }

    private bool TryRead()
    {
        _fault?.Throw();
        try
        {
            if (!_isBegun)
            {
                _isBegun = true;
                _rest = Source.GetEnumerator();
            }

            if (_rest?.MoveNext() == true)
            {
                _items.Add(_rest.Current);
                return true;
            }

            End();
            return false;
        }
        catch (Exception exception)
        {
            // For the layouts that come after: they meet it at the same element.
            _fault = ExceptionDispatchInfo.Capture(exception);
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
