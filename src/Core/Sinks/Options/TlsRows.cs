namespace AsyncLog;

/// <summary>The rows of the known-key table for <see cref="TlsClientOptions"/>.</summary>
internal static class TlsRows
{
    private const int FingerprintDigits = 64;

    public static void AddTo<TOptions>(SinkOptionsTable<TOptions> table, Func<TOptions, TlsClientOptions> tls, string decidingKey, Func<TOptions, bool> fits, string rule)
        where TOptions : SinkOptions
    {
        Add(nameof(TlsClientOptions.CaFile), static o => o.CaFile, static (o, v) => o.CaFile = v);
        Add(nameof(TlsClientOptions.ClientCertificateFile), static o => o.ClientCertificateFile, static (o, v) => o.ClientCertificateFile = v);
        Add(nameof(TlsClientOptions.ClientKeyFile), static o => o.ClientKeyFile, static (o, v) => o.ClientKeyFile = v);
        Add(nameof(TlsClientOptions.ClientKeyPassword), static o => o.ClientKeyPassword, static (o, v) => o.ClientKeyPassword = v);
        Add(nameof(TlsClientOptions.ServerName), static o => o.ServerName, static (o, v) => o.ServerName = v);
        Add(nameof(TlsClientOptions.PinnedSha256), static o => o.PinnedSha256, static (o, v) => o.PinnedSha256 = v);
        var revocation = KeyOf(nameof(TlsClientOptions.CheckRevocation));
        table
            .Switch(revocation, o => tls(o).CheckRevocation, (o, v) => tls(o).CheckRevocation = v, OptionReload.Rebuild)
            .OnlyWhen(revocation, decidingKey, fits, rule)
            .Check(KeyOf(nameof(TlsClientOptions.PinnedSha256)), o => PinRule(tls(o).PinnedSha256))
            .Check(KeyOf(nameof(TlsClientOptions.ClientKeyFile)), o => tls(o) is { ClientKeyFile: not null, ClientCertificateFile: null }
                ? "needs Tls:ClientCertificateFile" : null);

        void Add(string name, Func<TlsClientOptions, string?> get, Action<TlsClientOptions, string?> set) => table
            .OptionalText(KeyOf(name), o => get(tls(o)), (o, v) => set(tls(o), v), OptionReload.Rebuild)
            .OnlyWhen(KeyOf(name), decidingKey, fits, rule);
    }

    /// <summary>The rule a list of fingerprints breaks; null when it breaks none.</summary>
    public static string? PinRule(string? pins)
    {
        if (string.IsNullOrEmpty(pins))
            return null;
        foreach (var pin in pins.Split(',', StringSplitOptions.TrimEntries))
        {
            var digits = pin.Replace(":", "", StringComparison.Ordinal);
            if (digits.Length != FingerprintDigits || !digits.AsSpan().ContainsOnlyHex())
                return "expected SHA-256 fingerprints of 64 hexadecimal digits, separated by commas";
        }

        return null;
    }

    private static string KeyOf(string name) => "Tls:" + name;

    private static bool ContainsOnlyHex(this ReadOnlySpan<char> text)
    {
        foreach (var character in text)
        {
            if (!char.IsAsciiHexDigit(character))
                return false;
        }

        return true;
    }
}
