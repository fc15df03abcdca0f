using System.Diagnostics;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>A layout whose records have parts that depend on the activity and the scopes only: its inserts.</summary>
internal interface IContextLayout
{
    /// <summary>True if scopes are part of an insert.</summary>
    bool HasScopes { get; }

    /// <summary>The number of inserts.</summary>
    int Inserts { get; }

    /// <summary>Appends an insert for the activity and the scopes of an event that has no properties.</summary>
    void WriteInsert(int insert, LogEvent logEvent, RecordBuffer output);
}

/// <summary>What the activity and the scopes of one execution context give in one layout. Reused; holds no scope and no activity.</summary>
internal sealed class ContextText : IInserts
{
    private const int MaxScopes = 8;
    private const int MaxInserts = 4;
    private const int MaxBytes = 2048;

    private readonly WeakReference<ExecutionContext?> _execution = new(null);
    private readonly WeakReference<Activity?> _activity = new(null);
    private readonly WeakReference<object?>[] _scopes = new WeakReference<object?>[MaxScopes];
    private readonly KeptValues?[] _values = new KeptValues?[MaxScopes];
    private readonly RecordBuffer _text = new();
    private readonly int[] _ends = new int[MaxInserts];
    private IContextLayout? _layout;
    private IExternalScopeProvider? _provider;
    private int _count;
    private bool _hasActivity;
    private bool _hasKeptValues;

    /// <summary>True if there is neither an activity nor a scope.</summary>
    public bool IsEmpty => _count == 0 && !_hasActivity;

    /// <summary>True if there is a scope.</summary>
    public bool HasScopes => _count > 0;

    /// <summary>The names of the properties of the scopes. Contexts with the same names have the same array, as a rule.</summary>
    public string[] Names { get; private set; } = [];

    public ReadOnlySpan<byte> Insert(int insert) => _text.WrittenSpan[(insert == 0 ? 0 : _ends[insert - 1]).._ends[insert]];

    /// <summary>Returns true if this is the text of an execution context.</summary>
    public bool IsOf(ExecutionContext execution, IContextLayout layout, IExternalScopeProvider? provider)
        => ReferenceEquals(_layout, layout) && ReferenceEquals(_provider, provider) && _execution.TryGetTarget(out var known) && ReferenceEquals(known, execution)
            && (!_hasKeptValues || HaveScopesKeptValues());

    /// <summary>Returns true if this is the text of an activity and scopes. The innermost scope is not enough: one object may have two parents.</summary>
    public bool IsOf(Activity? activity, ReadOnlySpan<object?> scopes, IContextLayout layout, IExternalScopeProvider? provider)
    {
        if (!ReferenceEquals(_layout, layout) || !ReferenceEquals(_provider, provider) || scopes.Length != _count || activity is not null != _hasActivity
            || (_hasActivity && !(_activity.TryGetTarget(out var known) && ReferenceEquals(known, activity))))
            return false;
        for (var i = 0; i < scopes.Length; i++)
        {
            if (!_scopes[i].TryGetTarget(out var scope) || !ReferenceEquals(scope, scopes[i]))
                return false;
        }

        return !_hasKeptValues || HaveScopesKeptValues();
    }

    /// <summary>Sets the execution context whose text this is.</summary>
    public void Set(ExecutionContext? execution) => _execution.SetTarget(execution);

    /// <summary>Renders the text of the current activity and scopes.</summary>
    /// <param name="scopes">What the provider gave.</param>
    /// <param name="logEvent">Reads them again.</param>
    /// <returns>False if it can change although activity and scopes are the same, or is too long.</returns>
    public bool TryRender(Activity? activity, ReadOnlySpan<object?> scopes, IContextLayout layout, IExternalScopeProvider? provider, LogEvent logEvent)
    {
        _layout = null;
        _hasKeptValues = false;
        if (scopes.Length > MaxScopes || layout.Inserts > MaxInserts)
            return false;
        for (var i = 0; i < scopes.Length; i++)
        {
            if (!KeptValues.TryKeep(scopes[i]!, ref _values[i]))
                return false;
            _hasKeptValues |= _values[i] is not null;
            (_scopes[i] ??= new WeakReference<object?>(null)).SetTarget(scopes[i]);
        }

        if (!TryWrite(layout, provider, logEvent))
            return false;
        _activity.SetTarget(activity);
        _hasActivity = activity is not null;
        (_layout, _provider, _count) = (layout, provider, scopes.Length);
        return true;
    }

