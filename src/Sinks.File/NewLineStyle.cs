namespace AsyncLog;

/// <summary>How line breaks inside messages and values are written in text files.</summary>
public enum NewLineStyle
{
    /// <summary>As <c>\n</c> and <c>\r</c>: one record, one line.</summary>
    Escape,

    /// <summary>As a line end and two spaces: a line that does not begin with a space begins a record.</summary>
    Indent,
}
