// Ten minutes of one instance as lines.
const step = 1000, reach = 600000;
const ago = time => time < 60 ? time + ' s ago' : String(time / 60) + ' min ago';

// What flowed between each two samples.
function flows(samples) {
  return samples.slice(1).map((now, index) => {
    const then = samples[index], time = (now.at - then.at) / 1000, writes = now.batches - then.batches;
    return {
      at: now.at, waiting: now.queueSize + now.inFlight,
      in: Math.max(0, now.enqueued - then.enqueued) / time, out: Math.max(0, now.written - then.written) / time, lost: Math.max(0, now.dropped - then.dropped) / time,
      write: writes > 0 ? (now.writeMicroseconds - then.writeMicroseconds) / writes / 1000 : null,
    };
  });
}

// The least round number that is not below the highest value.
function nice(highest) {
  const power = 10 ** Math.floor(Math.log10(highest || 1));
  return [1, 2, 5, 10].map(factor => factor * power).find(top => top >= highest) || 1;
}

// A young history is shown in whole minutes, an old one in ten.
const rangeOf = (points, now) => Math.min(reach, Math.max(1, Math.ceil((now - (points.length ? points[0].at : now)) / 60000)) * 60000);

function shape(tag, attributes, text) {
  const part = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([key, value]) => part.setAttribute(key, value));
  if (text)
    part.textContent = text;
  return part;
}

// The records per second of a row, and its losses over the whole height.
function spark(svg, points, now) {
  const width = svg.clientWidth || 110, height = svg.clientHeight || 26, range = rangeOf(points, now), known = points.filter(point => point.at >= now - range);
  const highest = Math.max(0, ...known.map(point => point.in)), lost = known.filter(point => point.lost > 0);
  const x = at => (width - (now - at) / range * width).toFixed(1), y = value => (height - 1 - value / Math.max(highest, 10) * (height - 3)).toFixed(1);
  const line = known.map(point => x(point.at) + ' ' + y(point.in)).join('L');
  const parts = lost.map(point => shape('path', { class: 'lost', d: 'M' + x(point.at) + ' 0V' + height, 'stroke-width': Math.max(2, step / range * width) }));
  if (line)
    parts.unshift(shape('path', { class: 'area', d: 'M' + x(known[0].at) + ' ' + height + 'L' + line + 'L' + x(now) + ' ' + height + 'Z' }), shape('path', { class: 'line in', d: 'M' + line }));
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
  svg.setAttribute('aria-label', 'Records in per second, last ten minutes: highest ' + rate(highest) + '; seconds with losses: ' + lost.length + '.');
  svg.replaceChildren(...parts);
  return highest;
}

function draw(figure, points, series, now, bound) {
  const svg = find(figure, 'svg');
  const width = svg.clientWidth || 300, height = 120, left = 36, right = width - 4, top = 8, bottom = height - 18;
  const most = key => Math.max(0, ...points.map(point => point[key] || 0));
  const highest = Math.max(0, ...series.map(most));
  const range = rangeOf(points, now);
  const limit = nice(Math.max(highest, series.includes('write') ? 0.1 : 1));
  const x = at => right - (now - at) / range * (right - left), y = value => bottom - Math.min(1, value / limit) * (bottom - top);
  const parts = [];
  const add = (tag, attributes, text) => parts.push(shape(tag, attributes, text));
  const shown = key => points.filter(point => point.at >= now - range && point[key] !== null);
  if (series.includes('lost')) {
    // One record of a million must be seen: a band over the whole height, and a bar of eight pixels at least.
    const thick = Math.max(3, step / range * (right - left));
    const lost = shown('lost').filter(point => point.lost > 0);
    lost.forEach(point => {
      add('path', { class: 'band', d: 'M' + x(point.at).toFixed(1) + ' ' + top + 'V' + bottom, 'stroke-width': thick });
      add('path', { class: 'lost', d: 'M' + x(point.at).toFixed(1) + ' ' + Math.min(y(point.lost), bottom - 8).toFixed(1) + 'V' + bottom, 'stroke-width': thick });
    });
  }
  [0, 0.5, 1].forEach(share => {
    add('path', { class: 'grid', d: 'M' + left + ' ' + y(limit * share) + 'H' + right });
    add('text', { x: left - 5, y: y(limit * share) + 4, 'text-anchor': 'end' }, short(limit * share));
  });
  [[1, 'start'], ...(width < 240 ? [] : [[0.5, 'middle']]), [0, 'end']].forEach(([share, anchor]) =>
    add('text', { x: x(now - range * share), y: height - 3, 'text-anchor': anchor }, share ? ago(range * share / 1000) : 'now'));
  const isBound = bound > 0 && bound <= limit;
  if (isBound)
    add('path', { class: 'line bound', d: 'M' + left + ' ' + y(bound) + 'H' + right });
  series.filter(key => key !== 'lost').forEach(key => {
    let path = '', dots = '', last = null, isAlone = false;
    shown(key).forEach(point => {
      // What is far apart is not joined: nothing is known of the time between. A point without neighbours is a dot.
      const isOn = last !== null && point.at - last.at < (key === 'write' ? 10 : 3) * step;
      const place = x(point.at).toFixed(1) + ' ' + y(point[key]).toFixed(1);
      path += (isOn ? 'L' : 'M') + place;
      dots += isAlone && !isOn ? last.dot : '';
      isAlone = !isOn;
      last = { at: point.at, dot: 'M' + place + 'h.1' };
    });
    if (path)
      add('path', { class: 'line ' + key, d: path });
    if (isAlone || dots)
      add('path', { class: 'line dots ' + key, d: dots + (isAlone ? last.dot : '') });
  });
  svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
  svg.replaceChildren(...parts);
  const latest = points[points.length - 1];
  svg.setAttribute('aria-label', find(figure, 'figcaption').textContent + ', last ten minutes. '
    + series.map(key => key + ': now ' + (latest && latest[key] !== null ? rate(latest[key]) : 'nothing') + ', highest ' + rate(most(key))).join('; ') + '.');
  const legend = find(figure, '.bound');
  if (legend)
    legend.hidden = !isBound;
}
