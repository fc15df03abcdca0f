using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>What is known of one type of state, without its type.</summary>
internal abstract class StateReader
{
    private static readonly object NoFormatter = new();

    /// <summary>The layout, once it was found and verified, if no value is available only in a box. Null: the state has to be read into an event.</summary>
    public StateLayout? OpenLayout { get; private set; }

    /// <summary>True once the message that is rendered from the layout was compared with that of the formatter.</summary>
    public bool IsProven => ProofOfText == Proof.Proven;

    /// <summary>The last formatter that was found to be MEL's own. Never null: a null formatter is not.</summary>
    public object OwnFormatter { get; protected set; } = NoFormatter;

    /// <summary>The layout, once it was found and verified.</summary>
    protected StateLayout? Layout { get; private set; }

    /// <summary>Whether the text that is rendered from the template is that of MEL's own formatter.</summary>
    protected Proof ProofOfText { get; set; }

    /// <summary>The states of <see cref="ProofOfText"/>.</summary>
    protected enum Proof
    {
        Missing,
        Proven,
        Refuted,
    }

    /// <summary>Renders the message, unless values run code of users; false then, or if an error left a placeholder.</summary>
    protected static bool CanCompare(LogEvent target)
    {
        foreach (ref readonly var property in target.Properties)
        {
            if (property.Value.Object is not (null or string[]))
                return false;
        }

        var captured = target.RenderErrors;
        var ours = target.Message;
        if (target.RenderErrors == captured && ours.Length == target.MessageLength)
            return true;

        // The layouts count them, each on its own.
        target.DiscardRendered(captured);
        return false;
    }

    /// <summary>Compares the rendered message with the formatter's text, which replaces it if it differs.</summary>
    protected void Compare(LogEvent target, string? theirs)
    {
        var isSame = theirs is not null && target.Message.SequenceEqual(Encoding.UTF8.GetBytes(theirs));
        ProofOfText = isSame ? Proof.Proven : Proof.Refuted;
        if (isSame)
            return;
        target.SetMessage(theirs);
        ReportUnmeasured("text");
    }

    /// <summary>Reports, once for a type, that each of its records needs an event.</summary>
    protected void ReportUnmeasured(string reason)
    {
        if (AsyncLogEventSource.Log.IsEnabled(EventLevel.Verbose, AsyncLogEventSource.Keywords.Render))
            AsyncLogEventSource.Log.StateNotMeasured(StateType.FullName ?? StateType.Name, reason);
    }

    /// <summary>The type of the states.</summary>
    protected abstract Type StateType { get; }

    /// <summary>Sets the layout.</summary>
    protected void Use(StateLayout layout)
    {
        Layout = layout;
        if (!layout.HasBoxed)
            OpenLayout = layout;
    }

    /// <summary>Creates the reader of a type; null: any reader reads it. A class is judged by the object that is passed, a struct by its type: the reader is closed over the
    /// struct, so that it is never boxed.</summary>
    protected static StateReader? Create(Type type)
    {
        if (!RuntimeFeature.IsDynamicCodeSupported || !type.IsValueType || !type.IsAssignableTo(typeof(IReadOnlyList<KeyValuePair<string, object?>>)))
            return null;
        var isMel = MelStates.IsTemplateCall(type) || MelStates.IsDefined(type);
        var reader = isMel ? typeof(MelStateReader<>)
            : type.IsAssignableTo(typeof(IUnboxedState)) ? typeof(UnboxedStateReader<>)
            : MelStates.IsGenerated(type) && !type.IsCollectible ? typeof(GeneratedStateReader<>)
            : typeof(ListStateReader<>);
        return (StateReader)Activator.CreateInstance(reader.MakeGenericType(type))!;
    }
}

/// <summary>Reads the state of one closed type into an event: its properties, its template and the message.</summary>
internal abstract class StateReader<TState> : StateReader
{
    /// <summary>The reader of the type, chosen once.</summary>
    public static readonly StateReader<TState> Instance = (StateReader<TState>?)Create(typeof(TState)) ?? new AnyStateReader<TState>();

    protected sealed override Type StateType => typeof(TState);