    private bool TryWrite(IContextLayout layout, IExternalScopeProvider? provider, LogEvent logEvent)
    {
        var scratch = logEvent.Scratch;
        logEvent.Begin(0, LogLevel.None, LogCategory.None, default, null, provider, MaxBytes);
        scratch.ValueLimit = MaxBytes;
        scratch.Errors = 0;
        try
        {
            _text.Reset(MaxBytes);
            for (var insert = 0; insert < layout.Inserts; insert++)
            {
                layout.WriteInsert(insert, logEvent, _text);
                _ends[insert] = _text.Length;
            }

            SetNames(logEvent, provider is null ? 0 : logEvent.ScopeCount);
            return !_text.IsTruncated && logEvent.RenderErrors == 0 && scratch.Errors == 0;
        }
        finally
        {
            logEvent.Reset();
        }
    }

    private bool HaveScopesKeptValues()
    {
        for (var i = 0; i < _count; i++)
        {
            if (_values[i] is { } values && !(_scopes[i].TryGetTarget(out var scope) && values.AreThoseOf(scope)))
                return false;
        }

        return true;
    }

    private void SetNames(LogEvent logEvent, int scopes)
    {
        var (count, isSame) = (0, true);
        for (var i = 0; i < scopes; i++)
        {
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
                isSame &= count < Names.Length && string.Equals(Names[count++], property.Name, StringComparison.Ordinal);
        }

        if (isSame && count == Names.Length)
            return;
        var names = new List<string>();
        for (var i = 0; i < scopes; i++)
        {
            foreach (ref readonly var property in logEvent.GetScope(i).Properties)
                names.Add(property.Name);
        }

        Names = NameSets.Find(names);
    }
}

/// <summary>The context texts of one thread.</summary>
internal sealed class ContextTexts
{
    // A record of another request, or on the way of the same one, takes the place of one of these.
    private const int Kept = 4;
    private const int MostScopes = 9;

    private readonly ContextText[] _texts = [new(), new(), new(), new()];
    private readonly object?[] _scopes = new object?[MostScopes];
    private int _count;
    private int _recent;
    private int _replaced;
    private LogEvent? _event;

    /// <summary>Reads the scopes.</summary>
    public LogEvent Event => _event ??= new LogEvent();

    /// <summary>The text of the current activity and scopes; null: each record needs an event.</summary>
    /// <remarks>An execution context is immutable and holds both. Null: its flow is suppressed. May throw: the provider may be the application's.</remarks>
    public ContextText? Find(IContextLayout layout, IExternalScopeProvider? provider)
    {
        if (!layout.HasScopes)
            provider = null;
        var execution = ExecutionContext.Capture();
        if (execution is null)
            return FindByScopes(null, layout, provider);
        if (_texts[_recent].IsOf(execution, layout, provider))
            return _texts[_recent];
        for (var i = 0; i < Kept; i++)
        {
            if (_texts[i].IsOf(execution, layout, provider))
                return _texts[_recent = i];
        }

        return FindByScopes(execution, layout, provider);
    }

    private ContextText? FindByScopes(ExecutionContext? execution, IContextLayout layout, IExternalScopeProvider? provider)
    {
        // A provider of the application may have other scopes in the same execution context.
        if (provider is not null && provider.GetType() != typeof(LoggerExternalScopeProvider) && provider.GetType().Assembly != typeof(LoggerFactory).Assembly)
            execution = null;
        try
        {
            _count = 0;
            provider?.ForEachScope(static (scope, texts) => texts.Add(scope), this);
            if (_count > MostScopes)
                return null;
            var scopes = _scopes.AsSpan(0, _count);
            // Read after the scopes: MEL's provider has one for the activity.
            var activity = Activity.Current;
            var found = -1;
            for (var i = 0; i < Kept && found < 0; i++)
            {
                if (_texts[i].IsOf(activity, scopes, layout, provider))
                    found = i;
            }

            if (found < 0)
            {
                found = ++_replaced % Kept;
                if (!_texts[found].TryRender(activity, scopes, layout, provider, Event))
                    return null;
            }

            _texts[found].Set(execution);
            return _texts[_recent = found];
        }
        finally
        {
            _scopes.AsSpan(0, Math.Min(_count, MostScopes)).Clear();
        }
    }

