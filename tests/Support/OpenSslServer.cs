using System.Diagnostics;
using System.Text;

namespace AsyncLog.Tests;

/// <summary>OpenSSL's own server, as another implementation of the other side.</summary>
internal sealed class OpenSslServer : IDisposable
{
    private readonly Process _process;
    private readonly StringBuilder _output = new();

    public OpenSslServer(int port, params string[] arguments)
    {
        _process = Process.Start(new ProcessStartInfo(
            "openssl",
            ["s_server", "-accept", FormattableString.Invariant($"127.0.0.1:{port}"), "-cert", TestCertificates.File("server.pem"), "-key", TestCertificates.File("server.key"),
                "-CAfile", TestCertificates.File("ca.pem"), .. arguments])
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        })!;
        Keep(_process.StandardOutput);
        Keep(_process.StandardError);
        Eventually.True(() => Output.Contains("ACCEPT", StringComparison.Ordinal) || _process.HasExited);
        Assert.SkipWhen(_process.HasExited, "openssl s_server does not run here: " + Output);
    }

    public string Output
    {
        get
        {
            lock (_output)
                return _output.ToString();
        }
    }

    public int CountOf(string text) => Output.Split(text).Length - 1;

    public void Say(string line)
    {
        _process.StandardInput.WriteLine(line);
        _process.StandardInput.Flush();
    }

    public void Dispose()
    {
        _process.Kill();
        _process.WaitForExit();
        _process.Dispose();
    }

    // Frames bring no line ends.
    private void Keep(StreamReader reader) => new Thread(() => Read(reader)) { IsBackground = true, Name = "openssl output" }.Start();

    private void Read(StreamReader reader)
    {
        char[] buffer = new char[4096];
        for (int count; (count = reader.Read(buffer)) > 0;)
        {
            lock (_output)
                _output.Append(buffer, 0, count);
        }
    }
}
