namespace AsyncLog;

/// <summary>A piece of a file name: fixed text, a date, or (neither is set) the number.</summary>
internal sealed record FileNamePart(string? Text, FileDateFormat? Date)
{
    public static FileNamePart Number { get; } = new(null, null);

    public bool IsNumber => Text is null && Date is null;

    public static FileNamePart Fixed(string text) => new(text, null);
}
