namespace AsyncLog.Allocation;

/// <summary>How far a destination is, watched without allocating: a flush of the logger would cost what is being measured.</summary>
/// <param name="quietMilliseconds">How long nothing has to come; the last segment of a burst may stay open longer, it is one of many.</param>
internal abstract class Progress(int quietMilliseconds) : IDisposable
{
    private long _length;

    /// <summary>Returns when there is more than the last time, and no more comes.</summary>
    public void WaitUntilQuiet()
    {
        var grown = _length;
        for (var quiet = 0; quiet < quietMilliseconds; quiet++)
        {
            Thread.Sleep(1);
            var length = ReadLength();
            if (length != _length || length == grown)
                quiet = 0;
            _length = length;
        }
    }

    public abstract void Dispose();

    /// <summary>The bytes that arrived.</summary>
    protected abstract long ReadLength();
}
