namespace AsyncLog.Tests;

public sealed class ReferenceCacheTests
{
    [Fact]
    public void Entries_of_one_hash_share_its_places_and_then_replace_each_other_in_turn()
    {
        var cache = new ReferenceCache<string>(16, 4);
        for (var i = 0; i < 4; i++)
        {
            Assert.True(cache.HasRoom(14));
            cache.Add(14, "entry " + i);
        }
        Assert.False(cache.HasRoom(14));
        Assert.True(cache.HasRoom(2));
        // Past the end of the table they are at its beginning.
        Assert.Equal(["entry 0", "entry 1", "entry 2", "entry 3"], Enumerable.Range(14, 4).Select(place => cache[place]));
        Assert.Equal(("entry 2", "entry 3"), (cache[0], cache[1]));
        for (var i = 4; i < 8; i++)
            cache.Add(14, "entry " + i);
        Assert.Equal(["entry 4", "entry 5", "entry 6", "entry 7"], Enumerable.Range(14, 4).Select(place => cache[place]));
        Assert.Null(cache[5]);
    }
}
