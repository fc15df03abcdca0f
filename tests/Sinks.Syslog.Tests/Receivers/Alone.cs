namespace AsyncLog.Tests.Receivers;

/// <summary>Tests that look at the handles and threads of the whole process.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public sealed class Alone;
