using System.Collections;
using System.Reflection;
using Microsoft.AspNetCore.Http;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Scopes of every kind, and what changes those of them that can change.</summary>
internal sealed class RandomScopes(CallValues values)
{
    // As those of the calls, so that a record has a name twice.
    private static readonly string[] Names = ["Id", "Name", "A", "B", "RequestId", "Scope", "@x", "SourceContext", "\u00E4", "TraceId", "ConnectionId"];

    private static readonly string[] Constants = ["outer", "outer", "Gr\u00F6\u00DFe", "line\nbreak", "", "half \uD83D", "a scope that is longer than any block of constant text, with more than sixty-four characters in it"];

    private static readonly Func<ILogger, string, IDisposable?> Order = LoggerMessage.DefineScope<string>("Order {Id}");
    private static readonly Func<ILogger, object?, int[], IDisposable?> Box = LoggerMessage.DefineScope<object?, int[]>("{Name} of {B}");
    private static readonly Func<ILogger, Guid, DayOfWeek?, TimeSpan, IDisposable?> Plain = LoggerMessage.DefineScope<Guid, DayOfWeek?, TimeSpan>("{A} {B,10} {C:c}");
    private static readonly Func<ILogger, IDisposable?> Fixed = LoggerMessage.DefineScope("fixed");

    // ASP.NET Core's own.
    private static readonly MethodInfo RequestScope = Type.GetType("Microsoft.AspNetCore.Hosting.HostingApplicationDiagnostics, Microsoft.AspNetCore.Hosting", throwOnError: true)!
        .GetNestedTypes(BindingFlags.NonPublic).SelectMany(static type => type.GetMethods(BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)).Single(static method => method.Name == "RequestScope");

    private static readonly ConstructorInfo ConnectionScope = Type.GetType("Microsoft.AspNetCore.Server.Kestrel.Core.Internal.ConnectionLogScope, Microsoft.AspNetCore.Server.Kestrel.Core", throwOnError: true)!
        .GetConstructor([typeof(string)])!;

    private static readonly MethodInfo ActionScope = Type.GetType("Microsoft.AspNetCore.Mvc.MvcCoreLoggerExtensions, Microsoft.AspNetCore.Mvc.Core", throwOnError: true)!
        .GetMethod("ActionScope", BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic)!;

    private readonly List<Action> _changes = [];

    /// <summary>Begins the scopes that ASP.NET Core has around an action.</summary>
    public static void BeginAction(ILogger logger)
    {
        logger.BeginScope(ConnectionScope.Invoke(["0HM1"]));
        RequestScope.Invoke(null, [logger, new DefaultHttpContext { TraceIdentifier = "0HM1:1" }]);
        ActionScope.Invoke(null, [logger, new Microsoft.AspNetCore.Mvc.Abstractions.ActionDescriptor { DisplayName = "Shop.Cart.Add" }]);
    }

    /// <summary>Begins a scope.</summary>
    public IDisposable? Begin(ILogger logger, IExternalScopeProvider scopes)
    {
        switch (values.Below(24))
        {
            case 0 or 1 or 2:
                return logger.BeginScope(values.Pick(Constants));
            case 3:
                return logger.BeginScope(values.Pick(Constants) + values.Below(9));
            case 4:
                return logger.BeginScope("{Id} {Name} of {A:F2}", values.Below(9), values.Text(), 1.5);
            case 5:
                return BeginWithArguments(logger);
            case 6:
                return Order(logger, values.Text());
            case 7:
                return BeginWithObjects(logger);
            case 8:
                return Plain(logger, values.Kinds.Next<Guid>(), values.Kinds.Next<DayOfWeek?>(), values.Kinds.Next<TimeSpan>());
            case 9:
                return Fixed(logger);
            case 10 or 11:
                return BeginDictionary(logger);
            case 12:
                return BeginList(logger);
            case 13:
                return BeginArray(logger);
            case 14:
                return BeginOwn(logger);
            case 15:
                return scopes.Push(null);
            case 16:
                return logger.BeginScope(new KeyValuePair<string, object?>(Name(), Value()));
            case 17:
                return logger.BeginScope((Name(), Value()));
            case 18:
                return logger.BeginScope(Value() ?? "none");
            case 19:
                return logger.BeginScope(new Dictionary<string, string?> { [Name()] = values.Text(), ["other"] = null });
            case 20:
                return logger.BeginScope(Lazy());
            case 21:
                return (IDisposable?)RequestScope.Invoke(null, [logger, Request()]);
            case 22:
                return logger.BeginScope(ConnectionScope.Invoke(["0HM" + values.Below(99)]));
            default:
                return (IDisposable?)ActionScope.Invoke(null, [logger, new Microsoft.AspNetCore.Mvc.Abstractions.ActionDescriptor { DisplayName = "Shop.Cart.Add" }]);
        }
    }

