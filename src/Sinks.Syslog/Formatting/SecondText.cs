namespace AsyncLog;

/// <summary>The text of the last second's time stamp. Belongs to one thread; whoever wrote it last owns it.</summary>
internal sealed class SecondText
{
    /// <summary>The longest time stamp: six digits of fraction and an offset.</summary>
    public const int Longest = 32;

    /// <summary>Who wrote it.</summary>
    public SyslogTimestamp? Owner { get; set; }

    /// <summary>The UTC ticks at which the second begins.</summary>
    public long Start { get; set; }

    public byte[] Bytes { get; } = new byte[Longest];

    public int Length { get; set; }
}
