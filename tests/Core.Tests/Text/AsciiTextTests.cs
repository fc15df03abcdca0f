using System.Text;

namespace AsyncLog.Tests.Text;

public sealed class AsciiTextTests
{
    [Fact]
    public void Every_character_at_every_place_is_judged_as_the_escaping_judges_it()
    {
        var room = new byte[64];
        foreach (var length in (int[])[1, 7, 8, 9, 16, 21])
        {
            for (var at = 0; at < length; at++)
            {
                for (var code = 0; code <= char.MaxValue; code += code < 0x180 ? 1 : 257)
                {
                    var text = new string('a', at) + (char)code + new string('z', length - at - 1);
                    var isClean = AsciiText.TryWriteJson(text, room);
                    Assert.Equal(code is >= 0x20 and <= 0x7E and not ('"' or '\\'), isClean);
                    if (isClean)
                        Assert.Equal(text, Encoding.ASCII.GetString(room, 0, length));
                }
            }
        }
        Assert.False(AsciiText.TryWriteJson("ab", room.AsSpan(0, 1)));
        Assert.True(AsciiText.TryWriteJson("", []));
    }
}
