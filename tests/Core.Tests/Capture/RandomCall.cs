using System.Globalization;
using System.Reflection;
using System.Text;
using AsyncLog.Tests.Calls;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>One call in the code, made up from a seed: its template, level and event id stay, its values are others each time.</summary>
internal sealed class RandomCall
{
    private const int MostArgs = 9;
    private static readonly LogLevel[] Levels = [LogLevel.Trace, LogLevel.Debug, LogLevel.Information, LogLevel.Information, LogLevel.Warning, LogLevel.Error, LogLevel.Critical];
    private static readonly EventId[] Ids = [default, default, 7, new(7, "Seven"), new(0, "None"), new(-5, "quo\"ted \\"), new(int.MaxValue, "Gr\u00F6\u00DFe"), new(9, "")];

    private static readonly string[] Literals =
    [
        "", "", " ", " of ", ", ", "Order ", " took {{", "}} ms", "{{x}}", "{{{{", "\"quoted\" ", "\\", "\u00E4\u20AC ", "\uD83D\uDE00", "\uD83D", "\uDE00", "\n", "\0", "\u007F", "100%", "'", "<b>", "=> ",
        "a literal that is longer than any block of constant text, with more than sixty-four characters in it ",
    ];

    private static readonly string[] Names =
    [
        "Id", "Name", "A", "B", "a", "A_b", "0", "with space", "\u00E4", "", "name.with.dots", " lead", "Scope", "Scopes", "SourceContext", "EventId", "Message", "Level", "State", "Category", "Timestamp",
        "TraceId", "SpanId", "t", "m", "mt", "quo\"ted", "logrecord.event.id",
    ];

    // An object as JSON, as text, and a name that begins with a sign.
    private static readonly string[] Operators = ["@", "$", "@@"];

    private static readonly MethodInfo[] Generated = [.. typeof(GeneratedMessages).GetMethods(BindingFlags.Public | BindingFlags.Static | BindingFlags.DeclaredOnly)];

    private readonly Func<Values, (Action<ILogger> Call, Action<ILogger>? Cold)> _next;

    private RandomCall(Func<Values, (Action<ILogger>, Action<ILogger>?)> next, string text) => (_next, Text) = (next, text);

    /// <summary>What a failure says of it.</summary>
    public string Text { get; }

    /// <param name="messages">The signatures of <c>LoggerMessage.Define</c> to choose from.</param>
    public static RandomCall New(CallValues values, DefinedMessage[] messages)
    {
        while (true)
        {
            var call = values.Below(20) switch
            {
                < 9 => OfTemplate(values),
                < 14 => OfDefine(values, values.Pick(messages)),
                < 17 => OfGenerator(values.Pick(Generated)),
                17 => Constant(values),
                _ => Built(values),
            };
            try
            {
                call.Next(values).Call(new ReadCall());
                return call;
            }
            catch (FormatException)
            {
                // MEL refuses the template before any logger sees it.
            }
        }
    }

    /// <summary>The call with other values, and the same from a place that no logger knows.</summary>
    public (Action<ILogger> Call, Action<ILogger>? Cold) Next(CallValues values) => _next(new Values(values));

    private static RandomCall OfTemplate(CallValues values)
    {
        var (level, id) = (values.Pick(Levels), values.Pick(Ids));
        var types = Enumerable.Range(0, values.Below(MostArgs + 1)).Select(_ => values.Type()).ToArray();
        var template = Template(values, types);
        return new RandomCall(
            random =>
            {
                var args = random.Args(types);
                // Sometimes values of other types, too many, or too few.
                if (args.Length > 0 && random.Source.Chance(25))
                    args[random.Source.Below(args.Length)] = random.Source.Next(random.Source.Type());
                if (random.Source.Chance(60))
                    args = random.Source.Chance(2) ? [.. args, "more"] : args[..Math.Max(0, args.Length - 1)];
                return (logger => logger.Log(level, id, random.Exception, template, args), logger => logger.Log(level, id, random.Exception, new string(template), args));
            },
            $"{level} {id.Id} {id.Name} template {template} of {Named(types)}");
    }

    private static RandomCall OfDefine(CallValues values, DefinedMessage message)
    {
        var (level, id) = (values.Pick(Levels), values.Pick(Ids));
        var template = Template(values, message.Types);
        Action<ILogger, object?[], Exception?>? log = null;
        return new RandomCall(
            random =>
            {
                log ??= message.DefineAs(level, id, template);
                var args = random.Args(message.Types);
                return (logger => log(logger, args, random.Exception), logger => message.DefineAs(level, id, new string(template))(logger, args, random.Exception));
            },
            $"{level} {id.Id} {id.Name} defined {template} of {Named(message.Types)}");
    }

    private static RandomCall OfGenerator(MethodInfo method)
        => new(
            random =>
            {
                var args = method.GetParameters().Select(parameter => parameter.ParameterType == typeof(ILogger) ? null : random.Source.Kinds.Next(parameter.ParameterType)).ToArray();
                return (logger => method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [logger, .. args[1..]], null), null);
            },
            method.Name);

    // The same text each time.
    private static RandomCall Constant(CallValues values)
    {
        var (level, id) = (values.Pick(Levels), values.Pick(Ids));
        var text = values.Chance(20) ? null : new string(values.Pick(Literals) + values.Text() + values.Pick(Literals));
        return new RandomCall(random => (logger => logger.Log(level, id, random.Exception, text), logger => logger.Log(level, id, random.Exception, text is null ? null : new string(text))), $"{level} {id.Id} {id.Name} constant {text}");
    }

    // Another text each time.
    private static RandomCall Built(CallValues values)
    {
        var (level, id) = (values.Pick(Levels), values.Pick(Ids));
        return new RandomCall(
            random =>
            {
                var text = $"{random.Source.Pick(Literals)}{random.Source.Text()} {random.Source.Below(1000)}{random.Source.Text()}";
                return (logger => logger.Log(level, id, random.Exception, text), logger => logger.Log(level, id, random.Exception, new string(text)));
            },
            $"{level} {id.Id} {id.Name} built");
    }

    private static string Template(CallValues values, Type[] types)
    {
        var template = new StringBuilder(values.Pick(Literals));
        foreach (var type in types)
        {
            template.Append('{').Append(values.Chance(60) ? values.Pick(Operators) : "").Append(values.Pick(Names));
            if (values.Chance(6))
                template.Append(values.Chance(3) ? ", " : ",").Append((values.Below(40) - 20).ToString(CultureInfo.InvariantCulture));
            if (type != typeof(object) && values.Chance(3) && values.Kinds.FormatOf(values.Next(type)) is { } format)
                template.Append(':').Append(format);
            template.Append('}').Append(values.Pick(Literals));
        }

        return template.ToString();
    }

    private static string Named(Type[] types) => string.Join(", ", types.Select(static type => type.Name));

    private sealed class Values(CallValues source)
    {
        public CallValues Source => source;

        public Exception? Exception { get; } = source.Chance(30) ? new IOException("failed \u20AC\nat line 2") : null;

        public object?[] Args(Type[] types) => Array.ConvertAll(types, source.Next);
    }
}
