using System.Globalization;
using AsyncLog;

namespace Replay;

/// <summary>Says once a second how far it is.</summary>
internal sealed class Progress : IDisposable
{
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(1);
    private readonly ReplayRun _run;
    private readonly IAsyncLogControl _control;
    private readonly TextWriter _output;
    private readonly ITimer _timer;

    public Progress(ReplayRun run, IAsyncLogControl control, TextWriter output, TimeProvider time)
    {
        _run = run;
        _control = control;
        _output = output;
        _timer = time.CreateTimer(_ => Print(), null, Interval, Interval);
    }

    public void Dispose() => _timer.Dispose();

    private void Print()
    {
        var instances = _control.GetStatus().Instances;
        _output.WriteLine(string.Create(
            CultureInfo.InvariantCulture,
            $"{_run.Sent} of {_run.Total} calls, {instances.Sum(static sink => sink.Written)} records written, {instances.Sum(static sink => sink.Dropped)} dropped, {instances.Sum(static sink => sink.QueueSize)} waiting"));
    }
}
