using AsyncLog;
using AsyncLog.Sinks;

namespace WebApp;

/// <summary>Delivers to the <see cref="Warehouse"/>: the sink that the buttons of /demo disturb, so that the live page has something to show.</summary>
[ProviderAlias("Warehouse")]
internal sealed class WarehouseSink : ILogSink
{
    private readonly Warehouse _warehouse;

    public WarehouseSink(WarehouseOptions options, SinkContext context)
    {
        _warehouse = options.Warehouse!;
        context.SetTarget("the warehouse of /demo");
    }

    public async ValueTask WriteAsync(LogBatch batch, CancellationToken cancellationToken)
    {
        if (batch.Count > 0)
            await _warehouse.ReceiveAsync(cancellationToken);
    }
}

internal sealed class WarehouseOptions : SinkOptions
{
    public Warehouse? Warehouse { get; set; }
}

internal static class WarehouseRegistration
{
    public static void AddWarehouse(this WebApplicationBuilder builder)
    {
        var warehouse = new Warehouse(TimeProvider.System);
        builder.Services.AddSingleton(warehouse);
        builder.Services.AddSingleton<Parcels>();
        builder.Services.AddHostedService(static services => services.GetRequiredService<Parcels>());
        builder.Logging.AddAsyncLogSink<WarehouseSink, WarehouseOptions>(
            static (options, context) => new WarehouseSink(options, context),
            bind: static (_, _) => { /* Only code sets the option. */ },
            options =>
            {
                options.Warehouse = warehouse;
                options.MaxQueueLength = 2_000;
                options.LogLevel["Default"] = LogLevel.None;
                options.LogLevel[DemoEndpoints.Category] = LogLevel.Trace;
            });
    }
}
