using System.Diagnostics.CodeAnalysis;
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace AsyncLog;

/// <summary>Makes the options of System.Text.Json that write the values of <c>{@Item}</c>: the defaults, or a copy of the application's.</summary>
/// <remarks>What applies to members at every depth is a modifier of the contract (<see cref="JsonTypeInfoResolver.WithAddedModifier"/>), which runs once per type.</remarks>
internal static class ObjectContract
{
    /// <summary>The levels of containers in the JSON of an object.</summary>
    public const int DefaultDepth = 8;

    /// <summary>Makes the options; they are read-only.</summary>
    /// <param name="options">The application's options, or null for the defaults.</param>
    public static JsonSerializerOptions Create(JsonSerializerOptions? options)
    {
        var created = options is null ? Defaults() : new JsonSerializerOptions(options);
        created.TypeInfoResolver = JsonTypeInfoResolver.Combine(created.TypeInfoResolver).WithAddedModifier(RemoveFields);
        // Behind the converters of the application, of which the first that can convert a type does.
        created.Converters.Add(new ObjectTextConverter());
        created.Converters.Add(new TokenConverter());
        created.MaxDepth = ObjectJson.SerializedDepth;
        // A record is one line.
        created.WriteIndented = false;
        created.MakeReadOnly();
        return created;
    }

    /// <summary>Makes the options that an application changes.</summary>
    public static JsonSerializerOptions Defaults()
    {
        var options = new JsonSerializerOptions
        {
            ReferenceHandler = ReferenceHandler.IgnoreCycles,
            DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
            NumberHandling = JsonNumberHandling.AllowNamedFloatingPointLiterals,
            Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
            IncludeFields = true,
            MaxDepth = DefaultDepth,
            TypeInfoResolver = Reflection(),
        };
        options.Converters.Add(EnumNameConverter());
        return options;
    }

    // The converter of System.Text.Json makes code at run time.
    private static JsonConverter EnumNameConverter() => RuntimeFeature.IsDynamicCodeSupported ? new JsonStringEnumConverter() : new EnumTextConverter();

    // Fields are included for the sake of tuples, whose elements are fields. Elsewhere a field is written only if an attribute says so.
    private static void RemoveFields(JsonTypeInfo type)
    {
        if (type.Kind != JsonTypeInfoKind.Object || type.Type.IsAssignableTo(typeof(ITuple)))
            return;
        for (var i = type.Properties.Count - 1; i >= 0; i--)
        {
            if (type.Properties[i].AttributeProvider is FieldInfo field && !field.IsDefined(typeof(JsonIncludeAttribute)))
                type.Properties.RemoveAt(i);
        }
    }

    [UnconditionalSuppressMessage("Trimming", "IL2026", Justification = "Off in a trimmed application, unless the application switches it on.")]
    [UnconditionalSuppressMessage("AOT", "IL3050", Justification = "Off in an application that is compiled ahead, unless the application switches it on.")]
    private static DefaultJsonTypeInfoResolver? Reflection() => JsonSerializer.IsReflectionEnabledByDefault ? new DefaultJsonTypeInfoResolver() : null;
}
