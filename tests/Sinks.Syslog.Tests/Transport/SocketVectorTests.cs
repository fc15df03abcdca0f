using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using AsyncLog.Tests.Transport.Datagram;
using AsyncLog.Tests.Transport.Stream;
using AsyncLog.Tests.Transport.Tls;
using AsyncLog.Tests.Vectors;

namespace AsyncLog.Tests.Transport;

/// <summary>The lines of vectors/syslog-sockets.jsonl: the real sink over the sockets that the line sets up, real ones unless it says what they answer.</summary>
public sealed partial class SocketVectorTests
{
    private static readonly string[] Daemons = ["\"receiver\":\"rsyslog\"", "\"receiver\":\"syslog-ng\""];

    public static TheoryData<string> Lines => [.. VectorFile.Lines("syslog-sockets.jsonl").Where(static line => !HasDaemon(line))];

    public static TheoryData<string> LinesWithDaemon => [.. VectorFile.Lines("syslog-sockets.jsonl").Where(HasDaemon)];

    [Theory]
    [MemberData(nameof(Lines))]
    public void The_outcome_of_a_set_up_is_that_of_its_vector(string line) => Check(line);

    [Trait("Category", "system")]
    [Theory]
    [MemberData(nameof(LinesWithDaemon))]
    public void The_outcome_of_a_set_up_with_a_real_daemon_is_that_of_its_vector(string line) => Check(line);

    private static bool HasDaemon(string line) => Array.Exists(Daemons, daemon => line.Contains(daemon, StringComparison.Ordinal));

    private static void Check(string line)
    {
        JsonElement vector = VectorFile.Parse(line, "setup", "expect");
        JsonElement setup = vector.GetProperty("setup");
        VectorFile.RequireKnown(
            setup, "transport", "receiver", "host", "resolver", "fakeSocket", "records", "messageBytes", "queue", "spreadMs", "options", "certificate", "caFile", "pins",
            "clientCertificate", "serverTls", "server", "disposeAtOnce", "reconnectBetween");
        if (!OperatingSystem.IsLinux() && NeedOf(setup) is { } need)
            Assert.Skip($"only on Linux: {need}");
        var expect = new Expectations(vector.GetProperty("expect"));
        using var run = new SocketRun(setup, expect);
        run.Play();
        expect.AssertAllChecked();
    }

    private static string? NeedOf(JsonElement setup)
        => TextOf(setup, "transport").StartsWith("unix", StringComparison.Ordinal) ? "local sockets for datagrams"
            : setup.TryGetProperty("reconnectBetween", out _) ? "its sockets return what the peer acknowledged"
            : TextOf(setup, "receiver").StartsWith("after ", StringComparison.Ordinal) ? "its sockets return that no process listens"
            : null;

    private static string TextOf(JsonElement setup, string name) => setup.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString()! : "";

    [GeneratedRegex("""\[meta sequenceId="(\d+)"\]""")]
    private static partial Regex SequenceId();

    [GeneratedRegex(@"^after (\d+) records?$")]
    private static partial Regex LateReceiver();

    [GeneratedRegex(@"^closes without close_notify after (\d+) records?$")]
    private static partial Regex RudeServer();

    [GeneratedRegex(@"\br(\d+)\b")]
    private static partial Regex RecordName();

    /// <summary>One line at work.</summary>
    private sealed class SocketRun : IDisposable
    {
        private const string Silent = "accepts, silent";
        private readonly JsonElement _setup;
        private readonly Expectations _expect;
        private readonly string _transport;
        private readonly string? _receiverKind;
        private readonly string? _server;
        private readonly string _folder = Directory.CreateTempSubdirectory("alu-").FullName;
        private readonly int _records;
        private readonly int _recordsBefore;
        private readonly List<IDisposable> _owned = [];
        private OperationWatch? _dialling;
        private readonly VectorRig _rig;
        private readonly TimeSpan _startDelay;
        private readonly List<double> _callMicroseconds = [];
        private RealReceiver? _daemon;
        private DatagramReceiver? _datagrams;
        private StreamReceiver? _streams;
        private TlsReceiver? _tls;
        private OpenSslServer? _openSsl;
        private FakeUdpSockets? _fake;
        private int _port;
        private int _settledPort;
        private int _lookups;
        private bool _isDisposed;
        private TimeSpan _disposeTook;
        private TimeSpan _shutdownTimeout;

