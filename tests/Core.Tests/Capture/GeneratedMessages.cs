using Microsoft.Extensions.Logging;

namespace AsyncLog.Tests.Capture;

/// <summary>Methods that MEL's source generator fills: none to eight parameters of all kinds, formats and alignments.</summary>
internal static partial class GeneratedMessages
{
    [LoggerMessage(0, LogLevel.Debug, "No values")]
    public static partial void Message00(ILogger logger);

    [LoggerMessage(1, LogLevel.Trace, "Doubled {{braces}} here")]
    public static partial void Message01(ILogger logger);

    [LoggerMessage(2, LogLevel.Error, "")]
    public static partial void Message02(ILogger logger);

    [LoggerMessage(3, LogLevel.Error, "Plain  {Value0,-12}")]
    public static partial void Message03(ILogger logger, Uri value0);

    [LoggerMessage(4, LogLevel.Warning, "; {Value0}")]
    public static partial void Message04(ILogger logger, short value0);

    [LoggerMessage(5, LogLevel.Trace, "Plain ; {Value0:F3}")]
    public static partial void Message05(ILogger logger, double value0);

    [LoggerMessage(6, LogLevel.Error, "Plain  {Value0,-12}")]
    public static partial void Message06(ILogger logger, string? value0);

    [LoggerMessage(7, LogLevel.Error, "\u00e4\u20ac  {Value0}")]
    public static partial void Message07(ILogger logger, string? value0);

    [LoggerMessage(8, LogLevel.Error, "{{braces}} , {Value0:O}")]
    public static partial void Message08(ILogger logger, Exception? fault, DateTime value0);

    [LoggerMessage(9, LogLevel.Error, "{{braces}} \ud83d\ude00{Value0}, {Value1:O}")]
    public static partial void Message09(ILogger logger, short value0, DateTime value1);

    [LoggerMessage(10, LogLevel.Error, "Plain {Value0:0.00}{Value1:u}")]
    public static partial void Message10(ILogger logger, double value0, DateTimeOffset value1);

    [LoggerMessage(11, LogLevel.Error, "\u00e4\u20ac \ud83d\ude00{Value0:N2}, {Value1}")]
    public static partial void Message11(ILogger logger, long value0, float value1);

    [LoggerMessage(12, LogLevel.Debug, "\u00e4\u20ac {{{Value0,8:N2}; {Value1}")]
    public static partial void Message12(ILogger logger, long value0, float value1);

    [LoggerMessage(13, LogLevel.Information, "\u00e4\u20ac , {Value0:u}}}{Value1,-12:yyyy-MM-dd HH:mm:ss.fff}")]
    public static partial void Message13(ILogger logger, DateTimeOffset value0, DateTime value1);

    [LoggerMessage(14, LogLevel.Warning, "{Value0,-12}{{{Value1}")]
    public static partial void Message14(ILogger logger, Exception? fault, IEnumerable<int> value0, char value1);

    [LoggerMessage(15, LogLevel.Debug, "Plain {Value0}}}{Value1,8:u}}}{Value2,8}")]
    public static partial void Message15(ILogger logger, double value0, DateTimeOffset value1, ulong value2);

    [LoggerMessage(16, LogLevel.Warning, " {Value0,8}={Value1}; {Value2,8}")]
    public static partial void Message16(ILogger logger, long value0, float value1, uint value2);

    [LoggerMessage(17, LogLevel.Information, "Plain ; {Value0,8}; {Value1}; {Value2:g}")]
    public static partial void Message17(ILogger logger, Uri value0, IEnumerable<int> value1, TimeSpan value2);

    [LoggerMessage(18, LogLevel.Information, "={Value0} {Value1}={Value2,-12:D}")]
    public static partial void Message18(ILogger logger, short value0, object? value1, Shade value2);

    [LoggerMessage(19, LogLevel.Warning, "\u00e4\u20ac }}{Value0,-12:N2} {Value1,-12:N0}; {Value2,-12:O}")]
    public static partial void Message19(ILogger logger, long value0, int value1, DateTime value2);

    [LoggerMessage(20, LogLevel.Error, "\u00e4\u20ac \ud83d\ude00{Value0}{Value1}}}{Value2:F3}")]
    public static partial void Message20(ILogger logger, Exception? fault, object? value0, object? value1, double value2);

    [LoggerMessage(21, LogLevel.Error, "Plain ={Value0} {Value1}; {Value2}}}{Value3}")]
    public static partial void Message21(ILogger logger, long value0, float value1, uint value2, decimal value3);

    [LoggerMessage(22, LogLevel.Information, "{{braces}} , {Value0}{Value1,8}, {Value2:c}}}{Value3}")]
    public static partial void Message22(ILogger logger, Uri value0, IEnumerable<int> value1, TimeSpan value2, object? value3);

