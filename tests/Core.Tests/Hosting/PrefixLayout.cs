using System.Buffers;
using System.Collections.Concurrent;
using System.Text;

namespace AsyncLog.Tests.Hosting;

/// <summary>A layout of a sink's own: a prefix, the text of every property, a line end.</summary>
internal sealed record PrefixLayout(string Prefix) : SinkLayout
{
    /// <summary>Every formatter that was made.</summary>
    public static ConcurrentQueue<(string Prefix, WeakReference<ILogFormatter> Formatter)> Made { get; } = new();

    public override ILogFormatter CreateFormatter(RecordLayout layout, LogTemplate? template, TimeProvider timeProvider)
    {
        var formatter = new Formatter(Prefix);
        Made.Enqueue((Prefix, new WeakReference<ILogFormatter>(formatter)));
        return formatter;
    }

    private sealed class Formatter(string prefix) : ILogFormatter
    {
        public void Format(LogEvent logEvent, IBufferWriter<byte> output)
        {
            output.Write(Encoding.UTF8.GetBytes(prefix));
            output.Write(logEvent.Message);
            foreach (ref readonly var property in logEvent.Properties)
            {
                output.Write(" "u8);
                var value = property.Value;
                output.Write(logEvent.GetText(value, 1000));
            }

            output.Write("\n"u8);
            logEvent.WasTruncated = logEvent.Message.StartsWith("cut"u8);
            logEvent.PropertiesLeftOut = logEvent.WasTruncated ? 3 : 0;
        }
    }
}
