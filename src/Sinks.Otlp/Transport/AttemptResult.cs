namespace AsyncLog;

/// <summary>Outcome of an export attempt.</summary>
internal enum ExportOutcome
{
    /// <summary>The server accepted the request; it may have rejected some records.</summary>
    Accepted,

    /// <summary>The request is sent again later.</summary>
    Retry,

    /// <summary>The request is split.</summary>
    TooLarge,

    /// <summary>The records are dropped.</summary>
    Refused,
}

/// <summary>The result of one export attempt.</summary>
internal readonly record struct AttemptResult(ExportOutcome Outcome)
{
    /// <summary>Names the cure of a refused credential.</summary>
    public const string CredentialHint = " (is the credential in Headers right, and still valid? A corrected one applies without a restart)";

    private const int PartialSuccessField = 1;
    private const int RejectedField = 1;
    private const int MessageField = 2;

    /// <summary>The class of the failure: an HTTP status, <c>grpc_</c> and a code, or a transport error; null on success.</summary>
    public string? ErrorType { get; init; }

    /// <summary>The text for operators: the failure, or the server's warning on success.</summary>
    public string? Text { get; init; }

    /// <summary>The number of records that the server rejected; never negative.</summary>
    public long Rejected { get; init; }

    /// <summary>The delay that the server requests; null: none.</summary>
    public TimeSpan? ServerDelay { get; init; }

    /// <summary>The largest request that the server accepts, in bytes before compression, if its refusal says so; null: unknown.</summary>
    public int? SizeLimit { get; init; }

    /// <summary>True if a web page came with the success, so something else than a collector answered.</summary>
    public bool IsWebPage { get; init; }

    /// <summary>True if an operator has to correct the configuration. The request may be retried all the same.</summary>
    public bool IsPermanent { get; init; }

    /// <summary>Reads an <c>ExportLogsServiceResponse</c>. A malformed one counts as full success.</summary>
    public static AttemptResult FromResponse(ReadOnlySpan<byte> response, IEnumerable<KeyValuePair<string, string>> headers)
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
                return new AttemptResult(ExportOutcome.Accepted);
        }

        return outer.IsBroken ? new AttemptResult(ExportOutcome.Accepted) : new AttemptResult(ExportOutcome.Accepted)
        {
            Rejected = rejected > long.MaxValue ? 0 : (long)rejected,
            Text = message.IsEmpty ? null : ServerText.Of(message, headers),
        };
    }
}
