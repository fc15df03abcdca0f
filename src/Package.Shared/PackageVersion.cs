using System.Reflection;

namespace AsyncLog;

/// <summary>Compares the version of this package with that of the core, which it runs with. Uses no member of the core: another version may lack it.</summary>
internal static class PackageVersion
{
    private static readonly string? Difference = Compare(typeof(PackageVersion).Assembly, typeof(IAsyncLogControl).Assembly);

    /// <summary>To be called before the first member of the core is used, by a method that itself uses none.</summary>
    /// <exception cref="InvalidOperationException">The versions differ: the message names both and the cure.</exception>
    public static void Check()
    {
        if (Difference is not null)
            throw new InvalidOperationException(Difference);
    }

    private static string? Compare(Assembly own, Assembly core)
    {
        var (ownVersion, coreVersion) = (VersionOf(own), VersionOf(core));
        return ownVersion == coreVersion
            ? null
            : $"{own.GetName().Name} {ownVersion} runs with {core.GetName().Name} {coreVersion}, but the packages of AsyncLog work together only in the same version. Reference the same version of each.";
    }

    // Without the commit. Null where a trimmed application has no attributes.
    private static string? VersionOf(Assembly assembly) => assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion.Split('+')[0];
}