        public SocketRun(JsonElement setup, Expectations expect)
        {
            (_setup, _expect) = (setup, expect);
            _transport = setup.TextOf("transport", "udp")!;
            Assert.Contains(_transport, (string[])["udp", "tcp", "tls", "unixDgram", "unixStream"]);
            _receiverKind = setup.TextOf("receiver", null);
            _server = setup.TextOf("server", null);
            _records = setup.IntOf("records", setup.Find("fakeSocket") is not null ? 1 : 0);
            _recordsBefore = _receiverKind is { } kind && LateReceiver().Match(kind) is { Success: true } late ? int.Parse(late.Groups[1].Value, CultureInfo.InvariantCulture) : _records;
            if (_receiverKind is not null && _recordsBefore == _records)
                Assert.Contains(_receiverKind, (string[])["none", "rsyslog", "syslog-ng", "does not read", "mtls port", "python"]);
            Assert.True(_server is null or Silent || RudeServer().IsMatch(_server), _server);
            StartReceiver();
            bool isFake = setup.Find("fakeSocket") is not null || setup.Find("resolver") is not null || setup.Find("spreadMs") is not null || _server == Silent;
            long began = Stopwatch.GetTimestamp();
            _rig = new VectorRig(Configure, isFake, transport: Transport);
            _startDelay = Stopwatch.GetElapsedTime(began);
        }

        private bool IsLate => _recordsBefore < _records;

        private bool IsLocal => _transport.StartsWith("unix", StringComparison.Ordinal);

        private string SocketPath => Path.Combine(_folder, "log");

        // One name, or those before and after a connection that ends between two records.
        private string[] Names(string field, string missing) => (_setup.TextOf(field, missing) ?? missing).Split(',', StringSplitOptions.TrimEntries);

        private bool IsReconnect => _setup.Find("reconnectBetween") is { ValueKind: not JsonValueKind.False };

        private SyslogPipeline Pipeline => _rig.Pipeline;

        private List<string> Arrived => _daemon is not null ? [.. _daemon.Records().Select(static record => record.ToString())]
            : _datagrams is not null ? _datagrams.Records
            : _tls is not null ? _tls.Frames
            : _openSsl is not null ? [.. Enumerable.Repeat("", _openSsl.CountOf("<14>1 "))]
            : _streams is null ? []
            : IsLocal ? [.. Encoding.UTF8.GetString([.. _streams.Connections.SelectMany(static connection => connection.Bytes)]).Split('\n', StringSplitOptions.RemoveEmptyEntries)]
            : _streams.Frames;

        private int ArrivedCount => (_daemon?.CountLines() ?? Arrived.Count) + Missed;

        // Datagrams that reached the machine, and that a daemon on a busy machine did not read in time.
        private int Missed => _daemon is not null && _transport == "udp" ? (int)_daemon.DroppedDatagrams() : 0;

        public void Play()
        {
            if (_server == Silent)
                PlaySilentServer();
            else
                PlayRecords();
            CheckCounters();
            CheckArrival();
            CheckFakeSocket();
            CheckReports();
            CheckTls();
        }

        public void Dispose()
        {
            _rig.Dispose();
            _owned.ForEach(static owned => owned.Dispose());
            Directory.Delete(_folder, recursive: true);
        }

        private T Own<T>(T owned)
            where T : IDisposable
        {
            _owned.Add(owned);
            return owned;
        }

        private void StartReceiver()
        {
            if (_setup.Find("options")?.Find("Endpoint") is not null || _setup.Find("fakeSocket") is not null)
                _port = 514;
            else if (_receiverKind is "rsyslog" or "syslog-ng")
                StartDaemon();
            else if (_server == Silent || _transport == "tcp")
                _port = (_streams = Own(new StreamReceiver(number => new ReceiverScript { ReadLimit = DoesNotRead ? 0 : long.MaxValue, AfterLimit = ReceiverEnd.Stay }))).Port;
            else if (_transport == "tls" && _receiverKind == "mtls port" && !Names("clientCertificate", "").Contains("client"))
                _openSsl = Own(new OpenSslServer(_port = Ports.Free(), "-Verify", "1", "-verify_return_error"));
            else if (_transport == "tls")
                StartTls();
            else if (_receiverKind == "none" || IsLate || HasNameThatDoesNotResolve)
                _port = Ports.Free();
            else
                ListenForDatagrams(0);
        }