    /// <summary>True if values are read in place, without boxes. For tests.</summary>
    public virtual bool HasLayout => false;

    /// <summary>True if the text of MEL's own formatter was found to differ. For tests.</summary>
    public virtual bool IsRefuted => false;

    /// <summary>Reads a state. Never throws; exceptions of user code are counted in the event and leave a placeholder.</summary>
    public abstract void Read(ref TState state, Func<TState, Exception?, string> formatter, LogEvent target);
}

/// <summary>Reads states of any type: key/value pairs if it has them. The caller's formatter makes the message.</summary>
internal sealed class AnyStateReader<TState> : StateReader<TState>
{
    private static readonly bool MayHaveSecrets = typeof(TState) == typeof(object) || typeof(TState).IsInterface || MelStates.HasSecretValues(typeof(TState));

    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, LogEvent target)
    {
        if ((MayHaveSecrets && state is not null && MelStates.HasSecretValues(state.GetType())) || MelStates.HasSecretValues(target.EventName, target.Category))
            target.CompleteState(ref state, formatter, null, null);
        else
            target.ReadState(ref state, formatter);
    }
}

/// <summary>Reads structs that are lists of pairs, without a box. The caller's formatter makes the message.</summary>
internal sealed class ListStateReader<TState> : StateReader<TState>
    where TState : IReadOnlyList<KeyValuePair<string, object?>>
{
    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, LogEvent target)
    {
        string? template = null;
        var fault = PairReader.ReadList(ref state, PairReader.MaxPairs, target.State, target.Owner, ref template);
        target.CompleteState(ref state, formatter, template, fault);
    }
}

/// <summary>Reads the states that the source generator of <c>[LoggerMessage]</c> makes for more than six values. The formatter makes the message of an event; a known call has
/// none, once the text that is rendered from the template was found to be the same.</summary>
internal sealed class GeneratedStateReader<TState> : StateReader<TState>
    where TState : IReadOnlyList<KeyValuePair<string, object?>>
{
    private const int EventsBeforeLayout = 16;
    private int _events;

    public override bool HasLayout => Layout is not null;

    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, LogEvent target)
    {
        string? template = null;
        var fault = PairReader.ReadList(ref state, PairReader.MaxPairs, target.State, target.Owner, ref template);
        target.CompleteState(ref state, formatter, template, fault);
        if (fault is null && template is not null && Layout is null && _events <= EventsBeforeLayout && Interlocked.Increment(ref _events) == EventsBeforeLayout
            && TemplateTable.Find(template) is { HasOperators: false } parsed && MelStates.IsGeneratedFormatter(formatter, typeof(TState)))
            FindLayout(ref state, formatter, parsed, target);
    }

    private void FindLayout(ref TState state, Func<TState, Exception?, string> formatter, MessageTemplate template, LogEvent target)
    {
        if (StateLayout.TryFindGenerated(ref state, template) is not { } layout)
        {
            ReportUnmeasured("fields");
            return;
        }

        // The values of a later event have a text.
        foreach (ref readonly var property in target.Properties)
        {
            if (property.ValueRef.Kind is LogValueKind.Null)
            {
                Volatile.Write(ref _events, 0);
                return;
            }
        }

        if (layout.Verify(ref Unsafe.As<TState, byte>(ref state), target.Properties) && IsSameText(template, target))
        {
            OwnFormatter = formatter;
            Use(layout);
        }
    }

    private bool IsSameText(MessageTemplate template, LogEvent target)
    {
        var rendered = new RecordBuffer();
        var writer = new Utf8Writer(rendered);
        MessageRenderer.Render(template, new TemplateArguments(target.Properties), ref writer, target.Scratch);
        writer.Flush();
        ProofOfText = rendered.WrittenSpan.SequenceEqual(target.Message) ? Proof.Proven : Proof.Refuted;
        return IsProven;
    }
}

