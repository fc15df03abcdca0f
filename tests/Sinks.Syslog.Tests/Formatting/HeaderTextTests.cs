namespace AsyncLog.Tests;

public sealed class HeaderTextTests
{
    [Theory]
    [InlineData("müller.example", "xn--mller-kva.example")]
    [InlineData("[2001:db8::1]", "2001:db8::1")]
    [InlineData("", "-")]
    [InlineData("a b", "a_b")]
    // IDNA takes no label that is empty or too long: cleaned instead.
    [InlineData("ü..x", "_..x")]
    public void SY_08_A_host_name_is_ASCII(string name, string expected) => Assert.Equal(expected, HeaderText.HostName(name));

    [Theory]
    [InlineData("My Shop-2.0_x", "My_Shop-2.0_x")]
    [InlineData("a:b[c]", "a_b_c_")]
    [InlineData("", "-")]
    [InlineData("😀ü", "__")]
    public void SY_29_A_tag_has_letters_digits_and_three_signs(string name, string expected) => Assert.Equal(expected, HeaderText.Tag(name));

    [Fact]
    public void SY_29_A_tag_has_32_characters_at_most() => Assert.Equal(new string('t', 32), HeaderText.Tag(new string('t', 40)));

    [Theory]
    [InlineData("shop-1", "example.com", "shop-1.example.com")]
    [InlineData("shop-1.example.com", "example.org", "shop-1.example.com")]
    [InlineData("shop-1", "(none)", "shop-1")]
    [InlineData("shop-1", "", "shop-1")]
    [InlineData("shop-1.", ".example.com.", "shop-1.example.com")]
    [InlineData("", "example.com", "")]
    public void SY_07_A_machine_has_its_full_name_when_it_knows_it(string host, string domain, string expected) =>
        Assert.Equal(expected, LocalHost.Join(host, domain));

    [Fact]
    public void SY_07_This_machine_has_a_name_that_stays()
    {
        Assert.NotEmpty(LocalHost.Name);
        Assert.Same(LocalHost.Name, LocalHost.Name);
    }
}
