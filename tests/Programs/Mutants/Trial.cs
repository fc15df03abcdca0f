namespace AsyncLog.Mutants;

/// <summary>The classes of a test project in the order in which they are tried on a mutant: those that are likely to kill it, and fast, come first.</summary>
internal sealed class Trial(TestProject project, Mutant mutant)
{
    // Seconds of tests in the first group. Each group is a process.
    private const double FirstGroup = 4;

    /// <summary>The classes that execute the mutant, in groups that grow.</summary>
    public IEnumerable<IReadOnlyList<string>> Executing
    {
        get
        {
            var group = new List<string>();
            var most = FirstGroup;
            foreach (var name in project.Classes.Where(name => project.Executes(name, mutant)).OrderBy(Distance).ThenBy(name => project.SecondsOf([name])))
            {
                if (group.Count > 0 && project.SecondsOf(group) + project.SecondsOf([name]) > most)
                {
                    yield return group;
                    group = [];
                    most *= 4;
                }

                group.Add(name);
            }

            if (group.Count > 0)
                yield return group;
        }
    }

    /// <summary>The other classes, in one group.</summary>
    public IEnumerable<IReadOnlyList<string>> Rest
    {
        get
        {
            string[] rest = [.. project.Classes.Where(name => !project.Executes(name, mutant))];
            return rest.Length > 0 ? [rest] : [];
        }
    }

    // 0: the tests are named after the file; 1: they have the namespace of its folder; 2: others.
    private int Distance(string className)
    {
        var path = mutant.Place.File.Split('/');
        if (className[(className.LastIndexOf('.') + 1)..].StartsWith(Path.GetFileNameWithoutExtension(path[^1]), StringComparison.Ordinal))
            return 0;
        return path.Length > 3 && className.StartsWith($"AsyncLog.Tests.{path[2]}.", StringComparison.Ordinal) ? 1 : 2;
    }
}
