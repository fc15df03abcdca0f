using System.Buffers;

namespace AsyncLog;

/// <summary>Renders a record as the final bytes on the wire.</summary>
internal sealed class SyslogFormatter(SyslogLayout layout, TimeProvider? local, bool withScopes) : ILogFormatter
{
    public void Format(LogEvent logEvent, IBufferWriter<byte> output) => throw new NotSupportedException($"{layout}{local}{withScopes}");
}
