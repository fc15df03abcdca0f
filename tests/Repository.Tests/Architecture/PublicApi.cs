using System.Diagnostics.CodeAnalysis;
using System.Globalization;
using System.Reflection;

namespace AsyncLog.Tests.Architecture;

/// <summary>The public and protected members of an assembly as lines of text, sorted.</summary>
internal static class PublicApi
{
    private const BindingFlags Declared = BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
    private static readonly NullabilityInfoContext Nullability = new();

    public static List<string> Of(Assembly assembly)
    {
        var lines = new List<string>();
        foreach (var type in assembly.GetExportedTypes())
        {
            lines.Add(Head(type));
            if (typeof(Delegate).IsAssignableFrom(type))
                continue;
            lines.AddRange(type.GetMembers(Declared).Select(member => Line(type, member)).OfType<string>());
        }

        lines.Sort(StringComparer.Ordinal);
        return lines;
    }

    private static string Head(Type type)
    {
        var kind = type switch
        {
            { IsEnum: true } => "enum",
            { IsInterface: true } => "interface",
            { IsValueType: true } => "struct",
            _ when typeof(Delegate).IsAssignableFrom(type) => "delegate " + Name(type.GetMethod("Invoke")!.ReturnType),
            { IsAbstract: true, IsSealed: true } => "static class",
            { IsAbstract: true } => "abstract class",
            { IsSealed: true } => "sealed class",
            _ => "class",
        };
        var bases = type.IsEnum || type.IsValueType || type.BaseType is null || type.BaseType == typeof(object) || type.BaseType == typeof(MulticastDelegate)
            ? type.GetInterfaces()
            : [type.BaseType, .. type.GetInterfaces().Except(type.BaseType.GetInterfaces())];
        var names = bases.Where(static one => !IsOfEveryRecord(one)).Select(Name).Order(StringComparer.Ordinal).ToList();
        return $"{Full(type)}: {Mark(type)}{kind}{(names.Count == 0 || type.IsEnum ? "" : " : " + string.Join(", ", names))}";

        static bool IsOfEveryRecord(Type one) => one.IsGenericType && one.GetGenericTypeDefinition() == typeof(IEquatable<>);
    }

    private static string? Line(Type type, MemberInfo member) => member switch
    {
        FieldInfo { IsSpecialName: true } => null,
        FieldInfo field when IsVisible(field) && type.IsEnum => $"{Full(type)}.{field.Name} = {Convert.ToInt64(field.GetRawConstantValue(), CultureInfo.InvariantCulture)}",
        FieldInfo field when IsVisible(field) =>
            $"{Full(type)}.{field.Name}: {Mark(field)}{(field.IsLiteral ? "const " : field.IsStatic ? "static " : "")}{Name(field.FieldType)}{Question(Nullability.Create(field))}",
        PropertyInfo property when Accessors(property) is { Length: > 0 } accessors =>
            $"{Full(type)}.{property.Name}{Indexer(property)}: {Mark(property)}{Modifiers((property.GetMethod ?? property.SetMethod)!)}{Name(property.PropertyType)}{Question(Nullability.Create(property))} {{ {accessors}}}",
        EventInfo { AddMethod: { } add } raised when IsVisible(add) => $"{Full(type)}.{raised.Name}: {Mark(raised)}event {Name(raised.EventHandlerType!)}",
        ConstructorInfo { IsStatic: false } constructor when IsVisible(constructor) => $"{Full(type)}({Parameters(constructor)}): {Mark(constructor)}constructor",
        MethodInfo method when IsVisible(method) && !IsOfCompiler(type, method) =>
            $"{Full(type)}.{method.Name}{Generic(method)}({Parameters(method)}): {Mark(method)}{Modifiers(method)}{Name(method.ReturnType)}{Question(Nullability.Create(method.ReturnParameter))}",
        _ => null,
    };

    // Of a record: what the compiler writes is not a decision. Of a property or an event: it stands there.
    private static bool IsOfCompiler(Type type, MethodInfo method)
        => (method.IsSpecialName && !method.Name.StartsWith("op_", StringComparison.Ordinal))
            || method.Name.StartsWith('<')
            || method.Name is "PrintMembers"
            || (method.Name is "Equals" or "GetHashCode" or "ToString" or "op_Equality" or "op_Inequality" && type.GetMethod("PrintMembers", Declared) is not null);

