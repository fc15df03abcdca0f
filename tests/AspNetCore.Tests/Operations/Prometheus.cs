using System.Diagnostics;
using System.Net.Http.Json;
using System.Text.Json;

namespace AsyncLog.Tests.Operations;

/// <summary>Debian's Prometheus, in a folder and on a port of its own, looking every second.</summary>
internal sealed class Prometheus : IAsyncDisposable
{
    private readonly TempFolder _folder;
    private readonly Process _process;
    private readonly HttpClient _client;

    private Prometheus(TempFolder folder, Process process, Uri address)
    {
        _folder = folder;
        _process = process;
        _client = new HttpClient { BaseAddress = address };
    }

    /// <param name="rules">The text of its rules.</param>
    /// <param name="targets">By job: where to scrape.</param>
    public static async Task<Prometheus> Start(string rules, params (string Job, Uri Address)[] targets)
    {
        var programs = await Promtool.Folder();
        var folder = new TempFolder();
        await File.WriteAllTextAsync(folder.File("rules.yaml"), rules);
        await File.WriteAllTextAsync(folder.File("prometheus.yml"), Configuration(targets));
        var address = new Uri($"http://127.0.0.1:{Ports.Free()}");
        var process = Process.Start(new ProcessStartInfo(
            Path.Combine(programs, "prometheus"),
            [
                "--config.file=" + folder.File("prometheus.yml"), "--storage.tsdb.path=" + folder.File("data"), "--web.listen-address=" + address.Authority,
                "--log.level=error", "--web.console.templates=" + folder.Path, "--web.console.libraries=" + folder.Path,
            ])
        {
            WorkingDirectory = folder.Path,
        })!;
        var prometheus = new Prometheus(folder, process, address);
        await Shows(async () => process.HasExited || await prometheus.IsReady(), () => "Prometheus does not get ready");
        Assert.False(process.HasExited, "Prometheus ended at once");
        return prometheus;
    }

    /// <summary>Waits for what takes it some scrapes.</summary>
    public static Task Shows(Func<Task<bool>> condition, Func<string> otherwise) => Eventually.Holds(condition, otherwise, TimeSpan.FromMinutes(2));

    /// <summary>What an expression gives now.</summary>
    public async Task<IReadOnlyList<PrometheusSample>> Query(string expression)
    {
        using var form = new FormUrlEncodedContent([new("query", expression)]);
        using var answer = await _client.PostAsync("/api/v1/query", form, TestContext.Current.CancellationToken);
        var json = await answer.Content.ReadFromJsonAsync<JsonElement>(TestContext.Current.CancellationToken);
        Assert.True(json.GetProperty("status").GetString() == "success", $"{expression}: {json}");
        return [.. json.GetProperty("data").GetProperty("result").EnumerateArray().Select(PrometheusSample.Of)];
    }

    /// <summary>The names and sinks of the alerts that fire.</summary>
    public async Task<IReadOnlySet<string>> Firing()
    {
        var json = await _client.GetFromJsonAsync<JsonElement>("/api/v1/alerts", TestContext.Current.CancellationToken);
        return json.GetProperty("data").GetProperty("alerts").EnumerateArray()
            .Where(static alert => alert.GetProperty("state").GetString() == "firing")
            .Select(static alert => alert.GetProperty("labels"))
            .Select(static labels => labels.GetProperty("alertname").GetString() + " " + labels.GetProperty("asynclog_sink_name").GetString())
            .ToHashSet(StringComparer.Ordinal);
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
        _process.Dispose();
        _client.Dispose();
        _folder.Dispose();
    }

    private async Task<bool> IsReady()
    {
        try
        {
            using var answer = await _client.GetAsync("/-/ready", TestContext.Current.CancellationToken);
            return answer.IsSuccessStatusCode;
        }
        catch (HttpRequestException)
        {
            // It does not listen yet.
            return false;
        }
    }

    private static string Configuration((string Job, Uri Address)[] targets)
        => "global:\n  scrape_interval: 1s\n  evaluation_interval: 1s\nrule_files: [rules.yaml]\nscrape_configs:\n"
            + string.Concat(targets.Select(static target => $"  - job_name: {target.Job}\n    metrics_path: /asynclog/metrics\n    static_configs: [{{targets: ['{target.Address.Authority}']}}]\n"));
}
