using System.Diagnostics;
using System.Globalization;
using AsyncLog.Mutants;

// Mutants [COUNT [SEED [FOLDER...]]]: changes places of src that the seed chooses, and prints the changes that no test sees.
// docs/testing.md says how to judge them.
(string Folder, string[] Tests)[] parts =
[
    ("src/AspNetCore", ["tests/AspNetCore.Tests"]),
    ("src/Core", ["tests/Core.Tests"]),
    ("src/Network.Shared", ["tests/Sinks.Otlp.Tests", "tests/Sinks.Syslog.Tests"]),
    ("src/Sinks.Console", ["tests/Sinks.Console.Tests"]),
    ("src/Sinks.File", ["tests/Sinks.File.Tests"]),
    ("src/Sinks.Otlp", ["tests/Sinks.Otlp.Tests"]),
    ("src/Sinks.Syslog", ["tests/Sinks.Syslog.Tests"]),
];
var count = 100;
var seed = Random.Shared.Next(1, 1_000_000);
if ((args.Length > 0 && !(int.TryParse(args[0], NumberStyles.None, CultureInfo.InvariantCulture, out count) && count > 0))
    || (args.Length > 1 && !int.TryParse(args[1], NumberStyles.None, CultureInfo.InvariantCulture, out seed)))
    return Refuse("Usage: mutants [COUNT [SEED [FOLDER...]]], with numbers from 1 and folders of src");
var folders = args.Length > 2 ? args[2..] : [.. parts.Select(static part => part.Folder)];
if (Array.Find(folders, folder => !Array.Exists(parts, part => part.Folder == folder)) is { } unknown)
    return Refuse($"'{unknown}' is none of {string.Join(", ", parts.Select(static part => part.Folder))}");
if (!File.Exists("AsyncLog.sln"))
    return Refuse("The current folder is not the root of the repository");

Console.WriteLine($"./test.sh mutants {count} {seed}{string.Concat(args.Skip(2).Select(static folder => " " + folder))}");
using var copy = new WorkingCopy(Directory.GetCurrentDirectory());
Place[] places = [.. copy.FindPlaces(folders)];
new Random(seed).Shuffle(places);
Console.WriteLine($"{places.Length} places");
var watch = Stopwatch.StartNew();
string[] projects = [.. parts.Where(part => folders.Contains(part.Folder)).SelectMany(static part => part.Tests).Distinct()];
const string Simulated = "tests/Simulation";
var mutants = copy.Build(places, count, [Simulated, .. projects]);
Console.WriteLine($"built: {watch.Elapsed.TotalSeconds:F0} s");
var simulation = new TestProject(copy, Simulated, "AsyncLog.Tests.SimulationTests.A_hundred_seeds_keep_every_promise");
var tests = projects.ToDictionary(static project => project, project => new TestProject(copy, project));
foreach (var project in tests.Values.Prepend(simulation))
    project.Learn(mutants.Max(static mutant => mutant.Id));
Console.WriteLine($"learned what executes which mutant: {watch.Elapsed.TotalSeconds:F0} s");

// First what executes a mutant, for all of them. Then the rest of the tests for those that live: what is executed once in a process counts for one class only.
var killed = 0;
var alive = mutants.Where(mutant => !IsKilled(mutant, [simulation, .. Fitting(mutant)], static trial => trial.Executing)).ToList();
var survivors = alive.Where(mutant => !IsKilled(mutant, Fitting(mutant), static trial => trial.Rest)).ToList();

Console.WriteLine($"\n{mutants.Count} mutants, {killed} killed, {survivors.Count} survivors, {watch.Elapsed.TotalMinutes:F0} minutes\n");
foreach (var mutant in survivors)
    Console.WriteLine(mutant.Place + (IsExecuted(mutant) ? "" : "\n    no test executes it") + "\n");
return 0;

IEnumerable<TestProject> Fitting(Mutant mutant)
    => parts.Single(part => mutant.Place.File.StartsWith(part.Folder + "/", StringComparison.Ordinal)).Tests.Select(project => tests[project]);

bool IsExecuted(Mutant mutant) => Fitting(mutant).Append(simulation).Any(project => project.Classes.Any(name => project.Executes(name, mutant)));

bool IsKilled(Mutant mutant, IEnumerable<TestProject> programs, Func<Trial, IEnumerable<IReadOnlyList<string>>> groups)
{
    var started = watch.Elapsed;
    var killer = programs.SelectMany(project => groups(new(project, mutant)).Select(group => project.TryKill(mutant, group)))
        .FirstOrDefault(static killer => killer is not null);
    killed += killer is null ? 0 : 1;
    var state = killer is null ? "alive" : "killed by " + killer;
    Console.WriteLine($"\n{watch.Elapsed.TotalSeconds:F0} s, in {(watch.Elapsed - started).TotalSeconds:F0} s: {mutant.Place}\n    {state}");
    return killer is not null;
}

static int Refuse(string reason)
{
    Console.Error.WriteLine(reason);
    return 2;
}
