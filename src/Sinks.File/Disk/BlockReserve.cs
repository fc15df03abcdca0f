namespace AsyncLog;

/// <summary>Reserves blocks ahead of a file that grows, so that each write finds its place prepared. Worker only.</summary>
internal sealed class BlockReserve(IByteFile file)
{
    /// <summary>Files that stay small reserve nothing.</summary>
    private const long FirstAt = 4 << 20;

    private long _step;
    private long _limit = long.MaxValue;
    private long _end;
    private bool _isRefused;

    /// <summary>Whether blocks behind the end may be reserved.</summary>
    /// <param name="size">The size of the file.</param>
    public bool HasUnused(long size) => _end > size;

    public void Use(FileSinkSettings settings)
    {
        _step = settings.Preallocate;
        _limit = settings.SizeLimit ?? long.MaxValue;
    }

    /// <summary>Says that bytes are about to be written behind a size.</summary>
    public void Before(long size, int bytes)
    {
        if (_step == 0 || _isRefused || size < FirstAt || size + bytes <= _end)
            return;
        long from = Math.Max(size, _end);
        long length = Math.Min(_step, _limit - from);
        if (length <= 0)
            return;

        // No room or no such call: without, it is only slower.
        _isRefused = !file.TryReserve(from, length);
        if (!_isRefused)
            _end = from + length;
    }

    /// <summary>The file was cut, and with it what was reserved.</summary>
    public void Cut() => _end = 0;
}
