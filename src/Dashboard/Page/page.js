'use strict';
(() => {
  // Whatever comes from the server becomes text, never markup: textContent and setAttribute only.
  const base = location.pathname.replace(/\/+$/, '');
  const step = 1000, reach = 600000, patience = 10000;
  const states = {
    healthy: ['M10 1a9 9 0 1 0 0 18a9 9 0 1 0 0-18z', 'M5.8 10.4l2.8 2.8l5.6-6'],
    degraded: ['M10 1.2L19.4 18H.6z', 'M10 7.4v4.6M10 15.2v.1'],
    failed: ['M6 1h8l5 5v8l-5 5H6l-5-5V6z', 'M7 7l6 6M13 7l-6 6'],
    stopped: ['M2 2h16v16H2z', 'M6.5 10h7'],
  };
  const levels = ['Trace', 'Debug', 'Information', 'Warning', 'Error', 'Critical'];
  const cards = new Map();
  let timer = 0, isPaused = false, answered = 0;

  const find = (root, selector) => root.querySelector(selector);
  const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
  const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
  const number = value => whole.format(value);
  const rate = value => value > 0 && value < 10 ? tenths.format(value) : whole.format(value);

  function bytes(value) {
    const units = ['B', 'KB', 'MB', 'GB', 'TB'];
    let unit = 0;
    for (; value >= 1024 && unit < units.length - 1; unit++)
      value /= 1024;
    return (unit === 0 ? whole : tenths).format(value) + ' ' + units[unit];
  }

  function seconds(value) {
    if (value === null)
      return 'none';
    if (value >= 120)
      return number(value / 60) + ' min';
    if (value >= 1)
      return tenths.format(value) + ' s';
    return value === 0 ? '0 s' : (value >= 0.0995 ? number(value * 1000) : String(Number((value * 1000).toPrecision(2)))) + ' ms';
  }

  const two = value => String(value).padStart(2, '0');
  function clock(when) {
    const at = new Date(when), today = new Date();
    const time = two(at.getHours()) + ':' + two(at.getMinutes()) + ':' + two(at.getSeconds());
    const isToday = at.toDateString() === today.toDateString();
    return isToday ? time : at.getFullYear() + '-' + two(at.getMonth() + 1) + '-' + two(at.getDate()) + ' ' + time;
  }

  // Only what changed is touched: selections stay, and a screen reader is not told the same again.
  function say(element, text) {
    if (element.textContent !== text)
      element.textContent = text;
  }

  function mark(element, name, value) {
    if (element.getAttribute(name) !== String(value))
      element.setAttribute(name, value);
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
        say(row.cells[column], text);
        row.cells[column].className = column >= numbersFrom ? 'number' : '';
      });
    });
    if (table.tHead)
      [...table.tHead.rows[0].cells].forEach((cell, column) => { cell.className = column >= numbersFrom ? 'number' : ''; });
  }

  function cardOf(name) {
    let card = cards.get(name);
    if (!card) {
      const root = find(document, '#sink').content.cloneNode(true).firstElementChild;
      const heading = find(root, 'h2');
      heading.id = 'sink-' + cards.size;
      root.setAttribute('aria-labelledby', heading.id);
      root.dataset.sink = name;
      find(document, '#sinks').append(root);
      card = { root, samples: [] };
      cards.set(name, card);
    }
    return card;
  }

  function showState(card, sink) {
    const root = card.root, state = sink.state in states ? sink.state : 'stopped';
    if (card.state !== state) {
      card.state = state;
      root.classList.remove(...Object.keys(states));
      root.classList.add(state);
      find(root, '.shape .body').setAttribute('d', states[state][0]);
      find(root, '.shape .mark').setAttribute('d', states[state][1]);
    }
    const put = (name, text) => say(find(root, '[data-of="' + name + '"]'), text);
    put('name', sink.name);
    put('state', sink.state);
    put('reason', sink.reason ? '(' + sink.reason + ')' : '');
    put('since', clock(sink.since));
    mark(find(root, '[data-of="since"]'), 'datetime', sink.since);
    put('recovery', sink.troubleEnded ? 'until ' + clock(sink.troubleEnded) + ', healthy at ' + clock(sink.healthyAt) : '');
    put('target', sink.target || 'not known yet');
    put('problem', sink.configurationProblem ? 'Configuration: ' + sink.configurationProblem : '');
    find(root, '[data-of="problem"]').hidden = !sink.configurationProblem;
    put('in', rate(sink.rates.enqueuedPerSecond));
    put('out', rate(sink.rates.writtenPerSecond));
    put('dropped', number(sink.dropped));
    find(root, '.loss').classList.toggle('some', sink.dropped > 0);
    put('oldest', sink.queue.size ? seconds(sink.queue.oldestAgeSeconds) : 'none');
    put('mean', seconds(sink.writeSeconds.mean));
    put('success', sink.lastSuccess ? clock(sink.lastSuccess) : 'none yet');
    put('error', sink.lastError ? sink.lastError.type + ' at ' + clock(sink.lastError.at) + ': ' + sink.lastError.message : 'none');
  }

  function showFill(card, kind, value, limit, text) {
    const fill = find(card.root, '[data-fill="' + kind + '"]'), track = find(fill, '.track');
    const share = limit > 0 ? Math.min(1, value / limit) : 0;
    const percent = share > 0 && share < 0.01 ? 'under 1 %' : number(Math.floor(share * 100)) + ' %';
    const words = text(value) + ' of ' + text(limit) + ' (' + percent + (share >= 0.8 ? ', near full)' : ')');
    say(find(fill, '.text'), words);
    fill.classList.toggle('near', share >= 0.8);
    find(fill, '.bar').style.width = (share * 100).toFixed(2) + '%';
    mark(track, 'role', 'meter');
    mark(track, 'aria-label', find(fill, '.label').textContent);
    mark(track, 'aria-valuemin', 0);
    mark(track, 'aria-valuemax', limit);
    mark(track, 'aria-valuenow', Math.min(value, limit));
    mark(track, 'aria-valuetext', words);
  }

  function showTables(card, sink) {
    const table = name => find(card.root, '[data-table="' + name + '"]');
    const recent = new Map(sink.recentDrops.map(drop => [drop.reason + ' ' + drop.level, drop.count]));
    const drops = sink.drops.map(drop => [drop.reason, drop.level, number(recent.get(drop.reason + ' ' + drop.level) || 0), number(drop.count)]);
    rows(table('drops'), drops.length ? drops : [['none', '', '0', '0']], 2);
    rows(table('books'), [
      ['Offered', number(sink.offered)], ['Accepted', number(sink.enqueued)], ['Lost before acceptance', number(sink.droppedBefore)],
      ['Written', number(sink.written)], ['Lost after acceptance', number(sink.droppedAfter)], ['Waiting', number(sink.queue.size)], ['In flight', number(sink.inFlight)],
      ['Waiting on the disk', number(sink.spool.records)],
      ...levels.filter(level => sink.enqueuedByLevel[level]).map(level => ['Accepted, ' + level, number(sink.enqueuedByLevel[level])]),
      ...(sink.recovered ? [['Of the accepted recovered after a kill', number(sink.recovered)]] : []),
      ['Of the written uncertain', number(sink.uncertain)], ...(sink.unacknowledged ? [['Not acknowledged', number(sink.unacknowledged)]] : []),
      ['Written but cut', number(sink.truncated)], ['Properties left out', number(sink.propertiesLeftOut)],
      ['Placeholders for values', number(sink.renderErrors)], ['Bytes written', bytes(sink.outputBytes)], ['Retries', number(sink.retries)],
      ...Object.entries(sink.errors).map(([type, count]) => ['Errors, ' + type, number(count)]),
      ['Callers were held', seconds(sink.callerWaitSeconds)],
      ['Write, half within', seconds(sink.writeSeconds.p50)], ['Write, 95 % within', seconds(sink.writeSeconds.p95)], ['Write, 99 % within', seconds(sink.writeSeconds.p99)],
    ], 1);
    rows(table('measurements'), sink.measurements.map(one => [
      [one.name, ...Object.values(one.tags)].join(' '), one.unit === 'By' ? bytes(one.value) : number(one.value)]), 1);
    table('measurements').closest('details').hidden = sink.measurements.length === 0;
    rows(table('levels'), Object.entries(sink.effectiveLevels).map(([category, level]) => [category, level.level, level.rule]), 3);
  }

  // What flowed between each two samples.
  function flows(samples) {
    return samples.slice(1).map((now, index) => {
      const then = samples[index], time = (now.at - then.at) / 1000, writes = now.batches - then.batches;
      return {
        at: now.at, waiting: now.queueSize,
        in: Math.max(0, now.enqueued - then.enqueued) / time, out: Math.max(0, now.written - then.written) / time, lost: Math.max(0, now.dropped - then.dropped) / time,
        write: writes > 0 ? (now.writeMicroseconds - then.writeMicroseconds) / writes / 1000 : null,
      };
    });
  }

  function nice(highest) {
    const power = 10 ** Math.floor(Math.log10(highest || 1));
    return [1, 2, 5, 10].map(factor => factor * power).find(top => top >= highest) || 1;
  }

  const ago = time => time < 60 ? time + ' s ago' : String(time / 60) + ' min ago';
  const short = value => value >= 1e6 ? tenths.format(value / 1e6) + 'M' : value >= 1e3 ? tenths.format(value / 1e3) + 'k' : String(Number(value.toPrecision(2)));

  function draw(card, name, points, series, now, bound) {
    const figure = find(card.root, '[data-chart="' + name + '"]'), svg = find(figure, 'svg');
    const width = svg.clientWidth || 300, height = 120, left = 36, right = width - 4, top = 8, bottom = height - 18;
    const highest = Math.max(0, ...series.flatMap(key => points.map(point => point[key] || 0)));
    // A young history is shown in whole minutes, an old one in ten.
    const span = Math.min(reach, Math.max(1, Math.ceil((now - (points.length ? points[0].at : now)) / 60000)) * 60000);
    const limit = nice(Math.max(highest, name === 'write' ? 0.1 : 1)), x = at => right - (now - at) / span * (right - left), y = value => bottom - Math.min(1, value / limit) * (bottom - top);
    const parts = [];
    const add = (tag, attributes, text) => {
      const part = document.createElementNS('http://www.w3.org/2000/svg', tag);
      Object.entries(attributes).forEach(([key, value]) => part.setAttribute(key, value));
      if (text)
        part.textContent = text;
      parts.push(part);
    };
    [0, 0.5, 1].forEach(share => {
      add('path', { class: 'grid', d: 'M' + left + ' ' + y(limit * share) + 'H' + right });
      add('text', { x: left - 5, y: y(limit * share) + 4, 'text-anchor': 'end' }, short(limit * share));
    });
    [[1, 'start'], ...(width < 240 ? [] : [[0.5, 'middle']]), [0, 'end']].forEach(([share, anchor]) =>
      add('text', { x: x(now - span * share), y: height - 3, 'text-anchor': anchor }, share ? ago(span * share / 1000) : 'now'));
    if (bound > 0 && bound <= limit)
      add('path', { class: 'line bound', d: 'M' + left + ' ' + y(bound) + 'H' + right });
    series.forEach(key => {
      let path = '', last = null;
      points.filter(point => point.at >= now - span && point[key] !== null && (key !== 'lost' || point.lost > 0)).forEach(point => {
        // What is far apart is not joined: nothing is known of the time between.
        const isOn = last !== null && point.at - last < (key === 'write' ? 10 : 3) * step;
        const place = x(point.at).toFixed(1) + ' ' + y(point[key]).toFixed(1);
        path += key === 'lost' ? 'M' + place + 'V' + bottom : isOn ? 'L' + place : 'M' + place + 'h.1';
        last = point.at;
      });
      if (path)
        add('path', { class: 'line ' + key, d: path });
    });
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    svg.replaceChildren(...parts);
    const last = points[points.length - 1];
    const most = key => Math.max(0, ...points.map(point => point[key] || 0));
    svg.setAttribute('aria-label', find(figure, 'figcaption').textContent + ', last ten minutes. '
      + series.map(key => key + ': now ' + (last && last[key] !== null ? rate(last[key]) : 'nothing') + ', highest ' + rate(most(key))).join('; ') + '.');
  }

  function showHistory(card, sink) {
    const now = card.samples.length ? card.samples[card.samples.length - 1].at : Date.now(), points = flows(card.samples);
    draw(card, 'flow', points, ['in', 'out', 'lost'], now, 0);
    draw(card, 'waiting', points, ['waiting'], now, sink.queue.capacity);
    draw(card, 'write', points, ['write'], now, 0);
    const minutes = new Map();
    card.samples.slice(1).forEach((sample, index) => {
      const then = card.samples[index], minute = clock(sample.at).slice(0, -3);
      const sum = minutes.get(minute) || [0, 0, 0, 0];
      minutes.set(minute, [sum[0] + sample.enqueued - then.enqueued, sum[1] + sample.written - then.written, sum[2] + sample.dropped - then.dropped, Math.max(sum[3], sample.queueSize)]);
    });
    rows(find(card.root, '[data-table="minutes"]'), [...minutes].reverse().map(([minute, sums]) => [minute, ...sums.map(number)]), 1);
  }

  function addSample(card, sink, at) {
    const sample = {
      at, queueSize: sink.queue.size, enqueued: sink.enqueued, written: sink.written, dropped: sink.dropped, batches: sink.batches, writeMicroseconds: sink.writeMicroseconds,
    };
    const last = card.samples[card.samples.length - 1];
    if (!last || at > last.at)
      card.samples.push(sample);
    while (card.samples.length && card.samples[0].at < at - reach)
      card.samples.shift();
  }

  function showVerdict(sinks) {
    const bad = sinks.filter(sink => sink.state === 'failed' || sink.state === 'degraded');
    const named = bad.map(sink => sink.name + ' ' + sink.state + (sink.reason ? ' (' + sink.reason + ')' : ''));
    const verdict = sinks.length === 0 ? 'No sink is configured.' : bad.length === 0 ? (sinks.length === 1 ? 'The sink delivers.' : 'All ' + sinks.length + ' sinks deliver.') : named.join(', ') + '.';
    say(find(document, '#verdict'), verdict);
    const worst = bad.some(sink => sink.state === 'failed') ? '\u2716 ' : bad.length ? '\u25b2 ' : '';
    if (document.title !== worst + 'AsyncLog')
      document.title = worst + 'AsyncLog';
  }

  function show(status) {
    const at = Date.parse(status.capturedAt);
    status.instances.forEach(sink => {
      const card = cardOf(sink.name);
      addSample(card, sink, at);
      showState(card, sink);
      showFill(card, 'records', sink.queue.size, sink.queue.capacity, number);
      showFill(card, 'bytes', sink.queue.bytes, sink.queue.bytesLimit, bytes);
      find(card.root, '[data-fill="spool"]').hidden = !sink.spool.bytesLimit;
      showFill(card, 'spool', sink.spool.bytes, sink.spool.bytesLimit, bytes);
      showTables(card, sink);
      showHistory(card, sink);
    });
    const names = new Set(status.instances.map(sink => sink.name));
    [...cards].filter(([name]) => !names.has(name)).forEach(([name, card]) => { card.root.remove(); cards.delete(name); });
    say(find(document, '#unknown'), 'Keys that are not known and have no effect: ' + status.unknownKeys.join(', '));
    find(document, '#unknown').hidden = status.unknownKeys.length === 0;
    showVerdict(status.instances);
    say(find(document, '#fresh'), 'as of ' + clock(at));
    document.body.dataset.captured = status.capturedAt;
  }

  async function ask(path) {
    const answer = await fetch(base + '/' + path, { cache: 'no-store', signal: AbortSignal.timeout(patience) });
    if (!answer.ok)
      throw new Error('answer ' + answer.status);
    return answer.json();
  }

  function take(history) {
    Object.entries(history.instances).forEach(([name, columns]) => {
      const keys = Object.keys(columns);
      cardOf(name).samples = columns.at.map((_, index) => Object.fromEntries(keys.map(key => [key, columns[key][index]])));
    });
  }

  async function turn() {
    try {
      const status = await ask('status');
      // At the start and after a sleep the server knows more than this page does.
      if (Date.now() - answered > 5 * step)
        take(await ask('history'));
      show(status);
      answered = Date.now();
    } catch (problem) {
      say(find(document, '#verdict'), 'No answer from the application. This page asks again every second.');
      say(find(document, '#fresh'), (answered ? 'last answer ' + clock(answered) + ', ' : '') + problem.message);
    }
    if (!isPaused)
      timer = setTimeout(turn, step);
  }

  find(document, '#pause').addEventListener('click', event => {
    isPaused = !isPaused;
    mark(event.currentTarget, 'aria-pressed', isPaused);
    clearTimeout(timer);
    if (!isPaused)
      turn();
  });
  document.querySelectorAll('[data-path]').forEach(link => { link.href = base + '/' + link.dataset.path; });
  turn();
})();