        private bool DoesNotRead => _receiverKind == "does not read";

        private bool HasNameThatDoesNotResolve => _setup.TextOf("host", null) is { } host && _setup.Find("resolver") is null && !IPAddress.TryParse(host, out _) && host != "localhost";

        private void StartDaemon()
        {
            _daemon = Own(RealReceiver.Start(_receiverKind!));
            _port = IsLocal ? 0 : _daemon.Port(_transport);
        }

        private void StartTls()
        {
            string[] versions = _setup.TextsOf("serverTls");
            _tls = Own(new TlsReceiver(Names("certificate", "server")[0])
            {
                Protocols = versions.Aggregate(SslProtocols.None, static (all, version) => all | VersionOf(version)),
                AsksForCertificate = _receiverKind == "mtls port",
                ClosesAfterFrames = _server is not null ? int.Parse(RudeServer().Match(_server).Groups[1].Value, CultureInfo.InvariantCulture) : int.MaxValue,
            });
            _port = _tls.Port;
        }

        private static SslProtocols VersionOf(string version) => version switch
        {
#pragma warning disable CS0618, SYSLIB0039, CA5397 // Servers of the vectors may speak what nobody should.
            "1.0" => SslProtocols.Tls,
            "1.1" => SslProtocols.Tls11,
#pragma warning restore CS0618, SYSLIB0039, CA5397
            "1.2" => SslProtocols.Tls12,
            "1.3" => SslProtocols.Tls13,
            _ => throw new NotSupportedException(version),
        };

        private void ListenForDatagrams(int port)
        {
            if (_transport == "unixStream")
                _streams = Own(new StreamReceiver(number => new ReceiverScript { ReadLimit = DoesNotRead ? 0 : long.MaxValue, AfterLimit = ReceiverEnd.Stay }, new UnixDomainSocketEndPoint(SocketPath)));
            else if (_transport == "unixDgram")
                _datagrams = Own(new DatagramReceiver(new UnixDomainSocketEndPoint(SocketPath), !DoesNotRead));
            else
                _port = (_datagrams = Own(new DatagramReceiver(new IPEndPoint(Address, port), !DoesNotRead))).Port;
        }

        private IPAddress Address => IPAddress.TryParse(_setup.TextOf("host", null), out IPAddress? address) ? address : IPAddress.Loopback;

        private void Configure(AsyncSyslogLoggerOptions options)
        {
            (options.ReconnectDelay, options.MaxReconnectDelay) = (TimeSpan.FromMilliseconds(20), TimeSpan.FromMilliseconds(100));
            options.ShutdownTimeout = TimeSpan.FromSeconds(1);
            options.Endpoint = Endpoint;
            if (_setup.Find("queue") is { } queue)
                options.MaxQueueLength = queue.GetInt32();
            if (_transport == "tls")
                ConfigureTls(options.Tls);
            VectorOptions.SetGiven(options, _setup.Find("options"));
            _shutdownTimeout = options.ShutdownTimeout;
        }

        private Uri Endpoint
        {
            get
            {
                if (IsLocal)
                    return new Uri($"unix://{_daemon?.Socket ?? SocketPath}");
                string host = _setup.TextOf("host", null) ?? (_transport == "tls" ? "localhost" : _fake is not null || _setup.Find("resolver") is not null || _setup.Find("fakeSocket") is not null ? "receiver.example" : "127.0.0.1");
                return new Uri(FormattableString.Invariant($"{_transport}://{(host.Contains(':', StringComparison.Ordinal) ? $"[{host}]" : host)}:{_port}"));
            }
        }

        private void ConfigureTls(TlsClientOptions tls)
        {
            if (_setup.Find("caFile") is not null)
                tls.CaFile = Changing("caFile", "", 0);
            if (_setup.Find("pins") is not null)
                tls.PinnedSha256 = string.Join(',', _setup.TextsOf("pins").Select(static pin => pin.EndsWith(".sha256", StringComparison.Ordinal) ? File.ReadAllText(TestCertificates.File(pin)).Trim() : pin));
            if (_setup.Find("clientCertificate") is null)
                return;
            tls.ClientCertificateFile = Changing("clientCertificate", ".pem", 0);
            tls.ClientKeyFile = Changing("clientCertificate", ".key", 0);
        }

