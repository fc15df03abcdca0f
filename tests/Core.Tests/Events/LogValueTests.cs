using System.Text;
using AsyncLog.Tests.Capture;
using AsyncLog.Tests.Formatting;

namespace AsyncLog.Tests.Events;

public sealed class LogValueTests
{
    [Fact]
    public void Values_come_back_as_they_went_in_typed_and_boxed()
    {
        var values = new TestValues(new Random(7));
        for (var i = 0; i < 50_000; i++)
        {
            var value = values.Any();
            var captured = LogValue.FromObject(value);
            Assert.Equal(value?.GetType(), captured.ToObject()?.GetType());
            Assert.True(ReferenceEquals(value, captured.ToObject()) || Equals(value, captured.ToObject()));
        }
        Check(5, LogValueKind.Int32);
        Check((sbyte)-5, LogValueKind.SByte);
        Check('x', LogValueKind.Char);
        Check(1.5m, LogValueKind.Decimal);
        Check(Guid.NewGuid(), LogValueKind.Guid);
        Check(new DateTimeOffset(2026, 1, 2, 3, 4, 5, TimeSpan.FromHours(-7)), LogValueKind.DateTimeOffset);
        Check(Int128.MinValue, LogValueKind.Int128);
    }

    [Fact]
    public void Enums_keep_their_type_bits_and_name()
    {
        CheckEnum(Shade.Green, "Green");
        CheckEnum(Shade.Dark, "Dark");
        CheckEnum((Shade)99, "99");
        CheckEnum((Shade)(-99), "-99");
        CheckEnum(Access.Read | Access.Admin, "Read, Admin");
        CheckEnum((Access)64, "64");
        CheckEnum(ByteShade.White, "White");
        CheckEnum((ByteShade)200, "200");
        CheckEnum(HugeAccess.Top | HugeAccess.One, "One, Top");
        CheckEnum((HugeAccess)ulong.MaxValue, "18446744073709551615");
    }

    [Fact]
    public void Names_of_undefined_numbers_do_not_follow_the_culture_of_the_thread()
    {
        var before = System.Globalization.CultureInfo.CurrentCulture;
        try
        {
            System.Globalization.CultureInfo.CurrentCulture = System.Globalization.CultureInfo.GetCultureInfo("sv-SE");
            CheckEnum((Shade)(-12345), "-12345");
        }
        finally
        {
            System.Globalization.CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void The_cache_of_names_is_bounded_and_right_beyond_the_bound()
    {
        // A type of its own: what fills the cache here must not cost other tests an allocation.
        var names = EnumNames.Of(typeof(Crowd));
        for (ulong i = 0; i < 5000; i++)
            Assert.Equal(((Crowd)i).ToString(), Encoding.UTF8.GetString(names.GetName(i)));
        // A text that is not kept is made each time. Below 512 all have names.
        Assert.Equal(256, Enumerable.Range(0, 512).Count(i => AllocatesNothing(names, (ulong)i)));
        Assert.Equal(64, Enumerable.Range(512, 5000 - 512).Count(i => AllocatesNothing(names, (ulong)i)));
    }

    [Fact]
    public void Numbers_without_a_name_leave_room_for_names()
    {
        var names = EnumNames.Of(typeof(Throng));
        for (ulong i = 16; i < 5000; i++)
            names.GetName(i);
        Assert.Equal("Some"u8, names.GetName((ulong)Throng.Some));
        // Once before: the first call of the measurement may allocate what belongs to it.
        AllocatesNothing(names, (ulong)Throng.Some);
        Assert.True(AllocatesNothing(names, (ulong)Throng.Some), "The name is made each time.");
        Assert.False(AllocatesNothing(names, 4999), "Numbers without a name are kept without end.");
    }

    private static bool AllocatesNothing(EnumNames names, ulong bits)
    {
        var before = GC.GetAllocatedBytesForCurrentThread();
        names.GetName(bits);
        return GC.GetAllocatedBytesForCurrentThread() == before;
    }

    [Fact]
    public void Reading_as_another_type_is_refused()
    {
        Assert.Throws<InvalidOperationException>(() => LogValue.From(1).Get<long>());
        // Of the same size.
        Assert.Throws<InvalidOperationException>(() => LogValue.From(1).Get<uint>());
        Assert.Equal(1, LogValue.From(1).Get<int>());
        Assert.Equal("x", LogValue.From("x").String);
        Assert.Equal(LogValueKind.Null, LogValue.From<string?>(null).Kind);
        Assert.Equal(LogValueKind.Null, LogValue.From<int?>(null).Kind);
        Assert.Equal(LogValueKind.Int32, LogValue.From<int?>(3).Kind);
    }

    private static void Check<T>(T value, LogValueKind kind)
        where T : unmanaged
    {
        Assert.Equal(kind, LogValue.From(value).Kind);
        Assert.Equal(value, LogValue.From(value).Get<T>());
        Assert.Equal(value, LogValue.FromObject(value).Get<T>());
    }

    private static void CheckEnum<T>(T value, string name)
        where T : struct, Enum
    {
        foreach (var captured in (LogValue[])[LogValue.From(value), LogValue.FromObject(value)])
        {
            Assert.Equal(LogValueKind.Enum, captured.Kind);
            Assert.Equal(value, captured.ToObject());
            Assert.Equal(name, Encoding.UTF8.GetString(captured.Names.GetName(captured.EnumBits)));
        }
    }

    [Flags]
    private enum Crowd
    {
        None = 0,
        One = 1,
        Two = 2,
        Three = 4,
        Four = 8,
        Five = 16,
        Six = 32,
        Seven = 64,
        Eight = 128,
        Nine = 256,
    }

    private enum Throng
    {
        None = 0,
        Some = 1,
    }

    [Fact]
    public void The_text_of_a_value_has_no_escapes_and_does_not_follow_the_culture() => Cultures.InEach(() =>
    {
        Assert.Equal("", default(LogValue).ToString());
        Assert.Equal("true", LogValue.From(true).ToString());
        Assert.Equal("-1.5", LogValue.From(-1.5).ToString());
        Assert.Equal("Friday", LogValue.From(DayOfWeek.Friday).ToString());
        Assert.Equal("a\tb", LogValue.From("a\tb").ToString());
        Assert.Equal("[1,2]", LogValue.FromObject(new List<int> { 1, 2 }).ToString());
        Assert.Equal("<error: AsyncLog.Tests.Capture.BadValue>", LogValue.FromObject(new BadValue()).ToString());
    });

    [Fact]
    public void A_short_value_is_found_on_a_big_endian_machine()
    {
        Span<byte> wanted = stackalloc byte[8];
        Span<byte> held = stackalloc byte[8];
        System.Buffers.Binary.BinaryPrimitives.WriteUInt64BigEndian(wanted, 0x1122334455667788ul);
        foreach (var size in new[] { 1, 2, 4, 8 })
        {
            // The bytes of the word as such a machine lays them out.
            System.Buffers.Binary.BinaryPrimitives.WriteUInt64BigEndian(held, ValueBits.FirstBytes(0x1122334455667788ul >> (64 - (8 * size)), size));
            Assert.True(held[..size].SequenceEqual(wanted[..size]));
        }
    }
}
