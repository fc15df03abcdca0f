namespace AsyncLog.Tests;

public sealed class SuccessorTests
{
    [Fact]
    public void Fault_F13_A_file_that_was_cut_inside_a_line_after_a_roll_goes_on_with_a_new_line()
    {
        using var harness = new SinkHarness(options => options.FileSizeLimit = 10);
        harness.Write("aaaaaaaa");
        harness.Write("bbbbbbbb");
        Assert.Equal("bbbbbbbb\n", harness.Read("shop.log"));
        using (FileStream file = File.Open(harness.Folder["shop.log"], FileMode.Open, FileAccess.Write, FileShare.ReadWrite))
            file.SetLength(4);

        harness.Clock.PassSeconds(0.25);
        harness.Write("c");

        Assert.Equal("bbbb\nc\n", harness.Read("shop.log"));
    }
}
