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
