// The page: asks the application each second and shows its answer. Data becomes text, never markup: textContent and setAttribute only.
const base = location.pathname.replace(/\/+$/, '');
const patience = 5000;
// Seconds without a delivery from which nothing is written.
const stale = 5;
const states = {
  failed: ['M6 1h8l5 5v8l-5 5H6l-5-5V6z', 'M7 7l6 6M13 7l-6 6'],
  degraded: ['M10 1.2L19.4 18H.6z', 'M10 7.4v4.6M10 15.2v.1'],
  healthy: ['M10 1a9 9 0 1 0 0 18a9 9 0 1 0 0-18z', 'M5.8 10.4l2.8 2.8l5.6-6'],
  stopped: ['M2 2h16v16H2z', 'M6.5 10h7'],
};
const ranks = Object.keys(states);
// The chapters of docs/operations.md by reason; the others are in the table of all.
const chapters = {
  drops: 'records-are-lost', queue_near_full: 'the-queue-fills', spooling: 'the-collector-is-away', disk_low: 'little-disk-space', crash_buffer: 'the-process-was-killed',
  timeout: 'nothing-is-delivered',
};
const chapterOf = reason => chapters[reason] || 'an-instance-is-not-healthy';
const signs = { failed: '\u2716 ', degraded: '\u25b2 ' };
const levels = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Critical'];
// By instance: its row of the overview, its card, its samples, whether the user opened or closed the card, and whether it opened by itself.
const sinks = new Map();
// Times of the last answer, of the last one that was shown, and of the pause; the last answer, and the last one that was shown.
let answered = 0, shownAt = 0, pausedAt = 0, latest = null, shown = null;

const find = (root, selector) => root.querySelector(selector);
const part = (root, name) => find(root, '[data-of="' + name + '"]');
// A state of another version is shown as stopped.
const stateOf = sink => sink.state in states ? sink.state : 'stopped';
const isTrouble = sink => sink.state === 'failed' || sink.state === 'degraded';
const sum = counts => counts.reduce((total, one) => total + one.count, 0);
// What a write holds has not arrived: it waits like what is in the queue.
const waiting = sink => sink.queue.size + sink.inFlight;

// Only what changed is touched: selections stay, and a screen reader does not repeat itself.
function setText(element, text) {
  if (element.textContent !== text)
    element.textContent = text;
}

function setAttr(element, name, value) {
  if (element.getAttribute(name) !== String(value))
    element.setAttribute(name, value);
}

// A dotted name, which may break after its dots only.
function nameOf(element, text) {
  element.replaceChildren(...text.split(/(?<=[.:/])/).flatMap(name => [name, document.createElement('wbr')]));
  return element;
}

// Puts elements in an order; the focus stays where it is.
function arrange(parent, elements) {
  const focused = document.activeElement;
  elements.forEach((element, index) => {
    if (parent.children[index] !== element)
      parent.insertBefore(element, parent.children[index] || null);
  });
  if (focused !== document.activeElement)
    focused.focus({ preventScroll: true });
}

function rows(table, lines, numbersFrom) {
  const body = find(table, 'tbody');
  while (body.rows.length > lines.length)
    body.deleteRow(-1);
  lines.forEach((line, index) => {
    const row = body.rows[index] || body.insertRow();
    while (row.cells.length < line.length)
      row.append(Object.assign(document.createElement(row.cells.length ? 'td' : 'th'), row.cells.length ? {} : { scope: 'row' }));
    line.forEach((text, column) => {
      setText(row.cells[column], text);
      row.cells[column].className = column >= numbersFrom ? 'number' : '';
    });
  });
  if (table.tHead)
    [...table.tHead.rows[0].cells].forEach((cell, column) => { cell.className = column >= numbersFrom ? 'number' : ''; });
}

function viewOf(name) {
  let view = sinks.get(name);
  if (!view) {
    const make = id => find(document, id).content.cloneNode(true).firstElementChild;
    const id = 'sink:' + name;
    view = { row: make('#row'), card: make('#card'), samples: [], wanted: location.hash === '#' + id ? true : null, isWorst: false };
    view.row.dataset.sink = view.card.dataset.sink = name;
    view.card.id = id;
    view.card.setAttribute('aria-label', name);
    const link = part(view.row, 'name'), close = find(view.card, '.close');
    nameOf(link, name).href = '#' + id;
    close.setAttribute('aria-label', 'Close ' + name);
    close.addEventListener('click', () => {
      view.wanted = false;
      view.card.hidden = true;
      drawCards();
      link.focus();
    });
    sinks.set(name, view);
  }
  return view;
}

