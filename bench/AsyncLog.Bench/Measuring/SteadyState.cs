namespace AsyncLog.Bench;

/// <summary>Decides from the cost of successive slices of calls whether the runtime has finished compiling them.</summary>
internal sealed class SteadyState
{
    public const int Slices = 3;
    public const double Tolerance = 0.05;

    private readonly Queue<double> _last = new(Slices);

    /// <summary>Whether the last three slices lie within 5 % of the cheapest of them.</summary>
    public bool IsReached => _last.Count == Slices && _last.Max() <= _last.Min() * (1 + Tolerance);

    public void Add(double nanosecondsPerCall)
    {
        if (_last.Count == Slices)
            _last.Dequeue();
        _last.Enqueue(nanosecondsPerCall);
    }
}
