using System.Globalization;

namespace AsyncLog;

/// <summary>Reads typed variables: empty is unset, and what cannot be read is told once and ignored (OpenTelemetry environment variable specification).</summary>
/// <param name="environment">Where they are.</param>
/// <param name="notices">Where trouble is told.</param>
internal sealed class VariableReader(SinkEnvironment environment, OtlpVariables notices)
{
    private const int LongestShown = 100;

    /// <summary>A text of the first name that is set.</summary>
    public string? Text(params ReadOnlySpan<string> names) => Find(out _, names);

    /// <summary>Sets a choice, if a name has one of the values.</summary>
    /// <param name="set">Sets it.</param>
    /// <param name="choices">The values, compared without case.</param>
    /// <param name="names">The names, strongest first.</param>
    public void Choice<T>(Action<T> set, IReadOnlyList<(string Text, T Value)> choices, params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
        {
            if (environment.GetVariable(name) is not { } text)
                continue;
            foreach (var choice in choices)
            {
                if (text.Trim().Equals(choice.Text, StringComparison.OrdinalIgnoreCase))
                {
                    set(choice.Value);
                    return;
                }
            }

            Ignore(name, text, "expected " + string.Join(" or ", choices.Select(static choice => choice.Text)));
        }
    }

    /// <summary>Sets a whole number, if a name has one in the range.</summary>
    public void Number(Action<int> set, int min, int max, params ReadOnlySpan<string> names)
    {
        foreach (var name in names)
        {
            if (environment.GetVariable(name) is not { } text)
                continue;
            if (int.TryParse(text.Trim(), NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var number) && number >= min && number <= max)
            {
                set(number);
                return;
            }

            Ignore(name, text, string.Create(CultureInfo.InvariantCulture, $"expected a whole number from {min} to {max}"));
        }
    }

    /// <summary>A switch; what is neither true nor false is false.</summary>
    public bool Switch(params ReadOnlySpan<string> names)
    {
        if (Find(out var name, names) is not { } text)
            return false;
        if (bool.TryParse(text, out var value))
            return value;
        Ignore(name, text, "expected true or false");
        return false;
    }

    /// <summary>The value of the first name that is set.</summary>
    public string? Find(out string name, params ReadOnlySpan<string> names)
    {
        foreach (var candidate in names)
        {
            name = candidate;
            if (environment.GetVariable(candidate) is { } text)
                return text;
        }

        name = "";
        return null;
    }

    private void Ignore(string name, string text, string rule) => notices.Warn(name, $"{name} '{Shown(text)}' is ignored: {rule}.");

    private static string Shown(string text) =>
        string.Concat(text.Take(LongestShown).Select(static character => char.IsControl(character) ? ' ' : character));
}
