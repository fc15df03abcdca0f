namespace WebApp;

/// <summary>How many requests were logged.</summary>
internal sealed class RequestCount
{
    private long _value;

    public long Value => Interlocked.Read(ref _value);

    public void Add() => Interlocked.Increment(ref _value);
}
