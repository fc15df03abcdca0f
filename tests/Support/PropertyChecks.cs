using FsCheck;

namespace AsyncLog.Tests;

internal static class PropertyChecks
{
    /// <summary>Checks a property with as many cases as asked for.</summary>
    public static void QuickCheckThrowOnFailureWith(this Property property, int cases) =>
        Check.One(Config.QuickThrowOnFailure.WithMaxTest(cases), property);
}
