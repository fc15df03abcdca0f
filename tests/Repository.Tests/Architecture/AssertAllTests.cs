using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

namespace AsyncLog.Tests.Architecture;

/// <summary><c>Assert.All</c> passes for a collection without elements: the tests show before that theirs has some.</summary>
/// <remarks>Reads syntax, not symbols: an assertion that counts the collection stands earlier in the same member, or the collection is written there.</remarks>
public sealed class AssertAllTests
{
    // Of a collection with elements they have elements too, or as many as the test asks for.
    private static readonly string[] Keeping =
    [
        "Select", "ToArray", "ToList", "AsEnumerable", "Cast", "Order", "OrderBy", "OrderDescending", "Reverse", "Distinct", "DistinctBy", "GroupBy", "Chunk",
        "Zip", "Take", "TakeLast", "Skip", "SkipLast", "Keys", "Values",
    ];

    // What an assertion compares to see elements.
    private static readonly string[] Showing = [.. Keeping, "Count", "Length", "Any", "Sum", "Max", "Min", "First", "Last", "Where", "SelectMany"];

    private static readonly string[] Making = ["Enumerable.Range", "Enumerable.Repeat", "Enum.GetValues"];
    private static readonly string[] Counting =
        ["Assert.NotEmpty", "Assert.Single", "Assert.Collection", "Assert.Contains", "Assert.Equal", "Assert.NotEqual", "Assert.InRange", "Assert.Superset"];

    private static readonly string[] Conditions = ["Assert.True", "Eventually.True", "Eventually.Holds"];
    private static readonly string[] Nothing = ["0", "[]", "\"\""];

    [Fact]
    public void Every_collection_of_Assert_All_is_known_to_have_elements()
    {
        string[] files = [.. Directory.EnumerateFiles(Path.Combine(Repository.Root, "tests"), "*.cs", SearchOption.AllDirectories)
            .Where(static path => !path.Split(Path.DirectorySeparatorChar).Any(static part => part is "bin" or "obj"))];
        Assert.True(files.Length > 300, $"{files.Length} files");
        string[] found =
        [
            .. files.SelectMany(static path => Unknown(File.ReadAllText(path)).Select(one => $"{Path.GetRelativePath(Repository.Root, path)}:{one}"))
                .Order(StringComparer.Ordinal),
        ];
        Assert.True(found.Length == 0, $"Assert.All passes for an empty collection: assert its count, or Assert.NotEmpty, before.\n{string.Join('\n', found)}");
    }

    [Theory]
    [InlineData("Assert.All(sink.Records, Check);")]
    [InlineData("Assert.All(await Ask(), Check);")]
    [InlineData("Assert.NotEmpty(other); Assert.All(records, Check);")]
    [InlineData("Assert.Equal(0, records.Count); Assert.All(records, Check);")]
    [InlineData("Assert.InRange(records.Count, 0, 9); Assert.All(records, Check);")]
    [InlineData("Assert.NotEmpty(records); Assert.All(records.Where(IsOurs), Check);")]
    [InlineData("Assert.All(records, Check); Assert.NotEmpty(records);")]
    [InlineData("var records = sink.Records.ToArray(); Assert.All(records, Check);")]
    [InlineData("Assert.Equal(\"a\", log.Name); Assert.All(log.Values, Check);")]
    [InlineData("Assert.True(isRight, records.ToString()); Assert.All(records, Check);")]
    public void A_collection_that_may_be_empty_is_found(string statements) => Assert.Single(Unknown(Member(statements)));

    [Theory]
    [InlineData("Assert.NotEmpty(sink.Records); Assert.All(sink.Records, Check);")]
    [InlineData("Assert.Equal(3, records.Length); Assert.All(records, Check);")]
    [InlineData("Assert.Equal(3, records.Length); Assert.All(records.Skip(1), Check);")]
    [InlineData("Assert.Equal([\"a\"], log.Keys); Assert.All(log.Keys, Check);")]
    [InlineData("Assert.InRange(records.Count, 1, 9); Assert.All(records[1..], Check);")]
    [InlineData("Eventually.True(() => sink.Thrown.Count > 2); Assert.All(sink.Thrown, Check);")]
    [InlineData("Assert.True(records.Length >= 5, text); Assert.All(records, Check);")]
    [InlineData("Assert.All((string[])[\"a\", \"b\"], Check);")]
    [InlineData("string[] names = [\"a\"]; Assert.All(names, Check);")]
    [InlineData("var faults = new Exception?[8]; Assert.All(faults, Check);")]
    [InlineData("Assert.All(Enumerable.Range(0, 9).Select(Make), Check);")]
    [InlineData("Assert.All(Written, Check);")]
    [InlineData("var tasks = Enumerable.Range(0, 9).Select(Run).ToList(); Assert.All(await Task.WhenAll(tasks), Check);")]
    [InlineData("int[] times = [1]; var flushes = Array.ConvertAll(times, Flush); Assert.All(flushes, Check);")]
    public void A_collection_that_has_elements_is_accepted(string statements) => Assert.Empty(Unknown(Member(statements)));

    private static string Member(string statements)
        => $"class C {{ private static readonly string[] Written = [\"a\"]; [Fact] public void M() {{ {statements} }} }}";

