using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncLog.Tests;

/// <summary>Exceptions whose full type name, message and text are chosen by a vector.</summary>
public abstract class VectorException : Exception
{
    private static readonly ModuleBuilder Module = AssemblyBuilder
        .DefineDynamicAssembly(new AssemblyName("VectorExceptions"), AssemblyBuilderAccess.Run).DefineDynamicModule("all");

    private static readonly Dictionary<string, Type> Types = new(StringComparer.Ordinal);

    private string? _message;
    private string _text = "";

    public override string Message => _message ?? throw new InvalidOperationException("no message");

    public override string ToString() => _text;

    /// <param name="type">The full name of its type.</param>
    /// <param name="message">What <see cref="Message"/> returns; null: it throws.</param>
    /// <param name="text">What <see cref="ToString"/> returns.</param>
    public static Exception Of(string type, string? message, string text)
    {
        var exception = (VectorException)RuntimeHelpers.GetUninitializedObject(TypeOf(type));
        exception._message = message;
        exception._text = text;
        return exception;
    }

    private static Type TypeOf(string name)
    {
        lock (Types)
        {
            if (!Types.TryGetValue(name, out var type))
                Types[name] = type = Module.DefineType(name, TypeAttributes.Public, typeof(VectorException)).CreateType();
            return type;
        }
    }
}