// Every link to a card opens it.
function openCard(event) {
  const link = event.target.closest('a[href^="#sink:"]');
  const view = link && [...sinks.values()].find(one => '#' + one.card.id === link.getAttribute('href'));
  if (!view)
    return;
  event.preventDefault();
  view.wanted = true;
  view.card.hidden = false;
  drawCards();
  history.replaceState(null, '', link.getAttribute('href'));
  view.card.scrollIntoView();
  view.card.focus({ preventScroll: true });
}

function explain(sink) {
  if (!sink.troubleEnded)
    return sink.reason ? wordsOf(sink.reason) + freeOf(sink) : '';
  const isLoss = sink.reason === 'drops', ended = clock(sink.troubleEnded);
  // When a sink that stands still will be healthy is unknown.
  const outlook = sink.unservedSeconds < stale ? '; healthy again at ' + clock(sink.healthyAt) + (isLoss ? ' if no more' : ' if it does not come back') : '';
  return (isLoss ? 'last loss ' + ended : wordsOf(sink.reason) + ' until ' + ended) + outlook;
}

// The free space beside a reason that is about space.
function freeOf(sink) {
  const free = /^(no_space|disk_low|quota)$/.test(sink.reason) && sink.measurements.find(one => one.name === 'asynclog.file.filesystem.available');
  return free ? ' (' + bytes(free.value) + ' free)' : '';
}

// When the queue of a sink in trouble is full if it fills on as in the last ten seconds; '' if it does not.
function outlookOf(sink) {
  const { samples } = sinks.get(sink.name), last = samples[samples.length - 1], recent = samples.filter(sample => sample.at >= last.at - 10000);
  const held = recent.map(sample => sample.queueSize + sample.inFlight), grows = index => held[index] > held[index - 1];
  // A queue that is emptied now and then does not fill.
  if (held.length < 3 || !held.slice(1).every((value, index) => value >= held[index]) || !grows(held.length - 1) || sink.spool.bytesLimit)
    return '';
  const growth = (held[held.length - 1] - held[0]) / (last.at - recent[0].at) * 1000, size = sink.queue.size ? sink.queue.bytes / sink.queue.size : 0;
  const left = Math.min(sink.queue.capacity - waiting(sink), size ? (sink.queue.bytesLimit - sink.queue.bytes) / size : Infinity);
  return growth > 0 && left > growth && left / growth < 86400 ? 'queue full in about ' + span(left / growth) : '';
}

// How many records are lost since the start, and of the worst level; '' for none.
function lossOf(sink) {
  if (!sink.dropped)
    return '';
  const worst = [...levels].reverse().find(level => sink.drops.some(drop => drop.level === level)), recent = sum(sink.recentDrops);
  const ofWorst = sum(sink.drops.filter(drop => drop.level === worst));
  return 'lost ' + number(sink.dropped) + (sink.dropped === 1 ? ' record' : ' records')
    + (ofWorst === sink.dropped ? ' of level ' + worst : ', ' + number(ofWorst) + ' of them ' + worst)
    + (recent < sink.dropped ? ', ' + (recent ? number(recent) : 'none') + ' in the last 10 min' : '');
}

// Since when nothing is written although there is something to write; '' where that is not so.
function silenceOf(sink, at) {
  const isFailing = !sink.troubleEnded && sink.lastError && sink.lastError.type === sink.reason && !(Date.parse(sink.lastSuccess) >= Date.parse(sink.lastError.at));
  if (sink.unservedSeconds < stale && !isFailing)
    return '';
  const since = sink.unservedSeconds >= stale ? at - sink.unservedSeconds * 1000 : Date.parse(sink.lastSuccess);
  return since ? 'nothing written since ' + clock(since) + ' (' + span((at - since) / 1000) + ')' : 'nothing written yet';
}

function showState(root, sink) {
  const state = stateOf(sink);
  if (!root.classList.contains(state)) {
    root.classList.remove(...ranks);
    root.classList.add(state);
    find(root, '.shape .body').setAttribute('d', states[state][0]);
    find(root, '.shape .mark').setAttribute('d', states[state][1]);
  }
  setText(part(root, 'name'), sink.name);
  setText(part(root, 'state'), sink.state);
  setText(part(root, 'reason'), explain(sink));
  setText(part(root, 'error'), sink.lastError ? clock(sink.lastError.at) + ' ' + sink.lastError.message : '');
}