    private static bool IsVisible(FieldInfo field) => field.IsPublic || field.IsFamily || field.IsFamilyOrAssembly;

    private static bool IsVisible(MethodBase method) => method.IsPublic || method.IsFamily || method.IsFamilyOrAssembly;

    private static string Accessors(PropertyInfo property)
    {
        if (property.Name == "EqualityContract")
            return "";
        var get = property.GetMethod is { } getter && IsVisible(getter) ? "get; " : "";
        var isInit = property.SetMethod?.ReturnParameter.GetRequiredCustomModifiers().Length > 0;
        var set = property.SetMethod is { } setter && IsVisible(setter) ? isInit ? "init; " : "set; " : "";
        return get + set;
    }

    private static string Modifiers(MethodInfo method)
        => (method.IsFamily || method.IsFamilyOrAssembly ? "protected " : "")
            + (method.IsStatic ? "static " : "")
            + (method.DeclaringType!.IsInterface ? method.IsAbstract ? "" : "default " : method.IsAbstract ? "abstract " : method is { IsVirtual: true, IsFinal: false } ? method.GetBaseDefinition() == method ? "virtual " : "override " : "");

    private static string Indexer(PropertyInfo property) => property.GetIndexParameters() is { Length: > 0 } parameters ? $"[{string.Join(", ", parameters.Select(Parameter))}]" : "";

    private static string Generic(MethodInfo method) => method.IsGenericMethod ? $"<{string.Join(", ", method.GetGenericArguments().Select(Constrained))}>" : "";

    private static string Constrained(Type parameter)
        => string.Join(" : ", [parameter.Name, .. parameter.GetGenericParameterConstraints().Select(Name).Order(StringComparer.Ordinal)]);

    private static string Parameters(MethodBase method) => string.Join(", ", method.GetParameters().Select(Parameter));

    private static string Parameter(ParameterInfo parameter)
        => (parameter.IsOut ? "out " : parameter.IsIn ? "in " : parameter.ParameterType.IsByRef ? "ref " : "")
            + Name(parameter.ParameterType) + Question(Nullability.Create(parameter)) + " " + parameter.Name
            + (parameter.HasDefaultValue ? " = " + (parameter.DefaultValue is null ? "default" : string.Create(CultureInfo.InvariantCulture, $"{parameter.DefaultValue}")) : "");

    // A value type that may be null says so in its name.
    private static string Question(NullabilityInfo info)
        => !info.Type.IsValueType && (info.ReadState == NullabilityState.Nullable || info.WriteState == NullabilityState.Nullable) ? "?" : "";

    private static string Mark(MemberInfo member)
        => (member.GetCustomAttribute<ExperimentalAttribute>() is { } experimental ? $"[{experimental.DiagnosticId}] " : "")
            + (member.IsDefined(typeof(ObsoleteAttribute)) && member is not Type { IsByRefLike: true } ? "[Obsolete] " : "")
            + (member.IsDefined(typeof(System.Runtime.CompilerServices.RequiredMemberAttribute)) && member is PropertyInfo or FieldInfo ? "required " : "");

    private static string Full(Type type) => type.DeclaringType is { } outer ? Full(outer) + "." + Name(type) : type.Namespace + "." + Name(type);

    private static string Name(Type type)
    {
        if (type.IsByRef)
            return Name(type.GetElementType()!);
        if (type.IsArray)
            return Name(type.GetElementType()!) + "[]";
        if (Nullable.GetUnderlyingType(type) is { } underlying)
            return Name(underlying) + "?";
        if (!type.IsGenericType)
            return type.Name;
        var tick = type.Name.IndexOf('`', StringComparison.Ordinal);
        var arguments = type.GetGenericArguments();
        return tick < 0 ? type.Name : $"{type.Name[..tick]}<{string.Join(", ", arguments.Select(argument => type.IsGenericTypeDefinition ? Constrained(argument) : Name(argument)))}>";
    }
}
