using System.Text;

namespace AsyncLog.Tests;

/// <summary>Keeps what the process writes to stderr, where AsyncLog tells of itself. Tests run side by side: look for lines by name.</summary>
internal sealed class StandardError : TextWriter
{
    private static readonly Lazy<StandardError> Instance = new(static () =>
    {
        var error = new StandardError();
        Console.SetError(error);
        return error;
    });

    // What is written on behalf of a test, on whatever thread.
    private static readonly AsyncLocal<List<string>?> Heard = new();

    private readonly Lock _gate = new();
    private readonly List<string> _lines = [];

    public override Encoding Encoding => Encoding.UTF8;

    public static void Keep() => _ = Instance.Value;

    /// <summary>Keeps what this flow of execution writes from now on.</summary>
    public static IReadOnlyList<string> Hear()
    {
        Keep();
        return Heard.Value = [];
    }

    /// <summary>What a list of <see cref="Hear"/> has by now, while other threads may still write.</summary>
    public static string[] Copy(IReadOnlyList<string> heard)
    {
        lock (Instance.Value._gate)
            return [.. heard];
    }

    public static string[] LinesWith(string text)
    {
        lock (Instance.Value._gate)
            return [.. Instance.Value._lines.Where(line => line.Contains(text, StringComparison.Ordinal))];
    }

    public override void WriteLine(string? value)
    {
        lock (_gate)
        {
            _lines.Add(value ?? "");
            Heard.Value?.Add(value ?? "");
        }
    }

    public override void Write(string? value) => WriteLine(value);

    public override void Write(char value) => WriteLine(value.ToString());
}
