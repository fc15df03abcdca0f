using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests.Vectors;

/// <summary>What a vector expects; each of its fields has to be checked by the test, so that none is skipped silently.</summary>
internal sealed class Expectations(JsonElement expect)
{
    /// <summary>The law of accepted records, as vectors write it.</summary>
    private const string AcceptedLaw = "= written + dropped(after) + queue.size + in_flight";
    private readonly HashSet<string> _unchecked = [.. expect.EnumerateObject().Select(static property => property.Name)];

    public bool Has(string name) => expect.TryGetProperty(name, out _);

    public JsonElement Take(string name)
    {
        _unchecked.Remove(name);
        return expect.GetProperty(name);
    }

    /// <summary>Checks a number: exact, or a text such as <c>"&gt;=1"</c> or <c>"&lt;1000"</c>.</summary>
    public void Number(string name, double actual)
    {
        if (Has(name))
            AssertNumber(name, Take(name), actual);
    }

    /// <summary>Checks a number that costs time to get, or that only some runs have.</summary>
    public void Number(string name, Func<double> actual)
    {
        if (Has(name))
            AssertNumber(name, Take(name), actual());
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

    /// <summary>Checks what has to be waited for: waits until it is so, unless the vector says that it is not.</summary>
    public void Flag(string name, Func<bool> actual)
    {
        if (!Has(name))
            return;
        if (Take(name).GetBoolean())
            Eventually.True(actual, text: name);
        else
            Assert.False(actual(), name);
    }

    public void Text(string name, string? actual)
    {
        if (Has(name))
            Assert.Equal((name, Take(name).GetString()), (name, actual));
    }

    public string[] Texts(string name) => Has(name) ? [.. Take(name).EnumerateArray().Select(VectorValue.ReadText)] : [];

    /// <summary>The members of an object; none if it is not there.</summary>
    public JsonProperty[] Pairs(string name) => Has(name) ? [.. Take(name).EnumerateObject()] : [];

    /// <summary>The reasons for which records were dropped, all of them, by the names that metrics use.</summary>
    /// <param name="status">The status, which contains the counters.</param>
    /// <param name="count">How many records that are; null: at least one.</param>
    public void DropReason(SinkStatus status, long? count = null)
    {
        if (!Has("dropReason"))
            return;
        var wanted = Take("dropReason");
        string[] reasons = wanted.ValueKind == JsonValueKind.Array ? [.. wanted.EnumerateArray().Select(static reason => reason.GetString()!)] : [wanted.GetString()!];
        Assert.Equal(reasons.Select(ReasonOf).Order(), status.Drops.Where(static drop => drop.Count > 0).Select(static drop => drop.Reason).Distinct().Order());
        if (count is { } exact)
            Assert.Equal(("dropReason", exact), ("dropReason", status.Dropped));
    }

    /// <summary>The number of accepted records, or the law that the counters keep: the caller compares them with its own number.</summary>
    public void AcceptedRecords(SinkStatus status)
    {
        if (!Has("enqueued"))
            return;
        if (Take("enqueued") is { ValueKind: JsonValueKind.String } law && law.GetString()!.StartsWith('='))
            Assert.Equal(AcceptedLaw, law.GetString());
        else
            AssertNumber("enqueued", Take("enqueued"), status.Enqueued);
    }

    public void AssertAllChecked() => Assert.Empty(_unchecked);

    /// <summary>The member of the enumeration for the name that metrics use.</summary>
    public static AsyncLog.DropReason ReasonOf(string name) => Enum.Parse<AsyncLog.DropReason>(name.Replace("_", "", StringComparison.Ordinal), ignoreCase: true);

    /// <summary>Compares with a number, or with a bound written as text.</summary>
    public static void AssertNumber(string name, JsonElement wanted, double actual)
    {
        if (wanted.ValueKind == JsonValueKind.Number)
        {
            Assert.Equal((name, wanted.GetDouble()), (name, actual));
            return;
        }

        var text = wanted.GetString()!;
        var sign = text[..text.IndexOfAnyInRange('0', '9')].TrimEnd(' ', '-');
        var bound = double.Parse(text[sign.Length..], CultureInfo.InvariantCulture);
        var holds = sign switch
        {
            ">=" => actual >= bound,
            ">" => actual > bound,
            "<=" => actual <= bound,
            "<" => actual < bound,
            "" or "=" => actual.Equals(bound),
            _ => throw new NotSupportedException(text),
        };
        Assert.True(holds, $"{name}: {actual.ToString(CultureInfo.InvariantCulture)} is not {text}");
    }
}
