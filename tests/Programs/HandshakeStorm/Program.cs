using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Net;
using System.Net.Security;
using System.Net.Sockets;
using System.Security.Authentication;
using System.Security.Cryptography.X509Certificates;
using AsyncLog;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

// Makes and breaks off TLS handshakes of both network sinks: HandshakeStorm <seconds> <folder of certificates> [<seed>].
// Each round starts both sinks with a client certificate, cancels handshakes by short time-outs, exchanges certificate files by a reload, and shuts down
// while handshakes run. Prints "seed: n", "rounds: n handshakes: n broken: n", and one line for each error of the sinks. A certificate that is disposed
// while a handshake uses it ends the process, or is an error. It goes on after the time until there were five of each. The seed decides the pauses of each thread, not the order of the threads.
const int Least = 5;
var time = TimeSpan.FromSeconds(double.Parse(args[0], CultureInfo.InvariantCulture));
var certificates = args[1];
var seed = args.Length > 2 ? int.Parse(args[2], CultureInfo.InvariantCulture) : Random.Shared.Next();
Console.WriteLine(FormattableString.Invariant($"seed: {seed}"));
var began = Stopwatch.GetTimestamp();
var handshakes = 0;
var broken = 0;
var rounds = 0;
var errors = new ConcurrentDictionary<string, bool>(StringComparer.Ordinal);

// Neither is disposed: handshakes run until the process ends.
var server = X509Certificate2.CreateFromPemFile(Path.Combine(certificates, "server.pem"), Path.Combine(certificates, "server.key"));
var listener = new TcpListener(IPAddress.Loopback, 0);
listener.Start();
var port = ((IPEndPoint)listener.LocalEndpoint).Port;
Start(Accept);
var clients = Enumerable.Range(0, 2 * Environment.ProcessorCount).Select(index => Start(() => Run(new Random(seed + index)))).ToArray();
foreach (var client in clients)
    client.Join();
Console.WriteLine(FormattableString.Invariant($"rounds: {rounds} handshakes: {handshakes} broken: {broken}"));
foreach (var error in errors.Keys)
    Console.WriteLine(error);

void Run(Random random)
{
    // On a busy machine the time alone may end before a handshake does.
    while (Stopwatch.GetElapsedTime(began) < time || Math.Min(rounds, Math.Min(Volatile.Read(ref handshakes), Volatile.Read(ref broken))) < Least)
    {
        Round(random);
        Interlocked.Increment(ref rounds);
    }
}

void Round(Random random)
{
    var configuration = new ConfigurationBuilder().AddInMemoryCollection(Settings("client", random)).Build();
    var services = new ServiceCollection()
        .AddSingleton<IConfiguration>(configuration)
        .AddLogging(logging => logging.AddConfiguration(configuration.GetSection("Logging")).AddAsyncSyslog().AddAsyncOtlp())
        .BuildServiceProvider();
    var logger = services.GetRequiredService<ILoggerFactory>().CreateLogger("Storm");
    for (var i = 0; i < 3; i++)
    {
        logger.LogError("record {Number}", i);
        Thread.Sleep(random.Next(10));
    }

    if (random.Next(2) == 0)
    {
        foreach (var (key, value) in Settings("othername", random))
            configuration[key] = value;
        configuration.Reload();
        logger.LogError("after the reload");
        Thread.Sleep(random.Next(10));
    }

    // An error of the shutdown takes the place of an earlier one.
    var control = services.GetRequiredService<IAsyncLogControl>();
    KeepErrors(control);
    services.Dispose();
    KeepErrors(control);
}

void KeepErrors(IAsyncLogControl control)
{
    foreach (var instance in control.GetStatus().Instances)
    {
        if (instance.LastErrorMessage is { } error)
            errors[error] = true;
    }
}

Dictionary<string, string?> Settings(string client, Random random)
{
    var settings = new Dictionary<string, string?>(StringComparer.Ordinal)
    {
        ["AsyncLog:StartupReport"] = "false",
        ["AsyncLog:SelfReportLevel"] = "None",
        ["Logging:AsyncSyslog:Endpoint"] = FormattableString.Invariant($"tls://localhost:{port}"),
        ["Logging:AsyncSyslog:ReconnectDelay"] = "1ms",
        ["Logging:AsyncSyslog:EnterpriseNumber"] = "11111",
        ["Logging:AsyncOtlp:Endpoint"] = FormattableString.Invariant($"https://localhost:{port}"),
        ["Logging:AsyncOtlp:Timeout"] = FormattableString.Invariant($"{random.Next(2, 150)}ms"),
        ["Logging:AsyncOtlp:RetryDelay"] = "1ms",
    };
    foreach (var sink in (string[])["AsyncSyslog", "AsyncOtlp"])
    {
        settings[$"Logging:{sink}:ShutdownTimeout"] = FormattableString.Invariant($"{random.Next(1, 30)}ms");
        settings[$"Logging:{sink}:Tls:CaFile"] = Path.Combine(certificates, "ca.pem");
        settings[$"Logging:{sink}:Tls:ClientCertificateFile"] = Path.Combine(certificates, client + ".pem");
        settings[$"Logging:{sink}:Tls:ClientKeyFile"] = Path.Combine(certificates, client + ".key");
    }

    return settings;
}

void Accept()
{
    for (var connection = 1; ; connection++)
    {
        var socket = listener.AcceptSocket();
        var random = new Random(seed - connection);
        Start(() => Serve(socket, random));
    }
}

void Serve(Socket socket, Random random)
{
    try
    {
        using var tls = new SslStream(new NetworkStream(socket, ownsSocket: true));
        Thread.Sleep(random.Next(8));
        if (random.Next(8) == 0)
            return;
        tls.AuthenticateAsServer(new SslServerAuthenticationOptions
        {
            ServerCertificate = server,
            ClientCertificateRequired = true,
            RemoteCertificateValidationCallback = static (_, _, _, _) => true,
            ApplicationProtocols = [SslApplicationProtocol.Http11],
        });
        Interlocked.Increment(ref handshakes);
        var buffer = new byte[16 << 10];
        while (tls.Read(buffer) is var count and > 0)
        {
            if (buffer.AsSpan(0, count).StartsWith("POST "u8))
                tls.Write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"u8);
        }
    }
    catch (Exception exception) when (exception is IOException or AuthenticationException or ObjectDisposedException)
    {
        // The client broke it off.
        Interlocked.Increment(ref broken);
    }
}

static Thread Start(Action action)
{
    var thread = new Thread(() => action()) { IsBackground = true };
    thread.Start();
    return thread;
}
