using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Options;
using Microsoft.Extensions.Primitives;

namespace AsyncLog;

/// <summary>Makes the logger factory ask for its rules again after new settings of a sink were applied.</summary>
internal sealed class FilterChanges<TOptions> : IOptionsChangeTokenSource<LoggerFilterOptions>
    where TOptions : SinkOptions
{
    private ConfigurationReloadToken _token = new();

    public string Name => Options.DefaultName;

    public IChangeToken GetChangeToken() => Volatile.Read(ref _token);

    public void Fire() => Interlocked.Exchange(ref _token, new ConfigurationReloadToken()).OnReload();
}