        // A file that may have another content for the next connection.
        private string Changing(string field, string extension, int connection)
        {
            string[] names = Names(field, "");
            string path = Path.Combine(_folder, field + extension);
            TestCertificates.Put(names[Math.Min(connection, names.Length - 1)] + extension, path);
            return path;
        }

        private ISyslogTransport Transport(AsyncSyslogLoggerOptions options, BoundedWait clock, SinkContext context)
        {
            var endpoint = new SyslogEndpoint(options.Endpoint!);
            _settledPort = endpoint.Port;
            var watched = new WatchedClock(context.TimeProvider);
            _dialling = new OperationWatch(watched);
            if (_transport is "tcp" or "tls" || IsLocal)
                return new OpenWatch(SyslogSink.TransportOf(options, new BoundedWait(watched), context), _dialling);
            var resolver = new DnsResolver(endpoint.Host, clock, Resolve);
            IUdpSockets sockets = _setup.Find("fakeSocket") is null ? new UdpSockets(clock) : _fake = Fake(clock);
            return new UdpTransport(options, resolver, sockets, new SequenceCounter(VectorOptions.FirstNumber(_setup.Find("options"))), clock, context);
        }

        private FakeUdpSockets Fake(BoundedWait clock)
        {
            TimeSpan step = TimeSpan.FromMilliseconds((double)_setup.IntOf("spreadMs") / _records);
            return new FakeUdpSockets(_setup.TextsOf("fakeSocket"), clock) { Waiting = time => _rig.Time!.Advance(time), Sending = () => _rig.Time!.Advance(step) };
        }

        private IPAddress[] Resolve(string host)
        {
            int number = Interlocked.Increment(ref _lookups);
            string[] answers = _setup.TextsOf("resolver");
            if (answers.Length == 0)
                return _setup.Find("fakeSocket") is not null ? [DatagramBench.Elsewhere] : Dns.GetHostAddresses(host);
            string answer = answers[Math.Min(number, answers.Length) - 1];
            return answer == "fail" ? throw new SocketException((int)SocketError.TryAgain) : [.. answer.Split(',').Select(IPAddress.Parse)];
        }

        private void PlaySilentServer()
        {
            LogRecords(0, _records);
            double wanted = _expect.Has("handshakeEndsAfterMs") ? _expect.Take("handshakeEndsAfterMs").GetDouble() : 10_000;
            _expect.Number("handshakeEndsAfterMs", () => _rig.MillisecondsOf(_dialling!, wanted, HasBegunHandshake));
            _rig.Wait(() => Pipeline.Sink.Thrown.Count > 0);
            Assert.Equal("timeout", Pipeline.Sink.Thrown[0].ErrorType);
            Assert.Contains("plain-text port", Pipeline.Sink.Thrown[0].Message, StringComparison.Ordinal);
            _rig.Wait(() => _streams!.Connections.Count > 1);

            bool HasBegunHandshake() => _streams!.Connections is [{ ByteCount: > 0 }, ..];
        }

        private void PlayRecords()
        {
            bool isRefused = _expect.Has("arrived") && _transport == "tls" && _expect.Take("arrived") is { ValueKind: JsonValueKind.Number } none && none.GetInt32() == 0;
            if (_setup.Find("resolver") is not null)
                PlayLookups();
            else if (IsReconnect)
                PlayReconnect(isRefused);
            else if (IsLate)
                PlayLateReceiver();
            else
                LogAll(isRefused);
            if (_setup.BoolOf("disposeAtOnce"))
                DisposeRig();
            else if (!HasNameThatDoesNotResolve && !isRefused && !_expect.Has("alertNoticed") && !IsArrivalOpen)
                _rig.Flush();
            foreach (string field in IsArrivalOpen ? (string[])["dropped", "sent"] : [])
            {
                if (_expect.Has(field))
                    _rig.Wait(() => (field == "sent" ? Pipeline.Status.Written : Pipeline.Status.Dropped) >= LeastOf(field), text: field);
            }

            if (_expect.Has("alertNoticed"))
                _rig.Wait(() => HasNoticedAlert, text: string.Join(", ", Pipeline.Told));
        }

        // Whether some records may wait for ever.
        private bool IsArrivalOpen => _receiverKind == "none" || (DoesNotRead && _transport != "udp") || (IsReconnect && _expect.Has("arrivedAtLeast"));

