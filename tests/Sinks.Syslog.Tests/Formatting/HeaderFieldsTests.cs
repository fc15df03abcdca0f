namespace AsyncLog.Tests.Formatting;

public sealed class HeaderFieldsTests
{
    [Theory]
    [InlineData("müller.example", "xn--mller-kva.example")]
    [InlineData("[2001:db8::1]", "2001:db8::1")]
    [InlineData("", "-")]
    [InlineData("a b", "a_b")]
    // Each label by itself: one that IDNA would not take spoils no other.
    [InlineData("ü..x", "xn--tda..x")]
    [InlineData("müller.a b", "xn--mller-kva.a_b")]
    public void A_host_name_is_ASCII(string name, string expected) => Assert.Equal(expected, HeaderFields.HostName(name));

    [Fact]
    public void A_label_that_IDNA_does_not_take_is_cleaned_alone()
    {
        var tooLong = new string('ü', 64);

        Assert.Equal($"{new string('_', 64)}.xn--mller-kva", HeaderFields.HostName($"{tooLong}.müller"));
    }

    [Theory]
    [InlineData("My Shop-2.0_x", "My_Shop-2.0_x")]
    [InlineData("a:b[c]", "a_b_c_")]
    [InlineData("", "-")]
    [InlineData("😀ü", "__")]
    public void A_tag_has_letters_digits_and_three_signs(string name, string expected) => Assert.Equal(expected, HeaderFields.Tag(name));

    [Fact]
    public void A_tag_has_32_characters_at_most() => Assert.Equal(new string('t', 32), HeaderFields.Tag(new string('t', 40)));

    [Theory]
    [InlineData("shop-1", "example.com", "shop-1.example.com")]
    [InlineData("shop-1.example.com", "example.org", "shop-1.example.com")]
    [InlineData("shop-1", "(none)", "shop-1")]
    [InlineData("shop-1", "", "shop-1")]
    [InlineData("shop-1.", ".example.com.", "shop-1.example.com")]
    [InlineData("", "example.com", "")]
    public void A_machine_has_its_full_name_when_it_knows_it(string host, string domain, string expected) =>
        Assert.Equal(expected, LocalHost.Join(host, domain));

    [Theory]
    [InlineData("web1.example.com", "web1")]
    [InlineData("web1", "web1")]
    [InlineData("192.0.2.7", "192.0.2.7")]
    [InlineData("2001:db8::1", "2001:db8::1")]
    [InlineData("", "")]
    public void A_name_without_its_domain_ends_before_the_first_dot_and_an_address_stays_whole(string name, string expected) =>
        Assert.Equal(expected, LocalHost.WithoutDomain(name));

    [Fact]
    public void This_machine_has_a_name_that_stays()
    {
        Assert.NotEmpty(LocalHost.Name);
        Assert.Same(LocalHost.Name, LocalHost.Name);
    }
}
