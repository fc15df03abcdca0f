using System.Globalization;
using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>Describes the options of a class. Reading, error messages, reports of unknown keys and reload use this table.</summary>
/// <typeparam name="TOptions">The options class.</typeparam>
/// <remarks>
/// The table of a sink already contains the common options. The defaults are those of a new options object. Only code can set
/// options that are not in the table. The comment before a row is the reason for its option: the same option elsewhere, or two deployments that need
/// different values. An option without a reason is not added.
/// </remarks>
internal sealed class OptionsTable<TOptions>
{
    // A mistake in a security setting must not weaken security.
    private const string SecurityPrefix = "Tls:";

    private readonly List<OptionKey<TOptions>> _keys = [];
    private readonly HashSet<OptionKey<TOptions>> _common = [];
    private readonly Dictionary<string, string> _forbidden = new(StringComparer.OrdinalIgnoreCase);

    internal OptionsTable()
    {
    }

    internal IReadOnlyList<OptionKey<TOptions>> Keys => _keys;

    internal List<Rule> Rules { get; } = [];

    internal List<Condition> Conditions { get; } = [];

    /// <summary>Binds the options that are not common, with the keys that are in the section and the section's path; null: each row reads its own.</summary>
    internal Action<IReadOnlyList<IConfigurationSection>, string, TOptions, OptionsReadLog>? BindRest { get; set; }

    /// <summary>The options that identify the application to a server.</summary>
    internal List<OptionKey<TOptions>> Credentials { get; } = [];

    /// <summary>Copies an option that only code can set, from the first object to the second.</summary>
    internal List<Action<TOptions, TOptions>> CodeOnly { get; } = [];

    /// <summary>Adds an option.</summary>
    /// <param name="key">Its name; <c>Section:Name</c> for one in a section.</param>
    /// <param name="get">Reads it.</param>
    /// <param name="set">Sets it.</param>
    /// <param name="kind">Parsing, display and validation of its values.</param>
    /// <param name="reload">Effect of a change.</param>
    /// <exception cref="ArgumentException">The key is in the table already.</exception>
    public OptionsTable<TOptions> Add<T>(string key, Func<TOptions, T> get, Action<TOptions, T> set, OptionKind<T> kind, OptionReload reload)
        => Add(new ScalarKey<TOptions>(key, options => get(options), (options, value) => set(options, (T)value!), kind.Untyped, reload));

    /// <summary>Adds a map of named values; it merges key by key where instances inherit.</summary>
    /// <param name="key">Its name.</param>
    /// <param name="get">The map in the options.</param>
    /// <param name="parseKey">Reads a name.</param>
    /// <param name="parseValue">Reads a value, which may be empty.</param>
    /// <param name="checkValue">The rule a value breaks, in words, or null; also for values that come from code.</param>
    /// <param name="reload">Effect of a change.</param>
    public OptionsTable<TOptions> AddMap<TKey, TValue>(
        string key, Func<TOptions, IDictionary<TKey, TValue>> get, Func<string, ParseResult<TKey>> parseKey,
        Func<string, ParseResult<TValue>> parseValue, Func<TValue, string?>? checkValue, OptionReload reload)
        where TKey : notnull => Add(new MapKey<TOptions, TKey, TValue>(
            key, get, new OptionKind<TKey>(parseKey, Show, value => parseKey(Show(value)).Rule).Untyped, new OptionKind<TValue>(parseValue, Show, checkValue).Untyped, reload));

    /// <summary>Adds the options of section <c>Tls</c>.</summary>
    /// <param name="tls">The section in the options.</param>
    /// <param name="decidingKey">The option that decides whether TLS is used.</param>
    /// <param name="fits">True if it is.</param>
    /// <param name="rule">The message if an option is set nevertheless: <c>only with tls://</c>.</param>
    public OptionsTable<TOptions> AddTls(Func<TOptions, TlsClientOptions> tls, string decidingKey, Func<TOptions, bool> fits, string rule)
    {
        TlsOptionRows.AddTo(this, tls, decidingKey, fits, rule);
        return this;
    }

    /// <summary>Adds a rule over one or several options. It is checked after all values are read.</summary>
    /// <param name="key">The key that the message names.</param>
    /// <param name="rule">The broken rule in words (<c>must be at least FileSizeLimit</c>), or null.</param>
    public OptionsTable<TOptions> Check(string key, Func<TOptions, string?> rule)
    {
        Rules.Add(new Rule(key, rule));
        return this;
    }

