namespace AsyncLog;

/// <summary>The condition that every server certificate is accepted: an instance that does not verify its server is not healthy.</summary>
internal static class AnyCertificate
{
    private const string Condition = "any_certificate";

    /// <summary>Reports it; at every start.</summary>
    public static void Report(SinkContext context) => context.Report(
        SelfReportLevel.Warning, Condition,
        "any server certificate is accepted (DangerousAcceptAnyServerCertificate): a server that is not yours can read the records and discard them.");

    /// <summary>Sets or ends the state.</summary>
    public static void Set(SinkContext context, bool isAccepted)
    {
        if (isAccepted)
            context.Degrade(Condition);
        else
            context.Restore(Condition);
    }
}
