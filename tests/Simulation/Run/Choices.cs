namespace AsyncLog.Tests.Run;

/// <summary>The random choices of one run. The same seed makes the same ones.</summary>
internal sealed class Choices(int seed)
{
    private readonly Random _random = new(seed);

    /// <summary>A number from 0 to below <paramref name="below"/>.</summary>
    public int Below(int below) => _random.Next(below);

    /// <summary>A number within both bounds.</summary>
    public int Between(int least, int most) => _random.Next(least, most + 1);

    public bool Chance(double probability) => _random.NextDouble() < probability;

    public T Of<T>(params ReadOnlySpan<T> values) => values[_random.Next(values.Length)];

    /// <summary>A time whose magnitude is as likely as any other: from <paramref name="least"/> to <paramref name="most"/>.</summary>
    public TimeSpan Time(TimeSpan least, TimeSpan most)
        => TimeSpan.FromTicks((long)(least.Ticks * Math.Pow((double)most.Ticks / least.Ticks, _random.NextDouble())));

    /// <summary>The index of a weight, as likely as the weight is large.</summary>
    public int Weighted(ReadOnlySpan<int> weights)
    {
        var sum = 0;
        foreach (var weight in weights)
            sum += weight;
        var left = _random.Next(sum);
        var index = 0;
        while (left >= weights[index])
            left -= weights[index++];
        return index;
    }

    public void Shuffle<T>(Span<T> values) => _random.Shuffle(values);
}
