using System.Globalization;
using System.Net;
using System.Net.Sockets;
using System.Text;

namespace AsyncLog.Tests.Packages;

/// <summary>A program with the package of every sink, and the tool.</summary>
[Trait("Category", "slow")]
public sealed class DeliveryTests(PackedPackages packages) : IClassFixture<PackagesFixture>
{
    private static readonly string[] Sinks = ["AsyncLog.Sinks.Console", "AsyncLog.Sinks.File", "AsyncLog.Sinks.Otlp", "AsyncLog.Sinks.Syslog"];

    [Fact]
    public async Task A_program_with_the_package_of_every_sink_delivers_to_each()
    {
        using var folder = new TempFolder();
        var project = new FreshProject(packages, folder);
        Directory.CreateDirectory(folder.File("project"));
        File.WriteAllText(
            folder.File("project", "Fresh.csproj"),
            $"""
            <Project Sdk="Microsoft.NET.Sdk">
              <PropertyGroup>
                <OutputType>Exe</OutputType>
                <TargetFramework>net10.0</TargetFramework>
                <ImplicitUsings>enable</ImplicitUsings>
              </PropertyGroup>
              <ItemGroup>
                {string.Concat(Sinks.Select(sink => $"<PackageReference Include=\"{sink}\" Version=\"{packages.Version}\" />"))}
              </ItemGroup>
            </Project>
            """);
        File.WriteAllText(
            folder.File("project", "Program.cs"),
            """
            using Microsoft.Extensions.Logging;

            using var loggers = LoggerFactory.Create(logging => logging.AddAsyncConsole().AddAsyncFile()
                .AddAsyncSyslog(options => options.Endpoint = new Uri(args[0])).AddAsyncOtlp(options => options.Endpoint = new Uri(args[1])));
            loggers.CreateLogger("Program").LogWarning("Hello, {Name}!", "World");
            """);
        await project.Build("-warnaserror");
        using var syslog = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
        syslog.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        using var collector = new HttpListener();
        var address = string.Create(CultureInfo.InvariantCulture, $"http://127.0.0.1:{Ports.Free()}/");
        collector.Prefixes.Add(address);
        collector.Start();

        using var app = project.Start("Fresh", [string.Create(CultureInfo.InvariantCulture, $"udp://127.0.0.1:{((IPEndPoint)syslog.LocalEndPoint!).Port}"), address + "v1/logs"]);

        // The start-up line may have a request of its own.
        while (!(await Received(collector)).Contains("Hello, World!", StringComparison.Ordinal))
        {
        }

        Assert.True(await app.Ended() == 0, app.Printed);
        Assert.Contains(app.Output, static line => line.EndsWith("[WRN] Program: Hello, World!", StringComparison.Ordinal));
        Assert.Contains(folder.Lines("app", "logs", "Fresh.log"), static line => line.EndsWith("[WRN] Program: Hello, World!", StringComparison.Ordinal));
        Assert.Contains(Datagrams(syslog), static datagram => datagram.EndsWith("Hello, World!", StringComparison.Ordinal));
    }

    [Fact]
    public async Task The_tool_installs_and_reads_a_folder()
    {
        using var folder = new TempFolder();
        var project = new FreshProject(packages, folder);
        Directory.CreateDirectory(folder.File("spool"));
        await project.Run("tool", "install", "AsyncLog.Tool", "--tool-path", folder.File("tools"), "--version", packages.Version);

        using var tool = new ChildProgram(folder.File("tools", "asynclog"), ["spool", "verify", folder.File("spool")], folder.Path);

        Assert.True(await tool.Ended() == 0, tool.Printed);
        Assert.Equal(["0 files, 0 whole records, 0 damaged"], tool.Output);
    }

    private static async Task<string> Received(HttpListener collector)
    {
        var request = await collector.GetContextAsync().WaitAsync(TimeSpan.FromMinutes(1), TestContext.Current.CancellationToken);
        using var body = new MemoryStream();
        await request.Request.InputStream.CopyToAsync(body, TestContext.Current.CancellationToken);
        request.Response.ContentType = "application/x-protobuf";
        request.Response.Close();
        return Encoding.UTF8.GetString(body.ToArray());
    }

    // All of them are there: the program has ended.
    private static IEnumerable<string> Datagrams(Socket socket)
    {
        var buffer = new byte[65_536];
        while (socket.Available > 0)
            yield return Encoding.UTF8.GetString(buffer, 0, socket.Receive(buffer));
    }
}
