using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

namespace AsyncLog.Mutants;

/// <summary>Finds the places of a source file that a mutant can change. Texts, exceptions, attributes, constants, patterns and checks stay.</summary>
internal static class PlaceFinder
{
    private static readonly Dictionary<SyntaxKind, string> Swaps = new()
    {
        [SyntaxKind.LessThanExpression] = "<=",
        [SyntaxKind.LessThanOrEqualExpression] = "<",
        [SyntaxKind.GreaterThanExpression] = ">=",
        [SyntaxKind.GreaterThanOrEqualExpression] = ">",
        [SyntaxKind.EqualsExpression] = "!=",
        [SyntaxKind.NotEqualsExpression] = "==",
        [SyntaxKind.LogicalAndExpression] = "||",
        [SyntaxKind.LogicalOrExpression] = "&&",
        [SyntaxKind.AddExpression] = "-",
        [SyntaxKind.SubtractExpression] = "+",
        [SyntaxKind.MultiplyExpression] = "/",
        [SyntaxKind.DivideExpression] = "*",
        [SyntaxKind.BitwiseAndExpression] = "|",
        [SyntaxKind.BitwiseOrExpression] = "&",
        [SyntaxKind.LeftShiftExpression] = ">>",
        [SyntaxKind.RightShiftExpression] = "<<",
        [SyntaxKind.AddAssignmentExpression] = "-=",
        [SyntaxKind.SubtractAssignmentExpression] = "+=",
    };

    public static IEnumerable<Place> Find(string file, SyntaxNode root)
        => root.DescendantNodes(static node => !StaysAsItIs(node))
            .Where(static node => !StaysAsItIs(node) && !DeclaresVariable(node))
            .SelectMany(node => PlacesOf(file, node));

    private static IEnumerable<Place> PlacesOf(string file, SyntaxNode node)
    {
        switch (node)
        {
            case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.CoalesceExpression, Right: not ThrowExpressionSyntax } coalesce:
                yield return Expression(coalesce.Right);
                break;
            case BinaryExpressionSyntax { RawKind: (int)SyntaxKind.AddExpression } text when HasText(text):
                break;
            case BinaryExpressionSyntax binary when Swaps.TryGetValue(binary.Kind(), out var other):
                yield return Expression(binary.Left, $" {other} ", binary.Right);
                if (binary.Parent is IfStatementSyntax && !binary.IsKind(SyntaxKind.EqualsExpression) && !binary.IsKind(SyntaxKind.NotEqualsExpression))
                    yield return Expression("!(", binary, ")");
                break;
            case IsPatternExpressionSyntax pattern:
                yield return Expression("!(", pattern, ")");
                break;
            case PrefixUnaryExpressionSyntax { RawKind: (int)SyntaxKind.LogicalNotExpression } negation:
                yield return Expression(negation.Operand);
                break;
            case ExpressionSyntax { Parent: IfStatementSyntax } condition:
                yield return Expression("!(", condition, ")");
                break;
            case ConditionalExpressionSyntax { WhenTrue: not RefExpressionSyntax } conditional:
                yield return Expression(conditional.Condition, " ? ", conditional.WhenFalse, " : ", conditional.WhenTrue);
                break;
            case LiteralExpressionSyntax { RawKind: (int)SyntaxKind.TrueLiteralExpression }:
                yield return Expression("false");
                break;
            case LiteralExpressionSyntax { RawKind: (int)SyntaxKind.FalseLiteralExpression }:
                yield return Expression("true");
                break;
            case LiteralExpressionSyntax { Token.Value: int } number:
                yield return Expression(number, " + 1");
                break;
            case InvocationExpressionSyntax { ArgumentList.Arguments: [var one, var two] } call when call.Expression.ToString() is "Math.Min" or "Math.Max":
                yield return Expression(call.Expression.ToString() == "Math.Min" ? "Math.Max(" : "Math.Min(", one.Expression, ", ", two.Expression, ")");
                break;
            case ExpressionStatementSyntax { Expression: AssignmentExpressionSyntax assignment } when Swaps.TryGetValue(assignment.Kind(), out var other):
                yield return Create(PlaceKind.Statement, assignment.Left, $" {other} ", assignment.Right, ";");
                yield return Create(PlaceKind.Statement);
                break;
            case BreakStatementSyntax or ContinueStatementSyntax or ReturnStatementSyntax { Expression: null } when node.Parent is not SwitchSectionSyntax:
            case ExpressionStatementSyntax:
                yield return Create(PlaceKind.Statement);
                break;
            case ArrowExpressionClauseSyntax { Expression: not ThrowExpressionSyntax, Parent: MethodDeclarationSyntax method }
                when method.ReturnType.ToString() == "void":
                yield return Create(PlaceKind.Body);
                break;
        }

        Place Expression(params Part[] changed) => Create(PlaceKind.Expression, changed);

        Place Create(PlaceKind kind, params Part[] changed)
        {
            Part original = node is ArrowExpressionClauseSyntax arrow ? arrow.Expression : node;
            var end = kind == PlaceKind.Body ? ((MethodDeclarationSyntax)node.Parent!).SemicolonToken.Span.End : node.Span.End;
            var span = TextSpan.FromBounds(node.SpanStart, end);
            return new(file, node.GetLocation().GetLineSpan().StartLinePosition.Line + 1, span, kind, original, changed);
        }
    }

    // The text stands twice in the rewritten source, and a variable can be declared once.
    private static bool DeclaresVariable(SyntaxNode node)
        => node is ExpressionSyntax or StatementSyntax or ArrowExpressionClauseSyntax
            && node.DescendantNodesAndSelf().Any(static inner => inner is SingleVariableDesignationSyntax or DeclarationExpressionSyntax);

    private static bool HasText(SyntaxNode node)
        => node.DescendantNodesAndSelf().Any(static inner => inner is InterpolatedStringExpressionSyntax || inner.IsKind(SyntaxKind.StringLiteralExpression));

    private static bool StaysAsItIs(SyntaxNode node) => node switch
    {
        AttributeListSyntax or ThrowStatementSyntax or ThrowExpressionSyntax or InterpolatedStringExpressionSyntax or PatternSyntax or SwitchLabelSyntax
            or EnumMemberDeclarationSyntax or ParameterSyntax => true,
        FieldDeclarationSyntax field => field.Modifiers.Any(SyntaxKind.ConstKeyword),
        LocalDeclarationStatementSyntax local => local.IsConst,
        ExpressionStatementSyntax { Expression: InvocationExpressionSyntax invocation } => IsCheck(invocation),
        InvocationExpressionSyntax invocation => IsCheck(invocation),
        MethodDeclarationSyntax method => method.Identifier.Text is "ToString" or "GetHashCode" or "CheckInvariants",
        _ => false,
    };

    private static bool IsCheck(InvocationExpressionSyntax invocation)
    {
        var called = invocation.Expression.ToString();
        return called is "nameof" or "CheckInvariants"
            || called.StartsWith("Debug.", StringComparison.Ordinal) || called.StartsWith("Argument", StringComparison.Ordinal);
    }
}