        private void LogAll(bool isRefused)
        {
            bool isOneByOne = _transport == "tls" && !_setup.BoolOf("disposeAtOnce");
            for (int i = 0; i < _records; i++)
            {
                LogRecords(i, i + 1);
                if (isOneByOne && isRefused)
                    _rig.Wait(() => Pipeline.Sink.Thrown.Count > 1);
                else if (isOneByOne && !_expect.Has("alertNoticed"))
                    _rig.Wait(() => Arrived.Count > i);
            }
        }

        private void PlayLateReceiver()
        {
            LogRecords(0, _recordsBefore);
            _rig.Wait(() => Pipeline.Sink.Thrown.Count > 1);
            ListenForDatagrams(_port);
            LogRecords(_recordsBefore, _records);
        }

        // The answers are given in turn; a minute asks again.
        private void PlayLookups()
        {
            int answers = _setup.TextsOf("resolver").Length;
            LogRecords(0, _records / 2);
            _rig.Flush();
            for (int asked = Volatile.Read(ref _lookups); asked < answers; asked = Volatile.Read(ref _lookups))
                _rig.Wait(() => Volatile.Read(ref _lookups) > asked, TimeSpan.FromSeconds(1));
            LogRecords(_records / 2, _records);
        }

        // The server ends the connection between two records; files may be others afterwards.
        private void PlayReconnect(bool isRefused)
        {
            int before = Math.Max(1, _records / 2);
            LogRecords(0, before);
            bool isFirstRefused = isRefused || Names("caFile", "").Length > 1 || Names("clientCertificate", "").Length > 1 || Names("certificate", "").Length > 1;
            _rig.Wait(() => Arrived.Count >= before || (isFirstRefused && Pipeline.Sink.Thrown.Count > 0));
            foreach (string field in (string[])["caFile", "clientCertificate"])
            {
                if (_setup.Find(field) is null)
                    continue;
                foreach (string extension in field == "caFile" ? (string[])[""] : [".pem", ".key"])
                    Changing(field, extension, 1);
            }

            _tls?.Use(Names("certificate", "server")[^1]);
            _tls?.EndConnections();
            foreach (StreamReceiver.Received connection in _streams?.Connections ?? [])
                connection.End(ReceiverEnd.Close);
            LogRecords(before, _records);
            if (_expect.Has("reconnects"))
                _rig.Wait(() => Connects > 1);
        }

        private void LogRecords(int from, int to)
        {
            for (int i = from; i < to; i++)
            {
                double delay = RunDelay();
                long began = Stopwatch.GetTimestamp();
                Pipeline.Log(1, i, _setup.IntOf("messageBytes"));
                double took = Stopwatch.GetElapsedTime(began).TotalMicroseconds;
                // What another program had of the processor was not the caller's wait.
                _callMicroseconds.Add(Math.Max(0, took - (took < 100 ? 0 : RunDelay() - delay)));
            }
        }

        /// <summary>How long this thread was ready to run and did not, in microseconds; 0 where the system does not tell.</summary>
        private static double RunDelay()
        {
            const string Path = "/proc/thread-self/schedstat";
            return OperatingSystem.IsLinux() && File.Exists(Path) ? double.Parse(File.ReadAllText(Path).Split(' ')[1], CultureInfo.InvariantCulture) / 1000 : 0;
        }

        private void DisposeRig()
        {
            long began = Stopwatch.GetTimestamp();
            _rig.Dispose();
            _disposeTook = Stopwatch.GetElapsedTime(began);
            _isDisposed = true;
        }

        private int Connects => _streams?.Connections.Count ?? _tls?.ConnectionCount ?? Pipeline.Connects;

        private bool HasNoticedAlert => Pipeline.Context.Errors.Contains("tls") || Pipeline.Sink.Thrown.Any(static thrown => thrown.ErrorType == "tls")
            || Pipeline.Told.Any(static told => told.Contains("alert", StringComparison.OrdinalIgnoreCase));

