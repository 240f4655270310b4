// The block of JSON in the page, and its curves as numbers: x and y in ns, or x a packet number.

const data = JSON.parse(document.getElementById("data").textContent);

const decoded = new Map();

// The curve of that name of a run, or one of several of that name, or undefined. x never falls.
function curveOf(run, name, part) {
  const key = run + " " + name + " " + part;
  if (!decoded.has(key)) {
    const found = data.runs[run][name];
    const curve = found && part ? found[part] : found;
    let at = 0;
    decoded.set(key, curve && {
      x: Float64Array.from(curve.dx, dx => at += dx),
      y: Float64Array.from(curve.y),
      thinnedFrom: curve.thinnedFrom,
    });
  }
  return decoded.get(key);
}
