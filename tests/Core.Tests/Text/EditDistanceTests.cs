namespace AsyncLog.Tests.Text;

public sealed class EditDistanceTests
{
    [Theory]
    [InlineData("", "", 0)]
    [InlineData("Path", "path", 0)]
    [InlineData("Path", "Pth", 1)]
    [InlineData("Path", "Paath", 1)]
    [InlineData("Path", "Pahh", 1)]
    [InlineData("Path", "Ptah", 1)]
    [InlineData("Daily", "Day", 2)]
    [InlineData("abc", "", 3)]
    public void Insertions_deletions_replacements_and_swaps_count_one(string a, string b, int distance)
    {
        Assert.Equal(distance, NameSuggestions.Distance(a, b));
        Assert.Equal(distance, NameSuggestions.Distance(b, a));
    }
}
