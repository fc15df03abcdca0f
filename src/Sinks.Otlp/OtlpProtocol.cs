namespace AsyncLog;

/// <summary>How requests travel.</summary>
public enum OtlpProtocol
{
    /// <summary>OTLP/HTTP with binary protobuf; port 4318 by custom.</summary>
    HttpProtobuf,

    /// <summary>OTLP/gRPC; port 4317 by custom.</summary>
    Grpc,
}