function showFill(fill, share, words) {
  setText(find(fill, '.text'), words);
  fill.classList.toggle('near', share >= 0.8);
  find(fill, '.bar').style.width = (share * 100).toFixed(2) + '%';
}

function showMeter(card, kind, value, limit, text) {
  const fill = find(card, '[data-fill="' + kind + '"]'), track = find(fill, '.track');
  const share = limit > 0 ? Math.min(1, value / limit) : 0;
  const words = text(value) + ' of ' + text(limit) + ' (' + percent(share) + (share >= 0.8 ? ', near full)' : ')');
  showFill(fill, share, words);
  setAttr(track, 'role', 'meter');
  setAttr(track, 'aria-label', find(fill, '.label').textContent);
  setAttr(track, 'aria-valuemin', 0);
  setAttr(track, 'aria-valuemax', limit);
  setAttr(track, 'aria-valuenow', Math.min(value, limit));
  setAttr(track, 'aria-valuetext', words);
}

function showRow(row, sink) {
  showState(row, sink);
  const share = (value, limit) => limit > 0 ? Math.min(1, value / limit) : 0;
  const fill = Math.max(share(waiting(sink), sink.queue.capacity), share(sink.queue.bytes, sink.queue.bytesLimit));
  showFill(find(row, '.fill'), fill, percent(fill));
  setText(part(row, 'disk'), sink.spool.records ? number(sink.spool.records) + ' on disk' : '');
  setText(part(row, 'in'), rate(sink.rates.enqueuedPerSecond));
  setText(part(row, 'out'), rate(sink.rates.writtenPerSecond));
  setText(part(row, 'dropped'), number(sink.dropped));
  find(row, '.loss').classList.toggle('some', sink.recentDrops.length > 0);
}

function showCard(card, sink) {
  showState(card, sink);
  const guide = part(card, 'guide'), address = shown?.application.guide;
  guide.hidden = !address || !sink.reason;
  if (address && sink.reason)
    setAttr(guide, 'href', address + '#' + chapterOf(sink.reason));
  setText(part(card, 'since'), clock(sink.since));
  setAttr(part(card, 'since'), 'datetime', sink.since);
  part(card, 'since').parentElement.hidden = Boolean(sink.troubleEnded);
  setText(part(card, 'target'), sink.target || 'not known yet');
  setText(part(card, 'problem'), sink.configurationProblem ? 'Configuration: ' + sink.configurationProblem : '');
  part(card, 'problem').hidden = !sink.configurationProblem;
  find(card, '.error').hidden = !sink.lastError;
  showMeter(card, 'records', waiting(sink), sink.queue.capacity, number);
  showMeter(card, 'bytes', sink.queue.bytes, sink.queue.bytesLimit, bytes);
  showMeter(card, 'spool', sink.spool.bytes, sink.spool.bytesLimit, bytes);
  find(card, '[data-fill="spool"]').hidden = !sink.spool.bytesLimit;
  setText(part(card, 'oldest'), waiting(sink) ? seconds(sink.queue.oldestAgeSeconds) : '');
  setText(part(card, 'mean'), seconds(sink.writeSeconds.mean));
  setText(part(card, 'success'), sink.lastSuccess ? clock(sink.lastSuccess) : 'none yet');
  showTables(card, sink);
  showLevels(card, sink.effectiveLevels);
}

