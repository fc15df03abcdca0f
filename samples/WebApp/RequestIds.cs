namespace WebApp;

/// <summary>The id that ties an answer to its line in the log: in the header <c>X-Request-Id</c> and in the body of each answer.</summary>
internal static class RequestIds
{
    public const string Header = "X-Request-Id";

    private static readonly object Key = new();

    public static string Begin(HttpContext context)
    {
        var id = Guid.CreateVersion7().ToString("N");
        context.Items[Key] = id;
        context.Response.Headers[Header] = id;
        return id;
    }

    public static string Of(HttpContext context) => (string)context.Items[Key]!;

    public static void AddToProblem(ProblemDetailsOptions options)
        => options.CustomizeProblemDetails = static problem =>
        {
            // the exception handler clears the headers of the answer it replaces
            problem.HttpContext.Response.Headers[Header] = Of(problem.HttpContext);
            problem.ProblemDetails.Extensions["requestId"] = Of(problem.HttpContext);
        };
}
