using Microsoft.AspNetCore.Http.HttpResults;

namespace WebApp;

/// <summary>The shop's addresses.</summary>
internal static class ShopEndpoints
{
    public static void MapShop(this IEndpointRouteBuilder app)
    {
        app.MapGet("/", static (HttpContext context) => Answer(context, "GET /articles, POST /carts/{customer}, POST /orders/{customer}, GET /orders/{number}, GET /fail"));
        app.MapGet("/articles", static (HttpContext context, Catalog catalog) => Answer(context, catalog.Stock));
        app.MapGet("/carts/{customer}", static (HttpContext context, Carts carts, string customer) => Answer(context, carts.Of(customer)));
        app.MapPost("/carts/{customer}", AddToCart);
        app.MapPost("/orders/{customer}", PlaceOrder);
        app.MapGet("/orders/{number:long}", FindOrder);
        app.MapGet("/fail", static string (ILogger<Catalog> logger) => throw Unexpected(logger));
    }

    private static IResult AddToCart(HttpContext context, Catalog catalog, Carts carts, string customer, CartItem item)
        => item.Quantity < 1 || catalog.Find(item.Article) is null
            ? TypedResults.Problem($"There is no {item.Quantity} of {item.Article}", statusCode: StatusCodes.Status400BadRequest)
            : Answer(context, carts.Add(customer, item));

    private static IResult PlaceOrder(HttpContext context, Orders orders, ILogger<Orders> logger, string customer)
    {
        try
        {
            return orders.Place(customer) is { } order
                ? Answer(context, order)
                : TypedResults.Problem("The cart is empty", statusCode: StatusCodes.Status409Conflict);
        }
        catch (OutOfStockException exception)
        {
            logger.LogError(exception, "The order of {Customer} failed", customer);
            return TypedResults.Problem(exception.Message, statusCode: StatusCodes.Status409Conflict);
        }
    }

    private static IResult FindOrder(HttpContext context, Orders orders, long number)
        => orders.Find(number) is { } order ? Answer(context, order) : TypedResults.Problem($"There is no order {number}", statusCode: StatusCodes.Status404NotFound);

    private static InvalidOperationException Unexpected(ILogger logger)
    {
        logger.LogWarning("Somebody asked for trouble");
        return new InvalidOperationException("No handler catches this exception. The framework logs it; see logs/WebApp-errors.log");
    }

    private static Ok<Answer> Answer(HttpContext context, object? result) => TypedResults.Ok(new Answer(RequestIds.Of(context), result));
}
