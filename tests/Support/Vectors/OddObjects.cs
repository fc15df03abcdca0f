using System.Collections;
using System.Reflection;
using System.Reflection.Emit;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>Types of a given full name whose <c>ToString</c> throws or gives null.</summary>
public static class OddTypes
{
    private static readonly ModuleBuilder Module = AssemblyBuilder
        .DefineDynamicAssembly(new AssemblyName("OddTypes"), AssemblyBuilderAccess.Run).DefineDynamicModule("all");

    public static object Of(string fullName, bool throws)
    {
        var parent = throws ? typeof(Throwing) : typeof(Silent);
        lock (Module)
        {
            var type = Module.GetType(fullName) ?? Module.DefineType(fullName, TypeAttributes.Public, parent).CreateType();
            Assert.Equal(parent, type.BaseType);
            return Activator.CreateInstance(type)!;
        }
    }

    private static string Fail() => throw new InvalidOperationException("no text");

    public class Throwing
    {
        public override string ToString() => Fail();
    }

    public class Silent
    {
        public override string? ToString() => null;
    }
}

/// <summary>A value that logs while it is rendered, on the caller's thread or on one that it waits for.</summary>
internal sealed class LoggingValue(ILogger logger, string message, bool isElsewhere)
{
    public override string ToString()
    {
        if (!isElsewhere)
        {
            logger.Log(LogLevel.Information, default, message, null, static (text, _) => text);
            return "logged";
        }

        var thread = new Thread(() => logger.Log(LogLevel.Information, default, message, null, static (text, _) => text)) { IsBackground = true };
        thread.Start();
        thread.Join();
        return "logged";
    }
}

/// <summary>A log state that fails where a reader would not expect it.</summary>
internal sealed class ThrowingState(Func<Exception> failure, string where) : IReadOnlyList<KeyValuePair<string, object?>>
{
    public int Count => where == "Count" ? throw failure() : 1;

    public KeyValuePair<string, object?> this[int index] => where == "Indexer" ? throw failure() : new("a", 1);

    public IEnumerator<KeyValuePair<string, object?>> GetEnumerator()
    {
        if (where is "Enumeration" or "Indexer")
            throw failure();
        yield return new("a", 1);
    }

    IEnumerator IEnumerable.GetEnumerator() => GetEnumerator();
}
