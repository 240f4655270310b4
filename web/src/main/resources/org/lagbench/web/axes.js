// The ticks of a chart's axes.

const TIME_STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 172800, 604800, 1209600, 2592000, 7776000];

/** Returns times in seconds at round local times, and how far apart they are. */
export function timeTicks(from, until, most) {
  const step = TIME_STEPS_S.find(s => (until - from) / s <= most) ?? TIME_STEPS_S.at(-1) * Math.ceil((until - from) / TIME_STEPS_S.at(-1) / most);
  const offset = -60 * new Date(from * 1000).getTimezoneOffset();
  const made = [];
  for (let t = Math.ceil((from + offset) / step) * step - offset; t <= until; t += step) {
    made.push(t);
  }
  return [made, step];
}

/** Returns a time on an axis whose ticks are that many seconds apart. */
export function timeText(seconds, step) {
  const time = new Date(seconds * 1000);
  return step >= 86400
    ? time.toLocaleDateString([], { month: "short", day: "numeric" })
    : time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", ...(step < 60 ? { second: "2-digit" } : {}), hour12: false });
}

/** Returns 1, 2 and 5 times the powers of ten between two values; only the powers if those are more than wanted. */
export function logarithmicTicks(low, high, most) {
  const made = [];
  for (let power = 10 ** Math.floor(Math.log10(low)); power <= high; power *= 10) {
    made.push(...[power, 2 * power, 5 * power].filter(y => y >= low && y <= high));
  }
  return made.length <= most ? made : made.filter(y => Math.abs(Math.log10(y) - Math.round(Math.log10(y))) < 1e-9);
}
