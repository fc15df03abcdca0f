using AsyncLog.Tests.Metrics;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Operations;

public sealed class DashboardFileTests
{
    [Fact]
    public async Task Every_query_names_only_metrics_and_labels_that_are_published()
    {
        await using var operated = await OperatedApp.Start();
        operated.Log(20);
        using var client = new HttpClient { BaseAddress = operated.App.Address };
        var expressions = DashboardFiles.Queries.Select(static query => query.Expression).Concat(DashboardFiles.VariableQueries).Concat(DashboardFiles.Alerts.Select(static alert => alert.Expression));
        string[] named = [.. expressions.SelectMany(DashboardFiles.Names).Concat(DashboardFiles.Queries.SelectMany(static query => Legend(query.Legend))).Distinct()];
        string[] missing = named;
        Assert.Contains("asynclog_sink_dropped_total", named);
        Assert.Contains("asynclog_sink_name", named);

        // Each sink publishes its series at its own time: connections, failures and free space begin with the first of each.
        await Eventually.Holds(
            async () =>
            {
                var published = Published(OpenMetricsText.Parse(await client.GetStringAsync("/asynclog/metrics", TestContext.Current.CancellationToken)));
                missing = [.. named.Where(name => !published.Contains(name))];
                return missing.Length == 0;
            },
            () => "not published: " + string.Join(' ', missing));
    }

    [Fact]
    public void Every_panel_has_a_unit_a_description_and_a_query_of_its_own()
    {
        Assert.NotEmpty(DashboardFiles.Panels);
        Assert.All(DashboardFiles.Panels, static panel =>
        {
            Assert.NotEmpty(panel.GetProperty("description").GetString()!);
            Assert.NotEmpty(panel.GetProperty("fieldConfig").GetProperty("defaults").GetProperty("unit").GetString()!);
            Assert.NotEmpty(panel.GetProperty("targets").EnumerateArray());
        });
        var ids = DashboardFiles.Dashboard.GetProperty("panels").EnumerateArray().Select(static panel => panel.GetProperty("id").GetInt32()).ToArray();
        Assert.Equal(ids.Distinct(), ids);
        var queries = DashboardFiles.Queries.Select(static query => query.Expression).ToArray();
        Assert.Equal(queries.Distinct(StringComparer.Ordinal), queries);
        Assert.Equal(28, DashboardFiles.Panels.Count());
    }

    [Fact]
    public void It_can_be_imported_with_any_data_source()
    {
        Assert.Equal("asynclog-health", DashboardFiles.Dashboard.GetProperty("uid").GetString());
        Assert.Equal("AsyncLog / Logging health", DashboardFiles.Dashboard.GetProperty("title").GetString());
        Assert.Equal(28, DashboardFiles.Panels.Count());
        Assert.All(DashboardFiles.Panels, static panel => Assert.Equal("${datasource}", panel.GetProperty("datasource").GetProperty("uid").GetString()));
        Assert.Equal(
            ["datasource", "job", "instance", "sink"],
            DashboardFiles.Dashboard.GetProperty("templating").GetProperty("list").EnumerateArray().Select(static variable => variable.GetProperty("name").GetString()));
        Assert.False(DashboardFiles.Dashboard.TryGetProperty("id", out _));
    }

    [Trait("Category", "system")]
    [Fact]
    public async Task The_rules_pass_promtool()
    {
        Assert.Equal(9, DashboardFiles.Alerts.Count());
        var (code, output) = await Promtool.Ask("check", "rules", DashboardFiles.Rules);
        Assert.True(code == 0 && output.Contains("SUCCESS: 9 rules found", StringComparison.Ordinal), output);
    }

    [Trait("Category", "system")]
    [Fact]
    public async Task Each_alert_fires_when_its_time_has_come_and_clears()
    {
        var (code, output) = await Promtool.Ask("test", "rules", Path.Combine(Repository.Root, "tests", "AspNetCore.Tests", "Operations", "alerts.test.yaml"));
        Assert.True(code == 0, output);
    }

    [Fact]
    public void What_each_alert_means_is_in_the_guide()
    {
        var guide = File.ReadAllText(Path.Combine(Repository.Root, "docs", "operations.md"));
        Assert.Equal(9, DashboardFiles.Alerts.Count());
        Assert.All(DashboardFiles.Alerts, alert => Assert.Contains($"`{alert.Name}`", guide, StringComparison.Ordinal));
        foreach (var reason in Enum.GetValues<DropReason>())
            Assert.Contains($"`{new DropCount(reason, LogLevel.None, 0).ReasonName}`", guide, StringComparison.Ordinal);
    }

    [Fact]
    public void Each_alert_links_to_its_chapter_of_the_guide()
    {
        // Of each chapter its address and its text.
        var chapters = File.ReadAllText(Path.Combine(Repository.Root, "docs", "operations.md")).ReplaceLineEndings("\n").Split("\n## ").Skip(1).ToDictionary(
            static chapter => $"https://asynclog.example/docs/operations.md#{chapter.Split('\n')[0].Replace(' ', '-').ToLowerInvariant()}",
            static chapter => chapter,
            StringComparer.Ordinal);
        var links = File.ReadLines(DashboardFiles.Rules).Select(static line => line.Trim())
            .Where(static line => line.StartsWith("runbook_url: ", StringComparison.Ordinal))
            .Select(static line => line["runbook_url: ".Length..].Trim('"')).ToArray();
        Assert.Equal((9, 9), (DashboardFiles.Alerts.Count(), links.Length));
        foreach (var (alert, link) in DashboardFiles.Alerts.Zip(links))
        {
            Assert.Contains(link, chapters.Keys);
            Assert.Contains($"`{alert.Name}`", chapters[link], StringComparison.Ordinal);
        }
    }

    [Fact]
    public void Every_metric_that_an_alert_asks_for_has_a_panel()
    {
        var shown = DashboardFiles.Queries.SelectMany(static query => DashboardFiles.Names(query.Expression)).ToHashSet(StringComparer.Ordinal);
        var asked = DashboardFiles.Alerts.SelectMany(static alert => DashboardFiles.Names(alert.Expression))
            .Where(static name => name.StartsWith("asynclog_", StringComparison.Ordinal)).ToList();
        Assert.Contains("asynclog_sink_dropped_total", asked);
        Assert.All(asked, name => Assert.Contains(name, shown));
    }

    private static HashSet<string> Published(OpenMetricsText text)
    {
        var samples = text.Families.Values.SelectMany(static family => family.Samples).ToArray();
        HashSet<string> names = ["job", "instance", .. samples.Select(static sample => sample.Name), .. samples.SelectMany(static sample => sample.Labels.Keys)];
        // What OpenTelemetry's exporter for Prometheus makes of the unit 1.
        names.Add("asynclog_sink_status_ratio");
        return names;
    }

    private static IEnumerable<string> Legend(string legend)
        => legend.Split("{{").Skip(1).Select(static part => part[..part.IndexOf("}}", StringComparison.Ordinal)]);
}
