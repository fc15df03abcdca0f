namespace AsyncLog;

/// <summary>The message of one event: said as a text or as a template, rendered on first use.</summary>
internal sealed class EventMessage
{
    private const int KeptBytes = 64 * 1024;
    private readonly RecordBuffer _utf8 = new();
    private RecordBuffer? _scratch;
    private MessageTemplate? _template;
    private string? _text;
    private int _limit;
    private int _length;
    private bool _isRendered;

    /// <summary>Whether there is no message at all.</summary>
    public bool IsNull => _template is null && _text is null;

    public void Begin(int limit)
    {
        _limit = limit;
        _isRendered = false;
    }

    public void SetText(string? text)
    {
        _text = text;
        _template = null;
        _isRendered = false;
    }

    public void SetTemplate(MessageTemplate template)
    {
        _template = template;
        _isRendered = false;
    }

    /// <summary>The message, whole runes up to the limit.</summary>
    public ReadOnlySpan<byte> GetUtf8(LogEvent owner)
    {
        if (!_isRendered)
            Render(owner);
        return _utf8.WrittenSpan[.._length];
    }

    /// <summary>The length of the whole message.</summary>
    public long GetTotal(LogEvent owner)
    {
        if (!_isRendered)
            Render(owner);
        return _utf8.Total;
    }

    /// <summary>Drops every reference, and memory that is far more than usual.</summary>
    public void End()
    {
        _template = null;
        _text = null;
        _utf8.Trim(KeptBytes);
        _scratch?.Trim(KeptBytes);
    }

    private void Render(LogEvent owner)
    {
        _utf8.Reset(_limit);
        // Before user code runs: what logs inside has an event of its own, and what asks again sees what there is.
        _isRendered = true;
        _length = 0;
        if (_template is not null)
        {
            owner.RenderErrors += MessageRenderer.Render(_template, owner.Properties, _utf8, ref _scratch);
        }
        else
        {
            var writer = new MessageWriter(_utf8);
            writer.Write(_text);
            writer.Flush();
        }
        _length = _utf8.IsCut ? Utf8Boundary.WholeRunes(_utf8.WrittenSpan) : _utf8.WrittenSpan.Length;
    }
}
