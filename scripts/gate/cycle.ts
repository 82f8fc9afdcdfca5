/** Finds a shortest cycle in each group of nodes that reach each other. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const node of graph.keys()) {
    if (done.has(node)) continue;
    const cycle = shortestBack(graph, node);
    if (!cycle) continue;
    cycles.push(cycle);
    for (const member of cycle) done.add(member);
  }
  return cycles;
}

function shortestBack(graph: ReadonlyMap<string, readonly string[]>, start: string): string[] | undefined {
  const from = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return wayTo(node, start, from);
      if (from.has(next)) continue;
      from.set(next, node);
      queue.push(next);
    }
  }
  return undefined;
}

function wayTo(node: string, start: string, from: ReadonlyMap<string, string>): string[] {
  const way = [node];
  for (let at = node; at !== start; ) {
    at = from.get(at) ?? start;
    way.unshift(at);
  }
  return way;
}
