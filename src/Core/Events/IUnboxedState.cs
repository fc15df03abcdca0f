namespace AsyncLog;

/// <summary>The state of a log call that AsyncLog reads without boxing its values. To other providers it is a list of pairs with the template as its last one, as the states
/// of Microsoft.Extensions.Logging are.</summary>
/// <remarks>Implemented by a struct. AsyncLog renders the message from the template if the formatter of the call is in the assembly of the struct.</remarks>
internal interface IUnboxedState : IReadOnlyList<KeyValuePair<string, object?>>
{
    /// <summary>The message template. Its arguments are the first properties, in order.</summary>
    string Template { get; }

    /// <summary>A property as in the list of pairs, without a box.</summary>
    /// <param name="index">Below <see cref="IReadOnlyCollection{T}.Count"/> - 1: the last pair is the template.</param>
    LogProperty GetProperty(int index);
}
