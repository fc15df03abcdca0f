using System.Globalization;
using System.Text.Encodings.Web;
using System.Text.Json;
using System.Text.Json.Nodes;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Architecture.Options;

/// <summary>Makes the JSON schema (draft 7) of a configuration section, as it stands in <c>appsettings.json</c>.</summary>
/// <remarks>
/// Editors merge the schemas of all packages of a project and let references between them be lost: a schema has no references. Words are completed as they are
/// written here and accepted ignoring case, as the product accepts them; keys are not, for a schema cannot say that.
/// </remarks>
internal static class OptionsSchema
{
    private const string SizePattern = "[0-9]+|[0-9]+(\\.[0-9]{1,2})? ?([KkMmGgTt][Ii]?)?[Bb]";
    private const string TimePattern = "[0-9]+(\\.[0-9]+)? ?([Mm][Ss]|[SsMmHhDd])|([0-9]+\\.)?[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{1,7})?";

    private static readonly JsonSerializerOptions Indented = new() { WriteIndented = true, Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping, NewLine = "\n" };

    public static string Create(OptionReference reference)
    {
        var section = Section(reference, reference.Rows, prefix: "");
        section["description"] = Plain(reference.Summary);
        if (reference.ChildrenKey is { } children)
        {
            section["properties"]![children] = new JsonObject
            {
                ["type"] = "object",
                ["description"] = "Named instances: a section each, which inherits what it does not set itself but LogLevel, Enabled and where records go.",
                ["propertyNames"] = new JsonObject { ["pattern"] = "^[A-Za-z0-9_.-]{1,64}$" },
                ["additionalProperties"] = Section(reference, reference.Rows, prefix: ""),
            };
        }

        if (reference.ForeignKey is { } foreign)
            section["properties"]![foreign] = new JsonObject { ["type"] = "object" };
        var node = section;
        foreach (var name in reference.Section.Split(':').Reverse())
            node = new JsonObject { ["type"] = "object", ["properties"] = new JsonObject { [name] = node } };
        node.Insert(0, "$schema", "http://json-schema.org/draft-07/schema#");
        return node.ToJsonString(Indented) + "\n";
    }

    private static JsonObject Section(OptionReference reference, IEnumerable<OptionRow> rows, string prefix)
    {
        var properties = new JsonObject();
        foreach (var group in rows.GroupBy(row => row.Key[prefix.Length..].Split(':')[0], StringComparer.Ordinal))
        {
            var name = prefix + group.Key;
            if (group.First() is { } row && row.Key == name)
            {
                properties[group.Key] = Option(row);
                continue;
            }

            var inner = Section(reference, group, name + ":");
            inner["description"] = Plain(reference.SummaryOf(name));
            properties[group.Key] = inner;
        }

        return new JsonObject { ["type"] = "object", ["properties"] = properties, ["additionalProperties"] = false };
    }

    private static JsonObject Option(OptionRow row)
    {
        var schema = Value(row.Form);
        schema["description"] = Plain($"{row.Summary} {row.Value}".Trim());
        if (row.Default is { } value && row.Form.Kind != OptionFormKind.Map)
            schema["default"] = DefaultOf(row.Form.Kind, value);
        return schema;
    }

    private static JsonNode DefaultOf(OptionFormKind kind, string value) => kind switch
    {
        OptionFormKind.Boolean => bool.Parse(value),
        OptionFormKind.Integer or OptionFormKind.Percent => int.Parse(value, CultureInfo.InvariantCulture),
        _ => value,
    };

