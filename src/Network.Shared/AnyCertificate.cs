using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>The condition that every server certificate is accepted: an instance that does not verify its server is not healthy.</summary>
internal static class AnyCertificate
{
    private const string Condition = "any_certificate";

    /// <summary>Reports it; at every start.</summary>
    public static void Report(SinkContext context) => context.Report(
        LogLevel.Warning, Condition,
        "any server certificate is accepted (DangerousAcceptAnyServerCertificate): a server that is not yours can read the records and discard them.");

    /// <summary>Begins the state, when the sink is created.</summary>
    public static void Begin(SinkContext context) => context.Degrade(Condition);

    /// <summary>Ends the state, when the sink ends.</summary>
    public static void End(SinkContext context) => context.Restore(Condition);
}
