// The nearest prototype of each point of the map, at any number of prototypes.

/** Returns a function of the run: for each target point its nearest prototype, counted from 0 (-1 for none), and the distance. */
const setUpNearest = ({ map }) => {
  if (!map) return () => null;
  const { counts, sizes, nearest, distances, largest } = map.changes;
  const starts = [0];
  for (const count of counts) starts.push(starts[starts.length - 1] + count);
  let known = { size: null };
  const at = (size) => {
    const found = { size, nearest: new Int32Array(map.n_target).fill(-1), distances: new Float64Array(map.n_target).fill(NaN) };
    for (let point = 0; point < map.n_target; point += 1) {
      let place = starts[point] - 1;
      while (place + 1 < starts[point + 1] && sizes[place + 1] <= size) place += 1;
      if (place < starts[point]) continue;
      found.nearest[point] = nearest[place] - 1;
      found.distances[point] = (distances[place] * largest) / 1e6;
    }
    return found;
  };
  return ({ size, whole }) => {
    if (known.size === size) return known;
    known = at(size);
    if (whole) map.nearest.forEach((prototype, point) => (known.nearest[point] = prototype ?? -1));
    return known;
  };
};

/** The last entry for at most this many prototypes. */
const upTo = (entries, size) => entries.findLast((entry) => entry.n_prototypes <= size) ?? null;
