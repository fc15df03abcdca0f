using System.Buffers;
using System.Text;

namespace AsyncLog.Tests.Hosting;

/// <summary>A layout of a sink's own: a prefix, the text of every property, a line end.</summary>
internal sealed record PrefixLayout(string Prefix) : SinkLayout
{
    public override ILogFormatter CreateFormatter(RecordLayout layout, LogTemplate? template, TimeProvider timeProvider) => new Formatter(Prefix);

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
