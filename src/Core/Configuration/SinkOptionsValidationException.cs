using Microsoft.Extensions.Options;

namespace AsyncLog;

/// <summary>Everything that is wrong with the options of one sink; the message has one line per problem.</summary>
internal sealed class SinkOptionsValidationException(string alias, Type optionsType, IReadOnlyList<string> failures)
    : OptionsValidationException(alias, optionsType, failures)
{
    // A suggestion contains "; ", by which the base class would separate the failures.
    public override string Message => string.Join('\n', Failures);
}
