using AsyncLog.Tests.Run;

namespace AsyncLog.Tests.Disk;

/// <summary>Who took the last name of a file away.</summary>
internal enum Remover
{
    Nobody,

    /// <summary>The process under test: retention, or a temporary file of its own.</summary>
    Process,

    /// <summary>Another program: logrotate, an operator.</summary>
    ThirdParty,

    /// <summary>The power loss: its name was never forced to the disk.</summary>
    PowerLoss,
}

/// <summary>A file or directory of the simulated disk: what programs see (the page cache), and what a power loss leaves.</summary>
internal sealed class Inode(ulong number, bool isDirectory, DateTimeOffset now)
{
    private byte[] _bytes = new byte[256];

    // The content on the disk, if it is not a prefix of what programs see: the file was truncated since.
    private byte[]? _durable;

    // Bytes that are on the disk; a prefix of what programs see unless _durable is set.
    private int _durableLength;

    // Bytes that the kernel could not write and dropped: after a power loss there are zeros.
    private readonly List<Range> _dropped = [];

    public ulong Number { get; } = number;

    public bool IsDirectory { get; } = isDirectory;

    /// <summary>Where writing went on in it after another file was written, and the place of that in the order of all writes.</summary>
    public List<(int Offset, long Order)> Runs { get; private set; } = [];

    public int Length { get; private set; }

    public ReadOnlySpan<byte> Bytes => _bytes.AsSpan(0, Length);

    public DateTimeOffset LastWrite { get; set; } = now;

    public Remover RemovedBy { get; set; }

    /// <summary>True if it has no name any more.</summary>
    public bool IsUnlinked { get; set; }

    /// <summary>Half lines that it may hold: appends that took only a part, processes that died in an append, power losses.</summary>
    public int Tears { get; set; }

    /// <summary>What is on the disk of it, for a trace.</summary>
    public string Durable => $"durable {_durable?.Length ?? _durableLength}, dropped {string.Join(' ', _dropped)}";

    /// <summary>True if it may hold zeros in place of lines: a sync failed before a power loss.</summary>
    public bool HasHoles { get; private set; }

    /// <summary>True if it was truncated: a half line that a process was about to end is gone.</summary>
    public bool WasTruncated { get; private set; }

    /// <summary>True if a power loss left it with content under a temporary name.</summary>
    public bool IsLeftInTheMaking { get; set; }

    public bool IsSynced => _durable is null && _durableLength == Length;

    /// <summary>What programs see in a directory.</summary>
    public SortedDictionary<string, Inode> Names { get; private set; } = new(StringComparer.Ordinal);

    /// <summary>What is on the disk of a directory.</summary>
    public SortedDictionary<string, Inode> DurableNames { get; private set; } = new(StringComparer.Ordinal);

    /// <summary>The changes of a directory that are not synced, oldest first.</summary>
    public List<NameChange> Unsynced { get; } = [];

    public void Append(ReadOnlySpan<byte> bytes)
    {
        if (_bytes.Length < Length + bytes.Length)
            Array.Resize(ref _bytes, Math.Max(_bytes.Length * 2, Length + bytes.Length));
        bytes.CopyTo(_bytes.AsSpan(Length));
        Length += bytes.Length;
    }

    /// <summary>Copies content and history.</summary>
    public void CopyTo(Inode copy)
    {
        copy.WasTruncated = WasTruncated;
        copy.Append(Bytes);
        copy.Runs = [.. Runs];
        copy.Tears = Tears;
        copy.HasHoles = HasHoles;
    }

    /// <summary>The place of a byte in the order of all writes.</summary>
    public long OrderOf(int offset) => Runs.FindLast(run => run.Offset <= offset).Order;

    /// <summary>Another program changes a byte.</summary>
    public void Damage(int offset) => _bytes[offset] ^= 0x5A;

    public void Truncate(int length)
    {
        if (_durable is null && _durableLength > length)
            _durable = _bytes[.._durableLength];
        Length = length;
        WasTruncated = true;
        Runs.RemoveAll(run => run.Offset >= length);
        _durableLength = Math.Min(_durableLength, length);
        _dropped.RemoveAll(range => range.End.Value > length);
    }

    public void Sync()
    {
        _durable = null;
        _durableLength = Length;
    }

    /// <summary>A sync failed: the kernel marks the pages clean, and a later sync reports success without them.</summary>
    public void DropUnsynced()
    {
        if (_durableLength < Length)
            _dropped.Add(_durableLength..Length);
        Sync();
    }

    /// <summary>The power goes: of what was not synced some sectors are there, the first ones.</summary>
    public void LosePower(Choices choices)
    {
        if (_durable is { } before && choices.Chance(0.5))
        {
            // The truncation is lost too.
            Length = 0;
            _durableLength = 0;
            Append(before);
        }
        else
        {
            var sectors = (Length - _durableLength + SimulatedDisk.SectorBytes - 1) / SimulatedDisk.SectorBytes;
            var kept = choices.Between(0, sectors);
            var end = kept == 0 ? _durableLength : kept == sectors ? Length : Math.Min(Length, (_durableLength / SimulatedDisk.SectorBytes + kept) * SimulatedDisk.SectorBytes);
            Length = Math.Max(_durableLength, end);
        }

        foreach (var range in _dropped)
        {
            if (range.End.Value > Length)
                continue;
            _bytes.AsSpan(range).Clear();
            HasHoles = true;
        }

        if (Length > 0 && _bytes[Length - 1] != (byte)'\n')
            Tears++;
        _dropped.Clear();
        _durable = null;
        _durableLength = Length;
    }

    /// <summary>Forces the names to the disk.</summary>
    public void SyncNames()
    {
        DurableNames = new(Names, StringComparer.Ordinal);
        Unsynced.Clear();
    }

    /// <summary>The power goes: some of the changes are lost. One survives only together with the earlier ones of the same names.</summary>
    public void LoseNames(Choices choices)
    {
        var lost = new HashSet<string>(StringComparer.Ordinal);
        var survival = choices.Of(0.0, 0.3, 0.7, 1.0);
        foreach (var change in Unsynced)
        {
            var isLost = (change.Removed is { } removed && lost.Contains(removed)) || (change.Added is { } added && lost.Contains(added)) || !choices.Chance(survival);
            if (isLost)
            {
                if (change.Removed is not null)
                    lost.Add(change.Removed);
                if (change.Added is not null)
                    lost.Add(change.Added);
                continue;
            }

            change.ApplyTo(DurableNames);
        }

        Unsynced.Clear();
        Names = new(DurableNames, StringComparer.Ordinal);
    }
}

/// <summary>A change of a directory: a name that goes, a name that comes, or both in one step.</summary>
internal sealed record NameChange(string? Removed, string? Added, Inode Inode)
{
    public void ApplyTo(SortedDictionary<string, Inode> names)
    {
        if (Removed is not null)
            names.Remove(Removed);
        if (Added is not null)
            names[Added] = Inode;
    }
}
