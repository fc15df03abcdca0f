namespace AsyncLog;

/// <summary>Protocols as the OpenTelemetry specification names them.</summary>
internal static class OtlpProtocolNames
{
    public static string Of(OtlpProtocol protocol) => protocol == OtlpProtocol.Grpc ? "grpc" : "http/protobuf";
}
