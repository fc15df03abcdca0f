namespace AsyncLog;

/// <summary>Reads <c>ExportLogsServiceResponse</c>.</summary>
internal static class PartialSuccess
{
    private const int PartialSuccessField = 1;
    private const int RejectedField = 1;
    private const int MessageField = 2;

    /// <summary>What a response says; one that cannot be read says that all is well.</summary>
    /// <param name="response">The message.</param>
    /// <param name="headers">Whose values must not be told.</param>
    public static ExportAnswer Read(ReadOnlySpan<byte> response, IReadOnlyList<KeyValuePair<string, string>> headers)
    {
        ulong rejected = 0;
        ReadOnlySpan<byte> message = default;
        var outer = new ProtoReader(response);
        while (outer.Read())
        {
            if (outer.Field != PartialSuccessField)
                continue;
            var inner = new ProtoReader(outer.Content);
            while (inner.Read())
            {
                if (inner.Field == RejectedField)
                    rejected = inner.Number;
                else if (inner.Field == MessageField)
                    message = inner.Content;
            }

            if (inner.IsBroken)
                return new ExportAnswer(ExportOutcome.Accepted);
        }

        return outer.IsBroken ? new ExportAnswer(ExportOutcome.Accepted) : new ExportAnswer(ExportOutcome.Accepted)
        {
            Rejected = rejected > long.MaxValue ? 0 : (long)rejected,
            Text = message.IsEmpty ? null : AnswerText.Of(message, headers),
        };
    }
}
