using System.Runtime.CompilerServices;
using System.Text;

namespace AsyncLog;

/// <summary>Reads the states of Microsoft.Extensions.Logging itself; the message is rendered from the template, without the formatter.</summary>
/// <remarks>
/// <para>Once a state's type was used often enough to pay for finding its layout, values are read where they lie: the fields of
/// <c>LoggerMessage.Define</c> without boxes, the arguments of a template call in their array.</para>
/// <para>The text is compared once with that of the formatter, on the first event whose values run no code of users; should a later MEL
/// format differently, the formatter decides from then on.</para>
/// </remarks>
internal sealed class MelStateReader<TState> : StateReader<TState>, IMelStateReader
    where TState : IReadOnlyList<KeyValuePair<string, object?>>
{
    private const int EventsBeforeLayout = 16;
    private readonly bool _mayHaveLayout = MelStates.IsTemplateCall(typeof(TState)) || (MelStates.IsDefined(typeof(TState)) && typeof(TState).IsGenericType);
    // Never null: a missing formatter is not MEL's own.
    private Func<TState, Exception?, string> _ownFormatter = static (_, _) => "";
    private StateLayout? _layout;
    private Proof _proof;
    private int _events;

    public bool IsRefuted => _proof == Proof.Refuted;

    public bool HasLayout => _layout is not null;

    private enum Proof
    {
        Missing,
        Proven,
        Refuted,
    }

    public override void Read(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        var template = _layout is { } layout ? ReadFields(ref state, layout, target) : ReadPairs(ref state, target);
        if (template is null || _proof == Proof.Refuted || !(ReferenceEquals(formatter, _ownFormatter) || Learn(formatter)))
        {
            Format(ref state, formatter, exception, target);
            return;
        }
        target.SetMessage(template);
        if (_proof == Proof.Missing)
            Prove(ref state, formatter, exception, target);
        if (_mayHaveLayout && _layout is null && _events <= EventsBeforeLayout && Interlocked.Increment(ref _events) == EventsBeforeLayout)
            FindLayout(ref state, target);
    }

    private static MessageTemplate? ReadFields(ref TState state, StateLayout layout, LogEvent target)
    {
        ref var bytes = ref Unsafe.As<TState, byte>(ref state);
        if (FindTemplate(ref bytes, layout) is not { } template)
            return ReadPairsAndRemember(ref state, layout, target);
        if (!layout.HasBoxed)
        {
            target.SetState(ref bytes, layout, template);
            return template;
        }
        target.SetMessageTemplate(template.Text);
        layout.ReadAll(ref bytes, template, target.State);
        for (var i = 0; i < template.Names.Length; i++)
        {
            if (layout.IsBoxed(i))
                target.State.Set(i, LogValue.FromObject(state[i].Value));
        }
        return template;
    }

    // Null also where a call has not an argument for each hole.
    private static MessageTemplate? FindTemplate(ref byte state, StateLayout layout)
    {
        if (layout.GetOwner(ref state) is not { } owner)
            return null;
        var template = layout.IsTemplateCall ? TemplateTable.Find(Unsafe.As<string>(owner)) : TemplateTable.FindOwned(owner);
        return template is not null && template.Names.Length is var holes && holes > 0 && holes == layout.GetCount(ref state) ? template : null;
    }

    // A template seen for the first time: the names are the state's own, and from now on they go with its formatter.
    private static MessageTemplate? ReadPairsAndRemember(ref TState state, StateLayout layout, LogEvent target)
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
            TemplateTable.Remember(owner, template);
        return template;
    }

    // Returns the template where the message may be rendered from it.
    private static MessageTemplate? ReadPairs(ref TState state, LogEvent target)
    {
        var holes = state.Count - 1;
        // The last pair is the template; read first, so that it is there even when an argument is missing.
        var text = PairReader.ReadTemplate(ref state, holes);
        target.SetMessageTemplate(text);
        // Without holes the formatter is as cheap, and only it knows whether doubled braces are one or two.
        if (holes == 0)
            return null;
        string? ignored = null;
        // Fails where a call has fewer arguments than holes. The message counts it: A_missing_argument_leaves_a_placeholder.
        _ = PairReader.ReadList(ref state, Math.Min(holes, MostPairs), target.State, ref ignored);
        MessageTemplate.NameHoles(target.State, 0, text);
        var template = text is null ? null : TemplateTable.Find(text);
        return template is not null && template.Names.Length == holes && holes <= MostPairs ? template : null;
    }

    private bool Learn(Func<TState, Exception?, string>? formatter)
    {
        if (formatter is null || !MelStates.IsOwnFormatter(formatter))
            return false;
        _ownFormatter = formatter;
        return true;
    }

    private void FindLayout(ref TState state, LogEvent target)
    {
        var layout = StateLayoutFinder.TryFind(ref state);
        if (layout is not null && layout.Proves(ref Unsafe.As<TState, byte>(ref state), target.Properties))
            _layout = layout;
    }

    private void Prove(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception, LogEvent target)
    {
        foreach (ref readonly var property in target.Properties)
        {
            if (property.Value.Kind == LogValueKind.Object)
                return;
        }
        var ours = target.Message;
        if (target.RenderErrors > 0 || ours.Length != target.MessageLength)
            return;
        var theirs = Ask(ref state, formatter, exception);
        if (theirs is not null && ours.SequenceEqual(Encoding.UTF8.GetBytes(theirs)))
        {
            _proof = Proof.Proven;
            return;
        }
        _proof = Proof.Refuted;
        target.SetMessage(theirs);
    }

    // Null is a difference as any other; what is thrown too, for our text has no error.
    private static string? Ask(ref TState state, Func<TState, Exception?, string> formatter, Exception? exception)
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
