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
    private bool _isTemplate;
    private bool _isKept;

    /// <summary>Whether there is no message at all.</summary>
    public bool IsNull => !_isTemplate && _text is null;

    public void Begin(int limit)
    {
        _limit = limit;
        _isTemplate = false;
        _isKept = false;
    }

    public void SetText(string? text)
    {
        _text = text;
        _isTemplate = false;
        _isKept = false;
    }

    public void SetTemplate(MessageTemplate template)
    {
        // Parsed templates are shared by all events: kept, and compared instead of stored again.
        if (!ReferenceEquals(_template, template))
            _template = template;
        _isTemplate = true;
        _isKept = false;
    }

    /// <summary>The message, whole runes up to the limit.</summary>
    public ReadOnlySpan<byte> GetUtf8(LogEvent owner)
    {
        if (!_isKept)
            Render(owner);
        return _utf8.WrittenSpan[.._length];
    }

    /// <summary>The length of the whole message.</summary>
    public long GetTotal(LogEvent owner)
    {
        if (!_isKept)
            Render(owner);
        return _utf8.Total;
    }

    /// <summary>Renders the message to where it goes; false when it is kept already.</summary>
    public bool TryWrite(ref Utf8Writer writer, LogEvent owner)
    {
        if (_isKept)
            return false;
        Write(ref writer, owner);
        return true;
    }

    /// <summary>Keeps a message that was rendered elsewhere.</summary>
    public void Keep(ReadOnlySpan<byte> utf8)
    {
        _utf8.Reset(_limit);
        _utf8.Append(utf8);
        Keep();
    }

    /// <summary>Drops every reference, and memory that is far more than usual.</summary>
    public void End()
    {
        _text = null;
        _scratch?.Trim(KeptBytes);
        if (_isKept)
            _utf8.Trim(KeptBytes);
    }

    private void Render(LogEvent owner)
    {
        _utf8.Reset(_limit);
        // Before user code runs: what logs inside has an event of its own, and what asks again sees what there is.
        _isKept = true;
        _length = 0;
        var writer = new Utf8Writer(_utf8);
        Write(ref writer, owner);
        writer.Flush();
        Keep();
    }

    private void Write(ref Utf8Writer writer, LogEvent owner)
    {
        if (_isTemplate)
        {
            owner.RenderErrors += MessageRenderer.Render(_template!, owner.GetHoleValues(), ref writer, ref _scratch);
            return;
        }
        writer.IsPlain = true;
        MessageWriter.Write(ref writer, _text);
        writer.EndText();
    }

    private void Keep()
    {
        _isKept = true;
        _length = _utf8.IsTruncated ? Truncation.WholeRunes(_utf8.WrittenSpan) : _utf8.WrittenSpan.Length;
    }
}
