namespace AsyncLog.Tests.Capture;

/// <summary>The values of calls: those of <see cref="TestValues"/>, more texts, long ones too, and objects whose text throws.</summary>
internal sealed class CallValues(Random random)
{
    private const int LongestText = 10_000;

    public static readonly Type[] Types =
    [
        typeof(int), typeof(string), typeof(long), typeof(double), typeof(bool), typeof(Guid), typeof(decimal), typeof(DateTime), typeof(DateTimeOffset), typeof(TimeSpan),
        typeof(Shade), typeof(Access), typeof(ByteShade), typeof(HugeAccess), typeof(float), typeof(char), typeof(byte), typeof(sbyte), typeof(short), typeof(ushort), typeof(uint),
        typeof(ulong), typeof(Int128), typeof(UInt128), typeof(Half), typeof(DateOnly), typeof(TimeOnly), typeof(Uri), typeof(Version), typeof(System.Numerics.BigInteger),
        typeof(Price), typeof(Degrees), typeof(Point), typeof(Mute), typeof(int[]), typeof(string?[]), typeof(List<string?>), typeof(Dictionary<string, int>), typeof(Exception),
        typeof(object), typeof(int?), typeof(double?), typeof(bool?), typeof(Shade?), typeof(DateTime?), typeof(Guid?), typeof(char?), typeof(Point?), typeof(decimal?),
    ];

    // Most values of a service are of these.
    private static readonly Type[] Usual = [typeof(string), typeof(int), typeof(string), typeof(Guid), typeof(double), typeof(TimeSpan), typeof(object)];

    private static readonly string[] Texts =
    [
        "plain", "order 42", "M\u00FCller", "Gr\u00F6\u00DFe", "\u8BA2\u5355\u5DF2\u521B\u5EFA", "\u0417\u0430\u043A\u0430\u0437 7", "\uD83D\uDE00 done", "half \uD83D", "\uDE00 half", "a\tb", "line\r\nbreak", "\0\u0001\u001F\u007F\u0085",
        "\"quoted\" \\ / <b>&amp;'", "", " ", "\u2028\u2029\uFEFF", "{brace} {{}}", "x=1 y=\"z\"", "e\u0301", "=> scope", "half \uD83D\uD83D\uDE00\uDE00",
    ];

    public TestValues Kinds { get; } = new(random);

    public bool Chance(int oneIn) => random.Next(oneIn) == 0;

    public T Pick<T>(T[] items) => items[random.Next(items.Length)];

    public int Below(int limit) => random.Next(limit);

    public Type Type() => Chance(2) ? Pick(Usual) : Pick(Types);

    public string Text()
    {
        if (Chance(40))
            return Repeated(Pick(Texts) + "x", random.Next(10, LongestText));
        return Chance(4) ? Kinds.Text() : Pick(Texts);
    }

    public object? Next(Type type)
    {
        if (type == typeof(string))
            return Chance(8) ? null : Text();
        if (type != typeof(object))
            return Kinds.Next(type);
        return random.Next(12) switch
        {
            0 => null,
            1 => new Throwing(),
            2 or 3 or 4 => Text(),
            _ => Next(Type()),
        };
    }

    private static string Repeated(string text, int length) => string.Concat(Enumerable.Repeat(text, (length / text.Length) + 1))[..length];

    private sealed class Throwing
    {
        public override string ToString() => throw new InvalidOperationException("no text");
    }
}
