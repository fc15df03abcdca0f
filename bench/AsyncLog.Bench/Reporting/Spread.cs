using System.Globalization;

namespace AsyncLog.Bench;

/// <summary>Median, minimum and maximum of the rounds; not a number where there are none.</summary>
internal readonly record struct Spread(double Median, double Minimum, double Maximum)
{
    public static Spread Of(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        if (sorted.Length == 0)
            return new Spread(double.NaN, double.NaN, double.NaN);
        var middle = sorted.Length / 2;
        var median = sorted.Length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[^1]);
    }

    /// <summary>Median (minimum to maximum); the median alone where all are equal.</summary>
    public string ToString(string format) => Minimum.Equals(Maximum) ? Text(Median, format) : $"{Text(Median, format)} ({Text(Minimum, format)} to {Text(Maximum, format)})";

    public static string Text(double value, string format) => double.IsNaN(value) ? "" : value.ToString(format, CultureInfo.InvariantCulture);
}
