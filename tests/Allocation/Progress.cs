namespace AsyncLog.Tests;

/// <summary>How far a destination is, watched without allocating: a flush of the logger would cost what is being measured.</summary>
internal abstract class Progress : IDisposable
{
    private readonly int _quietPolls;
    private readonly Func<bool> _isQuiet;
    private long _length;
    private long _lengthBefore;
    private int _quiet;

    /// <param name="quietPolls">How many polls in a row must find nothing new; the last segment of a burst may stay open longer, it is one of many.</param>
    protected Progress(int quietPolls)
    {
        _quietPolls = quietPolls;
        _isQuiet = IsQuiet;
    }

    /// <summary>Where it listens; 0: nowhere.</summary>
    public virtual int Port => 0;

    /// <summary>Returns when there is more than the last time, and no more comes.</summary>
    public void WaitUntilQuiet()
    {
        _lengthBefore = _length;
        _quiet = 0;
        Eventually.True(_isQuiet);
    }

    public abstract void Dispose();

    /// <summary>The bytes that arrived.</summary>
    protected abstract long ReadLength();

    private bool IsQuiet()
    {
        var length = ReadLength();
        _quiet = length != _length || length == _lengthBefore ? 0 : _quiet + 1;
        _length = length;
        return _quiet == _quietPolls;
    }
}
