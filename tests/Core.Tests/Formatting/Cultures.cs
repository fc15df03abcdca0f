using System.Globalization;

namespace AsyncLog.Tests.Formatting;

/// <summary>The cultures in which text of a log must look the same.</summary>
internal static class Cultures
{
    public static readonly string[] Names = ["tr-TR", "de-DE", "ar-SA", "fa-IR", "th-TH"];

    public static void InEach(Action test)
    {
        foreach (var name in Names)
            In(name, test);
    }

    public static void In(string name, Action test)
    {
        var (before, beforeUi) = (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture);
        CultureInfo.CurrentCulture = CultureInfo.CurrentUICulture = new CultureInfo(name);
        try
        {
            test();
        }
        finally
        {
            (CultureInfo.CurrentCulture, CultureInfo.CurrentUICulture) = (before, beforeUi);
        }
    }
}