/// <summary>Reads states that return their values without boxes; the message is rendered from the template, without the formatter.</summary>
internal sealed class UnboxedStateReader<TState> : StateReader<TState>
    where TState : IUnboxedState
{
    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, LogEvent target)
    {
        string? text = null;
        Exception? fault = null;
        try
        {
            text = state.Template;
            var count = Math.Min(state.Count - 1, PairReader.MaxPairs);
            for (var i = 0; i < count; i++)
            {
                var property = state.GetProperty(i);
                target.State.Add(property.Name, in property.ValueRef);
            }
        }
        catch (Exception exception)
        {
            // Counted by CompleteState.
            fault = exception;
        }

        var template = fault is null ? TemplateTable.Find(text!) : null;
        // As in a scope: what is no argument of the template has its sign in its own name.
        if (template is not null)
            NameOperators.ApplyToNames(target.State, template.Names.Length, target.Owner);
        if (template is not null && template.Names.Length <= target.State.Count && IsOwn(formatter))
        {
            target.SetTemplate(template);
            target.SetMessageFromTemplate();
        }
        else
        {
            target.CompleteState(ref state, formatter, text, fault);
        }
    }

    private bool IsOwn(Func<TState, Exception?, string> formatter)
    {
        // Another formatter comes from a wrapper of the logger: its message differs.
        if (formatter is null || (!ReferenceEquals(formatter, OwnFormatter) && formatter.Method.Module != typeof(TState).Module))
            return false;
        OwnFormatter = formatter;
        return true;
    }
}

