using System.Globalization;

namespace AsyncLog.Tests.Capture;

/// <summary>Another culture of the thread until disposed.</summary>
internal sealed class ForeignCulture : IDisposable
{
    private static readonly string[] Names = ["", "de-DE", "tr-TR", "ar-SA", "fa-IR", "th-TH", "sv-SE"];
    private readonly CultureInfo _before = CultureInfo.CurrentCulture;

    public ForeignCulture(TestValues values) => CultureInfo.CurrentCulture = CultureInfo.GetCultureInfo(values.Pick(Names));

    public void Dispose() => CultureInfo.CurrentCulture = _before;
}
