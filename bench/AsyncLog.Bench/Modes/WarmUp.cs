using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Calls before a measurement, until their cost no longer changes.</summary>
/// <remarks>The runtime compiles in steps, in the background and each a tenth of a second after the last new code: a fast library is through
/// with any number of calls before the first step, and a slow one is measured half-compiled. So calls are paced, slices end with a pause, and a
/// library is measured when it is steady, whatever number of calls that takes.</remarks>
internal static class WarmUp
{
    /// <summary>Calls per call site before a library can be steady.</summary>
    public const int FewestCalls = 400_000;

    /// <summary>Calls per call site after which it is measured although it is not steady.</summary>
    public const int MostCalls = 1_200_000;

    private const int Slice = 20_000;
    private const int QuickSlice = 2_000;
    /// <summary>Calls per second.</summary>
    public const int Rate = 250_000;

    private const int Group = 10;

    /// <summary>The number of calls per call site. The maximum means that the library was not steady.</summary>
    public static readonly Figure Calls = new("warmUpCalls", "warm-up calls", "N0") { HasRange = true };

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(40);

    /// <summary>For the method texts.</summary>
    public static string Method { get; } = string.Create(
        CultureInfo.InvariantCulture,
        $"Before the measurement, every .NET library is called at {Rate:N0}/s, in slices of {Slice:N0} calls per call site with a pause after each, until the median of each of the last {SteadyState.Slices} slices lies within {SteadyState.Tolerance:P0} of the others. "
        + $"*warm-up calls* is the number of these calls, at least {FewestCalls:N0} and at most {MostCalls:N0}. A library that needed the maximum was not yet steady.");

    /// <summary>The usual duration of a warm-up.</summary>
    public static double Seconds(int styles) => (double)FewestCalls / Slice * (styles * (double)Slice / Rate + Pause.TotalSeconds) * 1.1;

    /// <summary>Warms up a separate instance, whose callers wait when its queue is full, and deletes its files.</summary>
    /// <returns>Calls per call site.</returns>
    public static int With(string library, LibrarySetup setup, BenchArguments arguments, params IReadOnlyList<CallStyle> styles)
        => With(library, setup, arguments, isService: false, host =>
        {
            var meter = new CallMeter(host);
            return UntilSteady(arguments, styles, (style, slice) => meter.Sustained(style, slice, style.Writes ? Rate : 0, Group).Typical);
        });

    /// <summary>The same for calls inside requests.</summary>
    /// <param name="library">The library.</param>
    /// <param name="setup">How it is set up.</param>
    /// <param name="arguments">Of the run.</param>
    /// <param name="call">Makes a number of calls and returns what one cost.</param>
    /// <returns>Calls.</returns>
    public static int WithService(string library, LibrarySetup setup, BenchArguments arguments, Func<ServiceLoad, int, Task<double>> call)
        => With(library, setup, arguments, isService: true, host => UntilSteady(
            arguments, [CallStyle.Generated], (_, slice) => TwoThreads.Run(threads => call(new ServiceLoad(host, threads), slice))));

    private static int With(string library, LibrarySetup setup, BenchArguments arguments, bool isService, Func<LoggerHost, int> callUntilSteady)
    {
        using var warm = LibraryCatalogue.Create(library, setup with { Drops = false });
        int calls;
        using (var host = new LoggerHost(warm, isService))
            calls = callUntilSteady(host);
        warm.RemoveFiles();
        return calls;
    }

    private static int UntilSteady(BenchArguments arguments, IReadOnlyList<CallStyle> styles, Func<CallStyle, int, double> call)
    {
        var slice = arguments.Quick(Slice, QuickSlice);
        return UntilSteady(
            styles,
            style => call(style, slice),
            static () => Thread.Sleep(Pause),
            slice,
            arguments.Quick(FewestCalls, QuickSlice),
            arguments.Quick(MostCalls, QuickSlice * 2));
    }

    /// <summary>Calls slice by slice until every style is steady.</summary>
    /// <param name="styles">What is called; one that writes nothing is called but not judged, its cost is a few cycles.</param>
    /// <param name="call">Makes a slice of calls and returns what one cost.</param>
    /// <param name="rest">Waits after a slice of every style.</param>
    /// <param name="slice">Calls of a slice.</param>
    /// <param name="fewest">Calls per style before the end.</param>
    /// <param name="most">Calls per style after which it ends in any case.</param>
    /// <returns>Calls per style.</returns>
    internal static int UntilSteady(IReadOnlyList<CallStyle> styles, Func<CallStyle, double> call, Action rest, int slice, int fewest, int most)
    {
        var states = styles.Where(static style => style.Writes).ToDictionary(static style => style, static _ => new SteadyState());
        var calls = 0;
        while (calls < most && (calls < fewest || !states.Values.All(static state => state.IsReached)))
        {
            foreach (var style in styles)
            {
                var cost = call(style);
                if (states.TryGetValue(style, out var state))
                    state.Add(cost);
            }

            calls += slice;
            rest();
        }

        return calls;
    }
}
