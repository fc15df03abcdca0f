using System.Text;

namespace AsyncLog.Tests.Text;

public sealed class AsciiTextTests
{
    [Fact]
    public void Every_character_at_every_place_is_copied_if_it_is_printable_ASCII_and_in_JSON_neither_a_quote_nor_a_backslash()
    {
        const byte Untouched = 0xEE;
        var room = new byte[64];
        foreach (var length in (int[])[1, 7, 8, 9, 16, 21])
        {
            for (var at = 0; at < length; at++)
            {
                var text = (new string('a', at) + "?" + new string('z', length - at - 1)).ToCharArray();
                for (var code = 0; code <= char.MaxValue; code++)
                {
                    text[at] = (char)code;
                    Array.Fill(room, Untouched);
                    Check(AsciiText.TryWrite(text, room), code is >= 0x20 and <= 0x7E);
                    Array.Fill(room, Untouched);
                    Check(AsciiText.TryWriteJson(text, room), code is >= 0x20 and <= 0x7E and not ('"' or '\\'));

                    void Check(bool isCopied, bool isWanted)
                    {
                        if (isCopied != isWanted || room.AsSpan(length).ContainsAnyExcept(Untouched)
                            || (isCopied && !Encoding.ASCII.GetString(room, 0, length).AsSpan().SequenceEqual(text)))
                            Assert.Fail($"U+{code:X4} at {at} of {length}: {isCopied}, {Convert.ToHexString(room)}");
                    }
                }
            }
        }
    }

    [Fact]
    public void A_text_that_is_longer_than_the_destination_is_refused()
    {
        var room = new byte[9];
        foreach (var text in (string[])["ab", "12345678", "123456789"])
        {
            Assert.True(AsciiText.TryWrite(text, room.AsSpan(0, text.Length)));
            Assert.True(AsciiText.TryWriteJson(text, room.AsSpan(0, text.Length)));
            Assert.False(AsciiText.TryWrite(text, room.AsSpan(0, text.Length - 1)));
            Assert.False(AsciiText.TryWriteJson(text, room.AsSpan(0, text.Length - 1)));
        }

        Assert.True(AsciiText.TryWrite("", []));
        Assert.True(AsciiText.TryWriteJson("", []));
    }
}
