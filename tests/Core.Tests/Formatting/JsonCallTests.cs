using System.Text;
using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Formatting;

/// <summary>Records of a call that was seen before are put together from bytes that were kept.</summary>
public sealed class JsonCallTests
{
    private static readonly Gen<string> Names = Gen.Elements("a", "b", "c", "site", "", "@t", "Scope", "SourceContext", "{OriginalFormat}", "\uD800", "\uFFFD", "x\ny", new string('n', 300));

    private static readonly ConstantProperties Constants = new([new("site", "ma\nin"), new("zone", "1")]);

    [Theory]
    [InlineData("Json")]
    [InlineData("Clef")]
    public void A_record_is_the_same_whether_its_call_is_known_or_not(string format)
    {
        var templates = new[] { null, "", "plain", "Item {a}", "Item {b} \u202E\"" };
        var all = from template in Gen.Elements(templates)
                  from names in Names.ArrayOf()
                  from category in Gen.Elements("Shop", "Bank\n")
                  from level in Gen.Choose(0, 5)
                  from id in Gen.Elements(new EventId(0), new EventId(1), new EventId(1, "Name"))
                  from scope in Gen.Elements(true, false)
                  select new Said
                  {
                      Template = template,
                      Category = category,
                      Level = (LogLevel)level,
                      Id = id,
                      State = [.. names.Select(static (name, i) => (name, (object?)i))],
                      Scopes = scope ? ["text", new NamedScope("n", [new("a", 1), new("zone", 2)])] : [],
                  };
        var layout = new RecordLayout { Format = format, Properties = Constants };
        // One formatter over all records, so that what it knows of one call meets what looks like it.
        var known = LogFormatters.Create(layout, Said.Application, new ZonedTime(TimeSpan.FromHours(1)));
        Prop.ForAll(Arb.From(all), said =>
        {
            var expected = Encoding.UTF8.GetString(said.Bytes(layout));
            for (var time = 0; time < 3; time++)
            {
                var buffer = new RecordBuffer();
                said.Render(known, new LogEvent(), buffer);
                Assert.Equal(expected, Encoding.UTF8.GetString(buffer.WrittenSpan));
            }
        }).Check(Config.QuickThrowOnFailure.WithMaxTest(2000));
    }

    [Fact]
    public void More_calls_than_are_kept_are_written_all_the_same()
    {
        var known = LogFormatters.Create(Said.Json(), Said.Application, new ZonedTime(TimeSpan.FromHours(1)));
        var all = Enumerable.Range(0, 3000).Select(i => new Said { Template = "Call " + i + " {a}", State = [("a", i)] }).ToArray();
        // A template that was just built is not kept at all.
        Eventually.True(() => all.All(static said => GC.GetGeneration(said.Template!) >= GC.MaxGeneration), GC.Collect);
        var buffer = new RecordBuffer();
        for (var round = 0; round < 3; round++)
        {
            foreach (var said in all)
            {
                buffer.Reset(int.MaxValue);
                said.Render(known, new LogEvent(), buffer);
                Assert.EndsWith($"{{\"a\":{said.State[0].Value},\"{{OriginalFormat}}\":\"{said.Template}\"}}}}\n", Encoding.UTF8.GetString(buffer.WrittenSpan), StringComparison.Ordinal);
            }
        }
    }
}
