using System.Buffers.Binary;

namespace AsyncLog.Tests.Disk;

public sealed class NativeStatTests
{
    private static readonly DateTimeOffset LastWrite = new(2026, 11, 20, 12, 31, 7, TimeSpan.Zero);

    [Theory]
    [InlineData(0x81a0, FileKind.Regular)]
    [InlineData(0x41e8, FileKind.Directory)]
    [InlineData(0xa1ff, FileKind.Link)]
    [InlineData(0x11a0, FileKind.Other)]
    public void The_structure_of_macOS_gives_device_inode_links_size_and_time(int mode, object kind)
    {
        byte[] stat = new byte[144];
        BinaryPrimitives.WriteInt32LittleEndian(stat, 0x01000011);
        BinaryPrimitives.WriteUInt16LittleEndian(stat.AsSpan(4), (ushort)mode);
        BinaryPrimitives.WriteUInt16LittleEndian(stat.AsSpan(6), 2);
        BinaryPrimitives.WriteUInt64LittleEndian(stat.AsSpan(8), 0x1_2345_6789);
        BinaryPrimitives.WriteInt64LittleEndian(stat.AsSpan(48), LastWrite.ToUnixTimeSeconds());
        BinaryPrimitives.WriteInt64LittleEndian(stat.AsSpan(56), 500_000_000);
        BinaryPrimitives.WriteInt64LittleEndian(stat.AsSpan(96), 5L << 32);

        Assert.Equal(new FileStat(0x01000011, 0x1_2345_6789, (FileKind)kind, 2, 5L << 32, LastWrite.AddMilliseconds(500)), NativeStat.FromMac(stat));
    }

    [Theory]
    [InlineData(0x20, FileKind.Regular)]
    [InlineData(0x10, FileKind.Directory)]
    [InlineData(0x420, FileKind.Link)]
    public void The_structure_of_Windows_gives_volume_index_links_size_and_time(uint attributes, object kind)
    {
        byte[] information = new byte[52];
        long time = LastWrite.ToFileTime();
        uint[] words = [attributes, 1, 2, 3, 4, (uint)time, (uint)(time >> 32), 0xCAFE0001, 5, 6, 1, 7, 8];
        for (int i = 0; i < words.Length; i++)
            BinaryPrimitives.WriteUInt32LittleEndian(information.AsSpan(4 * i), words[i]);

        Assert.Equal(new FileStat(0xCAFE0001, (7UL << 32) | 8, (FileKind)kind, 1, (5L << 32) | 6, LastWrite), NativeStat.FromWindows(information));
    }
}
