namespace AsyncLog;

/// <summary>Resolves configured paths to the names of a file set.</summary>
internal static class AsyncFilePath
{
    /// <summary>The path of an instance that has none.</summary>
    public const string Default = "logs/{ApplicationName}.log";

    /// <summary>The path of a named instance without one: its parent's, with the name before the extension.</summary>
    /// <param name="parentPath">As configured, tokens included; null: the default.</param>
    public static string ForChild(string? parentPath, string instance)
    {
        string path = string.IsNullOrEmpty(parentPath) ? Default : parentPath;
        int dot = path.LastIndexOf('.');

        // A dot in a folder or inside a token (a date format may have some) begins no extension.
        bool isExtension = dot > path.AsSpan().LastIndexOfAny('/', '\\') && dot > path.LastIndexOf('}');
        return isExtension ? $"{path[..dot]}-{instance}{path[dot..]}" : $"{path}-{instance}";
    }

    /// <summary>The names of the file set.</summary>
    /// <param name="path">Absolute; all tokens expanded but <c>{Date}</c>, braces doubled.</param>
    /// <param name="error">The broken rule when null is returned.</param>
    public static FileNamePattern? Resolve(string path, string archiveName, RollingInterval interval, out FileNameError? error)
    {
        string folder = Path.GetDirectoryName(path) ?? "";
        if (folder.Replace("{{", "").Replace("}}", "").AsSpan().ContainsAny('{', '}'))
        {
            error = new FileNameError("{Date} is allowed only in the file name", IsArchiveName: false);
            return null;
        }

        return FileNameParser.Parse(Path.GetFileName(path), archiveName, interval, out error);
    }

    /// <summary>The folder of a resolved path, braces single.</summary>
    public static string DirectoryOf(string path) => (Path.GetDirectoryName(path) ?? Path.GetPathRoot(path) ?? "/").Replace("{{", "{").Replace("}}", "}");
}
