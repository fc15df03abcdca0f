namespace AsyncLog.Tests.Options;

public sealed class ConfigurationProblemTests
{
    [Theory]
    [InlineData("Endpoint", "tls://me:s3cret@collector:4318", "tls://***@collector:4318")]
    [InlineData("Endpoint", "me:s3cret@collector:4318", "***@collector:4318")]
    [InlineData("Endpoint", "me:s3@cret@collector", "***@collector")]
    [InlineData("Endpoint", "me:s3cret@collector://x", "***@collector://x")]
    [InlineData("ProxyAddress", "me:s3cret@proxy:8080", "***@proxy:8080")]
    public void Only_the_parts_of_an_address_that_cannot_be_credentials_are_shown(string key, string value, string shown) =>
        Assert.Equal(shown, ConfigurationProblem.Show(key, value));

    [Theory]
    [InlineData("Endpoint", "collector:4318")]
    [InlineData("Template", "{Message} @ {Level}")]
    [InlineData("Path", "logs/me@host.log")]
    [InlineData("Properties", "ops@example.com")]
    public void Other_values_are_shown_as_they_were_written(string key, string value) => Assert.Equal(value, ConfigurationProblem.Show(key, value));
}