        private void CheckCounters()
        {
            SinkStatus status = Pipeline.AssertConservation(_records);
            Assert.Empty(Pipeline.Sink.Unexpected);
            _expect.Number("sent", status.Written);
            _expect.Number("dropped", status.Dropped);
            _expect.Number("truncated", status.Truncated);
            _expect.DropReason(status, _expect.Has("dropped") ? status.Dropped : null);
            _expect.AcceptedRecords(status);
            // The worker counts a failure after the sink has thrown.
            foreach (string errorClass in _expect.Texts("errorClasses"))
                _rig.Wait(() => Pipeline.Status.Errors.ContainsKey(errorClass), text: errorClass);
            _expect.Flag("callerBlocked", status.CallerWait > TimeSpan.Zero);
            // One that reached the caller would have ended the test: the calls are made here.
            _expect.Number("callerExceptions", _records - _callMicroseconds.Count);
            _expect.Number("startDelayMs", _startDelay.TotalMilliseconds);
            _callMicroseconds.Sort();
            _expect.Number("callerP999Us", () => _callMicroseconds[(int)((long)_records * 999 / 1000)]);
            _expect.Number("remotePort", _settledPort);
            if (HasNameThatDoesNotResolve)
            {
                _rig.Wait(() => Pipeline.Sink.Thrown.Count > 0);
                Assert.NotEmpty(Pipeline.Sink.Thrown);
                Assert.All(Pipeline.Sink.Thrown, static exception => Assert.Equal("dns", exception.ErrorType));
            }

            if (_expect.Has("resolves"))
                _rig.Wait(() => Volatile.Read(ref _lookups) >= LeastOf("resolves"));
            _expect.Number("resolves", Volatile.Read(ref _lookups));
            _expect.Flag("withinDeadline", _isDisposed && _disposeTook < (_shutdownTimeout * 3) + TimeSpan.FromSeconds(5));
        }

        private double LeastOf(string name)
        {
            JsonElement wanted = _expect.Take(name);
            return wanted.ValueKind == JsonValueKind.Number ? wanted.GetDouble() : double.Parse(wanted.GetString()!.Trim('<', '>', '=', ' '), CultureInfo.InvariantCulture);
        }

        private void CheckArrival()
        {
            foreach (string field in (string[])["arrived", "arrivedAtLeast"])
            {
                if (_expect.Has(field))
                    Eventually.True(() => ArrivedCount >= (_expect.Take(field) is { ValueKind: JsonValueKind.String } text && text.GetString()![0] == '<' ? 0 : LeastOf(field)));
            }

            List<string> arrived = Arrived;
            int missed = Missed;
            _expect.Number("arrived", arrived.Count + missed);
            if (_expect.Has("arrivedAtLeast") && _expect.Take("arrivedAtLeast").ValueKind == JsonValueKind.Number)
                _expect.AtLeast("arrivedAtLeast", arrived.Count);
            else
                _expect.Number("arrivedAtLeast", arrived.Count);
            if (_expect.Has("order"))
            {
                Assert.Equal("queued ones first", _expect.Take("order").GetString());
                Assert.Equal(Enumerable.Range(0, _records).Select(SyslogPipeline.NameOf), arrived.Select(static record => RecordName().Match(record).Value));
            }

            _expect.Text("hostnameField", arrived.Count > 0 && _daemon is null && !IsLocal ? StrictRecord.Field(arrived[0], 2) : null);
            if (_expect.Has("sequenceGaps"))
            {
                IEnumerable<string> texts = _daemon is null ? arrived : _daemon.Records().Select(static record => record.GetProperty("sd_raw").GetString()!);
                int first = VectorOptions.FirstNumber(_setup.Find("options"));
                var numbers = texts.Select(static text => int.Parse(SequenceId().Match(text).Groups[1].Value, CultureInfo.InvariantCulture)).Order().ToArray();
                Assert.NotEmpty(numbers);
                Assert.Distinct(numbers);
                Assert.InRange(numbers[0], first, first + missed);
                _expect.Number("sequenceGaps", Math.Max(0, numbers[^1] - first + 1 - numbers.Length - missed));
            }

            if (!IsLocal || _daemon is not null)
                return;
            foreach (string record in arrived)
                Assert.Matches(@"^<14>[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d shop\[4242\]: r\d+", record);
        }

