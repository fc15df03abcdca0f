using System.Globalization;
using AsyncLog.Endurance;

// Usage: AsyncLog.Endurance [seconds [soak]]. Ends with one line "N passed, N failed, N skipped"; exit code 1 on any failure.
// Without "soak": somebody works against the logger for that long, then a soak of 10 s.
const int ShortSoak = 10;
var seconds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 180;
var checks = new Checks();
var isSoak = args is [_, "soak"];
if (!isSoak)
{
    using var ground = new Ground(seconds);
    new EnduranceRun(TimeSpan.FromSeconds(seconds), ground, checks).Run();
}

new SoakRun(TimeSpan.FromSeconds(isSoak ? seconds : ShortSoak), checks).Run();
return checks.Finish();
