namespace AsyncLog;

/// <summary>Where an option got its value, for messages and for the question whether it was inherited.</summary>
/// <param name="Layer">The layer that set it last.</param>
/// <param name="Path">The full key path, or the registration call and the property.</param>
/// <param name="Text">The value as it was written; null when it comes from code.</param>
internal readonly record struct KeyPlace(OptionLayer Layer, string Path, string? Text)
{
    /// <summary>Whether a child only inherited it.</summary>
    public bool IsParents => Layer is OptionLayer.ParentSection or OptionLayer.ParentCode;
}