    private static JsonObject Value(OptionForm form) => form.Kind switch
    {
        OptionFormKind.Boolean => Scalar(form, "boolean", $"{AnyCase("true")}|{AnyCase("false")}"),
        OptionFormKind.Integer => Bounded(Scalar(form, "integer", "-?[0-9]+"), form),
        OptionFormKind.Percent => Bounded(Scalar(form, "integer", "[0-9]+%?"), form),
        OptionFormKind.Size => Bounded(Scalar(form, "integer", SizePattern), form),
        OptionFormKind.Time => Scalar(form, null, TimePattern),
        OptionFormKind.Octal => Scalar(form, "integer", "[0-7]{3,4}"),
        OptionFormKind.Choice when form.Type == typeof(LogLevel) => Level(form.IsOptional),
        OptionFormKind.Choice => Choice(form.Words, form.IsOptional, null),
        OptionFormKind.OpenChoice => Choice(form.Words, form.IsOptional, new JsonObject { ["type"] = "string" }),
        OptionFormKind.Map => Map(form),
        _ when form.Type is { IsEnum: true } type => Choice(Enum.GetNames(type), form.IsOptional, new JsonObject { ["type"] = new JsonArray("string", "integer") }),
        _ when form.Type is null || form.Type == typeof(Uri) => new JsonObject { ["type"] = Types(form.IsOptional, "string") },
        _ => new JsonObject { ["type"] = Types(form.IsOptional, "string", "number") },
    };

    // A pattern says nothing about numbers, minimum and maximum say nothing about texts.
    private static JsonObject Scalar(OptionForm form, string? type, string pattern)
    {
        var alternatives = form.Words.Select(AnyCase).Append(pattern);
        if (form.IsOptional)
            alternatives = alternatives.Prepend("");
        return new JsonObject
        {
            ["type"] = type is null ? Types(form.IsOptional, "string") : Types(form.IsOptional, type, "string"),
            ["pattern"] = $"^({string.Join('|', alternatives)})$",
        };
    }

    private static JsonObject Bounded(JsonObject schema, OptionForm form)
    {
        if (form.Least is { } least and not int.MinValue)
            schema["minimum"] = least;
        if (form.Most is { } most and not (int.MaxValue or int.MaxValue - 1 or long.MaxValue))
            schema["maximum"] = most;
        return schema;
    }

    private static JsonObject Choice(IReadOnlyList<string> words, bool isOptional, JsonObject? other)
    {
        var ignoringCase = string.Join('|', words.Select(AnyCase));
        var schema = new JsonObject
        {
            ["anyOf"] = new JsonArray(
                new JsonObject { ["enum"] = new JsonArray([.. words.Select(static word => JsonValue.Create(word))]) },
                other ?? new JsonObject { ["type"] = "string", ["pattern"] = $"^({ignoringCase}{(isOptional ? "|" : "")})$" }),
        };
        if (isOptional)
            schema["anyOf"]!.AsArray().Add(new JsonObject { ["type"] = "null" });
        return schema;
    }

    // A name, or a number of one digit as a number or a text.
    private static JsonObject Level(bool isOptional)
    {
        var schema = Choice(Enum.GetNames<LogLevel>(), isOptional, null);
        schema["anyOf"]!.AsArray().Add(new JsonObject { ["type"] = "string", ["pattern"] = "^[0-6]$" });
        schema["anyOf"]!.AsArray().Add(new JsonObject { ["type"] = "integer", ["minimum"] = 0, ["maximum"] = (int)LogLevel.None });
        return schema;
    }

    private static JsonObject Map(OptionForm form)
    {
        JsonObject Values() => form.Type == typeof(LogLevel)
            ? Level(isOptional: true)
            : new JsonObject { ["type"] = new JsonArray("string", "number", "boolean", "null") };

        var schema = new JsonObject { ["type"] = "object" };
        if (form.NameType is { IsEnum: true } names)
        {
            schema["properties"] = new JsonObject(Enum.GetNames(names).Select(name => KeyValuePair.Create(name, (JsonNode?)Values())));
            schema["additionalProperties"] = false;
        }
        else
        {
            schema["additionalProperties"] = Values();
        }

        return schema;
    }

    private static JsonNode Types(bool isOptional, params IEnumerable<string> types)
    {
        string[] all = isOptional ? [.. types, "null"] : [.. types];
        return all.Length == 1 ? all[0] : new JsonArray([.. all.Select(static type => JsonValue.Create(type))]);
    }

    private static string AnyCase(string word)
        => string.Concat(word.Select(static letter => char.IsAsciiLetter(letter) ? $"[{char.ToUpperInvariant(letter)}{char.ToLowerInvariant(letter)}]" : Regex.Escape(letter.ToString())));

    private static string Plain(string markdown) => markdown.Replace("`", "", StringComparison.Ordinal).Replace("\n", " ", StringComparison.Ordinal);
}
