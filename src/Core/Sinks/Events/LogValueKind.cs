namespace AsyncLog;

/// <summary>Tells what a <see cref="LogValue"/> holds.</summary>
public enum LogValueKind : byte
{
    /// <summary>No value.</summary>
    Null,

    /// <summary>A <see cref="bool"/>.</summary>
    Boolean,

    /// <summary>A <see cref="char"/>.</summary>
    Char,

    /// <summary>An <see cref="sbyte"/>.</summary>
    SByte,

    /// <summary>A <see cref="byte"/>.</summary>
    Byte,

    /// <summary>A <see cref="short"/>.</summary>
    Int16,

    /// <summary>A <see cref="ushort"/>.</summary>
    UInt16,

    /// <summary>An <see cref="int"/>.</summary>
    Int32,

    /// <summary>A <see cref="uint"/>.</summary>
    UInt32,

    /// <summary>A <see cref="long"/>.</summary>
    Int64,

    /// <summary>A <see cref="ulong"/>.</summary>
    UInt64,

    /// <summary>An <see cref="System.Int128"/>.</summary>
    Int128,

    /// <summary>A <see cref="System.UInt128"/>.</summary>
    UInt128,

    /// <summary>A <see cref="System.Half"/>.</summary>
    Half,

    /// <summary>A <see cref="float"/>.</summary>
    Single,

    /// <summary>A <see cref="double"/>.</summary>
    Double,

    /// <summary>A <see cref="decimal"/>.</summary>
    Decimal,

    /// <summary>A <see cref="System.Guid"/>.</summary>
    Guid,

    /// <summary>A <see cref="System.DateTime"/> with its kind.</summary>
    DateTime,

    /// <summary>A <see cref="System.DateTimeOffset"/> with its offset.</summary>
    DateTimeOffset,

    /// <summary>A <see cref="System.DateOnly"/>.</summary>
    DateOnly,

    /// <summary>A <see cref="System.TimeOnly"/>.</summary>
    TimeOnly,

    /// <summary>A <see cref="System.TimeSpan"/>.</summary>
    TimeSpan,

    /// <summary>An enum value of any underlying type.</summary>
    Enum,

    /// <summary>A <see cref="string"/>.</summary>
    String,

    /// <summary>Anything else, held by reference during the call.</summary>
    Object,
}
