namespace AsyncLog.Allocation;

/// <summary>What a path has written, watched without allocating: a flush of the logger would cost what is being measured.</summary>
internal abstract class Written : IDisposable
{
    private long _seen;

    /// <summary>Returns when there is more than the last time, and nothing more comes.</summary>
    public void WaitUntilQuiet()
    {
        var grown = _seen;
        for (var quiet = 0; quiet < QuietMilliseconds; quiet++)
        {
            Thread.Sleep(1);
            var bytes = Bytes;
            if (bytes != _seen || bytes == grown)
                quiet = 0;
            _seen = bytes;
        }
    }

    public abstract void Dispose();

    /// <summary>How long nothing has to come; the last segment of a burst may stay open longer, it is one of many.</summary>
    protected virtual int QuietMilliseconds => 3;

    /// <summary>How much there is.</summary>
    protected abstract long Bytes { get; }
}
