using System.Diagnostics;
using System.Reflection;

namespace AsyncLog.Tests.Records;

internal static class OptimizedCode
{
    /// <summary>Whether the sink was built for release.</summary>
    public static bool Is => typeof(AsyncOtlpLoggerOptions).Assembly.GetCustomAttribute<DebuggableAttribute>()?.IsJITOptimizerDisabled != true;
}
