using System.Reflection;
using System.Reflection.Emit;

namespace AsyncLog.Tests;

/// <summary>Types of a given full name whose <c>ToString</c> throws or gives null.</summary>
public static class OddTypes
{
    private static readonly ModuleBuilder Module = AssemblyBuilder
        .DefineDynamicAssembly(new AssemblyName("OddTypes"), AssemblyBuilderAccess.Run).DefineDynamicModule("all");

    public static object Of(string fullName, bool throws)
    {
        lock (Module)
        {
            var type = Module.GetType(fullName) ?? Module.DefineType(fullName, TypeAttributes.Public, throws ? typeof(Throwing) : typeof(Silent)).CreateType();
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
