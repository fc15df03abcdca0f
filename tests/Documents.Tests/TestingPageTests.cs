namespace AsyncLog.Documents;

/// <summary>The test that docs/testing-your-application.md shows passes.</summary>
public sealed class TestingPageTests
{
    [Fact]
    public async Task The_test_of_the_page_passes()
    {
        var block = Document.At("docs/testing-your-application.md").Below("Read records in a test").Single(static block => block.Language == "csharp");
        var tests = new Code(block.Text).Load().GetType("CartTests")!;
        await (Task)tests.GetMethod("An_item_is_logged")!.Invoke(Activator.CreateInstance(tests), null)!;
    }
}
