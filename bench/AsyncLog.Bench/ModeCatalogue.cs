namespace AsyncLog.Bench;

/// <summary>Every mode, in the order of the report.</summary>
internal static class ModeCatalogue
{
    public static IReadOnlyList<IMode> All { get; } =
    [
        new CallerMode(), new EvenMode(), new SaturateMode(), new FilesMode(), new IdleMode(), new WebMode(), new UdpMode(), new WebSyslogMode(), new OtlpMode(),
    ];

    public static IMode? Find(string name) => All.FirstOrDefault(mode => mode.Name == name);
}