    /// <summary>Declares that an option is allowed only with certain values of another option.</summary>
    /// <param name="key">The option.</param>
    /// <param name="decidingKey">The option that decides.</param>
    /// <param name="fits">True if the deciding option's value fits.</param>
    /// <param name="rule">The message if the option is set in the same place nevertheless. An inherited option is ignored instead.</param>
    public OptionsTable<TOptions> OnlyWhen(string key, string decidingKey, Func<TOptions, bool> fits, string rule)
    {
        Conditions.Add(new Condition(key, decidingKey, fits, rule));
        return this;
    }

    /// <summary>Declares that an option identifies the application to its server. Another server does not inherit it: see <see cref="SinkDefinition{TOptions}.ServerOf"/>.</summary>
    /// <param name="key">The option.</param>
    /// <exception cref="ArgumentException">The key is not in the table.</exception>
    public OptionsTable<TOptions> Credential(string key)
    {
        Credentials.Add(Find(key) ?? throw new ArgumentException($"The key '{key}' is not in the table.", nameof(key)));
        return this;
    }

    /// <summary>Removes an option that has no meaning for this sink. AsyncLog reports its use as an unknown key.</summary>
    public OptionsTable<TOptions> Exclude(string key)
    {
        _keys.RemoveAll(known => known.Name.Equals(key, StringComparison.OrdinalIgnoreCase));
        Rules.RemoveAll(rule => rule.Key == key);
        Conditions.RemoveAll(condition => condition.Key == key);
        return this;
    }

    /// <summary>Removes an option that other sinks have; configuration that sets it stops the start.</summary>
    /// <param name="key">The option.</param>
    /// <param name="hint">Replacement, in words.</param>
    public OptionsTable<TOptions> Forbid(string key, string hint)
    {
        Exclude(key);
        _forbidden[key] = hint;
        return this;
    }

    internal OptionsTable<TOptions> Add(OptionKey<TOptions> key)
    {
        if (Find(key.Name) is not null)
            throw new ArgumentException($"The key '{key.Name}' is already in the table.", nameof(key));
        _keys.Add(key);
        return this;
    }

    /// <summary>Marks the keys added so far as those that every sink has.</summary>
    internal void MarkCommon() => _common.UnionWith(_keys);

    internal bool IsCommon(OptionKey<TOptions> key) => _common.Contains(key);

    /// <summary>Returns true if a change of the option opens the destination again.</summary>
    /// <param name="canApply">True if a running sink takes new options.</param>
    internal bool IsOfDestination(OptionKey<TOptions> key, bool canApply)
        => !IsCommon(key) && key.Reload != OptionReload.NextStart && (key.Reload == OptionReload.Rebuild || !canApply);

    internal OptionKey<TOptions>? Find(string name) => _keys.Find(key => key.Name.Equals(name, StringComparison.OrdinalIgnoreCase));

    internal object?[] Snapshot(TOptions options) => [.. _keys.Select(key => key.Snapshot(options))];

    /// <summary>Gives new options the values of others: also those of common keys that the sink excludes, which code can set.</summary>
    /// <returns><paramref name="to"/>.</returns>
    internal TOptions Copy(TOptions from, TOptions to)
    {
        foreach (var key in _common.Union(_keys))
            key.Copy(from, to);
        CodeOnly.ForEach(copy => copy(from, to));
        return to;
    }

    /// <summary>The keys whose values differ between the two.</summary>
    internal IReadOnlyList<OptionKey<TOptions>> Compare(TOptions left, TOptions right) =>
        [.. _keys.Where(key => !Equals(key.Snapshot(left), key.Snapshot(right)))];