    [LoggerMessage(23, LogLevel.Error, "\u00e4\u20ac  {Value0,-12}}}{Value1,-12} {Value2,-12}{{{Value3}")]
    public static partial void Message23(ILogger logger, short value0, DateTime value1, char value2, string? value3);

    [LoggerMessage(24, LogLevel.Information, "\ud83d\ude00{Value0}\ud83d\ude00{Value1,8}{Value2,-12} {Value3:D}")]
    public static partial void Message24(ILogger logger, char value0, TimeSpan value1, char value2, Shade value3);

    [LoggerMessage(25, LogLevel.Warning, "}}{Value0,8}\ud83d\ude00{Value1}{Value2}\ud83d\ude00{Value3}")]
    public static partial void Message25(ILogger logger, Uri value0, bool value1, decimal value2, IEnumerable<int> value3);

    [LoggerMessage(26, LogLevel.Trace, "{{braces}} ; {Value0}={Value1,8}, {Value2:D5}; {Value3,8}")]
    public static partial void Message26(ILogger logger, Exception? fault, Access value0, Access value1, int value2, Uri value3);

    [LoggerMessage(27, LogLevel.Error, " {Value0}{Value1,-12}{Value2:g}={Value3}, {Value4}")]
    public static partial void Message27(
        ILogger logger, Uri value0, IEnumerable<int> value1, TimeSpan value2, object? value3, Access value4);

    [LoggerMessage(28, LogLevel.Warning, "\ud83d\ude00{Value0}\ud83d\ude00{Value1}\ud83d\ude00{Value2,-12}; {Value3}}}{Value4}")]
    public static partial void Message28(ILogger logger, short value0, DateTime value1, char value2, string? value3, string value4);

    [LoggerMessage(29, LogLevel.Error, "={Value0,8:0.00} {Value1,-12} {Value2}={Value3:N0}, {Value4,-12:D}")]
    public static partial void Message29(ILogger logger, double value0, DateTimeOffset value1, ulong value2, int value3, Shade value4);

    [LoggerMessage(30, LogLevel.Information, " {Value0}{{{Value1}{Value2}{Value3}\ud83d\ude00{Value4,-12:F2}")]
    public static partial void Message30(ILogger logger, string value0, DateTimeOffset value1, short value2, float value3, float value4);

    [LoggerMessage(31, LogLevel.Information, "\ud83d\ude00{Value0,-12:X2}; {Value1:F2}{Value2,8}\ud83d\ude00{Value3}\ud83d\ude00{Value4:F2}")]
    public static partial void Message31(ILogger logger, byte value0, float value1, ulong value2, Uri value3, float value4);

    [LoggerMessage(32, LogLevel.Debug, "{{braces}} ={Value0:F3}, {Value1:O}={Value2,8}; {Value3}; {Value4}")]
    public static partial void Message32(
        ILogger logger, Exception? fault, double value0, DateTime value1, IEnumerable<int> value2, DateOnly value3, short value4);

    [LoggerMessage(33, LogLevel.Information, "{{braces}} }}{Value0}{Value1}; {Value2}{{{Value3,-12}\ud83d\ude00{Value4}{{{Value5}")]
    public static partial void Message33(
        ILogger logger, short value0, DateTime value1, char value2, string? value3, string value4, bool value5);

    [LoggerMessage(34, LogLevel.Trace, "Plain ={Value0:F3}; {Value1:u}{Value2,-12}{{{Value3:X8}; {Value4} {Value5}")]
    public static partial void Message34(
        ILogger logger, double value0, DateTimeOffset value1, ulong value2, int value3, Shade value4, byte value5);

    [LoggerMessage(35, LogLevel.Trace, "{{braces}} \ud83d\ude00{Value0,-12}, {Value1}}}{Value2}{{{Value3,8:C}\ud83d\ude00{Value4}{{{Value5}")]
    public static partial void Message35(
        ILogger logger, long value0, float value1, uint value2, decimal value3, int? value4, DateOnly value5);

    [LoggerMessage(36, LogLevel.Error, "={Value0,8:c} {Value1:F2} {Value2:N2}\ud83d\ude00{Value3,-12}{Value4:N2}{Value5,8}")]
    public static partial void Message36(
        ILogger logger, TimeSpan value0, decimal value1, long value2, DateOnly value3, long value4, float value5);

    [LoggerMessage(37, LogLevel.Trace, "{{braces}} ; {Value0}={Value1:F2}{{{Value2} {Value3}{{{Value4,8}{{{Value5:X}")]
    public static partial void Message37(
        ILogger logger, object? value0, float value1, long value2, IEnumerable<int> value3, decimal value4, Shade value5);

    [LoggerMessage(38, LogLevel.Trace, "{{braces}} }}{Value0:X2}{{{Value1}={Value2}; {Value3}{{{Value4,8} {Value5:N0}")]
    public static partial void Message38(
        ILogger logger, Exception? fault, byte value0, TimeSpan value1, TimeSpan value2, bool value3, byte value4, int value5);

