using System.Globalization;
using Microsoft.Extensions.Logging;

namespace AsyncLog;

/// <summary>Exports the records of one instance to its collector, one request at a time.</summary>
internal sealed class OtlpSink(AsyncOtlpLoggerOptions options, OtlpRequest request, ExportClient client, SinkContext context, Func<double>? random = null) : ILogSink
{
    // Bytes of records that any link accepts within a timeout. A request up to this size is not halved after one.
    private const int NeverTooLong = 64 * 1024;

    // The reason of the state while web pages come back.
    private const string WebPage = "web_page";

    private readonly RetrySchedule _schedule = new(context.TimeProvider, random ?? Random.Shared.NextDouble);
    private readonly ServerSizeLimit _sizeLimit = new(context.TimeProvider);
    private AsyncOtlpLoggerOptions _options = options;

    // The reason of the state since the last request that was accepted in order; null: there is none.
    private string? _refusal;

    // True if the sizes that the server refused have not been reported.
    private bool _owesSizeReport;

    /// <summary>Creates the sink of an instance.</summary>
    /// <param name="options">Resolved options: <see cref="AsyncOtlpLoggerOptions.Endpoint"/> is the address of requests.</param>
    public static ILogSink Create(AsyncOtlpLoggerOptions options, SinkContext context)
    {
        context.SetTarget(options.Target);
        context.SetServer(options.Endpoint!.IdnHost, options.Endpoint.Port);
        if (options.AcceptsAnyCertificate)
            AnyCertificate.Begin(context);
        var metrics = new ConnectionMetrics(context, "tcp");
        NetworkDialer dialer = ExportConnection.CreateDialer();
        var request = new OtlpRequest(OtlpResource.Encode(OtlpResource.AttributesOf(options)));
        return new OtlpSink(options, request, new ExportClient(options, context.TimeProvider, current => new ExportConnection(current, metrics, dialer: dialer)), context);
    }

    /// <inheritdoc/>
    /// <remarks>Completes synchronously: a continuation would need a thread of the pool.</remarks>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        while (batch.Count > 0)
        {
            int records = Fill(batch);
            if (records == 0)
                DropOversize(batch, "does not fit into a request");
            else if (_schedule.HasExpired(batch, _options.MaxRetryTime))
                GiveUp(batch, records);
            else
                Settle(batch, records, Send(cancellationToken));
        }

