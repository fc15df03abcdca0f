using Microsoft.Extensions.Configuration;

namespace AsyncLog;

/// <summary>An option that is one text in configuration.</summary>
internal sealed class ScalarKey<TOptions, T>(
    string name,
    OptionReload reload,
    Func<TOptions, T> get,
    Action<TOptions, T> set,
    ScalarForm<T> form) : OptionKey<TOptions>(name, reload)
{
    public override void Read(IConfigurationSection section, TOptions options, LayerLog<TOptions> log, string path, OptionLayer layer)
    {
        string? text = section.Value;
        Parsed<T> parsed = section.GetChildren().Any()
            ? Parsed<T>.Invalid("expected one value, not a section or list")
            : Parse(text);
        string? rule = parsed.Rule ?? form.Check(parsed.Value);
        if (rule is not null)
        {
            log.Problem(path, Name, text ?? "", rule, parsed.Suggestion);
            return;
        }

        set(options, parsed.Value);
        log.Placed(Name, new KeyPlace(layer, path, text ?? ""));
    }

    public override object? Snapshot(TOptions options) => get(options);

    public override string? Show(TOptions options) => get(options) is { } value ? form.Show(value) : null;

    public override string? Check(TOptions options) => form.Check(get(options));

    public override void Copy(TOptions from, TOptions to) => set(to, get(from));

    private Parsed<T> Parse(string? text)
    {
        if (!string.IsNullOrEmpty(text))
        {
            return form.Parse(text);
        }

        return form.IsOptional ? new Parsed<T>(default!) : Parsed<T>.Invalid("a value is required");
    }
}
