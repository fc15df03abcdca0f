using System.Globalization;
using System.Numerics;

namespace AsyncLog.Tests.Capture;

/// <summary>Values of every kind a log call may carry, the extreme ones often, all from one random source.</summary>
internal sealed class TestValues(Random random)
{
    private static readonly Type[] Types =
    [
        typeof(int), typeof(string), typeof(long), typeof(double), typeof(bool), typeof(Guid), typeof(decimal), typeof(DateTime),
        typeof(DateTimeOffset), typeof(TimeSpan), typeof(Shade), typeof(Access), typeof(ByteShade), typeof(HugeAccess), typeof(float),
        typeof(char), typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(uint), typeof(ulong), typeof(Int128),
        typeof(UInt128), typeof(Half), typeof(DateOnly), typeof(TimeOnly), typeof(Uri), typeof(Version), typeof(BigInteger),
        typeof(Price), typeof(Degrees), typeof(Point), typeof(Mute), typeof(int[]), typeof(List<string?>), typeof(object?[]), typeof(string?[]),
        typeof(IEnumerable<int>), typeof(List<List<int>>), typeof(Dictionary<string, int>), typeof(Exception), typeof(int?),
        typeof(Shade?), typeof(DateTime?), typeof(object),
    ];

    private static readonly string[] Pieces =
    [
        "", "a", "Zo\u00eb", " ", "\r\n", "{", "}", "{0}", "\"", "\0", "\u20ac", "\uD83D\uDE00", "\uD83D", "\uDE00", "\uFFFD", "\u2028", "(null)", "e\u0301",
    ];

    private static readonly Dictionary<Type, string[]> Formats = new()
    {
        [typeof(int)] = ["N0", "X8", "D5", "x", "C", "E3", "0000", "#,##0", "P1", "\u20ac0"],
        [typeof(long)] = ["N2", "X", "D20", "G"],
        [typeof(double)] = ["F0", "F1", "F2", "F3", "F4", "F5", "F6", "f3", "E2", "G17", "N2", "P", "0.000", "R", "F10"],
        [typeof(float)] = ["F0", "F3", "E2", "G9", "0.0"],
        [typeof(decimal)] = ["F2", "C", "N3", "0.00", "G"],
        [typeof(Guid)] = ["N", "D", "B", "P", "X"],
        [typeof(DateTime)] = ["O", "s", "u", "yyyy-MM-dd HH:mm:ss.fff", "D", "ddd d MMM", "HH 'h \u20ac'"],
        [typeof(DateTimeOffset)] = ["O", "u", "yyyy-MM-ddTHH:mm:sszzz", "R"],
        [typeof(TimeSpan)] = ["c", "g", "G", "hh\\:mm"],
        [typeof(DateOnly)] = ["O", "yyyy", "D"],
        [typeof(TimeOnly)] = ["O", "HH:mm", "T"],
        [typeof(Shade)] = ["G", "D", "X", "F", "d", "g"],
        [typeof(Access)] = ["G", "D", "X", "F"],
        [typeof(ByteShade)] = ["D", "X"],
        [typeof(HugeAccess)] = ["D", "X", "F"],
        [typeof(byte)] = ["X2", "D3"],
        [typeof(Half)] = ["F2"],
        [typeof(Int128)] = ["N0", "X"],
        [typeof(BigInteger)] = ["N0", "X"],
        [typeof(Price)] = ["long", "short", ""],
        [typeof(Degrees)] = ["F", "C", "x y"],
        [typeof(string)] = ["anything", ""],
        [typeof(bool)] = ["ignored"],
        [typeof(char)] = ["ignored"],
    };

    public bool Chance(int oneIn) => random.Next(oneIn) == 0;

    public int Below(int limit) => random.Next(limit);

    public TItem Pick<TItem>(TItem[] items) => items[random.Next(items.Length)];

    public object? Any() => Next(Pick(Types));

    public T Next<T>() => (T)Next(typeof(T))!;

    /// <summary>A format that the value's type knows, or null.</summary>
    public string? FormatOf(object? value)
        => value is not null && Formats.TryGetValue(value.GetType(), out var formats) ? Pick(formats) : null;

    public string Text()
    {
        if (Chance(3))
            return Pick(Pieces);
        return string.Concat(Enumerable.Range(0, random.Next(6)).Select(_ => Pick(Pieces)));
    }