        _schedule.Settled(batch);
        return default;
    }

    /// <summary>Applies changed limits.</summary>
    public void Apply(AsyncOtlpLoggerOptions options)
    {
        _options = options;
        client.Apply(options);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        // Not resolved in the reports: no request was accepted.
        if (_refusal is not null)
            context.Restore(_refusal);
        AnyCertificate.End(context);
        client.Dispose();
        return default;
    }

    private int Fill(LogBatch batch)
    {
        int maxRecords = _schedule.RecordsOf(batch);
        int records = request.Fill(batch, maxRecords, Math.Min(_options.MaxRequestSize, _sizeLimit.MaxBytes));
        // Only the server refuses a record alone.
        return records > 0 ? records : request.Fill(batch, 1, _options.MaxRequestSize);
    }

    private AttemptResult Send(CancellationToken cancellationToken)
    {
        try
        {
            return client.Send(request, cancellationToken);
        }
        catch (OperationCanceledException exception) when (cancellationToken.IsCancellationRequested)
        {
            throw new LogSinkException(SocketErrorClass.Timeout, $"the export to {_options.Target} did not end within ShutdownTimeout", isPermanent: false, exception);
        }
    }

    private void Settle(LogBatch batch, int records, AttemptResult result)
    {
        switch (result.Outcome)
        {
            case ExportOutcome.Accepted:
                Accept(batch, records, result);
                break;
            case ExportOutcome.Retry:
                if (records > 1 && request.BatchBytes > NeverTooLong && IsPerhapsTooLarge(batch, result))
                    _schedule.Split(batch, records);
                var backoff = new Backoff(_options.RetryDelay, _options.MaxRetryDelay, HasJitter: true);
                if (_schedule.NextDelay(batch, result.ServerDelay, backoff, _options.MaxRetryTime) is { } delay)
                    throw new LogSinkException(result.ErrorType!, result.Text!, result.IsPermanent) { RetryDelay = delay, MayRetrySooner = result.ServerDelay is null };
                CountError(result);
                context.Report(LogLevel.Warning, "retry_exhausted", $"{result.Text}. No attempt succeeded within MaxRetryTime; its records are dropped.");
                GiveUp(batch, records);
                break;
            case ExportOutcome.TooLarge:
                NoteTooLarge(result);
                if (records > 1)
                {
                    _schedule.Split(batch, records);
                    break;
                }

                DropOversize(batch, "is too large for the server");
                _schedule.Responded();
                break;
            default:
                Refuse(batch, records, result);
                break;
        }
    }

    // Called once for each attempt, because it counts resets of the connection. A request that times out or is reset twice would never arrive unchanged: the link may be
    // too slow for it, or the server refuses it and closes the connection while the client still sends. A single reset may have another cause.
    private bool IsPerhapsTooLarge(LogBatch batch, AttemptResult result) =>
        result.ErrorType == SocketErrorClass.Timeout || (result.ErrorType == SocketErrorClass.Reset && _schedule.NoteReset(batch));

    // A request that is sent to find out whether the server accepts more by now is no failure.
    private void NoteTooLarge(AttemptResult result)
    {
        if (!_sizeLimit.Refuse(request.Length, result.SizeLimit))
            return;
        CountError(result);
        _owesSizeReport = true;
    }

    private void NoteAcceptedSize()
    {
        if (_sizeLimit.Accept(request.Length))
            context.ReportRecovery("request_size", "larger requests are accepted again.");
        if (!_owesSizeReport || _sizeLimit is not { Refused: { } refused, Limit: { } limit })
            return;
        _owesSizeReport = false;
        string cure = limit >= OtlpOptionRows.MinRequest && limit / 2 >= _options.MaxRecordSize
            ? string.Create(CultureInfo.InvariantCulture, $"Lower MaxRequestSize to {limit}, or raise the limit of the server")
            : "Raise the limit of the server";
        context.Report(
            LogLevel.Warning, "request_size",
            string.Create(
                CultureInfo.InvariantCulture,
                $"{_options.Target} refuses requests of {refused} bytes as too large. Smaller ones are sent, and nothing is lost by that. {cure}."));
    }

    private void Accept(LogBatch batch, int records, AttemptResult result)
    {
        NoteAcceptedSize();
        int rejected = (int)Math.Min(result.Rejected, records);
        if (rejected > 0)
        {
            batch.RefuseCount(rejected, DropReason.Rejected);
            context.Events.BatchRejected("partial_success", rejected, result.Text ?? "");
        }

        if (rejected > 0 || result.Text is not null)
            context.Report(LogLevel.Warning, "rejected", string.Create(CultureInfo.InvariantCulture, $"{_options.Target} rejected {rejected} of {records} records: {result.Text}"));
        else
            context.ReportRecovery("rejected", "all records are accepted again.");
        batch.Advance(request.BatchBytes);
        _schedule.Responded();
        if (result.IsWebPage)
        {
            NoteWebPage(batch, records);
            return;
        }

        if (_refusal is not null)
        {
            context.Restore(_refusal);
            context.ReportRecovery(WebPage, "a collector answers.");
            context.ReportRecovery("refused", "requests are accepted again.");
            _refusal = null;
        }

        context.ReportRecovery("retry_exhausted", "delivery works again.");
    }

    // Not sent again: a receiver that does store them may answer so too.
    private void NoteWebPage(LogBatch batch, int records)
    {
        context.Report(
            LogLevel.Warning, WebPage,
            $"{_options.Target} answers 200 with a web page, so the records may not have arrived. Check Endpoint, and whether a login page or a proxy answers.");
        if (!batch.IsNotice)
            context.CountUncertain(records);
        SetRefusal(WebPage, isPermanent: false);
    }

    private void SetRefusal(string reason, bool isPermanent)
    {
        if (_refusal == reason)
            return;
        if (_refusal is not null)
            context.Restore(_refusal);
        _refusal = reason;
        context.Degrade(reason, isPermanent);
    }

    private void Refuse(LogBatch batch, int records, AttemptResult result)
    {
        CountError(result);
        context.Report(result.IsPermanent ? LogLevel.Error : LogLevel.Warning, "refused", $"{result.Text}. Its records are dropped.");
        SetRefusal(result.ErrorType!, result.IsPermanent);
        context.Events.BatchRejected(result.ErrorType!, records, result.Text ?? "");
        Drop(batch, records, DropReason.SinkPermanent);
        _schedule.Responded();
    }

    private void CountError(AttemptResult result) => context.CountError(result.ErrorType!, result.Text!);

    private void GiveUp(LogBatch batch, int records)
    {
        Drop(batch, records, DropReason.RetryExhausted);
        _schedule.GaveUp(batch);
    }

    private void DropOversize(LogBatch batch, string why)
    {
        context.Report(LogLevel.Warning, "oversize", string.Create(CultureInfo.InvariantCulture, $"a record of {batch[0].Bytes.Length} bytes {why}. It is dropped."));
        Drop(batch, 1, DropReason.Oversize);
    }

    private static void Drop(LogBatch batch, int records, DropReason reason)
    {
        for (int i = 0; i < records; i++)
            batch.Refuse(0, reason);
    }
}
