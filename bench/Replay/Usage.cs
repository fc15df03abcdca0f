namespace Replay;

/// <summary>What <c>--help</c> prints.</summary>
internal static class Usage
{
    public const string Text = """
        Sends the lines of logs through ILogger into the configured sinks and shows what became of them.

        Usage: Replay [options]

          --log NAME|PATH     hdfs, openssh, openstack, zookeeper, which are generated, or a text log; may be given several times (default hdfs).
                              Beside X.log a file X.structured.csv may name level, component, content and template of each line.
          --lines N           lines of each generated log (default 2000)
          --seed N            seed of generated logs: the same seed gives the same lines (default 1)
          --threads N         threads that log, 1 to 256 (default 1)
          --rate N            records per second of all threads together, or max (default max)
          --repeat N          how often all lines are sent (default 1)
          --settings FILE     instead of the appsettings.json beside the program
          --set KEY=VALUE     overrides one setting: --set Logging:AsyncFile:Format=Json; may be given several times
          --flush-timeout S   seconds to wait for the sinks at the end (default 30)
          --quiet             no progress
          --help              this text

        Settings come from appsettings.json, then environment variables (Logging__AsyncFile__Path=...), then --set.

        Ends with 0 when every record was written, 1 when some were not, 2 when something on the command line or in the settings is wrong.

        """;
}
