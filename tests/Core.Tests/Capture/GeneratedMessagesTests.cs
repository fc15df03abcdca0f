using FsCheck;
using FsCheck.Fluent;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

public sealed class GeneratedMessagesTests
{
    private const int Runs = 50_000;

    private static readonly Action<ILogger, TestValues>[] Calls =
    [
        (l, v) => GeneratedMessages.Message00(l),
        (l, v) => GeneratedMessages.Message01(l),
        (l, v) => GeneratedMessages.Message02(l),
        (l, v) => GeneratedMessages.Message03(l, v.Next<Uri>()),
        (l, v) => GeneratedMessages.Message04(l, v.Next<short>()),
        (l, v) => GeneratedMessages.Message05(l, v.Next<double>()),
        (l, v) => GeneratedMessages.Message06(l, v.Next<string?>()),
        (l, v) => GeneratedMessages.Message07(l, v.Next<string?>()),
        (l, v) => GeneratedMessages.Message08(l, v.Next<Exception>(), v.Next<DateTime>()),
        (l, v) => GeneratedMessages.Message09(l, v.Next<short>(), v.Next<DateTime>()),
        (l, v) => GeneratedMessages.Message10(l, v.Next<double>(), v.Next<DateTimeOffset>()),
        (l, v) => GeneratedMessages.Message11(l, v.Next<long>(), v.Next<float>()),
        (l, v) => GeneratedMessages.Message12(l, v.Next<long>(), v.Next<float>()),
        (l, v) => GeneratedMessages.Message13(l, v.Next<DateTimeOffset>(), v.Next<DateTime>()),
        (l, v) => GeneratedMessages.Message14(l, v.Next<Exception>(), v.Next<IEnumerable<int>>(), v.Next<char>()),
        (l, v) => GeneratedMessages.Message15(l, v.Next<double>(), v.Next<DateTimeOffset>(), v.Next<ulong>()),
        (l, v) => GeneratedMessages.Message16(l, v.Next<long>(), v.Next<float>(), v.Next<uint>()),
        (l, v) => GeneratedMessages.Message17(l, v.Next<Uri>(), v.Next<IEnumerable<int>>(), v.Next<TimeSpan>()),
        (l, v) => GeneratedMessages.Message18(l, v.Next<short>(), v.Next<object?>(), v.Next<Shade>()),
        (l, v) => GeneratedMessages.Message19(l, v.Next<long>(), v.Next<int>(), v.Next<DateTime>()),
        (l, v) => GeneratedMessages.Message20(l, v.Next<Exception>(), v.Next<object?>(), v.Next<object?>(), v.Next<double>()),
        (l, v) => GeneratedMessages.Message21(l, v.Next<long>(), v.Next<float>(), v.Next<uint>(), v.Next<decimal>()),
        (l, v) => GeneratedMessages.Message22(l, v.Next<Uri>(), v.Next<IEnumerable<int>>(), v.Next<TimeSpan>(), v.Next<object?>()),
        (l, v) => GeneratedMessages.Message23(l, v.Next<short>(), v.Next<DateTime>(), v.Next<char>(), v.Next<string?>()),
        (l, v) => GeneratedMessages.Message24(l, v.Next<char>(), v.Next<TimeSpan>(), v.Next<char>(), v.Next<Shade>()),
        (l, v) => GeneratedMessages.Message25(l, v.Next<Uri>(), v.Next<bool>(), v.Next<decimal>(), v.Next<IEnumerable<int>>()),
        (l, v) => GeneratedMessages.Message26(l, v.Next<Exception>(), v.Next<Access>(), v.Next<Access>(), v.Next<int>(), v.Next<Uri>()),
        (l, v) => GeneratedMessages.Message27(l, v.Next<Uri>(), v.Next<IEnumerable<int>>(), v.Next<TimeSpan>(), v.Next<object?>(), v.Next<Access>()),
        (l, v) => GeneratedMessages.Message28(l, v.Next<short>(), v.Next<DateTime>(), v.Next<char>(), v.Next<string?>(), v.Next<string>()),
        (l, v) => GeneratedMessages.Message29(l, v.Next<double>(), v.Next<DateTimeOffset>(), v.Next<ulong>(), v.Next<int>(), v.Next<Shade>()),
        (l, v) => GeneratedMessages.Message30(l, v.Next<string>(), v.Next<DateTimeOffset>(), v.Next<short>(), v.Next<float>(), v.Next<float>()),
        (l, v) => GeneratedMessages.Message31(l, v.Next<byte>(), v.Next<float>(), v.Next<ulong>(), v.Next<Uri>(), v.Next<float>()),
        (l, v) => GeneratedMessages.Message32(l, v.Next<Exception>(), v.Next<double>(), v.Next<DateTime>(), v.Next<IEnumerable<int>>(), v.Next<DateOnly>(), v.Next<short>()),
        (l, v) => GeneratedMessages.Message33(l, v.Next<short>(), v.Next<DateTime>(), v.Next<char>(), v.Next<string?>(), v.Next<string>(), v.Next<bool>()),
        (l, v) => GeneratedMessages.Message34(l, v.Next<double>(), v.Next<DateTimeOffset>(), v.Next<ulong>(), v.Next<int>(), v.Next<Shade>(), v.Next<byte>()),
        (l, v) => GeneratedMessages.Message35(l, v.Next<long>(), v.Next<float>(), v.Next<uint>(), v.Next<decimal>(), v.Next<int?>(), v.Next<DateOnly>()),
        (l, v) => GeneratedMessages.Message36(l, v.Next<TimeSpan>(), v.Next<decimal>(), v.Next<long>(), v.Next<DateOnly>(), v.Next<long>(), v.Next<float>()),
        (l, v) => GeneratedMessages.Message37(l, v.Next<object?>(), v.Next<float>(), v.Next<long>(), v.Next<IEnumerable<int>>(), v.Next<decimal>(), v.Next<Shade>()),
        (l, v) => GeneratedMessages.Message38(l, v.Next<Exception>(), v.Next<byte>(), v.Next<TimeSpan>(), v.Next<TimeSpan>(), v.Next<bool>(), v.Next<byte>(), v.Next<int>()),
        (l, v) => GeneratedMessages.Message39(l, v.Next<double>(), v.Next<DateTimeOffset>(), v.Next<ulong>(), v.Next<int>(), v.Next<Shade>(), v.Next<byte>(), v.Next<short>()),
        (l, v) => GeneratedMessages.Message40(l, v.Next<long>(), v.Next<float>(), v.Next<uint>(), v.Next<decimal>(), v.Next<int?>(), v.Next<DateOnly>(), v.Next<double>()),
        (l, v) => GeneratedMessages.Message41(l, v.Next<Uri>(), v.Next<IEnumerable<int>>(), v.Next<TimeSpan>(), v.Next<object?>(), v.Next<Access>(), v.Next<Guid>(), v.Next<long>()),
        (l, v) => GeneratedMessages.Message42(l, v.Next<bool>(), v.Next<DateOnly>(), v.Next<uint>(), v.Next<IEnumerable<int>>(), v.Next<long>(), v.Next<Access>(), v.Next<string?>()),
        (l, v) => GeneratedMessages.Message43(l, v.Next<float>(), v.Next<byte>(), v.Next<bool>(), v.Next<object?>(), v.Next<decimal>(), v.Next<decimal>(), v.Next<Guid>()),
        (l, v) => GeneratedMessages.Message44(l, v.Next<Exception>(), v.Next<object?>(), v.Next<DateTimeOffset>(), v.Next<double>(), v.Next<DateTimeOffset>(), v.Next<int>(), v.Next<DateTimeOffset>(), v.Next<DateTimeOffset>()),
        (l, v) => GeneratedMessages.Message45(l, v.Next<long>(), v.Next<float>(), v.Next<uint>(), v.Next<decimal>(), v.Next<int?>(), v.Next<DateOnly>(), v.Next<double>(), v.Next<DateTimeOffset>()),
        (l, v) => GeneratedMessages.Message46(l, v.Next<Uri>(), v.Next<IEnumerable<int>>(), v.Next<TimeSpan>(), v.Next<object?>(), v.Next<Access>(), v.Next<Guid>(), v.Next<long>(), v.Next<float>()),
        (l, v) => GeneratedMessages.Message47(l, v.Next<short>(), v.Next<DateTime>(), v.Next<char>(), v.Next<string?>(), v.Next<string>(), v.Next<bool>(), v.Next<Uri>(), v.Next<IEnumerable<int>>()),
        (l, v) => GeneratedMessages.Message48(l, v.Next<long>(), v.Next<int>(), v.Next<DateTime>(), v.Next<string>(), v.Next<int?>(), v.Next<IEnumerable<int>>(), v.Next<Uri>(), v.Next<string?>()),
        (l, v) => GeneratedMessages.Message49(l, v.Next<double>(), v.Next<Guid>(), v.Next<long>(), v.Next<float>(), v.Next<string?>(), v.Next<decimal>(), v.Next<object?>(), v.Next<bool>()),
        (l, v) => GeneratedMessages.Message50(l, v.Next<Exception>(), v.Next<Shade>(), v.Next<Uri>(), v.Next<string>(), v.Next<IEnumerable<int>>(), v.Next<DateTimeOffset>(), v.Next<IEnumerable<int>>(), v.Next<int?>(), v.Next<char>()),
    ];

    [Fact]
    public void Messages_of_generated_methods_equal_those_of_MEL()
    {
        var logger = new ComparingLogger();
        var config = Config.QuickThrowOnFailure.WithMaxTest(Runs);
        Prop.ForAll(Gen.Choose(0, int.MaxValue).ToArbitrary(), (int seed) => Log(logger, seed)).Check(config);
        Assert.Equal(Runs, logger.Equal + logger.Refused);
        Assert.True(logger.Equal > Runs * 9 / 10, $"{logger.Refused} refused");
        Assert.True(logger.ReadByLayout > Runs / 2, $"{logger.ReadByLayout} read without boxes");
    }

    private static void Log(ComparingLogger logger, int seed)
    {
        var values = new TestValues(new System.Random(seed));
        using var foreign = new ForeignCulture(values);
        values.Pick(Calls)(logger, values);
    }
}
