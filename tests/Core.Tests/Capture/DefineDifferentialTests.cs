using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Capture;

public sealed class DefineDifferentialTests
{
    private static readonly int Runs = ReleaseRun.Count(usual: 20_000, release: 1_000_000);

    private static readonly DefinedMessage[] Messages =
    [
        DefinedMessage.Of(),
        DefinedMessage.Of<int>(),
        DefinedMessage.Of<string?>(),
        DefinedMessage.Of<object?>(),
        DefinedMessage.Of<double>(),
        DefinedMessage.Of<Guid>(),
        DefinedMessage.Of<Shade>(),
        DefinedMessage.Of<int?>(),
        DefinedMessage.Of<Point>(),
        DefinedMessage.Of<char>(),
        DefinedMessage.Of<HugeAccess>(),
        DefinedMessage.Of<int, string?>(),
        DefinedMessage.Of<Access, DateTimeOffset>(),
        DefinedMessage.Of<object?, object?>(),
        DefinedMessage.Of<decimal, bool>(),
        DefinedMessage.Of<ByteShade, Degrees>(),
        DefinedMessage.Of<DateTime?, byte>(),
        DefinedMessage.Of<string?[]?, float>(),
        DefinedMessage.Of<DateOnly, TimeOnly>(),
        DefinedMessage.Of<int, int, int>(),
        DefinedMessage.Of<string?, double, TimeSpan>(),
        DefinedMessage.Of<Shade?, long, Uri>(),
        DefinedMessage.Of<Int128, sbyte, Half>(),
        DefinedMessage.Of<int, double, string?, bool>(),
        DefinedMessage.Of<Guid, DateTime, DateOnly, TimeOnly>(),
        DefinedMessage.Of<List<string?>, int[], object?, Point>(),
        DefinedMessage.Of<short, ushort, uint, ulong, float>(),
        DefinedMessage.Of<string?, string?, Price, UInt128, char>(),
        DefinedMessage.Of<int, string?, double, Guid, TimeSpan, Shade>(),
        DefinedMessage.Of<byte, int?, object?, decimal, DateTimeOffset, IEnumerable<int>>(),
    ];

    private int _refusedByMel;

    [Fact]
    public void Messages_of_LoggerMessage_Define_equal_those_of_MEL()
    {
        var logger = new ComparingLogger();
        var config = Config.QuickThrowOnFailure.WithMaxTest(Runs);
        Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), (int seed) => Log(logger, seed)).Check(config);
        Assert.Equal(Runs, logger.Equal + logger.Refused + _refusedByMel);
        Assert.True(logger.Equal > Runs * 9 / 10, $"{logger.Refused} and {_refusedByMel} refused");
        Assert.True(logger.ReadByLayout > Runs / 2, $"{logger.ReadByLayout} read without boxes");
    }

    private void Log(ComparingLogger logger, int seed)
    {
        var values = new TestValues(new System.Random(seed));
        using var foreign = new ForeignCulture(values);
        var message = values.Pick(Messages);
        var args = message.Types.Select(values.Next).ToArray();
        var template = TestTemplates.For(values, args);
        Action<Microsoft.Extensions.Logging.ILogger, object?[]> log;
        try
        {
            log = message.Define(template);
        }
        catch (FormatException)
        {
            _refusedByMel++;
            return;
        }
        log(logger, args);
    }
}
