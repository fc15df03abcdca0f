using System.Globalization;

namespace AsyncLog;

/// <summary>Exports the records of one instance to its collector, one request at a time.</summary>
internal sealed class OtlpSink(
    OtlpTransportSettings settings, OtlpRequest request, ExportClient client, TimeProvider timeProvider, IExportVoice voice, Func<double> random) : ILogSink
{
    private readonly RetryWindow _window = new(timeProvider, random);
    private readonly SplitLimit _split = new();
    private OtlpTransportSettings _settings = settings;
    private string? _refusal;

    /// <summary>Raised when it is disposed.</summary>
    public event Action? Ended;

    /// <inheritdoc/>
    /// <remarks>Completes before it returns: the worker has nothing else to do, and the thread pool may have no thread to go on with.</remarks>
    public ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        while (batch.Count > 0)
        {
            int records = request.Fill(batch, _split.For(batch, _settings.MaxRecords), _settings.MaxRequestBytes);
            if (records == 0)
                DropOversize(batch, "does not fit into a request");
            else if (_window.IsOverFor(batch, _settings.MaxRetryTime))
                GiveUp(batch, records);
            else
                Settle(batch, records, Send(cancellationToken));
        }

        _split.Clear(batch);
        return default;
    }

    /// <summary>Puts changed limits in force.</summary>
    public void Apply(OtlpTransportSettings settings)
    {
        _settings = settings;
        client.Apply(settings);
    }

    /// <inheritdoc/>
    public ValueTask DisposeAsync()
    {
        // Without a word: no request was taken because of it.
        if (_refusal is not null)
            voice.Restore(_refusal);
        client.Dispose();
        Ended?.Invoke();
        return default;
    }

    private ExportAnswer Send(CancellationToken cancellationToken)
    {
        try
        {
            return client.Send(request, cancellationToken);
        }
        catch (OperationCanceledException exception) when (cancellationToken.IsCancellationRequested)
        {
            throw new LogSinkException(SocketErrorClass.Timeout, $"the export to {_settings.Target} did not end within the shutdown budget", isPermanent: false, exception);
        }
    }

    private void Settle(LogBatch batch, int records, ExportAnswer answer)
    {
        switch (answer.Outcome)
        {
            case ExportOutcome.Accepted:
                Accept(batch, records, answer);
                break;
            case ExportOutcome.Retry when _window.NextDelay(batch, answer.ServerDelay, _settings.Backoff, _settings.MaxRetryTime) is { } delay:
                throw new LogSinkException(answer.ErrorType!, answer.Text!, answer.IsPermanent) { RetryDelay = delay };
            case ExportOutcome.Retry:
                CountError(answer);
                voice.Report(SelfReportLevel.Warning, "retry_exhausted", $"{answer.Text}. No attempt succeeded within MaxRetryTime; its records are dropped.");
                GiveUp(batch, records);
                break;
            case ExportOutcome.TooLarge when records > 1:
                CountError(answer);
                _split.Halve(batch, records);
                break;
            case ExportOutcome.TooLarge:
                CountError(answer);
                DropOversize(batch, "is too large for the server");
                _window.Answered();
                break;
            default:
                Refuse(batch, records, answer);
                break;
        }
    }

    private void Accept(LogBatch batch, int records, ExportAnswer answer)
    {
        int rejected = (int)Math.Min(answer.Rejected, records);
        if (rejected > 0)
        {
            batch.RefuseCount(rejected, DropReason.Rejected);
            voice.BatchRejected("partial_success", rejected, answer.Text ?? "");
        }

        if (rejected > 0 || answer.Text is not null)
            voice.Report(SelfReportLevel.Warning, "rejected", string.Create(CultureInfo.InvariantCulture, $"{_settings.Target} rejected {rejected} of {records} records: {answer.Text}"));
        else
            voice.Resolve("rejected", "all records are taken again.");
        batch.Advance(request.BatchBytes);
        _split.Passed(batch, records);
        _window.Answered();
        if (_refusal is not null)
        {
            voice.Restore(_refusal);
            voice.Resolve("refused", "requests are taken again.");
            _refusal = null;
        }

        voice.Resolve("retry_exhausted", "delivery works again.");
    }

    private void Refuse(LogBatch batch, int records, ExportAnswer answer)
    {
        CountError(answer);
        voice.Report(answer.IsPermanent ? SelfReportLevel.Error : SelfReportLevel.Warning, "refused", $"{answer.Text}. Its records are dropped.");
        if (_refusal != answer.ErrorType)
        {
            if (_refusal is not null)
                voice.Restore(_refusal);
            _refusal = answer.ErrorType!;
            voice.Degrade(_refusal, answer.IsPermanent);
        }

        voice.BatchRejected(answer.ErrorType!, records, answer.Text ?? "");
        Drop(batch, records, DropReason.SinkPermanent);
        _window.Answered();
    }

    private void CountError(ExportAnswer answer) => voice.CountError(answer.ErrorType!, answer.Text!);

    private void GiveUp(LogBatch batch, int records)
    {
        Drop(batch, records, DropReason.RetryExhausted);
        _window.GaveUp(batch);
    }

    private void DropOversize(LogBatch batch, string why)
    {
        voice.Report(SelfReportLevel.Warning, "oversize", string.Create(CultureInfo.InvariantCulture, $"a record of {batch[0].Bytes.Length} bytes {why}. It is dropped."));
        Drop(batch, 1, DropReason.Oversize);
    }

    private void Drop(LogBatch batch, int records, DropReason reason)
    {
        for (int i = 0; i < records; i++)
            batch.Refuse(0, reason);
        _split.Passed(batch, records);
    }
}
