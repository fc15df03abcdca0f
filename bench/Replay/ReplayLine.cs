using Microsoft.Extensions.Logging;

namespace Replay;

/// <summary>A line of a log as the call that could have written it.</summary>
/// <param name="Level">Its level.</param>
/// <param name="Category">Who wrote it.</param>
/// <param name="EventId">Number and name of its template.</param>
/// <param name="Template">A message template with named holes.</param>
/// <param name="Values">A value for each hole.</param>
internal sealed record ReplayLine(LogLevel Level, string Category, EventId EventId, string Template, object?[] Values);
