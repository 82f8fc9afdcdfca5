interface Group {
  indent: number;
  name: string;
  names: Set<string>;
}

/**
 * Returns the path of the first key that stands twice in its group. The fast YAML parser silently keeps the last one;
 * this looks at lines only, as people write settings, because a parser that reports it is slow to load.
 */
export function repeatedKey(text: string): string[] | undefined {
  const groups: Group[] = [];
  let inText = Number.POSITIVE_INFINITY;
  for (const line of text.split("\n")) {
    const [, spaces = "", name, value = ""] = /^( *)([\w.-]+):(?:[ \t]+(.*))?\r?$/.exec(line) ?? [];
    if (name === undefined || spaces.length > inText) continue;
    // Below `|` or `>` stands text, whatever it looks like.
    inText = /^[|>]/.test(value) ? spaces.length : Number.POSITIVE_INFINITY;
    while ((groups.at(-1)?.indent ?? -1) > spaces.length) groups.pop();
    if (groups.at(-1)?.indent !== spaces.length) groups.push({ indent: spaces.length, name, names: new Set() });
    const group = groups.at(-1) as Group;
    group.name = name;
    if (group.names.has(name)) return groups.map((outer) => outer.name);
    group.names.add(name);
  }
  return undefined;
}
