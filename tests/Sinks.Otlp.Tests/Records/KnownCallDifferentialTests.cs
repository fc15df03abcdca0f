using AsyncLog.Tests.Calls;
using AsyncLog.Tests.Capture;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Records;

/// <summary>Random calls and requests: a call that a logger saw before, within scopes and activities that it saw before, has the bytes of one that is new.</summary>
public sealed class KnownCallDifferentialTests
{
    private const int CallsPerRun = 125;
    private const int StepsPerRun = 1_000;

    // More than a call needs until it is known.
    private const int Times = 7;
    private const string Category = "Shop.Cart";

    private static readonly (string Name, Action<AsyncOtlpLoggerOptions> Configure)[] Layouts =
    [
        ("the defaults", static _ => { }),
        ("message and template", static options => (options.IncludeFormattedMessage, options.IncludeTemplate, options.IncludeScopes) = (true, true, true)),
        ("no scopes", static options => (options.IncludeFormattedMessage, options.IncludeScopes) = (true, false)),
        ("neither message nor template", static options => (options.IncludeFormattedMessage, options.IncludeTemplate, options.IncludeScopes) = (false, false, true)),
        ("short values", static options => (options.AttributeValueLengthLimit, options.IncludeScopes) = (3, true)),
    ];

    public static TheoryData<string> Providers => ["own", "tracking", "foreign", "process", "derived"];

    [Fact]
    public void The_records_of_a_call_that_is_known_have_the_bytes_of_one_that_is_new()
    {
        var runs = ReleaseRun.Count(usual: 500, release: 100_000) / CallsPerRun;
        for (var seed = 0; seed < runs; seed++)
        {
            var values = new CallValues(new Random(seed));
            using var pipelines = new Pipelines(new LoggerExternalScopeProvider());
            var messages = Enumerable.Range(0, 4).Select(i => DefinedMessage.OfTypes([.. Enumerable.Range(0, 1 + i).Select(_ => values.Type())])).ToArray();
            var calls = Enumerable.Range(0, CallsPerRun).Select(_ => RandomCall.New(values, messages)).ToArray();
            // As old as the texts in the code: a young one may be built for one call.
            GC.Collect();
            GC.Collect();
            foreach (var call in calls)
            {
                for (var i = 0; i < Times; i++)
                {
                    var (log, cold) = call.Next(values);
                    pipelines.Ways.Clock.Move(TimeSpan.FromTicks(values.Below(30_000_000)));
                    pipelines.Ways.Log(Category, log, cold, call.Text);
                }
            }

            pipelines.AssertEqual($"seed {seed}");
            Assert.Equal((long)Layouts.Length * CallsPerRun * Times, pipelines.Ways.Compared);
        }
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public async Task Scopes_and_activities_are_those_of_now(string provider)
    {
        for (var seed = 0; seed < ReleaseRun.Count(usual: 1, release: 200); seed++)
        {
            var values = new CallValues(new Random(seed));
            var scopes = ScopesOf(provider, values);
            using var pipelines = new Pipelines(scopes);
            var calls = 0;
            await Task.Run(
                async () =>
                {
                    while (calls < StepsPerRun)
                    {
                        var request = NewRequest(pipelines, values, scopes);
                        while (request.Calls < 20)
                            request.Step();
                        await request.RunAsync();
                        calls += request.Calls;
                    }
                },
                TestContext.Current.CancellationToken);
            pipelines.AssertEqual($"{provider}, seed {seed}");
            Assert.Equal((long)Layouts.Length * calls, pipelines.Ways.Compared);
        }
    }

    private static RandomRequest NewRequest(Pipelines pipelines, CallValues values, IExternalScopeProvider scopes)
        => new(values, scopes, (call, text) =>
        {
            pipelines.Ways.Clock.Move(TimeSpan.FromTicks(values.Below(30_000_000)));
            pipelines.Ways.Log(Category, call, null, text);
        });

    private static IExternalScopeProvider ScopesOf(string provider, CallValues values) => provider switch
    {
        "own" => new LoggerExternalScopeProvider(),
        "tracking" => ForeignScopes.OfFactory((ActivityTrackingOptions)values.Below(128)),
        "foreign" => new ForeignScopes.OfExecution(),
        "process" => new ForeignScopes.OfProcess(),
        _ => new ForeignScopes.Derived(),
    };

    /// <summary>A provider of each layout whose calls become known, and another one that needs an event for each.</summary>
    private sealed class Pipelines : IDisposable
    {
        private readonly List<ServiceProvider> _services = [];

        public Pipelines(IExternalScopeProvider scopes)
        {
            Ways = new TwoWays(new CallClock());
            foreach (var (name, configure) in Layouts)
            {
                var (got, expected) = (new KeptRecords(), new KeptRecords());
                Ways.AddKnown(New(got, configure), scopes);
                Ways.AddCold(New(expected, configure), scopes);
                Ways.Expect(name, expected, (got, ""));
            }
        }

        public TwoWays Ways { get; }

        public void AssertEqual(string run)
        {
            foreach (var services in _services)
                Assert.True(services.GetRequiredService<IAsyncLogControl>().FlushAsync(TimeSpan.FromSeconds(60), TestContext.Current.CancellationToken).GetAwaiter().GetResult());
            Ways.AssertEqual(run);
        }

        public void Dispose() => _services.ForEach(static services => services.Dispose());

        private AsyncOtlpLoggerProvider New(KeptRecords sink, Action<AsyncOtlpLoggerOptions> configure)
        {
            var services = new ServiceCollection();
            services.AddSingleton<TimeProvider>(Ways.Clock);
            services.AddLogging(logging => logging.SetMinimumLevel(LogLevel.Trace).AddSink<AsyncOtlpLoggerProvider, AsyncOtlpLoggerOptions>(new OtlpSinkDefinition((_, _) => sink), options =>
            {
                (options.QueueFullMode, options.WaitTimeout, options.GapNotices) = (QueueFullMode.Wait, TimeSpan.FromMinutes(1), false);
                configure(options);
            }));
            services.Configure<AsyncLogOptions>(static options => (options.StartupReport, options.SelfReportLevel) = (false, LogLevel.None));
            _services.Add(services.BuildServiceProvider());
            return _services[^1].GetServices<ILoggerProvider>().OfType<AsyncOtlpLoggerProvider>().Single();
        }
    }
}