        private void CheckFakeSocket()
        {
            List<byte[]> sends = _fake?.Sends ?? [.. Arrived.Select(Encoding.UTF8.GetBytes)];
            _expect.Number("sends", sends.Count);
            _expect.AtMost("secondSendMaxBytes", sends.ElementAtOrDefault(1)?.Length ?? double.MaxValue);
            _expect.Flag("parsesStrictly", sends.Count > 0 && sends.TrueForAll(static datagram => StrictRecord.Parses(datagram)));
            if (_expect.Has("datagramBytes"))
            {
                Assert.NotEmpty(sends);
                Assert.All(sends, datagram => _expect.Number("datagramBytes", datagram.Length));
            }

            if (_expect.Has("socketsOpened"))
                _expect.Number("socketsOpened", _fake?.Opened ?? Pipeline.Connects);
            var attempts = sends.CountBy(static datagram => RecordName().Match(Encoding.UTF8.GetString(datagram)).Value).Select(static record => record.Value).ToArray();
            _expect.Number("maxAttemptsPerRecord", () => attempts.Max());
            if (_fake is null)
                return;
            if (_expect.Has("waitPerRecordMs"))
            {
                Assert.NotEmpty(_fake.Waits);
                Assert.All(_fake.Waits, wait => _expect.Number("waitPerRecordMs", wait.TotalMilliseconds));
            }

            // Between the attempts of one record, where there are several; else between records.
            if (_expect.Has("waitMs"))
                _expect.AtLeast("waitMs", Gaps(isOfOneRecord: attempts.Max() > 1).Min().TotalMilliseconds);
        }

        private IEnumerable<TimeSpan> Gaps(bool isOfOneRecord) => Enumerable.Range(1, _fake!.Sends.Count - 1)
            .Where(i => !isOfOneRecord || RecordName().Match(Encoding.UTF8.GetString(_fake.Sends[i])).Value == RecordName().Match(Encoding.UTF8.GetString(_fake.Sends[i - 1])).Value)
            .Select(i => _fake.SentAt[i] - _fake.SentAt[i - 1]);

        private void CheckReports()
        {
            if (_expect.Has("reports"))
                _rig.Wait(() => Pipeline.ReportedConditions >= LeastOf("reports"));
            _expect.Number("reports", Pipeline.ReportedConditions);
            foreach (string text in _expect.Texts("reportMentions"))
                Assert.Contains(Pipeline.Told, told => told.Contains(text, StringComparison.Ordinal));
            if (_expect.Has("reconnects"))
                _rig.Wait(() => Connects - 1 >= LeastOf("reconnects"));
            _expect.Number("reconnects", Connects - 1);
        }

        private void CheckTls()
        {
            _expect.Flag("alertNoticed", HasNoticedAlert);
            if (_tls is null)
                return;
            bool isRefused = _expect.Has("arrived") && _tls.Frames.Count == 0 && !_expect.Has("alertNoticed");
            if (isRefused)
            {
                Assert.NotEmpty(Pipeline.Sink.Thrown);
                Assert.All(Pipeline.Sink.Thrown, static exception => Assert.Equal("tls", exception.ErrorType));
            }

            // The highest version that both have.
            SslProtocols best = _setup.TextsOf("serverTls") is { Length: > 0 } versions ? versions.Select(VersionOf).Max() : SslProtocols.Tls13;
            if (_tls.Frames.Count > 0)
                Assert.NotEmpty(_tls.Versions);
            Assert.DoesNotContain(_tls.Versions, version => version != best);
            if (_setup.Find("clientCertificate") is not null && _tls.Frames.Count > 0)
            {
                Assert.NotEmpty(_tls.Clients);
                Assert.All(_tls.Clients, client => Assert.Equal($"CN={Names("clientCertificate", "")[^1]}", client));
            }

            if (!_expect.Has("closeNotifySeen"))
                return;
            if (!_isDisposed)
                DisposeRig();
            _expect.Flag("closeNotifySeen", () => _tls.CloseNotifies >= 1);
        }
    }

    /// <summary>Watches the opening of a transport.</summary>
    private sealed class OpenWatch(ISyslogTransport inner, OperationWatch watch) : ISyslogTransport
    {
        public DateTimeOffset? NextDue => inner.NextDue;

        public void Open(CancellationToken cancellationToken)
        {
            using var running = watch.Begin();
            inner.Open(cancellationToken);
        }

        public void Write(LogBatch batch, CancellationToken cancellationToken)
        {
            using var running = watch.Begin();
            inner.Write(batch, cancellationToken);
        }

        public void RunDue(CancellationToken cancellationToken) => inner.RunDue(cancellationToken);

        public void Apply(AsyncSyslogLoggerOptions options) => inner.Apply(options);

        public void End(CancellationToken cancellationToken) => inner.End(cancellationToken);

        public void Dispose() => inner.Dispose();
    }
}
