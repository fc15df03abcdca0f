namespace AsyncLog.Bench;

/// <summary>One library under one or several loads, in a process of its own.</summary>
internal interface IRun
{
    /// <summary>For progress and failures.</summary>
    string Title { get; }

    string Library { get; }

    /// <summary>About how long it takes, for the length of an invocation.</summary>
    double Seconds { get; }

    /// <summary>Measures once.</summary>
    /// <param name="directory">Empty; deleted afterwards.</param>
    /// <param name="round">From 1.</param>
    /// <exception cref="InvalidOperationException">The process failed, or records were lost: no result.</exception>
    IReadOnlyList<BenchResult> Execute(string directory, int round);
}
