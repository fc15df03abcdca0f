using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>A named value of an event: a template argument, a state pair or a scope pair.</summary>
/// <param name="name">The name as the application gave it, that of a hole <c>{@Item}</c> or <c>{$Item}</c> of a message template without its sign; never null.</param>
/// <param name="value">The value, captured without a box where its type is known.</param>
public readonly struct LogProperty(string name, LogValue value)
{
    // Written in place by the list that owns the memory: a property is too large to be passed around per record.
    private readonly string _name = name;
    private readonly LogValue _value = value;

    /// <summary>The name as the application gave it, that of a hole <c>{@Item}</c> or <c>{$Item}</c> of a message template without its sign; never null.</summary>
    public string Name => _name;

    /// <summary>The value.</summary>
    public LogValue Value => _value;

    /// <summary>The value where it lies.</summary>
    [UnscopedRef]
    internal ref readonly LogValue ValueRef => ref _value;

    /// <summary>The name where it lies.</summary>
    [UnscopedRef]
    internal ref readonly string NameRef => ref _name;
}
