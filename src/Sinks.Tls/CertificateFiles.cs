using System.Net.Security;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace AsyncLog;

/// <summary>Reads the files of the TLS options; for each connection again, so that replaced files count from the next one on.</summary>
internal static class CertificateFiles
{
    /// <summary>The roots that replace the system's; null: the system's.</summary>
    /// <exception cref="LogSinkException">The file cannot be read.</exception>
    public static X509Certificate2Collection? ReadRoots(TlsClientOptions options) => options.CaFile is not { Length: > 0 } file
        ? null
        : Read(file, nameof(options.CaFile), () =>
        {
            var roots = new X509Certificate2Collection();
            roots.ImportFromPemFile(file);
            return roots.Count > 0 ? roots : throw new CryptographicException("it holds no certificate in PEM form");
        });

    /// <summary>What the client shows of itself, its chain included; null: nothing.</summary>
    /// <exception cref="LogSinkException">A file cannot be read.</exception>
    public static SslStreamCertificateContext? ReadClient(TlsClientOptions options) => options.ClientCertificateFile is not { Length: > 0 } file
        ? null
        : Read(file, nameof(options.ClientCertificateFile), () =>
        {
            X509Certificate2 certificate = ForThisPlatform(ReadPair(options, file));
            var chain = new X509Certificate2Collection();
            try
            {
                chain.ImportFromPemFile(file);
                return SslStreamCertificateContext.Create(certificate, chain, offline: true);
            }
            catch
            {
                certificate.Dispose();
                throw;
            }
            finally
            {
                Release(chain);
            }
        });

    /// <summary>Disposes certificates.</summary>
    public static void Release(IEnumerable<X509Certificate2> certificates)
    {
        foreach (X509Certificate2 certificate in certificates)
            certificate.Dispose();
    }

    private static X509Certificate2 ReadPair(TlsClientOptions options, string file)
    {
        string key = options.ClientKeyFile is { Length: > 0 } separate ? separate : file;
        return string.IsNullOrEmpty(options.ClientKeyPassword)
            ? X509Certificate2.CreateFromPemFile(file, key)
            : X509Certificate2.CreateFromEncryptedPemFile(file, options.ClientKeyPassword, key);
    }

    // There a key that is only in memory cannot be used for TLS.
    private static X509Certificate2 ForThisPlatform(X509Certificate2 certificate)
    {
        if (!OperatingSystem.IsWindows())
            return certificate;
        using (certificate)
            return X509CertificateLoader.LoadPkcs12(certificate.Export(X509ContentType.Pkcs12), null);
    }

    private static T Read<T>(string file, string option, Func<T> read)
    {
        try
        {
            return read();
        }
        catch (Exception exception) when (exception is IOException or UnauthorizedAccessException or CryptographicException or ArgumentException)
        {
            throw new LogSinkException(SocketErrorClass.Tls, $"cannot read Tls:{option} '{file}': {exception.Message}", isPermanent: true, exception);
        }
    }
}
