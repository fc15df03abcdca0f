using Microsoft.AspNetCore.Hosting;
using Microsoft.AspNetCore.Mvc.Testing;

namespace AsyncLog.Tests.Support;

/// <summary>samples/WebApp inside the test process, with a folder of its own.</summary>
internal sealed class Shop(TempFolder folder) : WebApplicationFactory<Program>
{
    protected override void ConfigureWebHost(IWebHostBuilder builder)
    {
        File.Copy(Repository.WebAppSettings, folder.File("appsettings.json"), overwrite: true);
        builder.UseContentRoot(folder.Path);
    }
}
