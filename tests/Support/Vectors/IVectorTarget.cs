using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Vectors;

/// <summary>What the calls of vectors are made on.</summary>
internal interface IVectorTarget
{
    VectorClock Clock { get; }

    /// <summary>The category of a call that names none.</summary>
    string DefaultCategory { get; }

    /// <summary>The message of a call that names none.</summary>
    string DefaultMessage { get; }

    ILogger Logger(string category);
}
