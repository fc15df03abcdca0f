namespace AsyncLog.Tests;

public sealed class PortableByteFilesTests : ByteFilesContract
{
    private protected override IByteFiles Files { get; } = new PortableByteFiles();

    [Fact]
    public void The_portable_files_pass_the_same_contract() => Assert.NotNull(Files.Limitation);
}
