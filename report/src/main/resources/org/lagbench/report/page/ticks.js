// Returns the multiples of 1, 2 or 5 times a power of ten between two numbers: at most that many and one.
function roundTicks(from, to, most) {
  const least = (to - from) / most;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= least * (1 - 1e-9));
  const first = Math.ceil(from / step - 1e-9);
  return Array.from({ length: Math.floor(to / step + 1e-9) - first + 1 },
    (_, i) => Number(((first + i) * step).toPrecision(12)));
}
