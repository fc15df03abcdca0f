using System.Globalization;
using System.Text;

namespace AsyncLog.Tests.Capture;

/// <summary>Message templates with holes for given values: odd names, alignments, formats, doubled braces.</summary>
internal static class TestTemplates
{
    private static readonly string[] Literals =
    [
        "", " ", "a b", "{{", "}}", "{{x}}", "{{{{", ", ", "\u20ac", "\uD83D\uDE00", "\uD83D", "\uDE00", "\n", "100%", "'", "\\", "{{}}",
    ];

    private static readonly string[] Names = ["Id", "a", "A_b", "0", "with space", "\u00e4", "", "Id", "name.with.dots", " lead"];

    public static string For(TestValues values, IReadOnlyList<object?> args)
    {
        var template = new StringBuilder(values.Pick(Literals));
        foreach (var value in args)
        {
            template.Append('{').Append(values.Pick(Names));
            if (values.Chance(4))
            {
                template.Append(values.Chance(3) ? ", " : ",")
                    .Append((values.Below(40) - 20).ToString(CultureInfo.InvariantCulture))
                    .Append(values.Chance(5) ? " " : "");
            }
            if (values.Chance(3) && values.FormatOf(value) is { } format)
                template.Append(':').Append(format);
            template.Append('}').Append(values.Pick(Literals));
        }
        return template.ToString();
    }
}
