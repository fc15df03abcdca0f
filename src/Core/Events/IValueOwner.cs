namespace AsyncLog;

/// <summary>The event that values belong to, for <see cref="NameOperators"/>.</summary>
internal interface IValueOwner
{
    /// <summary>Serializes an object; null if it is written as without a sign. Valid until the end of the event.</summary>
    ObjectJson? TrySerialize(object value);

    /// <summary>Counts a placeholder.</summary>
    void CountRenderError(Exception fault);
}
