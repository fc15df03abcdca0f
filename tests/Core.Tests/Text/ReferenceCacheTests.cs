namespace AsyncLog.Tests.Text;

public sealed class ReferenceCacheTests
{
    private const int Size = 256;
    private const int Probes = 4;

    [Fact]
    public void Entries_of_one_hash_share_its_places_and_then_replace_each_other()
    {
        var cache = new ReferenceCache<string>(16, 4);
        for (var i = 0; i < 4; i++)
            cache.Add(14, "entry " + i);
        // Past the end of the table they are at its beginning.
        Assert.Equal(["entry 0", "entry 1", "entry 2", "entry 3"], Enumerable.Range(14, 4).Select(place => cache[place]));
        Assert.Equal(("entry 2", "entry 3"), (cache[0], cache[1]));
        cache.Add(14, "entry 4");
        // In place of one of them; the others stay where they were.
        var replaced = Enumerable.Range(14, 4).Single(place => cache[place] == "entry 4");
        Assert.Equal(
            Enumerable.Range(14, 4).Select(place => place == replaced ? "entry 4" : $"entry {place - 14}"),
            Enumerable.Range(14, 4).Select(place => cache[place]));
        Assert.All(Enumerable.Range(2, 12), place => Assert.Null(cache[place]));
    }

    [Fact]
    public void Entries_in_use_find_their_places_in_a_full_table_whatever_their_hashes()
    {
        Assert.All(Enumerable.Range(0, 2000), static seed =>
        {
            var random = new Random(seed);
            var cache = new ReferenceCache<object>(Size, Probes);
            for (var place = 0; place < Size; place++)
                cache.Add(place, new object());
            var inUse = Enumerable.Range(0, 24).Select(_ => (Hash: random.Next(Size), Entry: new object())).ToArray();
            var missed = inUse.Length;
            for (var round = 0; round < 200 && missed > 0; round++)
            {
                missed = 0;
                foreach (var (hash, entry) in inUse)
                {
                    if (Enumerable.Range(hash, Probes).Any(place => ReferenceEquals(cache[place], entry)))
                        continue;
                    missed++;
                    cache.Add(hash, entry);
                }
            }

            Assert.Equal(0, missed);
        });
    }
}
