// What went on in a run that may have delayed packets: bands behind the curve, a letter each, small for the sender.

function eventsOf(run) {
  const events = data.runs[run].events;
  return events ? events.spans.map(([kind, from, length]) => ({ ...events.kinds[kind], from, until: from + length })) : [];
}

// Titles whose first letter another one has.
const LETTERS = { "Concurrent collection": "N", "JIT compilation": "C" };

function letterOf({ title, side }) {
  const letter = LETTERS[title] || title[0].toUpperCase();
  return side === "sender" ? letter.toLowerCase() : letter;
}

function nameOf({ title, side }) {
  return title + " at the " + side;
}

// The longest of a run that went on in a stretch of time, in their order: more would leave nothing to see.
const MOST_BANDS = 30;

function longestEvents(run, [from, until]) {
  return eventsOf(run).filter(event => event.until > from && event.from < until)
    .sort((a, b) => (b.until - b.from) - (a.until - a.from)).slice(0, MOST_BANDS).sort((a, b) => a.from - b.from);
}

// Draws those of a run into its panel.
function drawEvents(svg, panel, { x, top, height, domain }) {
  let letteredUntil = -Infinity;
  longestEvents(panel.run, domain).forEach(event => {
    const left = x(Math.max(event.from, domain[0]));
    const right = Math.max(left + 1, x(Math.min(event.until, domain[1])));
    svg.append("rect").attr("class", "band").attr("x", left).attr("width", right - left).attr("y", top)
      .attr("height", height).attr("data-event", nameOf(event));
    const middle = (left + right) / 2;
    if (middle > letteredUntil) {
      svg.append("text").attr("class", "quiet letter").attr("x", middle).attr("y", top + 11).attr("text-anchor", "middle")
        .text(letterOf(event));
      letteredUntil = middle + 9;
    }
  });
}

// What the letters mean.
function eventsLegend(runs, domain) {
  const names = new Map();
  runs.forEach(({ run }) => longestEvents(run, domain).forEach(event => names.set(letterOf(event), nameOf(event))));
  const letters = [...names].sort(([a], [b]) => d3.ascending(a.toLowerCase(), b.toLowerCase()) || d3.ascending(a, b));
  return letters.length ? "What went on, the " + MOST_BANDS + " longest of each run in view: "
    + letters.map(([letter, name]) => letter + " " + name).join(", ") + "." : "";
}

// The names of what went on in a run between two times.
function eventsBetween(run, from, until) {
  return [...new Set(eventsOf(run).filter(event => event.until > from && event.from < until).map(nameOf))];
}
