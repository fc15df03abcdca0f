using AsyncLog.Tests;

// Usage: AsyncLog.Allocation            every path in a process of its own; ends with "N passed, N failed"
//        AsyncLog.Allocation <part>     only the paths whose name contains the part
//        AsyncLog.Allocation --run NAME one path in this process
//        AsyncLog.Allocation --why NAME the same, and the types that were allocated, on standard error
if (args is ["--run", var name])
    return PathRun.Run(PathCatalogue.All.Single(path => path.Name == name));
if (args is ["--why", var puzzle])
    return PathRun.Explain(PathCatalogue.All.Single(path => path.Name == puzzle));
return Judge.Run(args.Length > 0 ? args[0] : "");
