namespace AsyncLog.Bench;

/// <summary>One question to all libraries: which runs make a round, what they find, and what has to come out.</summary>
internal interface IMode
{
    /// <summary>On the command line and in results.</summary>
    string Name { get; }

    /// <summary>What is measured and how, for the report: a paragraph.</summary>
    MethodText Method { get; }

    /// <summary>The columns of its table; the first is the one that ratios are made of.</summary>
    IReadOnlyList<Figure> Figures { get; }

    IReadOnlyList<Gate> Gates { get; }

    /// <summary>The rows of its chart, by label: library configurations, of which the best one is shown. None: it has no chart.</summary>
    IReadOnlyList<(string Label, IReadOnlyList<string> Libraries)> Chart => [];

    string ChartLoad => "";

    /// <summary>One round, in its order.</summary>
    IReadOnlyList<IRun> Plan(BenchArguments arguments);
}
