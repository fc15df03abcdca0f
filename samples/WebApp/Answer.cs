namespace WebApp;

/// <summary>The body of every answer that is not a problem.</summary>
internal sealed record Answer(string RequestId, object? Result);
