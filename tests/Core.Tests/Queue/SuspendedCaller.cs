using System.Text;
using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Queue;

/// <summary>A caller that the operating system takes off its processor between claim and commit.</summary>
internal static class SuspendedCaller
{
    /// <summary>Claims a place in the current segment of a queue, which is open.</summary>
    /// <returns>What commits the record.</returns>
    public static Action Claim(SegmentQueue queue, string text, LogLevel level)
    {
        var bytes = Encoding.UTF8.GetBytes(text);
        while (true)
        {
            var segment = queue.Kernel.Current;
            var word = Volatile.Read(ref segment.State);
            Assert.True(!StateWord.IsSealed(word) && segment.Fits(word, bytes.Length, level));
            if (Interlocked.CompareExchange(ref segment.State, StateWord.Claimed(word, bytes.Length), word) != word)
                continue;
            return () =>
            {
                bytes.CopyTo(segment.BytesAt(StateWord.Offset(word), bytes.Length));
                ref var slot = ref segment.SlotAt(StateWord.Count(word));
                slot.Ticks = DateTimeOffset.UtcNow.UtcTicks;
                Volatile.Write(ref slot.Word, Slot.Pack(StateWord.Offset(word), bytes.Length, level, 0));
            };
        }
    }
}
