namespace AsyncLog;

/// <summary>What a value is written into.</summary>
internal enum ValueStyle : byte
{
    Text,

    /// <summary>A string of JSON.</summary>
    JsonString,

    /// <summary>JSON: a string has quotes.</summary>
    Json,
}

/// <summary>An element of JSON, compared with the text of the same value in a string of JSON.</summary>
internal enum ElementForm : byte
{
    /// <summary>Another text, at least for some values.</summary>
    Other,

    /// <summary>The same text.</summary>
    Same,

    /// <summary>The same text in quotes.</summary>
    Quoted,
}
