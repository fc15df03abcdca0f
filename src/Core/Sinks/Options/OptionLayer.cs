namespace AsyncLog;

/// <summary>The layer a value comes from. Later ones overrule earlier ones.</summary>
internal enum OptionLayer
{
    Default,
    ParentSection,
    ParentCode,
    ChildSection,
    ChildCode,
    PostConfigure,
}
