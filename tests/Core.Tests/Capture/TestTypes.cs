using System.Globalization;

namespace AsyncLog.Tests.Capture;

#pragma warning disable MA0048 // The small types that tests log stand together.

internal enum Shade
{
    None,
    Red,
    Green = 7,
    Dark = -2,
}

[Flags]
internal enum Access
{
    None = 0,
    Read = 1,
    Write = 2,
    All = 3,
    Admin = 8,
}

internal enum ByteShade : byte
{
    Black,
    White = 255,
}

[Flags]
internal enum HugeAccess : ulong
{
    One = 1,
    Two = 2,
    Top = 1UL << 62,
}

/// <summary>Formats as text only.</summary>
internal sealed record Price(int Cents) : IFormattable
{
    public string ToString(string? format, IFormatProvider? formatProvider)
        => string.Create(CultureInfo.InvariantCulture, $"[{format ?? "-"}|{formatProvider is CultureInfo { Name: "" }}|{Cents}\u20ac]");
}

/// <summary>Formats into a span.</summary>
internal readonly record struct Degrees(int Value) : ISpanFormattable
{
    public string ToString(string? format, IFormatProvider? formatProvider)
        => string.Create(formatProvider, $"{Value}\u00b0{format}");

    public bool TryFormat(Span<char> destination, out int charsWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
        => destination.TryWrite(provider, $"{Value}\u00b0{format}", out charsWritten);
}

/// <summary>Has a text of its own.</summary>
internal readonly record struct Point(int X, string Label)
{
    public override string ToString() => $"<{X}:{Label}>";
}

/// <summary>Has no text.</summary>
internal sealed class Mute
{
    public override string? ToString() => null;
}
