namespace AsyncLog.Tests;

/// <summary>Whether the tests run with the full counts of the catalogue. `./test.sh release` sets ASYNCLOG_RELEASE to 1.</summary>
public static class ReleaseRun
{
    /// <summary>True in a release run.</summary>
    public static bool IsOn => Environment.GetEnvironmentVariable("ASYNCLOG_RELEASE") == "1";

    /// <summary>The count of this run.</summary>
    /// <param name="usual">The count of every other run.</param>
    /// <param name="release">The catalogue's count.</param>
    /// <returns>One of the two.</returns>
    public static int Count(int usual, int release) => IsOn ? release : usual;
}
