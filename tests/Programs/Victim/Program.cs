using AsyncLog.Victim;
using Microsoft.Extensions.Configuration;

// A program that logs, for faults that have to happen to a process. What it does is said on its standard input, one command per line; its arguments are
// configuration: --Logging:AsyncFile:Path=... With --Ledger=FILE it keeps in that file, through memory that outlives it, what was accepted.
var configuration = new ConfigurationBuilder().AddCommandLine(args).Build();
// The command "return" ends it without disposing the logger, the end of the input disposes it.
var patient = configuration["Host"] is null ? Patient.Alone(configuration) : Patient.Hosted(configuration);
Console.WriteLine("ready");
while (Console.ReadLine() is { } line)
{
    if (line == "return")
        return;
    Console.WriteLine(patient.Do(line.Split(' ')));
}

((IDisposable)patient).Dispose();