    /// <summary>Reads a section into <paramref name="options"/>, and origins, problems and unknown keys into <paramref name="log"/>.</summary>
    /// <remarks><paramref name="childrenKey"/> is known and read elsewhere. <paramref name="prefix"/> is the part of the key names that <paramref name="section"/> represents.</remarks>
    internal void Read(
        IConfiguration section, string path, OptionLayer layer, TOptions options, OptionsReadLog log, string? childrenKey = null, string prefix = "")
    {
        IConfigurationSection[] children = [.. section.GetChildren()];
        if (OptionText.IsList(Array.ConvertAll(children, static child => child.Key)))
        {
            log.ReportProblem(path, prefix, null, "expected a section with options, not a list");
            return;
        }

        List<IConfigurationSection> rest = [];
        foreach (var child in children)
        {
            var name = prefix + child.Key;
            if (Find(name) is { } key)
            {
                key.Read(child, options, log, $"{path}:{key.Name[prefix.Length..]}", layer);
                if (!IsCommon(key))
                    rest.Add(child);
            }
            else if (_keys.Exists(known => known.Name.StartsWith(name + ":", StringComparison.OrdinalIgnoreCase)))
            {
                Read(child, $"{path}:{child.Key}", layer, options, log, prefix: name + ":");
            }
            else if (!child.Key.Equals(childrenKey, StringComparison.OrdinalIgnoreCase))
            {
                var isFatal = prefix.StartsWith(SecurityPrefix, StringComparison.OrdinalIgnoreCase) || _forbidden.ContainsKey(name);
                log.UnknownKeys.Add(new UnknownKey($"{path}:{child.Key}", HintFor(name, childrenKey), isFatal));
            }
        }

        BindRest?.Invoke(rest, path, options, log);
    }

    private static string Show<T>(T value) => Convert.ToString(value, CultureInfo.InvariantCulture) ?? "";

    private string? HintFor(string name, string? childrenKey)
    {
        IEnumerable<string> known = _keys.Select(static key => key.Name);
        return _forbidden.GetValueOrDefault(name) ?? UnknownKeyHints.For(name, [.. childrenKey is null ? known : known.Append(childrenKey)]);
    }

    /// <summary>A rule over several options, and the key that the message names.</summary>
    internal sealed record Rule(string Key, Func<TOptions, string?> Check);

    /// <summary>A key that is allowed only while another one has a fitting value. Inherited and unfit it is ignored, else it is an error.</summary>
    internal sealed record Condition(string Key, string DecidingKey, Func<TOptions, bool> Fits, string Rule);
}

/// <summary>The rows of the options table for <see cref="TlsClientOptions"/>.</summary>
internal static class TlsOptionRows
{
    private const int FingerprintDigits = 64;

    public static void AddTo<TOptions>(OptionsTable<TOptions> table, Func<TOptions, TlsClientOptions> tls, string decidingKey, Func<TOptions, bool> fits, string rule)
    {
        // OpenTelemetry: OTEL_EXPORTER_OTLP_CERTIFICATE.
        Add(nameof(TlsClientOptions.CaFile), static o => o.CaFile, static (o, v) => o.CaFile = v);
        // OpenTelemetry: OTEL_EXPORTER_OTLP_CLIENT_CERTIFICATE.
        Add(nameof(TlsClientOptions.ClientCertificateFile), static o => o.ClientCertificateFile, static (o, v) => o.ClientCertificateFile = v);
        // OpenTelemetry: OTEL_EXPORTER_OTLP_CLIENT_KEY.
        Add(nameof(TlsClientOptions.ClientKeyFile), static o => o.ClientKeyFile, static (o, v) => o.ClientKeyFile = v);
        // Kestrel: Certificates:Default:Password.
        Add(nameof(TlsClientOptions.ClientKeyPassword), static o => o.ClientKeyPassword, static (o, v) => o.ClientKeyPassword = v);
        // OpenTelemetry Collector: server_name_override.
        Add(nameof(TlsClientOptions.ServerName), static o => o.ServerName, static (o, v) => o.ServerName = v);
        // rsyslog: streamDriverPermittedPeers.
        Add(nameof(TlsClientOptions.PinnedSha256), static o => o.PinnedSha256, static (o, v) => o.PinnedSha256 = v);
        table
            .Credential(KeyOf(nameof(TlsClientOptions.ClientCertificateFile)))
            .Credential(KeyOf(nameof(TlsClientOptions.ClientKeyFile)))
            .Credential(KeyOf(nameof(TlsClientOptions.ClientKeyPassword)));
        table.CodeOnly.Add((from, to) => tls(to).DangerousAcceptAnyServerCertificate = tls(from).DangerousAcceptAnyServerCertificate);
        var revocation = KeyOf(nameof(TlsClientOptions.CheckRevocation));
        table
            // .NET: CheckCertificateRevocationList.
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