/// <summary>Reads the states of Microsoft.Extensions.Logging itself; the message is rendered from the template, without the formatter.</summary>
/// <remarks>
/// <para>Once a state's type was used often enough to pay for finding its layout, values are read in place: the fields of
/// <c>LoggerMessage.Define</c> without boxes, the arguments of a template call in their array.</para>
/// <para>The text is compared once with that of the formatter, on the first event whose values run no code of users; should a later MEL
/// format differently, the formatter decides from then on.</para>
/// </remarks>
internal sealed class MelStateReader<TState> : StateReader<TState>
    where TState : IReadOnlyList<KeyValuePair<string, object?>>
{
    private const int EventsBeforeLayout = 16;

    // What is compiled for a layout stays with the template and with the logger. Both would keep the assembly of a plug-in's enum in memory.
    private readonly bool _mayHaveLayout = !typeof(TState).IsCollectible
        && (MelStates.IsTemplateCall(typeof(TState)) || MelStates.IsDefined(typeof(TState)));
    private int _events;
    private StateLayout? _candidate;

    public override bool IsRefuted => ProofOfText == Proof.Refuted;

    public override bool HasLayout => Layout is not null;

    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, LogEvent target)
    {
        var template = Layout is { } layout ? ReadFields(ref state, layout, target) : ReadPairs(ref state, target);
        var isOwn = ReferenceEquals(formatter, OwnFormatter) || TakeFormatter(formatter);
        if (template is null || ProofOfText == Proof.Refuted || !isOwn)
        {
            // The text of a formatter has no JSON.
            if (template is not null && ReferenceEquals(template, target.State.Template))
                target.SetMessageFromTemplate();
            else
                target.FormatMessage(ref state, formatter);
            return;
        }
        target.SetMessageFromTemplate();
        if (ProofOfText == Proof.Missing && !template.HasOperators && CanCompare(target))
            Compare(target, FormatByMel(ref state, formatter, target.Exception));
    }

    private MessageTemplate? ReadFields(ref TState state, StateLayout layout, LogEvent target)
    {
        ref var bytes = ref Unsafe.As<TState, byte>(ref state);
        if (FindTemplate(ref bytes, layout) is not { } template)
            return ReadPairsAndRemember(ref state, layout, target);
        target.SetTemplate(template);
        if (!layout.HasBoxed && !template.HasOperators)
        {
            target.SetState(ref bytes, layout);
            return template;
        }
        ReadValues(ref state, layout, template, target);
        return template;
    }

    // Not inlined: the usual state is read later, or never.
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void ReadValues(ref TState state, StateLayout layout, MessageTemplate template, LogEvent target)
    {
        layout.ReadAll(ref Unsafe.As<TState, byte>(ref state), template.Names, target.State);
        for (var i = 0; layout.HasBoxed && i < template.Names.Length; i++)
        {
            if (layout.IsBoxed(i))
                target.State.Set(i, LogValue.FromObject(state[i].Value));
        }
        if (template.HasOperators)
            NameOperators.Apply(template, target.State, target.Owner);
    }

    // Null also where a call does not have an argument for each placeholder. A text without arguments may be built for each call, so it is neither parsed nor kept.
    private static MessageTemplate? FindTemplate(ref byte state, StateLayout layout)
    {
        var count = layout.GetCount(ref state);
        if ((count == 0 && layout.IsTemplateCall) || layout.GetOwner(ref state) is not { } owner)
            return null;
        var template = layout.IsTemplateCall ? TemplateTable.Find(Unsafe.As<string>(owner)) : TemplateTable.FindByOwner(owner);
        return template?.Names.Length == count ? template : null;
    }

    // A template that is new: its names were those of the state, so the formatter identifies it from now on.
    private MessageTemplate? ReadPairsAndRemember(ref TState state, StateLayout layout, LogEvent target)
    {
        var template = ReadPairs(ref state, target);
        ref var bytes = ref Unsafe.As<TState, byte>(ref state);
        if (template is null || layout.IsTemplateCall || target.Properties.Length != layout.GetCount(ref bytes))
            return template;
        for (var i = 0; i < target.Properties.Length; i++)
        {
            if (target.Properties[i].Name != template.Names[i])
                return template;
        }
        if (layout.GetOwner(ref bytes) is { } owner)
            TemplateTable.Add(owner, template);
        return template;
    }

    // Returns the template where the message may be rendered from it.
    private MessageTemplate? ReadPairs(ref TState state, LogEvent target)
    {
        var arguments = state.Count - 1;
        // The last pair is the template; read first, so that the event has it even when an argument is missing.
        var text = PairReader.ReadTemplate(ref state, arguments);
        target.SetTemplate(text);
        // Without arguments only the formatter decides whether doubled braces are one or two.
        if (arguments == 0 && (text is null || text.AsSpan().ContainsAny('{', '}') || MelStates.IsTemplateCall(typeof(TState))))
        {
            FindLayoutOnce(ref state, target);
            return null;
        }

        string? ignored = null;
        // Throws where a call has fewer arguments than placeholders. The message counts that: A_missing_argument_leaves_a_placeholder.
        _ = PairReader.ReadList(ref state, Math.Min(arguments, PairReader.MaxPairs), target.State, target.Owner, ref ignored);
        var template = text is null || arguments > PairReader.MaxPairs ? null : TemplateTable.Find(text);
        if (template is not null && template.Names.Length == arguments)
            target.SetTemplate(template);
        else
            template = null;
        // Compares the values, so before signs are applied to them.
        if (template is not null)
            FindLayoutOnce(ref state, target);
        NameOperators.Apply(target.State, 0, text, target.Owner);
        return template;
    }

    private bool TakeFormatter(Func<TState, Exception?, string>? formatter)
    {
        if (formatter is null || !MelStates.IsOwnFormatter(formatter))
            return false;
        OwnFormatter = formatter;
        return true;
    }

    private void FindLayoutOnce(ref TState state, LogEvent target)
    {
        if (_mayHaveLayout && Layout is null && _events <= EventsBeforeLayout && Interlocked.Increment(ref _events) == EventsBeforeLayout)
            FindLayout(ref state, target);
    }

    private void FindLayout(ref TState state, LogEvent target)
    {
        // Found once: that costs far more than to read a state.
        if ((_candidate ??= StateLayout.TryFind(ref state)) is not { } layout)
        {
            ReportUnmeasured("fields");
            return;
        }

        ref var bytes = ref Unsafe.As<TState, byte>(ref state);
        // A call with more arguments than placeholders proves nothing: a later one is tried.
        if (layout.GetCount(ref bytes) != target.Properties.Length)
            Volatile.Write(ref _events, 0);
        else if (layout.Verify(ref bytes, target.Properties))
            Use(layout);
        else
            ReportUnmeasured("values");
    }

    // Null and an exception count as a difference: the rendered text has no error.
    private static string? FormatByMel(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception)
    {
        try
        {
            return formatter(state, exception);
        }
        catch (Exception)
        {
            return null;
        }
    }
}
