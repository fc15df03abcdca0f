using System.Collections.Concurrent;
using System.Globalization;
using System.Net;
using System.Net.Http.Json;
using System.Net.Sockets;
using System.Text;
using AsyncLog.Tests.Support;
using Microsoft.Extensions.DependencyInjection;

namespace AsyncLog.Tests.Syslog;

/// <summary>The syslog section of samples/WebApp.</summary>
public sealed class SyslogSampleTests
{
    // Of the facility User, warnings and above.
    private static readonly string[] Trouble = ["<10>", "<11>", "<12>"];

    private const string Commented = "// \"Endpoint\": \"udp://localhost:514\",";

    [Fact]
    public async Task Without_an_endpoint_nothing_goes_to_syslog()
    {
        using var folder = new TempFolder();
        await using var shop = new Shop(folder);
        using var client = shop.CreateClient();

        var instances = shop.Services.GetRequiredService<IAsyncLogControl>().GetStatus().Instances;
        Assert.Contains(instances, static instance => instance.Name == "file/default");
        Assert.DoesNotContain(instances, static instance => instance.Name.StartsWith("syslog/", StringComparison.Ordinal));
    }

    [Fact]
    public async Task An_endpoint_in_the_environment_gets_orders_and_trouble_and_nothing_else()
    {
        using var folder = new TempFolder();
        using var receiver = new Receiver();
        using var shop = new ShopProcess(folder, ("Logging__AsyncSyslog__Endpoint", receiver.Endpoint));
        using var client = new HttpClient { BaseAddress = await shop.Started() };

        await Order(client);
        using var failed = await client.GetAsync("/fail", TestContext.Current.CancellationToken);
        await shop.Stopped();

        // The program has ended: what it sent lies in the socket, or was read.
        await Eventually.Holds(() => receiver.Records.Count >= 3 && receiver.IsEmpty, () => receiver.Text);
        Assert.Single(receiver.Records, static record =>
            record.StartsWith("<14>1 ", StringComparison.Ordinal) && record.Contains(" WebApp ", StringComparison.Ordinal)
            && record.Contains("[meta sequenceId=\"", StringComparison.Ordinal) && record.EndsWith("] Order 1 of joe placed: 1 items, 6.40", StringComparison.Ordinal));
        Assert.Single(
            receiver.Records, static record => record.StartsWith("<12>1 ", StringComparison.Ordinal) && record.EndsWith("] Somebody asked for trouble", StringComparison.Ordinal));
        Assert.Contains(receiver.Records, static record => record.StartsWith("<11>1 ", StringComparison.Ordinal) && record.Contains("exceptionType=\"System.InvalidOperationException\"", StringComparison.Ordinal));
        Assert.DoesNotContain(
            receiver.Records,
            static record => !Array.Exists(Trouble, pri => record.StartsWith(pri, StringComparison.Ordinal)) && !record.Contains("category=\"WebApp.Orders\"", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Uncommenting_the_endpoint_while_it_runs_is_enough()
    {
        using var folder = new TempFolder();
        using var receiver = new Receiver();
        using var shop = new ShopProcess(folder);
        using var client = new HttpClient { BaseAddress = await shop.Started() };
        var settings = File.ReadAllText(folder.File("appsettings.json"));
        Assert.Contains(Commented, settings, StringComparison.Ordinal);

        File.WriteAllText(folder.File("appsettings.json"), settings.Replace(Commented, $"\"Endpoint\": \"{receiver.Endpoint}\",", StringComparison.Ordinal));

        await Eventually.Holds(
            async () =>
            {
                await Order(client);
                return receiver.Records.Any(static record => record.Contains(" of joe placed: ", StringComparison.Ordinal));
            },
            () => shop.Program.Printed);
        await shop.Stopped();
    }

    private static async Task Order(HttpClient client)
    {
        using var added = await client.PostAsJsonAsync("/carts/joe", new { article = "bread", quantity = 2 }, TestContext.Current.CancellationToken);
        using var ordered = await client.PostAsync("/orders/joe", null, TestContext.Current.CancellationToken);
        Assert.Equal((HttpStatusCode.OK, HttpStatusCode.OK), (added.StatusCode, ordered.StatusCode));
    }

    private sealed class Receiver : IDisposable
    {
        private readonly UdpClient _socket = new(new IPEndPoint(IPAddress.Loopback, 0));
        private readonly ConcurrentQueue<string> _records = new();

        public Receiver() => new Thread(Receive) { IsBackground = true }.Start();

        public string Endpoint => string.Create(CultureInfo.InvariantCulture, $"udp://127.0.0.1:{((IPEndPoint)_socket.Client.LocalEndPoint!).Port}");

        public IReadOnlyCollection<string> Records => _records;

        /// <summary>Whether the socket has nothing that was not read.</summary>
        public bool IsEmpty => _socket.Available == 0;

        public string Text => string.Join('\n', _records);

        public void Dispose() => _socket.Dispose();

        private void Receive()
        {
            try
            {
                IPEndPoint? sender = null;
                while (true)
                    _records.Enqueue(Encoding.UTF8.GetString(_socket.Receive(ref sender)));
            }
            catch (Exception exception) when (exception is SocketException or ObjectDisposedException)
            {
                // the socket was closed
            }
        }
    }
}
