using Microsoft.Extensions.Logging;

namespace AsyncLog.Bench;

/// <summary>The calls of a service: 120 places in its code, most of them generated methods and some templates.</summary>
/// <remarks>No message has the word that <see cref="WrittenLines"/> adds numbers after, so that the sum of every one is 0.</remarks>
internal static partial class ServiceCalls
{
    // Coprime to the number of places: kinds alternate.
    private const int Step = 49;

    private static readonly string[] Words = ["checkout", "GET", "/api/baskets", "eu-central-1", "catalog", "completed-ok", "worker-7", "premium"];
    private static readonly string[] Names = ["Müller", "São Paulo", "Łódź", "東京", "Дмитрий", "Ελένη", "Zoë Ångström", "naïve café"];
    private static readonly Guid[] Ids =
        [.. Enumerable.Range(1, 8).Select(static number => new Guid(number, 0x4a1b, 0x4c2d, [0x8e, 3, 0x5f, 4, 0x60, 5, 0x71, 6]))];
    private static readonly DateTimeOffset Start = new(2026, 11, 20, 13, 0, 17, TimeSpan.Zero);

    private static readonly Action<ILogger, int>[] Places =
    [
        // 30 % constant messages
        static (logger, _) => ApplicationStarted(logger),
        static (logger, _) => ApplicationIsShuttingDown(logger),
        static (logger, _) => RequestStarted(logger),
        static (logger, _) => RequestFinished(logger),
        static (logger, _) => ExecutingEndpoint(logger),
        static (logger, _) => ExecutedEndpoint(logger),
        static (logger, _) => ConfigurationLoaded(logger),
        static (logger, _) => ConnectionOpened(logger),
        static (logger, _) => ConnectionClosed(logger),
        static (logger, _) => TransactionBegun(logger),
        static (logger, _) => TransactionCommitted(logger),
        static (logger, _) => CacheWarmedUp(logger),
        static (logger, _) => CacheMissTheDatabaseIs(logger),
        static (logger, _) => CacheHit(logger),
        static (logger, _) => AuthenticationWasSuccessful(logger),
        static (logger, _) => AuthorizationWasSuccessful(logger),
        static (logger, _) => TokenValidated(logger),
        static (logger, _) => TokenRenewed(logger),
        static (logger, _) => ModelStateIsValid(logger),
        static (logger, _) => HealthChecksPassed(logger),
        static (logger, _) => MessageReceivedFromTheQueue(logger),
        static (logger, _) => MessageAcknowledged(logger),
        static (logger, _) => OutboxIsEmpty(logger),
        static (logger, _) => ScheduledJobStarted(logger),
        static (logger, _) => ScheduledJobEnded(logger),
        static (logger, _) => PaymentProviderAnswered(logger),
        static (logger, _) => RetryIsNotNeeded(logger),
        static (logger, _) => ResponseCompressionIsOff(logger),
        static (logger, _) => StaticFileWasNotModified(logger),
        static (logger, _) => SessionRestored(logger),
        static (logger, _) => logger.LogInformation("Basket recalculated"),
        static (logger, _) => logger.LogInformation("Stock reserved"),
        static (logger, _) => logger.LogInformation("Stock released"),
        static (logger, _) => logger.LogInformation("Mail handed over"),
        static (logger, _) => logger.LogInformation("Feature flags refreshed"),
        static (logger, _) => logger.LogInformation("Nothing to do"),
        // 40 % with one to three values
        static (logger, n) => UserSignedIn(logger, n),
        static (logger, n) => LoadedRows(logger, n),
        static (logger, n) => PageRequested(logger, n),
        static (logger, n) => QueueHoldsMessages(logger, n),
        static (logger, n) => WorkerIsIdle(logger, n),
        static (logger, n) => BatchOfWritten(logger, n),
        static (logger, n) => ExecutingEndpointEndpointName(logger, Words[(n + 7) & 7]),
        static (logger, n) => RouteMatched(logger, Words[(n + 0) & 7]),
        static (logger, n) => TenantResolved(logger, Words[(n + 1) & 7]),
        static (logger, n) => CommandAccepted(logger, Words[(n + 2) & 7]),
        static (logger, n) => FileStored(logger, Words[(n + 3) & 7]),
        static (logger, n) => TopicSubscribed(logger, Words[(n + 4) & 7]),
        static (logger, n) => BasketCreated(logger, Ids[n & 7]),
        static (logger, n) => PaymentStarted(logger, Ids[n & 7]),
        static (logger, n) => InvoiceSent(logger, Ids[n & 7]),
        static (logger, n) => CorrelationContinued(logger, Ids[n & 7]),
        static (logger, n) => QueryTookMs(logger, n / 1000.0),
        static (logger, n) => ScoreComputed(logger, n / 1000.0),
        static (logger, n) => LockHeldFor(logger, TimeSpan.FromMilliseconds(n)),
        static (logger, n) => NextRunIn(logger, TimeSpan.FromMilliseconds(n)),
        static (logger, n) => ItemAddedTo(logger, n, Words[(n + 6) & 7]),
        static (logger, n) => CustomerChangedToPlan(logger, n, Words[(n + 0) & 7]),
        static (logger, n) => ShardMovedTo(logger, n, Words[(n + 2) & 7]),
        static (logger, n) => PortOpenedBy(logger, n, Words[(n + 4) & 7]),
        static (logger, n) => TableHasRows(logger, Words[(n + 5) & 7], n),
        static (logger, n) => StageEndedWith(logger, Words[(n + 7) & 7], n),
        static (logger, n) => MetricIs(logger, Words[(n + 1) & 7], n / 1000.0),
        static (logger, n) => ShipmentIs(logger, Ids[n & 7], Words[(n + 4) & 7]),
        static (logger, n) => DeviceReports(logger, Ids[n & 7], Words[(n + 6) & 7]),
        static (logger, n) => StepTookMs(logger, n, n / 1000.0),
        static (logger, n) => AttemptWaits(logger, n, TimeSpan.FromMilliseconds(n)),
        static (logger, n) => CallToTook(logger, Words[(n + 3) & 7], TimeSpan.FromMilliseconds(n)),
        static (logger, n) => HTTPResponded(logger, Words[(n + 5) & 7], Words[(n + 6) & 7], n),
        static (logger, n) => SentToAfterMs(logger, Words[(n + 0) & 7], Words[(n + 1) & 7], n / 1000.0),
        static (logger, n) => ExecutedCommandsOnInMs(logger, n, Words[(n + 4) & 7], n / 1000.0),
        static (logger, n) => LineOfIs(logger, n, Ids[n & 7], Words[(n + 0) & 7]),
        static (logger, n) => logger.LogInformation("Cart has {Items} items", n),
        static (logger, n) => logger.LogInformation("Mail to {Recipient} queued", Words[(n + 2) & 7]),
        static (logger, n) => logger.LogInformation("Policy {Policy} applied", Words[(n + 3) & 7]),
        static (logger, n) => logger.LogInformation("Return {ReturnId} registered", Ids[n & 7]),
        static (logger, n) => logger.LogInformation("Load is {Load}", n / 1000.0),
        static (logger, n) => logger.LogInformation("Heartbeat after {Silence}", TimeSpan.FromMilliseconds(n)),
        static (logger, n) => logger.LogInformation("Seat {Seat} assigned to {Guest}", n, Words[(n + 0) & 7]),
        static (logger, n) => logger.LogInformation("Bucket {Bucket} holds {Objects} objects", Words[(n + 1) & 7], n),
        static (logger, n) => logger.LogInformation("Ticket {TicketId} has priority {Priority}", Ids[n & 7], n),
        static (logger, n) => logger.LogInformation("Rate of {Currency} is {Rate}", Words[(n + 5) & 7], n / 1000.0),
        static (logger, n) => logger.LogInformation("Voucher {Number} of {Campaign} used by {Channel}", n, Words[(n + 0) & 7], Words[(n + 1) & 7]),
        static (logger, n) => logger.LogInformation("Index {Index} merged {Segments} segments in {Elapsed} ms", Words[(n + 2) & 7], n, n / 1000.0),
        // 10 % with text that is not ASCII
        static (logger, n) => CustomerFound(logger, Names[(n + 5) & 7]),
        static (logger, n) => CitySelected(logger, Names[(n + 6) & 7]),
        static (logger, n) => ProductIsInBasket(logger, Names[(n + 7) & 7], n),
        static (logger, n) => InvoiceGoesTo(logger, n, Names[(n + 2) & 7]),
        static (logger, n) => AccountOfIs(logger, Names[(n + 3) & 7], Ids[n & 7]),
        static (logger, n) => ParcelGoesFromTo(logger, Names[(n + 5) & 7], Names[(n + 6) & 7]),
        static (logger, n) => DistanceToIsKm(logger, Names[(n + 7) & 7], n / 1000.0),
        static (logger, n) => SellerHasOffersIn(logger, Names[(n + 1) & 7], n, Words[(n + 3) & 7]),
        static (logger, n) => StraEBerprFt(logger, Names[(n + 4) & 7]),
        static (logger, n) => BestellungBestTigtLieferungM(logger, n),
        static (logger, n) => logger.LogInformation("Search for {Phrase} begun", Names[(n + 6) & 7]),
        static (logger, n) => logger.LogInformation("Review of {Author} gives {Stars} stars", Names[(n + 7) & 7], n),
        // 5 % with a null
        static (logger, _) => ReferrerIs(logger, null),
        static (logger, n) => CouponOnBasket(logger, null, n),
        static (logger, n) => UserHasNoManager(logger, n, null),
        static (logger, n) => HeaderIs(logger, Words[(n + 6) & 7], null),
        static (logger, n) => ParentOfIs(logger, Ids[n & 7], null),
        static (logger, n) => logger.LogInformation("Note {Note} on line {Line}", (string?)null, n),
        // 10 % with a format or a width
        static (logger, n) => TotalIs(logger, n / 100m),
        static (logger, n) => PriceIs(logger, n / 100m),
        static (logger, n) => OpensAt(logger, Start.AddSeconds(n)),
        static (logger, n) => ValidUntil(logger, Start.AddSeconds(n)),
        static (logger, n) => ChecksumIs(logger, n),
        static (logger, n) => DiskIsFull(logger, n / 1000.0),
        static (logger, n) => RatioIs(logger, n / 1000.0),
        static (logger, n) => SlotIsFree(logger, n),
        static (logger, n) => NodeIsReady(logger, Words[(n + 4) & 7]),
        static (logger, n) => Position(logger, n, n / 100m),
        static (logger, n) => logger.LogInformation("Discount is {Discount:F2}", n / 100m),
        static (logger, n) => logger.LogInformation("Color is {Color:X6}", n),
        // 3 % with seven values
        static (logger, n) => RequestOfMsLimit(logger, n, Words[(n + 2) & 7], Ids[n & 7], n / 1000.0, TimeSpan.FromMilliseconds(n), Words[(n + 6) & 7], n),
        static (logger, n) =>
            JobRunOnSRetries(logger, Words[(n + 0) & 7], n, Words[(n + 2) & 7], n / 1000.0, Words[(n + 4) & 7], n, TimeSpan.FromMilliseconds(n)),
        static (logger, n) => TransferFromPartToMB(logger, Ids[n & 7], Words[(n + 0) & 7], n, Words[(n + 2) & 7], n / 1000.0, n, Words[(n + 5) & 7]),
        static (logger, n) => MovedOfFailedToIn(logger, n, n, n, Words[(n + 1) & 7], Words[(n + 2) & 7], n / 1000.0, Ids[n & 7]),
        // 2 % that are built for each call
        static (logger, n) => logger.LogInformation($"Imported {n} rows of {Words[n & 7]} in {n / 1000.0} ms"),
        static (logger, n) => logger.LogInformation($"Finished {Words[n & 7]} for {Ids[n & 7]}"),
    ];

