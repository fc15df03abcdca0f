using Microsoft.Extensions.Logging;

namespace AsyncLog;

<<<<<<< HEAD
/// <summary>The provider that <c>AddAsyncFile</c> registers; its section is <c>Logging:AsyncFile</c>.</summary>
/// <param name="services">From the container.</param>
/// <exception cref="Microsoft.Extensions.Options.OptionsValidationException">The configuration is not valid; the message lists every problem.</exception>
=======
/// <summary>Logs to files. Add it with <c>AddAsyncFile</c>; its configuration section is <c>Logging:AsyncFile</c>.</summary>
/// <param name="services">From the container.</param>
>>>>>>> file
[ProviderAlias("AsyncFile")]
public sealed class AsyncFileLoggerProvider(SinkServices<AsyncFileOptions> services) : SinkLoggerProvider<AsyncFileOptions>(services);
