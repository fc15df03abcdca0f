using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests.Transport;

/// <summary>What a vector expects; each of its fields has to be checked by the test, so that none is skipped silently.</summary>
internal sealed class Expectations(JsonElement expect)
{
    private readonly HashSet<string> _unchecked = [.. expect.EnumerateObject().Select(static property => property.Name)];

    public bool Has(string name) => expect.TryGetProperty(name, out _);

    public JsonElement Take(string name)
    {
        _unchecked.Remove(name);
        return expect.GetProperty(name);
    }

    /// <summary>Checks a number: exact, <c>"&gt;=1"</c> or <c>"&lt;1000"</c>.</summary>
    public void Number(string name, double actual)
    {
        if (!Has(name))
            return;
        JsonElement wanted = Take(name);
        if (wanted.ValueKind == JsonValueKind.Number)
        {
            Assert.Equal((name, wanted.GetDouble()), (name, actual));
            return;
        }

        string text = wanted.GetString()!;
        double bound = double.Parse(text.TrimStart('<', '>', '='), CultureInfo.InvariantCulture);
        bool holds = text.StartsWith(">=", StringComparison.Ordinal) ? actual >= bound : text.StartsWith('<') && actual < bound;
        Assert.True(holds, $"{name}: {actual.ToString(CultureInfo.InvariantCulture)} is not {text}");
    }

    /// <summary>Checks that at least so many are there.</summary>
    public void AtLeast(string name, double actual)
    {
        if (Has(name))
            Assert.True(actual >= Take(name).GetDouble(), $"{name}: {actual.ToString(CultureInfo.InvariantCulture)} is too few");
    }

    public void AtMost(string name, double actual)
    {
        if (Has(name))
            Assert.True(actual <= Take(name).GetDouble(), $"{name}: {actual.ToString(CultureInfo.InvariantCulture)} is too much");
    }

    public void Flag(string name, bool actual)
    {
        if (Has(name))
            Assert.Equal((name, Take(name).GetBoolean()), (name, actual));
    }

    public void Text(string name, string actual)
    {
        if (Has(name))
            Assert.Equal((name, Take(name).GetString()), (name, actual));
    }

    public string[] Texts(string name) => Has(name) ? [.. Take(name).EnumerateArray().Select(static item => item.GetString()!)] : [];

    /// <summary>The one reason for which records were dropped, in the words of the books.</summary>
    public void DropReason(SyslogPipeline pipeline)
    {
        if (Has("dropReason"))
            Assert.Equal([Enum.Parse<DropReason>(Take("dropReason").GetString()!.Replace("_", "", StringComparison.Ordinal), ignoreCase: true)], pipeline.Status.Drops.Select(static drop => drop.Reason).Distinct());
    }

    public void AssertAllChecked() => Assert.Empty(_unchecked);
}