    public object? Next(Type type)
    {
        if (Nullable.GetUnderlyingType(type) is { } inner)
            return Chance(3) ? null : Next(inner);
        if (!type.IsValueType && type != typeof(IEnumerable<int>) && Chance(12))
            return null;
        if (type.IsEnum)
            return NextEnum(type);
        return Type.GetTypeCode(type) switch
        {
            TypeCode.Int32 => Pick([0, 1, -1, 42, int.MinValue, int.MaxValue, random.Next()]),
            TypeCode.Int64 => Pick([0, -1, long.MinValue, long.MaxValue, random.NextInt64()]),
            TypeCode.Double => NextDouble(),
            TypeCode.Single => (float)NextDouble(),
            TypeCode.Boolean => Chance(2),
            TypeCode.Char => Pick(['a', '\u20ac', '\uD83D', '\uDE00', '\0', '}']),
            TypeCode.Byte => (byte)random.Next(256),
            TypeCode.SByte => (sbyte)random.Next(-128, 128),
            TypeCode.Int16 => (short)random.Next(short.MinValue, short.MaxValue + 1),
            TypeCode.UInt16 => (ushort)random.Next(ushort.MaxValue + 1),
            TypeCode.UInt32 => (uint)random.NextInt64(1L << 32),
            TypeCode.UInt64 => (ulong)random.NextInt64() * 2,
            TypeCode.Decimal => Pick([0m, -0.0m, 1.50m, decimal.MaxValue, decimal.MinValue, (decimal)random.NextDouble(), new decimal(random.Next(), 0, 0, Chance(2), (byte)random.Next(29))]),
            TypeCode.DateTime => new DateTime(random.NextInt64(DateTime.MaxValue.Ticks), (DateTimeKind)random.Next(3)),
            TypeCode.String => Text(),
            _ => NextStruct(type),
        };
    }

    private object NextEnum(Type type)
        => Chance(4)
            ? Enum.ToObject(type, type == typeof(HugeAccess) ? random.NextInt64() : random.Next(-3, 300))
            : Enum.ToObject(type, Convert.ToInt64(Pick(Enum.GetValues(type).Cast<object>().ToArray()), CultureInfo.InvariantCulture));

    private double NextDouble() => random.Next(5) switch
    {
        0 => Pick([0, -0.0, 1, -1, 0.5, 1.5, 2.5, -0.5, 0.125, 1e300, double.Epsilon, double.NaN, double.PositiveInfinity, double.NegativeInfinity]),
        1 => random.Next(-1_000_000, 1_000_000) / 1000.0,
        2 => BitConverter.Int64BitsToDouble(random.NextInt64(long.MinValue, long.MaxValue)),
        3 => random.NextDouble() * 1e12,
        _ => random.NextDouble() - 0.5,
    };

    private object? NextStruct(Type type)
    {
        if (type == typeof(Guid))
            return new Guid(Enumerable.Range(0, 16).Select(_ => (byte)random.Next(256)).ToArray());
        if (type == typeof(DateTimeOffset))
            return new DateTimeOffset(new DateTime(random.NextInt64(TimeSpan.TicksPerDay, DateTime.MaxValue.Ticks - TimeSpan.TicksPerDay)), TimeSpan.FromMinutes(random.Next(-840, 841)));
        if (type == typeof(TimeSpan))
            return Pick([TimeSpan.Zero, TimeSpan.MinValue, TimeSpan.MaxValue, TimeSpan.FromTicks(random.NextInt64())]);
        if (type == typeof(Int128))
            return (Int128)random.NextInt64() * random.Next(-3, 4) * long.MaxValue;
        if (type == typeof(UInt128))
            return (UInt128)(ulong)random.NextInt64() * ulong.MaxValue;
        if (type == typeof(Half))
            return (Half)NextDouble();
        if (type == typeof(DateOnly))
            return DateOnly.FromDayNumber(random.Next(DateOnly.MaxValue.DayNumber));
        if (type == typeof(TimeOnly))
            return new TimeOnly(random.NextInt64(TimeSpan.TicksPerDay));
        if (type == typeof(BigInteger))
            return BigInteger.Pow(random.Next(-9, 10), random.Next(60));
        if (type == typeof(Price))
            return new Price(random.Next());
        if (type == typeof(Degrees))
            return new Degrees(random.Next());
        if (type == typeof(Point))
            return new Point(random.Next(9), Text());
        return NextReference(type);
    }

    private object? NextReference(Type type)
    {
        if (type == typeof(Uri))
            return new Uri("http://x.example/\u00e4?q=" + random.Next());
        if (type == typeof(Version))
            return new Version(1, random.Next(99), 3);
        if (type == typeof(Mute))
            return new Mute();
        if (type == typeof(Exception))
            return new InvalidOperationException("broken \u20ac");
        if (type == typeof(int[]) || type == typeof(IEnumerable<int>))
            return Enumerable.Range(0, random.Next(4)).Select(_ => random.Next(-9, 9)).ToArray();
        if (type == typeof(List<string?>))
            return Enumerable.Range(0, random.Next(4)).Select(_ => Chance(4) ? null : Text()).ToList();
        if (type == typeof(string?[]))
            return Enumerable.Range(0, random.Next(4)).Select(_ => Chance(9) ? null : Chance(3) ? Text() : "item").ToArray();
        if (type == typeof(object?[]))
            return Enumerable.Range(0, random.Next(4)).Select(_ => Any()).ToArray();
        if (type == typeof(List<List<int>>))
            return new List<List<int>> { new() { 1 }, new() };
        if (type == typeof(Dictionary<string, int>))
            return new Dictionary<string, int>(StringComparer.Ordinal) { ["a"] = 1, ["b"] = random.Next() };
        return Any();
    }
}
