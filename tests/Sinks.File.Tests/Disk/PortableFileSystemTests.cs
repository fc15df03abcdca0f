namespace AsyncLog.Tests.Disk;

public sealed class PortableFileSystemTests : FileSystemContract
{
    private protected override IFileSystem Files { get; } = new PortableFileSystem();

    [Fact]
    public void What_they_lack_is_said_at_start_and_heard_at_the_default_level()
    {
        using var harness = new SinkHarness(files: Files);

        harness.Write("a");

        Assert.Equal(
            (new AsyncLogOptions().SelfReportLevel, "platform", "on this platform links are checked before opening a file, and several processes on one file are not tested"),
            Assert.Single(harness.Context.Limitations));
    }
}
