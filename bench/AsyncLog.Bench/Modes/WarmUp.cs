namespace AsyncLog.Bench;

/// <summary>Calls without measuring, until the code is compiled for good.</summary>
/// <remarks>Spread over time: the runtime optimises in steps, each after a tenth of a second without new code, and a fast library is through
/// with any number of calls before the first step.</remarks>
internal static class WarmUp
{
    public const int Pause = 120;
    private const int Calls = 2_048;

    /// <summary>How often, with a pause after each.</summary>
    public static int Rounds(BenchArguments arguments) => arguments.Quick(25, 2);

    /// <summary>Seconds of wrk before a web application is measured: on busy processors the runtime takes that long to compile for good.</summary>
    public static int WebSeconds(BenchArguments arguments) => arguments.Quick(8, 2);

    /// <summary>Logs to a library of its own and takes its files away.</summary>
    public static void With(string library, string directory, BenchArguments arguments) => With(library, new LibrarySetup(directory, Drops: false), arguments);

    /// <summary>As above, with a setup that says more.</summary>
    public static void With(string library, LibrarySetup setup, BenchArguments arguments)
    {
        using var warm = LibraryCatalogue.Create(library, setup);
        using (var host = new LoggerHost(warm))
        {
            for (var round = 0; round < Rounds(arguments); round++)
            {
                for (var n = 0; n < Calls; n++)
                    OrderLog.Generated(host.Logger, OrderNumbers.At(n));
                Thread.Sleep(Pause);
            }
        }

        warm.RemoveFiles();
    }
}