    [LoggerMessage(39, LogLevel.Trace, "{{braces}} ; {Value0} {Value1,8}\ud83d\ude00{Value2}={Value3,-12}; {Value4,-12:X}={Value5,8:X2}={Value6,-12}")]
    public static partial void Message39(
        ILogger logger, double value0, DateTimeOffset value1, ulong value2, int value3, Shade value4, byte value5, short value6);

    [LoggerMessage(40, LogLevel.Warning, "={Value0,-12:N2}\ud83d\ude00{Value1,-12} {Value2}, {Value3} {Value4,8}\ud83d\ude00{Value5,-12} {Value6:E2}")]
    public static partial void Message40(
        ILogger logger, long value0, float value1, uint value2, decimal value3, int? value4, DateOnly value5, double value6);

    [LoggerMessage(41, LogLevel.Information, "Plain , {Value0,-12}, {Value1}\ud83d\ude00{Value2:c}{Value3,8}{Value4:F}\ud83d\ude00{Value5:N}={Value6,-12}")]
    public static partial void Message41(
        ILogger logger, Uri value0, IEnumerable<int> value1, TimeSpan value2, object? value3, Access value4, Guid value5, long value6);

    [LoggerMessage(42, LogLevel.Trace, " {Value0,8}, {Value1}{{{Value2,8}{Value3,8}\ud83d\ude00{Value4:N2}{Value5:F}{Value6}")]
    public static partial void Message42(
        ILogger logger, bool value0, DateOnly value1, uint value2, IEnumerable<int> value3, long value4, Access value5, string? value6);

    [LoggerMessage(43, LogLevel.Information, "{{{Value0}{{{Value1:X2}\ud83d\ude00{Value2}; {Value3,8} {Value4}; {Value5,8:F2}; {Value6:N}")]
    public static partial void Message43(
        ILogger logger, float value0, byte value1, bool value2, object? value3, decimal value4, decimal value5, Guid value6);

    [LoggerMessage(44, LogLevel.Warning, "\u00e4\u20ac  {Value0}}}{Value1:u}; {Value2,8}; {Value3}{{{Value4:X8}{{{Value5}{{{Value6}")]
    public static partial void Message44(
        ILogger logger, Exception? fault, object? value0, DateTimeOffset value1, double value2, DateTimeOffset value3, int value4, DateTimeOffset value5, DateTimeOffset value6);

    [LoggerMessage(45, LogLevel.Information, "}}{Value0:N2}; {Value1:F2} {Value2}{Value3,8:C}{Value4}={Value5,-12}; {Value6,8:F3}{{{Value7:u}")]
    public static partial void Message45(
        ILogger logger, long value0, float value1, uint value2, decimal value3, int? value4, DateOnly value5, double value6, DateTimeOffset value7);

    [LoggerMessage(46, LogLevel.Information, "{{braces}} {{{Value0}; {Value1,-12}={Value2}{Value3}}}{Value4,8}={Value5,8:N}, {Value6}, {Value7}")]
    public static partial void Message46(
        ILogger logger, Uri value0, IEnumerable<int> value1, TimeSpan value2, object? value3, Access value4, Guid value5, long value6, float value7);

    [LoggerMessage(47, LogLevel.Warning, "\ud83d\ude00{Value0}; {Value1,8}\ud83d\ude00{Value2,-12}}}{Value3}{{{Value4,8}\ud83d\ude00{Value5}\ud83d\ude00{Value6}{Value7,8}")]
    public static partial void Message47(
        ILogger logger, short value0, DateTime value1, char value2, string? value3, string value4, bool value5, Uri value6, IEnumerable<int> value7);

    [LoggerMessage(48, LogLevel.Trace, "\u00e4\u20ac ; {Value0}\ud83d\ude00{Value1,8:D5}={Value2}, {Value3,-12} {Value4}\ud83d\ude00{Value5}={Value6}; {Value7,-12}")]
    public static partial void Message48(
        ILogger logger, long value0, int value1, DateTime value2, string value3, int? value4, IEnumerable<int> value5, Uri value6, string? value7);

    [LoggerMessage(49, LogLevel.Information, " {Value0:0.00}{{{Value1,8:N}{Value2:N2}\ud83d\ude00{Value3,-12}{{{Value4,8}\ud83d\ude00{Value5}, {Value6,8}; {Value7}")]
    public static partial void Message49(
        ILogger logger, double value0, Guid value1, long value2, float value3, string? value4, decimal value5, object? value6, bool value7);

    [LoggerMessage(50, LogLevel.Warning, "\u00e4\u20ac {{{Value0}{Value1}\ud83d\ude00{Value2}\ud83d\ude00{Value3,8}, {Value4:u}={Value5,-12}; {Value6,8}={Value7,-12}")]
    public static partial void Message50(
        ILogger logger, Exception? fault, Shade value0, Uri value1, string value2, IEnumerable<int> value3, DateTimeOffset value4, IEnumerable<int> value5, int? value6, char value7);
}
