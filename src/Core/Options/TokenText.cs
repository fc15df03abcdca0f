using System.Globalization;
using System.Text;

namespace AsyncLog;

/// <summary>Expands variables and tokens of a configured text, in this order. Values are cleaned: nothing in them can leave a folder.</summary>
internal sealed class TokenText(ApplicationInfo application, string instance, Func<string, string?> variable)
{
    private const string DateName = "Date";

    private static readonly string[] Names = ["ApplicationName", "EnvironmentName", "MachineName", "ProcessId", "Instance"];

    private static readonly string[] Devices = ["CON", "PRN", "AUX", "NUL"];

    private static readonly DateTime SampleDate = new(2026, 11, 20, 12, 31, 7, DateTimeKind.Unspecified);

    /// <summary>Expands everything; <c>{{</c> and <c>}}</c> become single braces. Dates are not known here.</summary>
    public ParseResult<string> Expand(string text)
    {
        ParseResult<string> expanded = ExpandVariables(text);
        return expanded.IsValid ? ExpandTokens(expanded.Value, keepsDates: false) : expanded;
    }

    /// <summary>
    /// Expands all but <c>{Date}</c>, which stays, and makes the path absolute. Doubled braces stay doubled: the code that inserts the date
    /// has to distinguish them from a token.
    /// </summary>
    public ParseResult<string> ExpandPath(string text)
    {
        ParseResult<string> expanded = ExpandVariables(text);
        if (expanded.IsValid)
            expanded = ExpandTokens(expanded.Value, keepsDates: true);

        if (!expanded.IsValid)
            return expanded;

        string path = expanded.Value;
        int separator = path.AsSpan().LastIndexOfAny(Path.DirectorySeparatorChar, Path.AltDirectorySeparatorChar);
        int date = path.IndexOf("{" + DateName, StringComparison.Ordinal);
        return path.Contains('\0') ? ParseResult<string>.Invalid("must not contain a null character")
            : date >= 0 && date < separator ? ParseResult<string>.Invalid("{Date} is allowed only in the file name")
            : separator == path.Length - 1 || path[(separator + 1)..] is "." or ".." ? ParseResult<string>.Invalid("expected the path of a file")
            : new ParseResult<string>(Path.GetFullPath(Path.Combine(application.ContentRootPath, path)));
    }

    /// <summary>Keeps <c>[A-Za-z0-9._-]</c>, replaces the rest by <c>_</c> and removes leading dots.</summary>
    public static string Clean(string value)
    {
        StringBuilder clean = new(value.Length);
        foreach (char character in value)
            clean.Append(char.IsAsciiLetterOrDigit(character) || character is '.' or '_' or '-' ? character : '_');

        string text = clean.ToString().TrimStart('.');
        return text.Length == 0 ? "_" : OperatingSystem.IsWindows() && IsDevice(text) ? "_" + text : text;
    }

    // Windows 10 takes CON.log in any folder for the console.
    private static bool IsDevice(string text)
    {
        string name = text.Split('.')[0];
        return Devices.Contains(name, StringComparer.OrdinalIgnoreCase)
            || (name.Length == 4 && char.IsAsciiDigit(name[3]) && (name.StartsWith("COM", StringComparison.OrdinalIgnoreCase) || name.StartsWith("LPT", StringComparison.OrdinalIgnoreCase)));
    }

    private ParseResult<string> ExpandVariables(string text)
    {
        StringBuilder result = new();
        int position = 0;
        while (position < text.Length)
        {
            int percent = text.IndexOf('%', position);
            int end = percent < 0 ? -1 : text.IndexOf('%', percent + 1);
            if (percent < 0)
                break;

            if (end < 0)
                return ParseResult<string>.Invalid("'%' begins an environment variable: write %% for a percent sign");

            string name = text[(percent + 1)..end];
            string? value = name.Length == 0 ? "%" : variable(name);
            if (value is null)
                return ParseResult<string>.Invalid($"the environment variable '{name}' is not defined: define it, or write %% for a percent sign");

            result.Append(text, position, percent - position).Append(value);
            position = end + 1;
        }

        return new ParseResult<string>(result.Append(text, position, text.Length - position).ToString());
    }

    private ParseResult<string> ExpandTokens(string text, bool keepsDates)
    {
        StringBuilder result = new();
        for (int position = 0; position < text.Length; position++)
        {
            char character = text[position];
            bool isDoubled = position + 1 < text.Length && text[position + 1] == character;
            if (character is not ('{' or '}'))
            {
                result.Append(character);
            }
            else if (isDoubled)
            {
                result.Append(character, keepsDates ? 2 : 1);
                position++;
            }
            else
            {
                int end = character == '{' ? text.IndexOf('}', position) : -1;
                if (end < 0)
                    return ParseResult<string>.Invalid($"'{character}' stands alone: write {character}{character} for a brace");

                ParseResult<string> value = ValueOf(text[(position + 1)..end], keepsDates);
                if (!value.IsValid)
                    return value;

                result.Append(value.Value);
                position = end;
            }
        }

        return new ParseResult<string>(result.ToString());
    }

    private ParseResult<string> ValueOf(string token, bool keepsDates)
    {
        int colon = token.IndexOf(':');
        string written = colon < 0 ? token : token[..colon];
        if (keepsDates && written.Equals(DateName, StringComparison.OrdinalIgnoreCase))
            return colon < 0 ? new ParseResult<string>("{" + DateName + "}") : DateToken(token[(colon + 1)..]);

        string[] known = keepsDates ? [.. Names, DateName] : Names;
        string? name = Array.Find(known, name => name.Equals(written, StringComparison.OrdinalIgnoreCase));
        if (name is null)
        {
            string? near = NameSuggestions.Near(written, known);
            return ParseResult<string>.Invalid(
                $"unknown token {{{written}}}: expected {OptionText.Alternatives([.. known.Select(static token => $"{{{token}}}")])}", near is null ? null : $"{{{near}}}");
        }

        return colon >= 0
            ? ParseResult<string>.Invalid($"{{{name}}} takes no format: write {{{name}}}")
            : new ParseResult<string>(Clean(name switch
            {
                "ApplicationName" => application.ApplicationName,
                "EnvironmentName" => application.EnvironmentName,
                "MachineName" => Environment.MachineName,
                "ProcessId" => Environment.ProcessId.ToString(CultureInfo.InvariantCulture),
                _ => instance,
            }));
    }

    private static ParseResult<string> DateToken(string format)
    {
        try
        {
            string sample = SampleDate.ToString(format, CultureInfo.InvariantCulture);
            if (TimestampFormat.FindLiteralLetter(format) is (var letter, { } meant))
                return ParseResult<string>.Invalid($"{{{DateName}:{format}}} prints the letter '{letter}' as it is", $"{{{DateName}:{meant}}}");
            return sample.Length == 0 || sample.AsSpan().ContainsAny('/', '\\', '\0')
                ? ParseResult<string>.Invalid("the format of {Date} must produce part of a file name, without / and \\")
                : new ParseResult<string>($"{{{DateName}:{format}}}");
        }
        catch (FormatException)
        {
            // Reported by the caller; pinned by TokenTextTests.
            return ParseResult<string>.Invalid("expected a .NET date format in {Date:…}, such as {Date:yyyy-MM-dd}");
        }
    }
}
