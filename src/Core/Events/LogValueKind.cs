namespace AsyncLog.Sinks;

/// <summary>The type of the value that a <see cref="LogValue"/> holds.</summary>
/// <remarks>The numbers are part of the API. They come in groups with gaps for types to come: compare with single members, not with ranges.</remarks>
public enum LogValueKind : byte
{
    /// <summary>No value.</summary>
    Null = 0,

    /// <summary>A <see cref="bool"/>.</summary>
    Boolean = 1,

    /// <summary>A <see cref="char"/>.</summary>
    Char = 2,

    /// <summary>A <see cref="string"/>.</summary>
    String = 3,

    /// <summary>An enum value of any underlying type.</summary>
    Enum = 4,

    /// <summary>Anything else, held by reference during the call.</summary>
    Object = 5,

    /// <summary>The JSON of an object: the value of <c>{@Item}</c> in a message template.</summary>
    Json = 6,

    /// <summary>An <see cref="sbyte"/>.</summary>
    SByte = 16,

    /// <summary>A <see cref="short"/>.</summary>
    Int16 = 17,

    /// <summary>An <see cref="int"/>.</summary>
    Int32 = 18,

    /// <summary>A <see cref="long"/>.</summary>
    Int64 = 19,

    /// <summary>An <see cref="System.Int128"/>.</summary>
    Int128 = 20,

    /// <summary>A <see cref="byte"/>.</summary>
    Byte = 24,

    /// <summary>A <see cref="ushort"/>.</summary>
    UInt16 = 25,

    /// <summary>A <see cref="uint"/>.</summary>
    UInt32 = 26,

    /// <summary>A <see cref="ulong"/>.</summary>
    UInt64 = 27,

    /// <summary>A <see cref="System.UInt128"/>.</summary>
    UInt128 = 28,

    /// <summary>A <see cref="System.Half"/>.</summary>
    Half = 32,

    /// <summary>A <see cref="float"/>.</summary>
    Single = 33,

    /// <summary>A <see cref="double"/>.</summary>
    Double = 34,

    /// <summary>A <see cref="decimal"/>.</summary>
    Decimal = 35,

    /// <summary>A <see cref="System.DateTime"/> with its kind.</summary>
    DateTime = 40,

    /// <summary>A <see cref="System.DateTimeOffset"/> with its offset.</summary>
    DateTimeOffset = 41,

    /// <summary>A <see cref="System.DateOnly"/>.</summary>
    DateOnly = 42,

    /// <summary>A <see cref="System.TimeOnly"/>.</summary>
    TimeOnly = 43,

    /// <summary>A <see cref="System.TimeSpan"/>.</summary>
    TimeSpan = 44,

    /// <summary>A <see cref="System.Guid"/>.</summary>
    Guid = 48,
}