    private static IEnumerable<string> Unknown(string code)
        => CSharpSyntaxTree.ParseText(code).GetRoot().DescendantNodes().OfType<InvocationExpressionSyntax>()
            .Where(static call => call.Expression.ToString() is "Assert.All" or "Assert.AllAsync" && !IsKnown(call.ArgumentList.Arguments[0].Expression, call))
            .Select(static call => $"{call.GetLocation().GetLineSpan().StartLinePosition.Line + 1}: {call.ArgumentList.Arguments[0]}");

    private static bool IsKnown(ExpressionSyntax collection, InvocationExpressionSyntax assertion)
    {
        var member = assertion.Ancestors().OfType<MemberDeclarationSyntax>().First();
        var expressions = Sources(collection).ToList();
        return Written(expressions, member, depth: 0)
            || expressions.OfType<IdentifierNameSyntax>().Any(name => IsDataOf(member, name.Identifier.Text))
            || member.DescendantNodes().OfType<InvocationExpressionSyntax>()
                .Any(call => call.Span.End <= assertion.SpanStart && expressions.Exists(expression => Counts(call, expression)));
    }

    // A name of a local, a field or a property is followed.
    private static bool Written(IEnumerable<ExpressionSyntax> expressions, MemberDeclarationSyntax member, int depth)
        => expressions.Any(expression => IsWritten(expression)
            || (depth < 3 && expression is IdentifierNameSyntax name && InitializerOf(name.Identifier.Text, member) is { } initializer
                && Written(Sources(initializer), member, depth + 1)));

    // The expression, and what it is made of.
    private static IEnumerable<ExpressionSyntax> Sources(ExpressionSyntax expression)
    {
        for (var source = expression; ;)
        {
            yield return source;
            source = source switch
            {
                ParenthesizedExpressionSyntax inner => inner.Expression,
                CastExpressionSyntax cast => cast.Expression,
                AwaitExpressionSyntax { Expression: InvocationExpressionSyntax { Expression: var name } all } when name.ToString() is "Task.WhenAll"
                    => all.ArgumentList.Arguments[0].Expression,
                InvocationExpressionSyntax { Expression: var name } all when name.ToString() is "Array.ConvertAll" => all.ArgumentList.Arguments[0].Expression,
                InvocationExpressionSyntax { Expression: MemberAccessExpressionSyntax access } when Keeping.Contains(access.Name.Identifier.Text)
                    => access.Expression,
                MemberAccessExpressionSyntax access when Keeping.Contains(access.Name.Identifier.Text) => access.Expression,
                ElementAccessExpressionSyntax { ArgumentList.Arguments: [{ Expression: RangeExpressionSyntax }] } part => part.Expression,
                CollectionExpressionSyntax { Elements: [SpreadElementSyntax spread] } => spread.Expression,
                _ => null,
            };
            if (source is null)
                yield break;
        }
    }

    private static bool IsWritten(ExpressionSyntax expression) => expression switch
    {
        CollectionExpressionSyntax list => list.Elements.Any(static element => element is ExpressionElementSyntax),
        ArrayCreationExpressionSyntax { Initializer: { } initializer } => initializer.Expressions.Count > 0,
        ArrayCreationExpressionSyntax or StackAllocArrayCreationExpressionSyntax => true,
        ImplicitArrayCreationExpressionSyntax array => array.Initializer.Expressions.Count > 0,
        BaseObjectCreationExpressionSyntax { Initializer: { } initializer } => initializer.Expressions.Count > 0,
        InvocationExpressionSyntax call => Making.Any(name => call.Expression.ToString().StartsWith(name, StringComparison.Ordinal)),
        _ => false,
    };

    // Of a local, or of a field or property of the class.
    private static ExpressionSyntax? InitializerOf(string name, MemberDeclarationSyntax member)
    {
        var members = member.Parent!.ChildNodes().ToList();
        var variables = member.DescendantNodes().OfType<VariableDeclaratorSyntax>()
            .Concat(members.OfType<FieldDeclarationSyntax>().SelectMany(static field => field.Declaration.Variables));
        var property = members.OfType<PropertyDeclarationSyntax>().FirstOrDefault(property => property.Identifier.Text == name);
        return variables.FirstOrDefault(variable => variable.Identifier.Text == name)?.Initializer?.Value
            ?? property?.Initializer?.Value ?? property?.ExpressionBody?.Expression;
    }

    private static bool IsDataOf(MemberDeclarationSyntax member, string name)
        => member is MethodDeclarationSyntax method && method.ParameterList.Parameters.Any(parameter => parameter.Identifier.Text == name)
            && method.AttributeLists.SelectMany(static list => list.Attributes).Any(static attribute => attribute.Name.ToString() == "Theory");

    private static bool Counts(InvocationExpressionSyntax call, ExpressionSyntax collection)
    {
        var name = call.Expression.ToString();
        var arguments = call.ArgumentList.Arguments;
        var isCondition = Conditions.Contains(name);
        if (!isCondition && !Counting.Contains(name))
            return false;
        if (arguments.Any(static argument => Nothing.Contains(argument.ToString())) && name != "Assert.NotEqual")
            return false;
        return arguments.Take(isCondition ? 1 : 2).SelectMany(static argument => argument.DescendantNodes()).OfType<ExpressionSyntax>()
            .Any(node => SyntaxFactory.AreEquivalent(node, collection)
                && (node.Parent is not MemberAccessExpressionSyntax access || access.Expression != node || Showing.Contains(access.Name.Identifier.Text)));
    }
}
