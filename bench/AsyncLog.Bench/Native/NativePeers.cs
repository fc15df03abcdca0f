using System.Diagnostics;

namespace AsyncLog.Bench;

/// <summary>The programs of bench/native, built on demand; those that cannot be built here are left out with a note.</summary>
internal sealed class NativePeers
{
    private const string Jars = "/usr/share/java/log4j-api.jar:/usr/share/java/log4j-core.jar:/usr/share/java/disruptor.jar";

    private const string JavaProgram = "Log4jBench";

    private readonly string _source = Path.Combine(Repository.Root, "bench", "native");
    private readonly string _target = Directory.CreateDirectory(Path.Combine(Repository.Root, "artifacts", "bench-native")).FullName;

    /// <summary>Those of the libraries whose program can be built; says on standard error which are left out and why.</summary>
    public IReadOnlyList<string> Available(IReadOnlyList<string> libraries)
        => [.. libraries.GroupBy(ProgramOf).Where(program => TryBuild(program.Key)).SelectMany(static program => program)];

    /// <summary>The command that runs a library.</summary>
    public IReadOnlyList<string> Command(string library, string file)
    {
        var program = ProgramOf(library);
        return program == "log4j2" ? Log4j(library, file) : [Path.Combine(_target, program), "--library", library];
    }

    private static string ProgramOf(string library) => library.Split('-')[0];

    // log4j2-<ring size>[-sleep]
    private IReadOnlyList<string> Log4j(string library, string file)
    {
        var parts = library.Split('-');
        return
        [
            "java", "-Xms1g", "-Xmx1g", "-XX:+UseParallelGC",
            "-Dlog4j2.contextSelector=org.apache.logging.log4j.core.async.AsyncLoggerContextSelector",
            "-Dlog4j2.enableThreadlocals=true", "-Dlog4j2.asyncLoggerRingBufferSize=" + parts[1],
            "-Dlog4j2.asyncLoggerWaitStrategy=" + (parts.Length > 2 ? "Sleep" : "Timeout"),
            "-Dlog4j2.configurationFile=" + Path.Combine(_source, "log4j2.xml"), "-Dbench.file=" + file,
            "-cp", $"{_target}:{Jars}", JavaProgram,
        ];
    }

    private bool TryBuild(string program)
    {
        if (IsBuilt(program))
            return true;
        string[] command = program switch
        {
            "log4j2" => ["javac", "-cp", Jars, "-d", _target, Path.Combine(_source, JavaProgram + ".java")],
            "spdlog" => [.. Cpp(program), "-DSPDLOG_COMPILED_LIB", "-DSPDLOG_FMT_EXTERNAL", "-lspdlog", "-lfmt"],
            "sendto" => ["gcc", "-std=gnu11", "-O3", "-o", Path.Combine(_target, program), Path.Combine(_source, program + ".c")],
            _ => Cpp(program),
        };
        var problem = Build(command);
        if (problem is not null)
            Console.Error.WriteLine($"{program} is left out: {problem}");
        return problem is null;
    }

    // newer than every source
    private bool IsBuilt(string program)
    {
        var built = Path.Combine(_target, program == "log4j2" ? JavaProgram + ".class" : program);
        return File.Exists(built) && Directory.EnumerateFiles(_source).All(source => File.GetLastWriteTimeUtc(source) < File.GetLastWriteTimeUtc(built));
    }

    private string[] Cpp(string program) => ["g++", "-std=c++17", "-O3", "-DNDEBUG", "-pthread", "-o", Path.Combine(_target, program), Path.Combine(_source, program + ".cpp")];

    // null when it is built
    private static string? Build(string[] command)
    {
        try
        {
            using var compiler = Process.Start(new ProcessStartInfo(command[0], command.Skip(1)) { RedirectStandardError = true })!;
            var errors = ChildProcess.ReadErrors(compiler.StandardError);
            compiler.WaitForExit();
            return compiler.ExitCode == 0 ? null : errors.Split('\n')[0];
        }
        catch (System.ComponentModel.Win32Exception exception)
        {
            return exception.Message;
        }
    }
}
