using System.Globalization;
using AsyncLog.Tests;

// Usage: AsyncLog.Stress [seconds] [first seed]. Ends with one line "N passed, N failed"; exit code 1 on any finding.
var seconds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : ReleaseRun.Count(usual: 30, release: 3_600);
var seed = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : Random.Shared.Next(1_000_000);
var started = DateTime.UtcNow;
var passed = 0;
var failed = 0;
var total = 0L;
while (DateTime.UtcNow - started < TimeSpan.FromSeconds(seconds))
{
    var plan = StressPlan.Draw(seed++);
    var findings = new StressRound(plan, new StressSink(plan.Mood, plan.Seed), TimeSpan.FromMilliseconds(700)).Run(out var calls);
    total += calls;
    if (findings.Count == 0)
    {
        passed++;
        continue;
    }

    failed++;
    Console.WriteLine($"FAILED {plan}");
    foreach (var finding in findings)
        Console.WriteLine("  " + finding);
}

Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"stress: {total} calls in {passed + failed} rounds"));
Console.WriteLine(string.Create(CultureInfo.InvariantCulture, $"{passed} passed, {failed} failed"));
return failed == 0 && total > 0 ? 0 : 1;
