using System.Globalization;
using AsyncLog.Tests;

// Usage: AsyncLog.Endurance [seconds [soak seconds]]. Ends with one line "N passed, N failed, N skipped"; exit code 1 on any failure.
// For the first time other programs work against the files (0: not at all); then a soak, undisturbed.
// The shortest times in which every check can be made: five kinds of trouble, and forty looks at memory, one a second.
var seconds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : ReleaseRun.Count(usual: 25, release: 1_800);
var soak = args.Length > 1 ? int.Parse(args[1], CultureInfo.InvariantCulture) : ReleaseRun.Count(usual: 45, release: 3_600);
var checks = new Checks();
if (seconds > 0)
{
    using var ground = new Ground(seconds);
    new EnduranceRun(TimeSpan.FromSeconds(seconds), ground, checks).Run();
}

new SoakRun(TimeSpan.FromSeconds(soak), checks).Run();
return checks.Finish();
