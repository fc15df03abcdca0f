using System.Reflection;
using Xunit.v3;

namespace AsyncLog.Tests;

/// <summary>A test, or all tests of a class, that Windows can run and Wine cannot: skipped there. <c>./test.sh platforms --all</c> counts it so.</summary>
/// <param name="reason">What Wine lacks, or does otherwise than Windows.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
internal sealed class NotUnderWineAttribute(string reason) : BeforeAfterTestAttribute
{
    public override void Before(MethodInfo methodUnderTest, IXunitTest test) => Assert.SkipWhen(Wine.IsHere, $"not under Wine: {reason}");
}