    private void Add(object? scope)
    {
        if (scope is null)
            return;
        if (_count < MostScopes)
            _scopes[_count] = scope;
        _count++;
    }
}

/// <summary>The values of a scope that its owner may change: as long as they are the same objects, its text is the same.</summary>
internal sealed class KeptValues
{
    // Types whose pairs cannot change after the scope began: of Kestrel, of hosting, of MVC, of the factory of loggers.
    private static readonly string[] FixedTypes =
    [
        "Microsoft.AspNetCore.Server.Kestrel.Core.Internal.ConnectionLogScope",
        "Microsoft.AspNetCore.Hosting.HostingApplicationDiagnostics+Log+HostingLogScope",
        "Microsoft.AspNetCore.Mvc.MvcCoreLoggerExtensions+ActionLogScope",
        "Microsoft.Extensions.Logging.LoggerFactoryScopeProvider+ActivityLogScope",
    ];

    private object?[] _pairs = [];
    private int _count;

    /// <summary>Keeps the values of a scope, if they can be compared by reference.</summary>
    /// <param name="values">Null afterwards: the scope cannot change.</param>
    /// <returns>False for a scope that may have another text each time.</returns>
    public static bool TryKeep(object scope, ref KeptValues? values)
    {
        var type = scope.GetType();
        if (scope is Dictionary<string, object?> && type == typeof(Dictionary<string, object?>))
            return (values ??= new KeptValues()).TryKeep((Dictionary<string, object?>)scope);
        if (MelStates.IsTemplateCall(type) && scope is IReadOnlyList<KeyValuePair<string, object?>> call)
            return (values ??= new KeptValues()).TryKeep(call);
        values = null;
        if (scope is string || Array.IndexOf(FixedTypes, type.FullName) >= 0)
            return true;
        // A struct of read-only fields.
        return MelStates.IsDefined(type) && scope is IReadOnlyList<KeyValuePair<string, object?>> defined && new KeptValues().TryKeep(defined);
    }

    /// <summary>Returns true if a scope has the values that were kept.</summary>
    public bool AreThoseOf(object scope)
    {
        var at = 0;
        if (scope is Dictionary<string, object?> dictionary)
        {
            if (dictionary.Count * 2 != _count)
                return false;
            foreach (var pair in dictionary)
            {
                if (!ReferenceEquals(_pairs[at++], pair.Key) || !ReferenceEquals(_pairs[at++], pair.Value))
                    return false;
            }

            return true;
        }

        // The last pair is the template, which cannot change.
        var list = (IReadOnlyList<KeyValuePair<string, object?>>)scope;
        for (; at * 2 < _count - 2; at++)
        {
            if (!ReferenceEquals(_pairs[(at * 2) + 1], list[at].Value))
                return false;
        }

        return true;
    }

    private bool TryKeep(Dictionary<string, object?> scope)
    {
        _count = 0;
        foreach (var pair in scope)
        {
            if (!TryAdd(pair))
                return false;
        }

        return true;
    }

    private bool TryKeep(IReadOnlyList<KeyValuePair<string, object?>> scope)
    {
        _count = 0;
        for (var i = 0; i < scope.Count; i++)
        {
            if (!TryAdd(scope[i]))
                return false;
        }

        return true;
    }

    private bool TryAdd(KeyValuePair<string, object?> pair)
    {
        // Values that cannot change, under names that do not make JSON of them.
        if (pair.Key is null || MessageTemplate.HasOperator(pair.Key) || LogValue.FromObject(pair.Value).Kind == LogValueKind.Object)
            return false;
        if (_count == _pairs.Length)
            Array.Resize(ref _pairs, Math.Max(_count * 2, 8));
        _pairs[_count++] = pair.Key;
        _pairs[_count++] = pair.Value;
        return true;
    }
}

/// <summary>Arrays of names, of which equal ones are the same as a rule, so that they can be compared by reference. Bounded.</summary>
internal static class NameSets
{
    private const int Most = 64;
    private static readonly List<string[]> Known = [];

    public static string[] Find(List<string> names)
    {
        if (names.Count == 0)
            return [];
        lock (Known)
        {
            var known = Known.Find(other => names.SequenceEqual(other));
            if (known is not null)
                return known;
            var added = names.ToArray();
            if (Known.Count < Most)
                Known.Add(added);
            return added;
        }
    }
}
