// Values as words. The words of reasons are those of ReasonWords.cs.
const words = {/*words*/};
const wordsOf = code => words[code] || (/^\d{3}$/.test(code) ? 'HTTP status ' + code : /^grpc_\d+$/.test(code) ? 'gRPC status ' + code.slice(5) : code);
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const tenths = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const number = value => whole.format(value);
const rate = value => value > 0 && value < 10 ? tenths.format(value) : whole.format(value);
const short = value => value >= 1e6 ? tenths.format(value / 1e6) + 'M' : value >= 1e3 ? tenths.format(value / 1e3) + 'k' : String(Number(value.toPrecision(2)));
const percent = share => share > 0 && share < 0.01 ? '< 1 %' : number(Math.floor(share * 100)) + ' %';

function bytes(value) {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let unit = 0;
  for (; value >= 1024 && unit < units.length - 1; unit++)
    value /= 1024;
  return (unit === 0 ? whole : tenths).format(value) + ' ' + units[unit];
}

function seconds(value) {
  if (value === null)
    return '';
  if (value >= 120)
    return span(value);
  if (value >= 1)
    return tenths.format(value) + ' s';
  return value === 0 ? '0 s' : (value >= 0.0995 ? number(value * 1000) : String(Number((value * 1000).toPrecision(2)))) + ' ms';
}

// Whole units, the two largest: "4 d 3 h", "12 min".
function span(value) {
  const minutes = Math.floor(value / 60), hours = Math.floor(minutes / 60), days = Math.floor(hours / 24);
  if (days > 0)
    return days + ' d ' + hours % 24 + ' h';
  if (hours > 0)
    return hours + ' h ' + minutes % 60 + ' min';
  return minutes > 0 ? minutes + ' min' : Math.floor(value) + ' s';
}

// "UTC+01:00", of this browser.
function zoneOf(when) {
  const minutes = -new Date(when).getTimezoneOffset(), size = Math.abs(minutes);
  return 'UTC' + (minutes < 0 ? '-' : '+') + two(Math.floor(size / 60)) + ':' + two(size % 60);
}

const two = value => String(value).padStart(2, '0');

function clock(when) {
  const at = new Date(when), today = new Date();
  const time = two(at.getHours()) + ':' + two(at.getMinutes()) + ':' + two(at.getSeconds());
  const isToday = at.toDateString() === today.toDateString();
  return isToday ? time : at.getFullYear() + '-' + two(at.getMonth() + 1) + '-' + two(at.getDate()) + ' ' + time;
}
