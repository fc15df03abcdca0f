using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Random requests through real loggers: a known call within scopes and activities that were seen before has the bytes of a call and of scopes that are new.</summary>
public sealed class RequestDifferentialTests
{
    private const int CallsPerRun = 500;
    private const int StepsPerCheck = 250;
    private const int MostFlows = 8;
    private const string Category = "Shop.Cart";
    private static readonly int Calls = ReleaseRun.Count(usual: 1_000, release: 700_000);

    private static readonly ComparedLayout[] Layouts =
    [
        new("Text", "{Timestamp:HH:mm:ss.fff} [{Level:u3}] {Message} {Scopes} {TraceId}/{SpanId}{NewLine}{Exception}"),
        new("Text", "{Level} {Message} {Properties} {RequestId}{NewLine}") { IncludeScopes = true },
        new("Text", null),
        new("Text", "{TraceId} {Message}{NewLine}"),
        new("Json"),
        new("Json") { IncludeScopes = false },
        new("Json") { Properties = [new("Id", "constant")] },
        new("Clef"),
        new("Clef") { IncludeScopes = false },
        new("Clef") { Properties = [new("Name", "constant")] },
    ];

    public static TheoryData<string> Providers => ["own", "factory", "tracking", "foreign", "process", "derived"];

    public static TheoryData<string> ProvidersOfThreads => ["own", "tracking", "foreign"];

    [Theory]
    [MemberData(nameof(Providers))]
    public void Scopes_and_activities_of_several_requests_in_turn_are_those_of_now(string provider)
    {
        var seed = 0;
        for (var calls = 0; calls < Calls; seed++)
            calls += RunInTurn(provider, seed);
        Assert.True(seed >= 2, $"{seed} runs");
    }

    [Theory]
    [MemberData(nameof(Providers))]
    public async Task Scopes_and_activities_are_those_of_now_after_an_await(string provider)
    {
        var seed = 0;
        for (var calls = 0; calls < Calls; seed++)
            calls += await Task.Run(() => RunAwaiting(provider, seed), TestContext.Current.CancellationToken);
        Assert.True(seed >= 2, $"{seed} runs");
    }

    [Theory]
    [MemberData(nameof(ProvidersOfThreads))]
    public void Scopes_and_activities_are_those_of_the_thread(string provider)
    {
        for (var seed = 0; seed < 1 + (Calls / (4 * CallsPerRun)); seed++)
            RunOnThreads(provider, seed);
    }

    // Each step in the execution context of a request, sometimes on another thread: as the steps of many requests on a server.
    private static int RunInTurn(string provider, int seed)
    {
        var values = new CallValues(new Random(seed));
        var scopes = ScopesOf(provider, values);
        using var pipelines = new ComparedPipelines(scopes, LayoutsOf(values));
        var flows = new List<Flow>();
        var (calls, steps) = (0, 0);
        while (calls < CallsPerRun)
        {
            if (flows.Count == 0 || values.Chance(40))
            {
                // A task of a request, or a new request.
                var context = flows.Count > 0 && values.Chance(2) ? values.Pick([.. flows]).Context : ExecutionContext.Capture();
                flows.Add(new Flow(NewRequest(pipelines, values, scopes)) { Context = context });
                if (flows.Count > MostFlows)
                    flows.RemoveAt(values.Below(MostFlows));
            }

            var flow = values.Pick([.. flows]);
            var before = flow.Request.Calls;
            if (values.Chance(10))
                Task.Run(flow.Step).GetAwaiter().GetResult();
            else
                flow.Step();
            calls += flow.Request.Calls - before;
            if (++steps % StepsPerCheck == 0)
                pipelines.AssertEqual($"{provider}, seed {seed}");
        }

        pipelines.AssertEqual($"{provider}, seed {seed}");
        return calls;
    }

    private static async Task<int> RunAwaiting(string provider, int seed)
    {
        var values = new CallValues(new Random(seed));
        var scopes = ScopesOf(provider, values);
        using var pipelines = new ComparedPipelines(scopes, LayoutsOf(values));
        var calls = 0;
        while (calls < CallsPerRun)
        {
            var request = NewRequest(pipelines, values, scopes);
            while (request.Calls < StepsPerCheck)
                await request.RunAsync();
            calls += request.Calls;
            pipelines.AssertEqual($"{provider}, seed {seed}");
        }

        return calls;
    }

    private static void RunOnThreads(string provider, int seed)
    {
        var scopes = ScopesOf(provider, new CallValues(new Random(seed)));
        using var pipelines = new ComparedPipelines(scopes, LayoutsOf(new CallValues(new Random(seed))));
        Exception? failed = null;
        var threads = Enumerable.Range(0, 4).Select(number => new Thread(() =>
        {
            try
            {
                var values = new CallValues(new Random((seed * 4) + number));
                // The clock stands still: the same time whoever reads it.
                var request = new RandomRequest(values, scopes, (call, _) => pipelines.Ways.Log(Category, call, null, null));
                while (request.Calls < CallsPerRun / 2)
                    request.Step();
            }
#pragma warning disable CA1031 // Thrown by the test.
            catch (Exception exception)
#pragma warning restore CA1031
            {
                failed = exception;
            }
        })).ToList();
        threads.ForEach(static thread => thread.Start());
        threads.ForEach(static thread => thread.Join());
        Assert.Null(failed);
        pipelines.AssertEqual($"{provider}, seed {seed}", inAnyOrder: true);
    }

    private static RandomRequest NewRequest(ComparedPipelines pipelines, CallValues values, IExternalScopeProvider scopes)
        => new(values, scopes, (call, text) =>
        {
            if (values.Chance(6))
                pipelines.Ways.Clock.Move(TimeSpan.FromTicks(values.Below(30_000_000)));
            pipelines.Ways.Log(Category, call, null, text);
        });

    private static ComparedLayout[] LayoutsOf(CallValues values) => [values.Pick(Layouts[..4]), values.Pick(Layouts[4..7]), values.Pick(Layouts[7..])];

    private static IExternalScopeProvider ScopesOf(string provider, CallValues values) => provider switch
    {
        "own" => new LoggerExternalScopeProvider(),
        "factory" => ForeignScopes.OfFactory(ActivityTrackingOptions.None),
        "tracking" => ForeignScopes.OfFactory((ActivityTrackingOptions)values.Below(128)),
        "foreign" => new ForeignScopes.OfExecution(),
        "process" => new ForeignScopes.OfProcess(),
        _ => new ForeignScopes.Derived(),
    };

    private sealed class Flow(RandomRequest request)
    {
        public RandomRequest Request => request;

        public required ExecutionContext? Context { get; set; }

        public void Step() => ExecutionContext.Run(
            Context!,
            static flow =>
            {
                ((Flow)flow!).Request.Step();
                ((Flow)flow).Context = ExecutionContext.Capture();
            },
            this);
    }
}
