using System.Diagnostics.CodeAnalysis;

namespace AsyncLog;

/// <summary>Events and record buffers of one thread, one pair per depth of re-entrance, made on first need. Ends with its thread.</summary>
internal sealed class CaptureContext
{
    private const int Deepest = 4;
    private const int KeptBytes = 256 << 10;

    [ThreadStatic]
    private static CaptureContext? _current;

    private readonly LogEvent?[] _events = new LogEvent?[Deepest];
    private readonly RecordBuffer?[] _records = new RecordBuffer?[Deepest];
    private int _depth;

    public static CaptureContext Current => _current ??= new CaptureContext();

    /// <summary>Takes the next pair; false when logging nests deeper than four levels.</summary>
    public bool TryEnter([NotNullWhen(true)] out LogEvent? logEvent, [NotNullWhen(true)] out RecordBuffer? record)
    {
        if (_depth == Deepest)
        {
            logEvent = null;
            record = null;
            return false;
        }

        logEvent = _events[_depth] ??= new LogEvent();
        record = _records[_depth] ??= new RecordBuffer();
        _depth++;
        return true;
    }

    /// <summary>Gives the pair back.</summary>
    public void Exit()
    {
        _depth--;
        _records[_depth]!.Trim(KeptBytes);
    }
}