function showTables(card, sink) {
  const table = name => find(card, '[data-table="' + name + '"]');
  const recent = new Map(sink.recentDrops.map(drop => [drop.reason + ' ' + drop.level, drop.count]));
  rows(table('drops'), sink.drops.map(drop => [wordsOf(drop.reason), drop.level, number(recent.get(drop.reason + ' ' + drop.level) || 0), number(drop.count)]), 2);
  // The code is that of the metrics and of the documents.
  sink.drops.forEach((drop, index) => setAttr(table('drops').tBodies[0].rows[index].cells[0], 'title', drop.reason));
  find(card, '[data-losses]').hidden = sink.drops.length === 0;
  rows(table('counts'), [
    ['Offered', number(sink.offered)], ['Accepted', number(sink.enqueued)], ['Lost before acceptance', number(sink.droppedBefore)],
    ['Written', number(sink.written)], ['Lost after acceptance', number(sink.droppedAfter)], ['Waiting in the queue', number(sink.queue.size)], ['In flight', number(sink.inFlight)],
    ['Waiting on the disk', number(sink.spool.records)], ['Unaccounted for', number(sink.unaccounted)],
    ...levels.filter(level => sink.enqueuedByLevel[level]).map(level => ['Accepted, ' + level, number(sink.enqueuedByLevel[level])]),
    ...(sink.recovered ? [['Accepted, recovered after a kill', number(sink.recovered)]] : []),
    ['Written, delivery uncertain', number(sink.uncertain)], ...(sink.unacknowledged ? [['Not acknowledged', number(sink.unacknowledged)]] : []),
    ['Written, truncated', number(sink.truncated)], ['Properties left out', number(sink.propertiesLeftOut)],
    ['Values that could not be rendered', number(sink.renderErrors)], ['Bytes written', bytes(sink.outputBytes)], ['Retries', number(sink.retries)],
    ...Object.entries(sink.errors).map(([type, count]) => ['Errors, ' + wordsOf(type), number(count)]),
    ['Time callers waited', seconds(sink.callerWaitSeconds)],
    ...(sink.writeSeconds.count ? [['Median write', seconds(sink.writeSeconds.p50)], ['95 % of writes within', seconds(sink.writeSeconds.p95)], ['99 % of writes within', seconds(sink.writeSeconds.p99)]] : []),
  ], 1);
  rows(table('measurements'), sink.measurements.map(one => [
    [one.name, ...Object.values(one.tags)].join(' '), one.unit === 'By' ? bytes(one.value) : number(one.value)]), 1);
  table('measurements').closest('details').hidden = sink.measurements.length === 0;
}

// One entry per rule with its categories; those of the framework, which are many, last and folded.
function showLevels(card, categories) {
  const list = find(card, '.levels'), known = JSON.stringify(categories);
  if (list.dataset.known === known)
    return;
  list.dataset.known = known;
  const make = (tag, ...parts) => {
    const element = document.createElement(tag);
    element.append(...parts);
    return element;
  };
  const isFramework = category => /^(Microsoft|System)(\.|$)/.test(category);
  const named = names => names.flatMap((name, index) => [nameOf(make('span'), name + (index < names.length - 1 ? ',' : '')), ' ']);
  const groups = new Map();
  Object.entries(categories).forEach(([category, { level, rule }]) => {
    const key = level + ' ' + rule;
    groups.set(key, groups.get(key) || { level, rule, own: [], framework: [] });
    groups.get(key)[isFramework(category) ? 'framework' : 'own'].push(category);
  });
  const ordered = [...groups.values()].sort((one, other) => (one.own.length === 0) - (other.own.length === 0));
  list.replaceChildren(...ordered.map(({ level, rule, own, framework }) => {
    const text = make('dd', ...named(own));
    if (framework.length)
      text.append(make('details', make('summary', number(framework.length) + ' of the framework'), ...named(framework)));
    return make('div', make('dt', make('strong', level === 'None' ? 'Off' : level === 'Critical' ? level : level + ' and above'), ' (', nameOf(make('code'), rule), ')'), text);
  }));
}

function showHistory(card, samples, sink) {
  const now = samples.length ? samples[samples.length - 1].at : Date.now(), points = flows(samples);
  const figure = name => find(card, '[data-chart="' + name + '"]'), legend = find(figure('flow'), '.legend');
  const lost = samples.length ? Math.max(0, samples[samples.length - 1].dropped - samples[0].dropped) : 0;
  setText(find(legend, '.in'), 'in ' + rate(sink.rates.enqueuedPerSecond));
  setText(find(legend, '.out'), 'out ' + rate(sink.rates.writtenPerSecond));
  setText(find(legend, '.lost'), number(lost) + ' lost');
  find(legend, '.lost').hidden = lost === 0;
  draw(figure('flow'), points, ['in', 'out', 'lost'], now, 0);
  draw(figure('waiting'), points, ['waiting'], now, sink.queue.capacity);
  draw(figure('write'), points, ['write'], now, 0);
  const minutes = new Map();
  samples.slice(1).forEach((sample, index) => {
    const then = samples[index], minute = clock(sample.at).slice(0, -3);
    const sums = minutes.get(minute) || [0, 0, 0, 0];
    minutes.set(minute, [sums[0] + sample.enqueued - then.enqueued, sums[1] + sample.written - then.written, sums[2] + sample.dropped - then.dropped, Math.max(sums[3], sample.queueSize + sample.inFlight)]);
  });
  rows(find(card, '[data-table="minutes"]'), [...minutes].reverse().map(([minute, sums]) => [minute, ...sums.map(number)]), 1);
}

