using System.Text.Json;
using AsyncLog.Tests.Reload;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Scopes and states that are pairs in other forms than a list of objects.</summary>
public sealed class ScopeFormTests
{
    public static TheoryData<string> Forms => ["dictionary of strings", "dictionary of numbers", "tuple", "typed tuple", "pair"];

    [Theory]
    [MemberData(nameof(Forms))]
    public async Task A_scope_of_pairs_of_any_type_is_properties(string form)
    {
        using var pipeline = new ReloadPipeline(("Template", null), ("Format", "Clef"));
        var (scope, expected) = ScopeOf(form);
        using (pipeline.Logger.BeginScope(scope))
            pipeline.Logger.LogInformation("plain");

        Assert.True(await pipeline.Flush());
        using var record = JsonDocument.Parse(pipeline.Sinks.Single().Lines.Single());
        Assert.Equal(expected, record.RootElement.GetProperty("k").GetRawText());
    }

    [Fact]
    public async Task A_state_of_pairs_of_any_type_is_properties()
    {
        using var pipeline = new ReloadPipeline(("Template", null), ("Format", "Json"));
        pipeline.Logger.Log(LogLevel.Information, default, new Dictionary<string, int> { ["k"] = 5 }, null, static (_, _) => "message");

        Assert.True(await pipeline.Flush());
        using var record = JsonDocument.Parse(pipeline.Sinks.Single().Lines.Single());
        Assert.Equal("5", record.RootElement.GetProperty("State").GetProperty("k").GetRawText());
    }

    [Fact]
    public async Task A_scope_whose_text_is_the_name_of_its_type_has_no_message()
    {
        using var pipeline = new ReloadPipeline(("Template", null), ("Format", "Json"));
        using (pipeline.Logger.BeginScope(new Dictionary<string, object> { ["k"] = 5 }))
        using (pipeline.Logger.BeginScope("user {User}", "Ann"))
            pipeline.Logger.LogInformation("plain");

        Assert.True(await pipeline.Flush());
        Assert.Contains(
            "\"Scopes\":[{\"k\":5},{\"Message\":\"user Ann\",\"User\":\"Ann\",\"{OriginalFormat}\":\"user {User}\"}]", pipeline.Sinks.Single().Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_scope_without_pairs_and_without_a_text_is_an_empty_object()
    {
        using var pipeline = new ReloadPipeline(("Template", null), ("Format", "Json"));
        using (pipeline.Logger.BeginScope(new Dictionary<string, object>()))
            pipeline.Logger.LogInformation("plain");

        Assert.True(await pipeline.Flush());
        Assert.Contains("\"Scopes\":[{}]", pipeline.Sinks.Single().Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_text_of_a_scope_with_a_template_is_in_CLEF_as_Serilog_writes_it()
    {
        using var pipeline = new ReloadPipeline(("Template", null), ("Format", "Clef"));
        using (pipeline.Logger.BeginScope("user {User}", "Ann"))
            pipeline.Logger.LogInformation("plain");

        Assert.True(await pipeline.Flush());
        Assert.EndsWith("\"User\":\"Ann\",\"Scope\":[\"user Ann\"]}\n", pipeline.Sinks.Single().Text, StringComparison.Ordinal);
    }

    private static (object Scope, string Expected) ScopeOf(string form) => form switch
    {
        "dictionary of strings" => (new Dictionary<string, string> { ["k"] = "v" }, "\"v\""),
        "dictionary of numbers" => (new SortedList<string, long> { ["k"] = 7 }, "7"),
        "tuple" => (("k", (object)"v"), "\"v\""),
        "typed tuple" => (("k", 7), "7"),
        _ => (new KeyValuePair<string, object?>("k", 1.5), "1.5"),
    };
}
