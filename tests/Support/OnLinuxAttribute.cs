using System.Reflection;
using Xunit.v3;

namespace AsyncLog.Tests;

/// <summary>A test, or all tests of a class, that only Linux can run: skipped elsewhere. <c>./test.sh platforms --all</c> counts it so.</summary>
/// <param name="reason">What it needs of Linux.</param>
[AttributeUsage(AttributeTargets.Class | AttributeTargets.Method)]
internal sealed class OnLinuxAttribute(string reason) : BeforeAfterTestAttribute
{
    public override void Before(MethodInfo methodUnderTest, IXunitTest test) => Assert.SkipUnless(OperatingSystem.IsLinux(), $"only on Linux: {reason}");
}
