using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Records;

/// <summary>Attributes of records whose template was logged before: their keys are encoded already.</summary>
public sealed class TemplateAttributesTests
{
    private const int Times = 3;
    private static readonly string LongName = new('n', 200);

    [Fact]
    public async Task Records_of_one_template_with_other_properties_have_their_own_keys()
    {
        using var harness = new OtlpHarness();
        for (var i = 0; i < Times; i++)
        {
            Log(harness, "one template", ("A", 1), ("B", 2));
            Log(harness, "one template", ("B", 3), ("A", 4));
            Log(harness, "one template", ("A", 5));
            Log(harness, "one template", ("A", 6), ("A", 7), ("C", 8));
            Log(harness, "one template", ("", 9), ("C", 10));
            Log(harness, "one template");
            Log(harness, "one template", (LongName, 11));
        }

        string[] expected =
        [
            "A=1 B=2 {OriginalFormat}=one template", "B=3 A=4 {OriginalFormat}=one template",
            "A=5 {OriginalFormat}=one template", "A=7 C=8 {OriginalFormat}=one template",
            "C=10 {OriginalFormat}=one template", "{OriginalFormat}=one template", LongName + "=11 {OriginalFormat}=one template",
        ];
        Assert.Equal([.. expected, .. expected, .. expected], (await harness.TakeAsync()).Select(AttributesOf));
    }

    [Fact]
    public async Task State_wins_over_scopes_also_where_the_template_is_known()
    {
        using var harness = new OtlpHarness();
        var logger = harness.Logger();
        for (var i = 0; i < Times; i++)
        {
            using (logger.BeginScope(new List<KeyValuePair<string, object?>> { new("Item", "scope"), new("Cart", 7) }))
                logger.LogInformation("a known template with {Item} and {Price}", "state", i);
        }

        Assert.Equal(
            Enumerable.Range(0, Times).Select(static i => string.Create(CultureInfo.InvariantCulture, $"Item=state Price={i} {{OriginalFormat}}=a known template with {{Item}} and {{Price}} Cart=7")),
            (await harness.TakeAsync()).Select(AttributesOf));
    }

    [Fact]
    public async Task A_known_template_is_truncated_where_values_have_a_limit()
    {
        foreach (var limit in (int?[])[null, 6, null, 6])
        {
            using var harness = new OtlpHarness(options => options.AttributeValueLengthLimit = limit);
            harness.Logger().LogInformation("limited {Item}", "pear");
            Assert.Equal($"Item=pear {{OriginalFormat}}={(limit is null ? "limited {Item}" : "limite")}", AttributesOf(Assert.Single(await harness.TakeAsync())));
        }
    }

    [Fact]
    public async Task Attributes_of_a_known_template_over_the_count_limit_are_counted()
    {
        using var harness = new OtlpHarness(static options => options.AttributeCountLimit = 1);
        for (var i = 0; i < Times; i++)
            harness.Logger().LogInformation("counted {Item} {Price}", "plum", 3);

        var records = await harness.TakeAsync();
        Assert.Equal(Times, records.Length);
        Assert.All(records, static record =>
        {
            Assert.Equal("Item=plum", AttributesOf(record));
            Assert.Equal(2u, record.Decoded().DroppedAttributesCount);
        });
    }

    private static void Log(OtlpHarness harness, string template, params (string Key, object? Value)[] properties)
    {
        List<KeyValuePair<string, object?>> state = [.. properties.Select(static pair => KeyValuePair.Create(pair.Key, pair.Value)), new("{OriginalFormat}", template)];
        harness.Logger().Log(LogLevel.Information, default, state, null, static (_, _) => "m");
    }

    private static string AttributesOf(BatchRecord record)
        => string.Join(' ', record.Decoded().Attributes.Select(static pair => $"{pair.Key}={(pair.Value.HasStringValue ? pair.Value.StringValue : pair.Value.IntValue.ToString(CultureInfo.InvariantCulture))}"));
}
