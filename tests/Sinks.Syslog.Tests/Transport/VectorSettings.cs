using System.Globalization;
using System.Text.Json;

namespace AsyncLog.Tests.Transport;

/// <summary>Puts the options of a socket vector in force, as configuration would.</summary>
internal static class VectorSettings
{
    public static void Apply(AsyncSyslogOptions options, JsonElement setup)
    {
        options.ReconnectDelay = TimeSpan.FromMilliseconds(20);
        options.MaxReconnectDelay = TimeSpan.FromMilliseconds(100);
        if (setup.Find("queue") is { } queue)
            options.MaxQueueLength = queue.GetInt32();
        if (setup.Find("options") is not { } given)
            return;
        foreach (JsonProperty option in given.EnumerateObject())
            Set(options, option.Name, option.Value);
    }

    private static void Set(AsyncSyslogOptions options, string name, JsonElement value)
    {
        switch (name)
        {
            case "Endpoint":
                options.Endpoint = new Uri(value.GetString()!);
                break;
            case "MaxMessageBytes":
                options.MaxMessageBytes = value.GetInt32();
                break;
            case "MaxDatagramsPerSecond":
                options.MaxDatagramsPerSecond = value.GetInt32();
                break;
            case "ReportUnreachable":
                options.ReportUnreachable = value.GetBoolean();
                break;
            case "SequenceId":
                Assert.Equal(1, value.GetInt32());
                options.SequenceId = true;
                break;
            case "Tls:ServerName":
                options.Tls.ServerName = value.GetString();
                break;
            default:
                throw new InvalidDataException(string.Create(CultureInfo.InvariantCulture, $"this test does not know the option {name}"));
        }
    }
}