    /// <summary>The call of the next place in turn.</summary>
    public static void Next(ILogger logger, int n) => Places[n * Step % Places.Length](logger, n);

    [LoggerMessage(LogLevel.Information, "Application started")] private static partial void ApplicationStarted(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Application is shutting down")] private static partial void ApplicationIsShuttingDown(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Request started")] private static partial void RequestStarted(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Request finished")] private static partial void RequestFinished(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Executing endpoint")] private static partial void ExecutingEndpoint(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Executed endpoint")] private static partial void ExecutedEndpoint(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Configuration loaded")] private static partial void ConfigurationLoaded(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Connection opened")] private static partial void ConnectionOpened(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Connection closed")] private static partial void ConnectionClosed(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Transaction begun")] private static partial void TransactionBegun(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Transaction committed")] private static partial void TransactionCommitted(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Cache warmed up")] private static partial void CacheWarmedUp(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Cache miss, the database is asked")] private static partial void CacheMissTheDatabaseIs(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Cache hit")] private static partial void CacheHit(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Authentication was successful")] private static partial void AuthenticationWasSuccessful(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Authorization was successful")] private static partial void AuthorizationWasSuccessful(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Token validated")] private static partial void TokenValidated(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Token renewed")] private static partial void TokenRenewed(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Model state is valid")] private static partial void ModelStateIsValid(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Health checks passed")] private static partial void HealthChecksPassed(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Message received from the queue")] private static partial void MessageReceivedFromTheQueue(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Message acknowledged")] private static partial void MessageAcknowledged(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Outbox is empty")] private static partial void OutboxIsEmpty(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Scheduled job started")] private static partial void ScheduledJobStarted(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Scheduled job ended")] private static partial void ScheduledJobEnded(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Payment provider answered")] private static partial void PaymentProviderAnswered(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Retry is not needed")] private static partial void RetryIsNotNeeded(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Response compression is off")] private static partial void ResponseCompressionIsOff(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Static file was not modified")] private static partial void StaticFileWasNotModified(ILogger logger);
    [LoggerMessage(LogLevel.Information, "Session restored")] private static partial void SessionRestored(ILogger logger);
    [LoggerMessage(LogLevel.Information, "User {UserId} signed in")] private static partial void UserSignedIn(ILogger logger, int userId);
    [LoggerMessage(LogLevel.Information, "Loaded {Count} rows")] private static partial void LoadedRows(ILogger logger, int count);
    [LoggerMessage(LogLevel.Information, "Page {Page} requested")] private static partial void PageRequested(ILogger logger, int page);
    [LoggerMessage(LogLevel.Information, "Queue holds {Length} messages")] private static partial void QueueHoldsMessages(ILogger logger, int length);
    [LoggerMessage(LogLevel.Information, "Worker {Worker} is idle")] private static partial void WorkerIsIdle(ILogger logger, int worker);
    [LoggerMessage(LogLevel.Information, "Batch of {Size} written")] private static partial void BatchOfWritten(ILogger logger, int size);
    [LoggerMessage(LogLevel.Information, "Executing endpoint {EndpointName}")]
    private static partial void ExecutingEndpointEndpointName(ILogger logger, string endpointName);
    [LoggerMessage(LogLevel.Information, "Route matched {RouteName}")] private static partial void RouteMatched(ILogger logger, string routeName);
    [LoggerMessage(LogLevel.Information, "Tenant {Tenant} resolved")] private static partial void TenantResolved(ILogger logger, string tenant);
    [LoggerMessage(LogLevel.Information, "Command {Command} accepted")] private static partial void CommandAccepted(ILogger logger, string command);
    [LoggerMessage(LogLevel.Information, "File {File} stored")] private static partial void FileStored(ILogger logger, string file);
    [LoggerMessage(LogLevel.Information, "Topic {Topic} subscribed")] private static partial void TopicSubscribed(ILogger logger, string topic);
    [LoggerMessage(LogLevel.Information, "Basket {BasketId} created")] private static partial void BasketCreated(ILogger logger, Guid basketId);
    [LoggerMessage(LogLevel.Information, "Payment {PaymentId} started")] private static partial void PaymentStarted(ILogger logger, Guid paymentId);
    [LoggerMessage(LogLevel.Information, "Invoice {InvoiceId} sent")] private static partial void InvoiceSent(ILogger logger, Guid invoiceId);
    [LoggerMessage(LogLevel.Information, "Correlation {CorrelationId} continued")]
    private static partial void CorrelationContinued(ILogger logger, Guid correlationId);
    [LoggerMessage(LogLevel.Information, "Query took {Elapsed} ms")] private static partial void QueryTookMs(ILogger logger, double elapsed);
    [LoggerMessage(LogLevel.Information, "Score computed: {Score}")] private static partial void ScoreComputed(ILogger logger, double score);
    [LoggerMessage(LogLevel.Information, "Lock held for {Duration}")] private static partial void LockHeldFor(ILogger logger, TimeSpan duration);
    [LoggerMessage(LogLevel.Information, "Next run in {Delay}")] private static partial void NextRunIn(ILogger logger, TimeSpan delay);
    [LoggerMessage(LogLevel.Information, "Item {ItemId} added to {Basket}")] private static partial void ItemAddedTo(ILogger logger, int itemId, string basket);
    [LoggerMessage(LogLevel.Information, "Customer {CustomerId} changed to plan {Plan}")]
    private static partial void CustomerChangedToPlan(ILogger logger, int customerId, string plan);
    [LoggerMessage(LogLevel.Information, "Shard {Shard} moved to {Node}")] private static partial void ShardMovedTo(ILogger logger, int shard, string node);
    [LoggerMessage(LogLevel.Information, "Port {Port} opened by {Service}")] private static partial void PortOpenedBy(ILogger logger, int port, string service);
    [LoggerMessage(LogLevel.Information, "Table {Table} has {Rows} rows")] private static partial void TableHasRows(ILogger logger, string table, int rows);
    [LoggerMessage(LogLevel.Information, "Stage {Stage} ended with {Code}")] private static partial void StageEndedWith(ILogger logger, string stage, int code);
    [LoggerMessage(LogLevel.Information, "Metric {Metric} is {Value}")] private static partial void MetricIs(ILogger logger, string metric, double value);
    [LoggerMessage(LogLevel.Information, "Shipment {ShipmentId} is {State}")]
    private static partial void ShipmentIs(ILogger logger, Guid shipmentId, string state);
    [LoggerMessage(LogLevel.Information, "Device {DeviceId} reports {State}")]
    private static partial void DeviceReports(ILogger logger, Guid deviceId, string state);
    [LoggerMessage(LogLevel.Information, "Step {Step} took {Elapsed} ms")] private static partial void StepTookMs(ILogger logger, int step, double elapsed);
    [LoggerMessage(LogLevel.Information, "Attempt {Attempt} waits {Delay}")]
    private static partial void AttemptWaits(ILogger logger, int attempt, TimeSpan delay);
    [LoggerMessage(LogLevel.Information, "Call to {Host} took {Duration}")]
    private static partial void CallToTook(ILogger logger, string host, TimeSpan duration);
    [LoggerMessage(LogLevel.Information, "HTTP {Method} {Path} responded {StatusCode}")]
    private static partial void HTTPResponded(ILogger logger, string method, string path, int statusCode);
    [LoggerMessage(LogLevel.Information, "Sent {Verb} to {Uri} after {Elapsed} ms")]
    private static partial void SentToAfterMs(ILogger logger, string verb, string uri, double elapsed);
    [LoggerMessage(LogLevel.Information, "Executed {Commands} commands on {Database} in {Elapsed} ms")]
    private static partial void ExecutedCommandsOnInMs(ILogger logger, int commands, string database, double elapsed);
    [LoggerMessage(LogLevel.Information, "Line {Line} of {PurchaseId} is {State}")]
    private static partial void LineOfIs(ILogger logger, int line, Guid purchaseId, string state);
    [LoggerMessage(LogLevel.Information, "Customer {Name} found")] private static partial void CustomerFound(ILogger logger, string name);
    [LoggerMessage(LogLevel.Information, "City {City} selected")] private static partial void CitySelected(ILogger logger, string city);
    [LoggerMessage(LogLevel.Information, "Product {Product} is in basket {Basket}")]
    private static partial void ProductIsInBasket(ILogger logger, string product, int basket);
    [LoggerMessage(LogLevel.Information, "Invoice {Number} goes to {Addressee}")]
    private static partial void InvoiceGoesTo(ILogger logger, int number, string addressee);
    [LoggerMessage(LogLevel.Information, "Account of {Holder} is {AccountId}")]
    private static partial void AccountOfIs(ILogger logger, string holder, Guid accountId);
    [LoggerMessage(LogLevel.Information, "Parcel goes from {Origin} to {Destination}")]
    private static partial void ParcelGoesFromTo(ILogger logger, string origin, string destination);
    [LoggerMessage(LogLevel.Information, "Distance to {Town} is {Kilometers} km")]
    private static partial void DistanceToIsKm(ILogger logger, string town, double kilometers);
    [LoggerMessage(LogLevel.Information, "Seller {Seller} has {Offers} offers in {Category}")]
    private static partial void SellerHasOffersIn(ILogger logger, string seller, int offers, string category);
    [LoggerMessage(LogLevel.Information, "Straße {Street} überprüft")] private static partial void StraEBerprFt(ILogger logger, string street);
    [LoggerMessage(LogLevel.Information, "Bestellung {Number} bestätigt, Lieferung möglich")]
    private static partial void BestellungBestTigtLieferungM(ILogger logger, int number);
    [LoggerMessage(LogLevel.Information, "Referrer is {Referrer}")] private static partial void ReferrerIs(ILogger logger, string? referrer);
    [LoggerMessage(LogLevel.Information, "Coupon {Coupon} on basket {Basket}")]
    private static partial void CouponOnBasket(ILogger logger, string? coupon, int basket);
    [LoggerMessage(LogLevel.Information, "User {UserId} has no manager: {Manager}")]
    private static partial void UserHasNoManager(ILogger logger, int userId, string? manager);
    [LoggerMessage(LogLevel.Information, "Header {Header} is {Value}")] private static partial void HeaderIs(ILogger logger, string header, string? value);
    [LoggerMessage(LogLevel.Information, "Parent of {SpanId} is {ParentId}")]
    private static partial void ParentOfIs(ILogger logger, Guid spanId, string? parentId);
    [LoggerMessage(LogLevel.Information, "Total is {Total:F2}")] private static partial void TotalIs(ILogger logger, decimal total);
    [LoggerMessage(LogLevel.Information, "Price is {Price:N2}")] private static partial void PriceIs(ILogger logger, decimal price);
    [LoggerMessage(LogLevel.Information, "Opens at {OpensAt:HH:mm}")] private static partial void OpensAt(ILogger logger, DateTimeOffset opensAt);
    [LoggerMessage(LogLevel.Information, "Valid until {ValidUntil:yyyy-MM-dd}")]
    private static partial void ValidUntil(ILogger logger, DateTimeOffset validUntil);
    [LoggerMessage(LogLevel.Information, "Checksum is {Checksum:X8}")] private static partial void ChecksumIs(ILogger logger, int checksum);
    [LoggerMessage(LogLevel.Information, "Disk is {Used:P1} full")] private static partial void DiskIsFull(ILogger logger, double used);
    [LoggerMessage(LogLevel.Information, "Ratio is {Ratio:0.000}")] private static partial void RatioIs(ILogger logger, double ratio);
    [LoggerMessage(LogLevel.Information, "Slot {Slot,6} is free")] private static partial void SlotIsFree(ILogger logger, int slot);
    [LoggerMessage(LogLevel.Information, "Node {Node,-12} is ready")] private static partial void NodeIsReady(ILogger logger, string node);
    [LoggerMessage(LogLevel.Information, "Position {Position,4}: {Amount,10:F2}")]
    private static partial void Position(ILogger logger, int position, decimal amount);
    [LoggerMessage(LogLevel.Information, "Request {Number} of {Tenant}, {RequestId}: {Elapsed} ms, limit {Limit}, {Method} {StatusCode}")]
    private static partial void RequestOfMsLimit(ILogger logger, int number, string tenant, Guid requestId, double elapsed, TimeSpan limit, string method, int statusCode);
    [LoggerMessage(LogLevel.Information, "Job {Job} run {Run} on {Host}: {Seconds} s, {Outcome}, {Retries} retries, next in {Delay}")]
    private static partial void JobRunOnSRetries(ILogger logger, string job, int run, string host, double seconds, string outcome, int retries, TimeSpan delay);
    [LoggerMessage(LogLevel.Information, "Transfer {TransferId} from {Origin} part {Part} to {Target}: {Megabytes} MB, {Blocks} blocks, {State}")]
    private static partial void TransferFromPartToMB(ILogger logger, Guid transferId, string origin, int part, string target, double megabytes, int blocks, string state);
    [LoggerMessage(LogLevel.Information, "Moved {Moved} of {Total}, {Failed} failed, {Source} to {Destination} in {Elapsed} ms, {BatchId}")]
    private static partial void MovedOfFailedToIn(ILogger logger, int moved, int total, int failed, string source, string destination, double elapsed, Guid batchId);
}
