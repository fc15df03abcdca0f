using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace AsyncLog.Tests.Vectors;

/// <summary>Exceptions whose full type name, message and text a vector chooses.</summary>
public abstract class VectorException : Exception
{
    private static readonly ModuleBuilder Module = AssemblyBuilder
        .DefineDynamicAssembly(new AssemblyName("VectorExceptions"), AssemblyBuilderAccess.Run).DefineDynamicModule("all");

    private static readonly Dictionary<string, Type> Types = new(StringComparer.Ordinal);

    private Func<string?>? _message;
    private Func<string?>? _text;

    public override string Message => _message!()!;

    public override string ToString() => _text is null ? base.ToString() : _text()!;

    /// <param name="type">The full name of its type.</param>
    /// <param name="message">Gives <see cref="Message"/>.</param>
    /// <param name="text">Gives <see cref="ToString"/>; null: what every exception's gives.</param>
    public static Exception Of(string type, Func<string?> message, Func<string?>? text = null)
    {
        var exception = (VectorException)RuntimeHelpers.GetUninitializedObject(TypeOf(type));
        exception._message = message;
        exception._text = text;
        return exception;
    }

    /// <param name="type">The full name of its type.</param>
    /// <param name="message">What <see cref="Message"/> gives.</param>
    /// <param name="text">What <see cref="ToString"/> gives.</param>
    public static Exception Of(string type, string message, string text) => Of(type, () => message, () => text);

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
