using System.Diagnostics;
using AsyncLog.Mutants;
using Microsoft.CodeAnalysis.CSharp;

namespace AsyncLog.Tests.Mutants;

/// <summary>The mutants of tests/Programs/Mutants.</summary>
public sealed class MutantTests
{
    [Theory]
    [InlineData("return a < b;", "a < b => a <= b")]
    [InlineData("return a >= b;", "a >= b => a > b")]
    [InlineData("return a == b;", "a == b => a != b")]
    [InlineData("return a && b;", "a && b => a || b")]
    [InlineData("return a + b;", "a + b => a - b")]
    [InlineData("return a * b;", "a * b => a / b")]
    [InlineData("return a & b;", "a & b => a | b")]
    [InlineData("return a << b;", "a << b => a >> b")]
    [InlineData("return a is null;", "a is null => !(a is null)")]
    [InlineData("return !a;", "!a => a")]
    [InlineData("return a ?? b;", "a ?? b => b")]
    [InlineData("return a ? b : c;", "a ? b : c => a ? c : b")]
    [InlineData("return true;", "true => false")]
    [InlineData("return 7;", "7 => 7 + 1")]
    [InlineData("return Math.Min(a, b);", "Math.Min(a, b) => Math.Max(a, b)")]
    [InlineData("a += b;", "a += b; => a -= b;", "a += b; => (left out)")]
    [InlineData("a = b;", "a = b; => (left out)")]
    [InlineData("a++;", "a++; => (left out)")]
    [InlineData("F(a);", "F(a); => (left out)")]
    [InlineData("if (a) return;", "a => !(a)", "return; => (left out)")]
    [InlineData("if (a < b) throw c;", "a < b => a <= b", "a < b => !(a < b)")]
    [InlineData("while (a) { if (b) continue; break; }", "b => !(b)", "continue; => (left out)", "break; => (left out)")]
    [InlineData("switch (a) { case 1: F(); break; }", "F(); => (left out)")]
    public void A_statement_has_these_mutants(string statement, params string[] expected)
        => Assert.Equal(expected, Mutants($"class C {{ object M() {{ {statement} }} }}"));

    [Theory]
    [InlineData("class C { void M() => F(a); }", "F(a) => (left out)")]
    [InlineData("class C { const int A = 1; [Some(1)] static int B = 2; int M(int c = 3) => 4; }", "2 => 2 + 1", "4 => 4 + 1")]
    [InlineData("class C { bool M() => a is > 1 and < 3; }", "a is > 1 and < 3 => !(a is > 1 and < 3)")]
    [InlineData("class C { string M() => $\"{1 + 2}\"; }")]
    [InlineData("class C { int M() => F() ?? throw new E(3 + 4); void N() => throw new E(5 + 6); }")]
    [InlineData("class C { string M() => a + \"b\"; public override string ToString() => a + b; }")]
    [InlineData("class C { bool M() => a is string b && F(out var c); }")]
    [InlineData("class C { void M() { Debug.Assert(a < b); ArgumentNullException.ThrowIfNull(a); CheckInvariants(); } }")]
    public void A_member_has_these_mutants(string source, params string[] expected) => Assert.Equal(expected, Mutants(source));

    [Fact]
    public void Mutants_in_one_another_can_each_be_chosen()
    {
        const string Source = "class C { bool M() => a < b && c; }";
        var rewritten = Rewriter.Rewrite(Source, PlacesOf(Source).Select(static (place, id) => new Mutant(id, place)));
        const string Inner = "(global::PlantedMutants.IsChosen(1) ? ((a) <= (b)) : (a < b))";
        Assert.Equal($"class C {{ bool M() => (global::PlantedMutants.IsChosen(0) ? (({Inner}) || (c)) : ({Inner} && c)); }}", rewritten);
    }

    [Fact]
    public void A_statement_that_can_be_left_out_keeps_the_else_of_the_if_around_it()
    {
        const string Source = "class C { void M() { if (a == b) F(); else G(); } }";
        var rewritten = Rewriter.Rewrite(Source, [new Mutant(5, PlacesOf(Source).Single(static place => place.Original.Text == "F();"))]);
        Assert.Equal("class C { void M() { if (a == b) { if (global::PlantedMutants.IsChosen(5)) {  } else { F(); } } else G(); } }", rewritten);
    }

    [Fact]
    public void A_mutant_that_does_not_compile_is_found_by_any_line_of_its_member()
    {
        const string Rewritten
            = "class C\n{\nint A() => PlantedMutants.IsChosen(1) ? 1 : 2;\nint B()\n{\nvar a = PlantedMutants.IsChosen(12) ? 3 : 4;\nreturn a;\n}\n}\n";
        Assert.Equal([12], Rewriter.MutantsAround(Rewritten, 7));
        Assert.Equal([1], Rewriter.MutantsAround(Rewritten, 3));
    }

    [Theory]
    [InlineData("Usage: mutants [COUNT [SEED [FOLDER...]]]", "none")]
    [InlineData("Usage: mutants [COUNT [SEED [FOLDER...]]]", "0")]
    [InlineData("'src/Missing' is none of src/AspNetCore, src/Core, src/Network.Shared,", "1", "1", "src/Missing")]
    public async Task The_program_says_which_argument_is_wrong(string expected, params string[] arguments)
    {
        var program = Path.Combine(Repository.TestProgram("Mutants"), "Mutants.dll");
        var start = new ProcessStartInfo("dotnet", [program, .. arguments]) { WorkingDirectory = Repository.Root, RedirectStandardError = true };
        using var process = Process.Start(start)!;
        var said = await process.StandardError.ReadToEndAsync(TestContext.Current.CancellationToken);
        await process.WaitForExitAsync(TestContext.Current.CancellationToken);
        Assert.StartsWith(expected, said, StringComparison.Ordinal);
        Assert.Equal(2, process.ExitCode);
    }

    private static string[] Mutants(string source) => [.. PlacesOf(source).Select(static place => $"{place.Original.Text} => {place.ChangedText}")];

    private static IEnumerable<Place> PlacesOf(string source)
    {
        var tree = CSharpSyntaxTree.ParseText(source, cancellationToken: TestContext.Current.CancellationToken);
        return PlaceFinder.Find("C.cs", tree.GetRoot(TestContext.Current.CancellationToken));
    }
}