function drawRows() {
  [...sinks.values()].filter(view => view.samples.length).forEach(view => {
    const highest = spark(find(view.row, '.spark svg'), flows(view.samples), view.samples[view.samples.length - 1].at);
    setText(part(view.row, 'peak'), highest > 0 ? 'max ' + short(Math.ceil(highest)) + '/s' : '');
  });
}

// The cards that are shown: a chart is as wide as its card.
function drawCards() {
  [...sinks.values()].filter(view => view.last && !view.card.hidden).forEach(view => showHistory(view.card, view.samples, view.last));
}

function addSample(view, sink, at) {
  const samples = view.samples, last = samples[samples.length - 1];
  if (!last || at > last.at) {
    samples.push({
      at, queueSize: sink.queue.size, inFlight: sink.inFlight, enqueued: sink.enqueued, written: sink.written, dropped: sink.dropped, batches: sink.batches, writeMicroseconds: sink.writeMicroseconds,
    });
  }
  while (samples.length && samples[0].at < at - reach)
    samples.shift();
}

// Per sink in trouble, three at most, what counts first: what is lost, since when nothing is written, then the state.
function tell(sink, at) {
  const loss = lossOf(sink), facts = [loss, silenceOf(sink, at), outlookOf(sink)].filter(Boolean), state = sink.state + (sink.reason ? ': ' + explain(sink) : '') + '.';
  return facts.length ? (loss ? ' ' : ': ') + facts.join('; ') + '. ' + state[0].toUpperCase() + state.slice(1) : ' ' + state;
}

function showVerdict(instances, at) {
  const verdict = find(document, '#verdict'), bad = instances.filter(isTrouble), told = bad.slice(0, 3), lost = sum(instances.flatMap(sink => sink.recentDrops));
  const fine = instances.length === 0 ? 'No sink is configured.' : instances.length === 1 ? 'The sink delivers.' : 'All ' + instances.length + ' sinks deliver.';
  const last = bad.length === 0 ? fine + (lost ? ' Lost in the last 10 min: ' + number(lost) + '.' : '') : bad.length > 3 ? 'And ' + (bad.length - 3) + ' more.' : '';
  const known = JSON.stringify(told.map(sink => sink.name));
  // The links stay while the words beside them change: one of them may have the focus.
  if (verdict.dataset.known !== known) {
    verdict.dataset.known = known;
    const line = (...parts) => {
      const element = document.createElement('p');
      element.append(...parts);
      return element;
    };
    verdict.replaceChildren(...told.map(sink => line(
      Object.assign(document.createElement('a'), { href: '#sink:' + sink.name, textContent: sink.name }), document.createElement('span'))), line());
  }
  told.forEach((sink, index) => setText(find(verdict.children[index], 'span'), tell(sink, at)));
  setText(verdict.lastChild, last);
  // A screen reader hears of states; of numbers that change each second it would never stop.
  setText(find(document, '#spoken'), bad.map(sink => sink.name + ' ' + sink.state + (sink.reason ? ': ' + explain(sink) : '')).join('. ') || fine);
}

function showApplication(state, sign) {
  const application = shown?.application, name = application ? application.name : 'AsyncLog';
  const title = sign + (application ? [name + ' on ' + application.host + ' (' + application.processId + ')', application.environment, application.version].filter(Boolean).join(', ') : name);
  if (document.title !== title)
    document.title = title;
  if (document.body.className !== state)
    document.body.className = state;
  if (find(document, '#application').textContent !== name)
    nameOf(find(document, '#application'), name);
  if (application) {
    const { host, processId, version, environment, uptimeSeconds } = application;
    const facts = ['on ' + host, 'process ' + processId, version && 'version ' + version, environment, 'up ' + span(uptimeSeconds)];
    setText(find(document, '#process'), facts.filter(Boolean).join(', '));
  }
}

