using System.Globalization;
using AsyncLog.Endurance;

// Usage: AsyncLog.Endurance [seconds]. Ends with one line "N passed, N failed, N skipped"; exit code 1 on any failure.
var seconds = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 180;
var checks = new Checks();
using (var ground = new Ground(seconds))
    new EnduranceRun(TimeSpan.FromSeconds(seconds), ground, checks).Run();
return checks.Finish();