    /// <summary>Changes an object of a scope, which may have ended.</summary>
    public void Change()
    {
        if (_changes.Count > 0)
            _changes[^Math.Min(_changes.Count, 1 + values.Below(6))]();
    }

    private string Name() => values.Pick(Names);

    private object? Value() => values.Chance(4) ? new Changing(values) : values.Next(values.Type());

    private DefaultHttpContext Request()
    {
        var request = new DefaultHttpContext { TraceIdentifier = "0HM:" + values.Below(99) };
        request.Request.Path = "/cart/" + values.Below(9);
        return request;
    }

    private IEnumerable<KeyValuePair<string, object?>> Lazy()
    {
        string[] names = [Name(), Name()];
        var value = values.Text();
        return names.Select(name => KeyValuePair.Create(name, (object?)value));
    }

    // The array of the arguments is the caller's, and so are the arrays in it.
    private IDisposable? BeginWithArguments(ILogger logger)
    {
        string[] texts = ["one", "two"];
        object?[] args = [Value(), texts, values.Below(9)];
        _changes.Add(() => args[values.Below(3)] = Value());
        _changes.Add(() => texts[0] = values.Text());
        return logger.BeginScope("{A} and {B} {Id}", args);
    }

    private IDisposable? BeginWithObjects(ILogger logger)
    {
        var changing = new Changing(values);
        int[] numbers = [1, 2];
        _changes.Add(changing.Change);
        _changes.Add(() => numbers[1]++);
        return Box(logger, values.Chance(2) ? changing : values.Next(values.Type()), numbers);
    }

    private IDisposable? BeginDictionary(ILogger logger)
    {
        var scope = new Dictionary<string, object?> { [Name()] = Value() };
        scope.TryAdd(Name(), Value());
        _changes.Add(() => scope[Name()] = Value());
        _changes.Add(() => scope.Remove(Name()));
        _changes.Add(() => scope[scope.Keys.FirstOrDefault() ?? "first"] = values.Below(1000));
        return logger.BeginScope(scope);
    }

    private IDisposable? BeginList(ILogger logger)
    {
        var scope = new List<KeyValuePair<string, object?>> { new(Name(), Value()), new(Name(), Value()) };
        _changes.Add(() => scope[0] = new(scope[0].Key, Value()));
        _changes.Add(() => scope.Add(new(Name(), Value())));
        _changes.Add(() => scope.RemoveRange(1, scope.Count - 1));
        return logger.BeginScope(scope);
    }

    private IDisposable? BeginArray(ILogger logger)
    {
        KeyValuePair<string, object?>[] scope = [new(Name(), Value()), new("{OriginalFormat}", "{Id} as it is")];
        _changes.Add(() => scope[0] = new(Name(), Value()));
        return logger.BeginScope(scope);
    }

    private IDisposable? BeginOwn(ILogger logger)
    {
        var text = new Changing(values);
        var pairs = new ChangingPairs(values);
        _changes.Add(text.Change);
        _changes.Add(pairs.Change);
        return values.Chance(2) ? logger.BeginScope(text) : logger.BeginScope(pairs);
    }

    /// <summary>Has a text that changes, or throws.</summary>
    private sealed class Changing(CallValues values)
    {
        private string? _text = values.Text();

        public override string ToString() => _text ?? throw new InvalidOperationException("no text");

        public void Change() => _text = values.Chance(6) ? null : values.Text();
    }

    /// <summary>Has pairs that change.</summary>
    private sealed class ChangingPairs(CallValues values) : IReadOnlyList<KeyValuePair<string, object?>>
    {
        private int _value = values.Below(99);

        public int Count => 1 + (_value % 2);

        public KeyValuePair<string, object?> this[int index] => new(index == 0 ? "Id" : "own", _value);

        public void Change() => _value = values.Below(99);

        public IEnumerator<KeyValuePair<string, object?>> GetEnumerator() => Enumerable.Range(0, Count).Select(index => this[index]).GetEnumerator();

        IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();

        public override string ToString() => $"own {_value}";
    }
}
