using System.Text.RegularExpressions;
using YamlDotNet.Core;
using YamlDotNet.RepresentationModel;

namespace AsyncLog.Tests.Architecture;

/// <summary>The workflows of GitHub: what a linter would say, and what keeps a foreign action or a pull request from more than it needs.</summary>
public sealed partial class WorkflowTests
{
    private static readonly string[] Runners = ["ubuntu-24.04", "ubuntu-24.04-arm", "windows-2025", "macos-15"];

    public static TheoryData<string> Workflows
        => new(Directory.GetFiles(Path.Combine(Repository.Root, ".github", "workflows")).Select(static file => Path.GetFileName(file)).Order(StringComparer.Ordinal));

    public static TheoryData<string> Forms
        => new(Directory.GetFiles(Path.Combine(Repository.Root, ".github"), "*.yml", SearchOption.AllDirectories).Select(static file => Path.GetRelativePath(Repository.Root, file)).Order(StringComparer.Ordinal));

    [Theory]
    [MemberData(nameof(Forms))]
    public void A_file_is_YAML_without_a_key_twice(string file) => Assert.NotEmpty(Map(Load(Path.Combine(Repository.Root, file))).Children);

    [Fact]
    public void A_key_twice_is_found()
    {
        using var folder = new TempFolder();
        File.WriteAllText(folder.File("a.yml"), "on:\n  push: a\n  push: b\n");
        Assert.ThrowsAny<YamlException>(() => Load(folder.File("a.yml")));
    }

    [Theory]
    [MemberData(nameof(Workflows))]
    public void A_workflow_may_read_the_repository_and_nothing_else(string workflow)
    {
        var root = Workflow(workflow);

        Assert.Equal(["contents: read"], Map(root["permissions"]).Select(static right => $"{right.Key}: {right.Value}"));
        Assert.DoesNotContain("pull_request_target", Names(root["on"]));
        Assert.NotEmpty(Jobs(root));
        Assert.All(Jobs(root), static job => Assert.False(job.Children.ContainsKey("permissions")));
        Assert.DoesNotContain("secrets.", Text(workflow), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Workflows))]
    public void Every_job_has_a_runner_of_a_fixed_version_and_ends_in_time(string workflow)
    {
        foreach (var job in Jobs(Workflow(workflow)))
        {
            Assert.InRange(int.Parse(job["timeout-minutes"].ToString(), System.Globalization.CultureInfo.InvariantCulture), 1, 90);
            var runner = job["runs-on"].ToString();
            var runners = MatrixName().Match(runner) is { Success: true } name ? OfMatrix(job, name.Groups[1].Value) : [runner];
            Assert.NotEmpty(runners);
            Assert.Empty(runners.Except(Runners));
        }
    }

    [Theory]
    [MemberData(nameof(Workflows))]
    public void Every_action_is_pinned_by_its_commit_with_its_version_beside_it(string workflow)
    {
        var uses = Text(workflow).Split('\n').Where(static line => line.Contains("uses:", StringComparison.Ordinal)).ToList();

        Assert.NotEmpty(uses);
        Assert.All(uses, static line => Assert.Matches(@"^ +- uses: actions/(checkout|setup-dotnet|upload-artifact)@[0-9a-f]{40} # v\d+\.\d+\.\d+$|^ +uses: actions/upload-artifact@[0-9a-f]{40} # v\d+\.\d+\.\d+$", line));

        // One version of an action everywhere.
        var all = Workflows.SelectMany(static row => Text(row.Data).Split('\n')).Where(static line => line.Contains("uses:", StringComparison.Ordinal)).Select(static line => line[(line.IndexOf("uses:", StringComparison.Ordinal) + 5)..].Trim()).Distinct(StringComparer.Ordinal);
        Assert.NotEmpty(all);
        Assert.All(all.GroupBy(static action => action.Split('@')[0], StringComparer.Ordinal), static action => Assert.Single(action));
    }

    [Theory]
    [MemberData(nameof(Workflows))]
    public void A_step_runs_or_uses_and_keeps_no_credentials(string workflow)
    {
        foreach (var step in Jobs(Workflow(workflow)).SelectMany(static job => (YamlSequenceNode)job["steps"]).Select(Map))
        {
            Assert.Empty(step.Children.Keys.Select(static key => key.ToString()).Except(["name", "uses", "with", "run", "if", "shell", "env"]));
            Assert.NotEqual(step.Children.ContainsKey("run"), step.Children.ContainsKey("uses"));
            if (step.Children.ContainsKey("uses") && step["uses"].ToString().StartsWith("actions/checkout@", StringComparison.Ordinal))
                Assert.Equal("false", step["with"]["persist-credentials"].ToString());

            // What others write - titles, names of branches - reaches no shell.
            if (step.Children.ContainsKey("run"))
                Assert.DoesNotContain("${{", step["run"].ToString(), StringComparison.Ordinal);
        }
    }

    [Theory]
    [MemberData(nameof(Workflows))]
    public void Every_script_that_a_step_runs_is_there_and_may_be_run(string workflow)
    {
        var scripts = Script().Matches(Text(workflow)).Select(static match => match.Value).Distinct(StringComparer.Ordinal).ToList();

        Assert.NotEmpty(scripts);
        Assert.All(scripts, static script => Assert.True(File.Exists(Path.Combine(Repository.Root, script)), script));
        if (!OperatingSystem.IsWindows())
            Assert.All(scripts, static script => Assert.True(File.GetUnixFileMode(Path.Combine(Repository.Root, script)).HasFlag(UnixFileMode.UserExecute), script));
    }

    private static YamlMappingNode Workflow(string name)
    {
        var root = Map(Load(Path.Combine(Repository.Root, ".github", "workflows", name)));
        Assert.Empty(root.Children.Keys.Select(static key => key.ToString()).Except(["name", "on", "permissions", "concurrency", "env", "jobs"]));
        return root;
    }

    private static IEnumerable<YamlMappingNode> Jobs(YamlMappingNode root) => Map(root["jobs"]).Children.Values.Select(Map);

    private static IEnumerable<string> OfMatrix(YamlMappingNode job, string name)
    {
        var matrix = Map(job["strategy"]["matrix"]);
        return matrix.Children.TryGetValue(name, out var values)
            ? ((YamlSequenceNode)values).Select(static value => value.ToString())
            : ((YamlSequenceNode)matrix["include"]).Select(entry => entry[name].ToString());
    }

    private static IEnumerable<string> Names(YamlNode node)
        => node switch
        {
            YamlMappingNode map => map.Children.Keys.Select(static key => key.ToString()),
            YamlSequenceNode list => list.Select(static item => item.ToString()),
            _ => [node.ToString()],
        };

    private static YamlNode Load(string path)
    {
        var stream = new YamlStream();
        using var reader = new StreamReader(path);
        stream.Load(reader);
        return Assert.Single(stream.Documents).RootNode;
    }

    private static string Text(string workflow) => File.ReadAllText(Path.Combine(Repository.Root, ".github", "workflows", workflow));

    private static YamlMappingNode Map(YamlNode node) => Assert.IsType<YamlMappingNode>(node);

    [GeneratedRegex(@"^\$\{\{ matrix\.(\w+) \}\}$", RegexOptions.None, 10_000)]
    private static partial Regex MatrixName();

    [GeneratedRegex(@"\./[\w./-]+", RegexOptions.None, 10_000)]
    private static partial Regex Script();
}