function show(status) {
  shown = status;
  const at = Date.parse(status.capturedAt);
  // Trouble that is over comes behind trouble that is not.
  const rank = sink => ranks.indexOf(stateOf(sink)) * 2 + (sink.troubleEnded ? 1 : 0);
  const instances = [...status.instances].sort((one, other) => rank(one) - rank(other));
  [...sinks].filter(([name]) => !instances.some(sink => sink.name === name)).forEach(([name, view]) => {
    view.row.remove();
    view.card.remove();
    sinks.delete(name);
  });
  const views = instances.map(sink => viewOf(sink.name));
  arrange(find(document, '#overview tbody'), views.map(view => view.row));
  arrange(find(document, '#cards'), views.map(view => view.card));
  instances.forEach((sink, index) => {
    const view = views[index];
    // A card that was closed opens again when its sink gets into trouble once more.
    if (view.wanted === false && view.last && !isTrouble(view.last) && isTrouble(sink))
      view.wanted = null;
    view.last = sink;
    addSample(view, sink, at);
    showRow(view.row, sink);
    view.isWorst &&= isTrouble(sink);
    showCard(view.card, sink);
  });
  // One card opens by itself, that of the worst sink, and stays until its sink is well.
  if (instances.length && isTrouble(instances[0]) && !views.some(view => view.isWorst && rank(view.last) <= rank(instances[0])))
    views[0].isWorst = true;
  views.forEach(view => { view.card.hidden = !(view.wanted ?? (view.isWorst || instances.length === 1)); });
  drawRows();
  drawCards();
  setText(find(document, '#unknown'), 'Keys that are not known and have no effect: ' + status.unknownKeys.join(', '));
  find(document, '#unknown').hidden = status.unknownKeys.length === 0;
  setText(find(document, '#objects'), 'Values of {@Item} that could not be serialized: ' + number(status.objectsFailed) + '. ' + status.objectProblems.join(' '));
  find(document, '#objects').hidden = !status.objectsFailed;
  const worst = instances.length ? instances[0].state : 'stopped';
  showApplication(worst, signs[worst] || '');
  showVerdict(instances, at);
  // The log has the zone of the server, this page that of the browser.
  const zone = zoneOf(at), server = 'UTC' + status.application.utcOffset;
  setText(find(document, '#fresh'), 'as of ' + clock(at) + (server === zone ? '' : ' ' + zone + ', in the log ' + server));
  setText(find(document, '#library'), 'AsyncLog ' + status.application.asyncLogVersion + ', times in ' + zone);
  document.body.dataset.captured = status.capturedAt;
}

function showGone(problem) {
  const name = shown ? shown.application.name : 'The application', verdict = find(document, '#verdict');
  const what = name + (problem.status ? ' answers ' + problem.status + ' instead of its status' : ' does not answer');
  const from = pausedAt && shown ? clock(shown.capturedAt) : 'then';
  showApplication('gone', '\u2716 no answer: ');
  delete verdict.dataset.known;
  setText(verdict, what + (answered ? '. Its last answer came at ' + clock(answered) + '; everything below is from ' + from + '.' : '. This page asks again every second.'));
  setText(find(document, '#spoken'), what);
  setText(find(document, '#fresh'), answered ? 'last answer ' + span((Date.now() - answered) / 1000) + ' ago' : '');
}

async function fetchJson(path) {
  const answer = await fetch(base + '/' + path, { cache: 'no-store', signal: AbortSignal.timeout(patience) });
  if (!answer.ok)
    throw Object.assign(new Error('answer ' + answer.status), { status: answer.status });
  return answer.json();
}

function mergeHistory(columnsByName) {
  Object.entries(columnsByName).forEach(([name, columns]) => {
    const keys = Object.keys(columns);
    viewOf(name).samples = columns.at.map((_, index) => Object.fromEntries(keys.map(key => [key, columns[key][index]])));
  });
}

async function tick() {
  let status = null, history = null;
  try {
    status = await fetchJson('status');
    // At the start, after a sleep or a pause, and of a new process the server knows more than this page does.
    if (!pausedAt && (Date.now() - shownAt > 5 * step || shown?.application.startedAt !== status.application.startedAt))
      history = await fetchJson('history');
    answered = Date.now();
  } catch (problem) {
    status = null;
    showGone(problem);
  }
  setTimeout(tick, step);
  if (!status)
    return;
  latest = status;
  if (!pausedAt) {
    if (history)
      mergeHistory(history.instances);
    shownAt = answered;
    show(status);
  } else if (shown && document.body.className === 'gone') {
    show(shown);
  }
}

document.addEventListener('click', openCard);
// A pause holds what is shown; whether the application answers is asked all the same.
find(document, '#pause').addEventListener('click', event => {
  pausedAt = pausedAt ? 0 : Date.now();
  document.body.toggleAttribute('data-paused', pausedAt > 0);
  setText(event.currentTarget, pausedAt ? 'Paused at ' + clock(pausedAt) + ' \u00b7 Resume' : 'Pause');
  if (!pausedAt && latest && document.body.className !== 'gone')
    show(latest);
});
document.querySelectorAll('[data-path]').forEach(link => { link.href = base + '/' + link.dataset.path; });
tick();
