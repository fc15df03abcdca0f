namespace AsyncLog;

/// <summary>How a network sink verifies its server and shows who it is; section <c>Tls</c> of its options.</summary>
/// <remarks>Chain and name of the server's certificate are always checked, unless <see cref="DangerousAcceptAnyServerCertificate"/> is set in code. So is the
/// strength of its keys: 2,048 bits with RSA, 224 with elliptic curves.</remarks>
public sealed class TlsClientOptions
{
    /// <summary>A PEM file with root certificates that replace the system's; read again for each new connection.</summary>
    /// <value>Default null: the system's roots.</value>
    public string? CaFile { get; set; }

    /// <summary>A PEM file with the client's certificate; read again for each new connection.</summary>
    /// <value>Default null: none.</value>
    public string? ClientCertificateFile { get; set; }

    /// <summary>A PEM file with the key of <see cref="ClientCertificateFile"/>; read again for each new connection.</summary>
    /// <value>Default null: the key is in the certificate's file.</value>
    public string? ClientKeyFile { get; set; }

    /// <summary>The password of the key. Never printed.</summary>
    /// <value>Default null: the key is not encrypted.</value>
    public string? ClientKeyPassword { get; set; }

    /// <summary>The name the server's certificate must be for.</summary>
    /// <value>Default null: the endpoint's host.</value>
    public string? ServerName { get; set; }

    /// <summary>SHA-256 fingerprints of certificates in hex, separated by commas; one of them has to match, besides the chain.</summary>
    /// <value>Default null: the chain alone decides.</value>
    public string? PinnedSha256 { get; set; }

    /// <summary>Whether revocation is checked; an unknown status is a refusal then.</summary>
    /// <value>Default false: many log servers use private authorities without revocation service.</value>
    public bool CheckRevocation { get; set; }

    /// <summary>Whether any certificate is accepted. For tests only: it cannot be set in configuration, and it warns at every start.</summary>
    /// <value>Default false.</value>
    public bool DangerousAcceptAnyServerCertificate { get; set; }
}

/// <summary>The rows of the options table for <see cref="TlsClientOptions"/>.</summary>
internal static class TlsOptionRows
{
    private const int FingerprintDigits = 64;

    public static void AddTo<TOptions>(OptionsTable<TOptions> table, Func<TOptions, TlsClientOptions> tls, string decidingKey, Func<TOptions, bool> fits, string rule)
    {
        Add(nameof(TlsClientOptions.CaFile), static o => o.CaFile, static (o, v) => o.CaFile = v);
        Add(nameof(TlsClientOptions.ClientCertificateFile), static o => o.ClientCertificateFile, static (o, v) => o.ClientCertificateFile = v);
        Add(nameof(TlsClientOptions.ClientKeyFile), static o => o.ClientKeyFile, static (o, v) => o.ClientKeyFile = v);
        Add(nameof(TlsClientOptions.ClientKeyPassword), static o => o.ClientKeyPassword, static (o, v) => o.ClientKeyPassword = v);
        Add(nameof(TlsClientOptions.ServerName), static o => o.ServerName, static (o, v) => o.ServerName = v);
        Add(nameof(TlsClientOptions.PinnedSha256), static o => o.PinnedSha256, static (o, v) => o.PinnedSha256 = v);
        var revocation = KeyOf(nameof(TlsClientOptions.CheckRevocation));
        table
            .Add(revocation, o => tls(o).CheckRevocation, (o, v) => tls(o).CheckRevocation = v, OptionKind.Boolean, OptionReload.Rebuild)
            .OnlyWhen(revocation, decidingKey, fits, rule)
            .Check(KeyOf(nameof(TlsClientOptions.PinnedSha256)), o => PinRule(tls(o).PinnedSha256))
            .Check(KeyOf(nameof(TlsClientOptions.ClientKeyFile)), o => tls(o) is { ClientKeyFile: not null, ClientCertificateFile: null }
                ? "needs Tls:ClientCertificateFile" : null);

        void Add(string name, Func<TlsClientOptions, string?> get, Action<TlsClientOptions, string?> set) => table
            .Add(KeyOf(name), o => get(tls(o)), (o, v) => set(tls(o), v), OptionKind.OptionalText, OptionReload.Rebuild)
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
