using System.Text;
using FsCheck;
using FsCheck.Fluent;

namespace AsyncLog.Tests.Transport.Stream;

public sealed class RetransmitBufferTests
{
    [Fact]
    public void What_is_acknowledged_is_let_go_and_what_is_not_is_sent_again()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: false);
        Add(sent, "one", 3);
        Add(sent, "two", 6);
        Add(sent, "three", 11);
        sent.Acknowledge(6, window: 0);
        sent.EndConnection(isAbnormal: true);
        Assert.Equal("three", Pending(sent));
    }

    [Fact]
    public void A_frame_acknowledged_in_part_is_sent_again_whole()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: false);
        Add(sent, "one", 3);
        Add(sent, "two", 6);
        sent.Acknowledge(4, window: 0);
        sent.EndConnection(isAbnormal: true);
        Assert.Equal("two", Pending(sent));
    }

    [Theory]
    [InlineData(true, "threefour")]
    [InlineData(false, "onetwothreefour")]
    public void Frames_sent_at_once_end_where_their_bytes_end_or_with_the_last_one(bool isTransparent, string expected)
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: false);
        sent.Add("onetwothree"u8, [3, 3, 5], 111, isTransparent);
        Add(sent, "four", 115);
        sent.Acknowledge(106, window: 0);
        sent.EndConnection(isAbnormal: true);
        Assert.Equal(expected, Pending(sent));
    }

    [Fact]
    public void Frames_sent_at_once_displace_no_more_than_they_need()
    {
        var sent = new RetransmitBuffer(10, keepsAcknowledged: false);
        sent.Add("aaabbbccc"u8, [3, 3, 3], 9, isTransparent: true);
        sent.Add("dddd"u8, [2, 2], 13, isTransparent: true);
        Assert.Equal(1, sent.EndConnection(isAbnormal: false));
        Assert.Equal("bbbcccdddd", Pending(sent));
    }

    [Fact]
    public void After_a_reset_the_last_acknowledged_window_is_uncertain_and_everything_before_is_proved()
    {
        var sent = new RetransmitBuffer(1 << 20, keepsAcknowledged: false);
        for (int i = 1; i <= 1000; i++)
            Add(sent, new string('x', 100), i * 100);
        sent.Acknowledge(100_000, window: 20_000);
        int uncertain = sent.EndConnection(isAbnormal: true);
        // Twice the window, in steps.
        Assert.InRange(uncertain, 400, 450);
        Assert.False(sent.HasPending);
    }

    [Fact]
    public void After_a_reset_nothing_is_uncertain_that_is_proved_to_its_last_byte()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: false);
        Add(sent, "one", 3);
        sent.Acknowledge(3, window: 0);
        Add(sent, "two", 6);
        sent.Acknowledge(6, window: 0);
        Assert.Equal(0, sent.EndConnection(isAbnormal: true));
    }

    [Fact]
    public void After_a_normal_end_nothing_acknowledged_is_uncertain()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: false);
        Add(sent, "one", 3);
        sent.Acknowledge(3, window: 65536);
        Assert.Equal(0, sent.EndConnection(isAbnormal: false));
    }

    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void What_the_copy_cannot_hold_is_uncertain_unless_it_was_acknowledged_in_time(bool isAcknowledged, int uncertain)
    {
        var sent = new RetransmitBuffer(10, keepsAcknowledged: false);
        Add(sent, "aaaaa", 5);
        Add(sent, "bbbbb", 10);
        if (isAcknowledged)
            sent.Acknowledge(5, window: 0);
        Add(sent, "ccccc", 15);
        Assert.Equal(uncertain, sent.EndConnection(isAbnormal: false));
        Assert.Equal("bbbbbccccc", Pending(sent));
    }

    [Fact]
    public void With_the_acknowledged_window_kept_it_is_sent_again_and_nothing_is_uncertain()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: true);
        Add(sent, "one", 3);
        Add(sent, "two", 6);
        sent.Acknowledge(6, window: 1);
        Assert.Equal(0, sent.EndConnection(isAbnormal: true));
        Assert.Equal("two", Pending(sent));
    }

    [Fact]
    public void At_the_end_what_was_never_acknowledged_is_uncertain()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: false);
        Add(sent, "one", 3);
        Add(sent, "two", 6);
        sent.Acknowledge(3, window: 65536);
        Assert.Equal(1, sent.Close(isAbnormal: false));
    }

    [Fact]
    public void At_the_end_a_kept_window_that_was_acknowledged_is_not_uncertain()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: true);
        Add(sent, "one", 3);
        Add(sent, "two", 6);
        sent.Acknowledge(3, window: 65536);
        Assert.Equal(1, sent.Close(isAbnormal: false));
    }

    [Fact]
    public void At_the_end_a_record_that_was_sent_three_times_in_vain_is_uncertain_once()
    {
        var sent = new RetransmitBuffer(1000, keepsAcknowledged: false);
        Add(sent, "one", 3);
        for (int connection = 0; connection < 2; connection++)
        {
            sent.AssumeAcknowledged(0);
            Assert.Equal(0, sent.EndConnection(isAbnormal: true));
            Assert.Equal("one", Pending(sent));
            sent.Retransmitted(3);
        }

        sent.AssumeAcknowledged(0);
        Assert.Equal(1, sent.Close(isAbnormal: true));
    }

    [Fact]
    public void Whatever_happens_each_record_is_proved_pending_or_uncertain()
        => Check.QuickThrowOnFailure(Prop.ForAll(
            ArbMap.Default.ArbFor<(int Length, int Acknowledged, int Window)[]>(),
            static steps =>
            {
                var sent = new RetransmitBuffer(500, keepsAcknowledged: false);
                var ends = new List<long>();
                long end = 0;
                long acknowledged = 0;
                long window = 0;
                long provedUpTo = 0;
                foreach (var step in steps)
                {
                    int length = 1 + Math.Abs(step.Length % 200);
                    end += length;
                    ends.Add(end);
                    sent.Add(new byte[length], [length], end, isTransparent: true);
                    acknowledged = Math.Min(end, acknowledged + Math.Abs(step.Acknowledged % 300));
                    window = Math.Max(window, Math.Abs(step.Window % 300));
                    sent.Acknowledge(acknowledged, Math.Abs(step.Window % 300));
                    provedUpTo = Math.Max(provedUpTo, acknowledged - (2 * window));
                }

                int uncertain = sent.EndConnection(isAbnormal: true);
                int pending = CountPending(sent);
                int proved = ends.Count(place => place <= provedUpTo);
                int unacknowledged = ends.Count(place => place > acknowledged);
                Assert.True(pending <= unacknowledged, "an acknowledged record would be sent twice");
                Assert.True(uncertain + pending + proved >= ends.Count, "a record is neither proved nor pending nor uncertain");
                Assert.True(uncertain + pending <= ends.Count);
            }));

    private static void Add(RetransmitBuffer sent, string frame, long end) =>
        sent.Add(Encoding.ASCII.GetBytes(frame), [frame.Length], end, isTransparent: true);

    private static string Pending(RetransmitBuffer sent) => Encoding.ASCII.GetString(sent.Pending(int.MaxValue, out _));

    private static int CountPending(RetransmitBuffer sent)
    {
        if (!sent.HasPending)
            return 0;
        sent.Pending(int.MaxValue, out int frames);
        return frames;
    }
}
