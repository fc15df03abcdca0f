using AsyncLog.Victim;
using Microsoft.Extensions.Configuration;

// A program that logs, for faults that have to happen to a process. What it does is said on its standard input, one command per line; its arguments are
// configuration: --Logging:AsyncFile:Path=... With --Ledger=FILE it keeps in that file, through memory that outlives it, what was accepted.
var configuration = new ConfigurationBuilder().AddCommandLine(args).Build();
using var patient = configuration["Host"] is null ? Patient.Alone(configuration) : Patient.Hosted(configuration);
Console.WriteLine("ready");
while (Console.ReadLine() is { } line)
    Console.WriteLine(patient.Do(line.Split(' ')));
