namespace AsyncLog.Tests.Formatting;

/// <summary>A record as a strict receiver sees it.</summary>
internal sealed record ParsedRecord(
    int Pri, string Time, string HostName, string AppName, string ProcId, string MsgId, IReadOnlyList<ParsedElement> Data, string? Message)
{
    /// <summary>The elements by name, in order.</summary>
    public string[] Ids => [.. Data.Select(static element => element.Id)];

    /// <summary>The parameters of an element; none when it is not there.</summary>
    public IReadOnlyList<(string Name, string Value)> Parameters(string id) =>
        Data.FirstOrDefault(element => element.Id == id)?.Parameters ?? [];

    /// <summary>The value of a parameter, or null.</summary>
    public string? Value(string id, string name) =>
        Parameters(id).Where(parameter => parameter.Name == name).Select(static parameter => parameter.Value).SingleOrDefault();
}

/// <summary>An element of structured data.</summary>
internal sealed record ParsedElement(string Id, IReadOnlyList<(string Name, string Value)> Parameters);
