interface Group {
  indent: number;
  name: string;
  names: Set<string>;
}

/** A line of YAML as people write settings: dashes of list items, then perhaps a key, then a value. */
interface Line {
  start: number;
  isItem: boolean;
  indent: number;
  name: string | undefined;
  /** True when text follows on deeper lines, behind `|` or `>`. */
  opensText: boolean;
}

/**
 * Returns the path of the first key that stands twice in its group. The fast YAML parser silently keeps the last one;
 * this looks at lines only, as people write settings, because a parser that reports it is slow to load.
 */
export function repeatedKey(text: string): string[] | undefined {
  const groups: Group[] = [];
  let inText = Number.POSITIVE_INFINITY;
  for (const source of text.split("\n")) {
    const line = lineIn(source);
    if (!line || line.start > inText) continue;
    const { start, isItem, indent, name, opensText } = line;
    inText = opensText ? (name === undefined ? start : indent) : Number.POSITIVE_INFINITY;
    // Each item of a list is a group of its own.
    while ((groups.at(-1)?.indent ?? -1) > (isItem ? start : indent)) groups.pop();
    if (name === undefined) continue;
    if (groups.at(-1)?.indent !== indent) groups.push({ indent, name, names: new Set() });
    const group = groups.at(-1) as Group;
    group.name = name;
    if (group.names.has(name)) return groups.map((outer) => outer.name);
    group.names.add(name);
  }
  return undefined;
}

/** Reads a line; undefined for one that begins neither an item nor a key. */
function lineIn(source: string): Line | undefined {
  const [, spaces = "", dashes = "", rest = ""] = /^( *)((?:-(?: +|(?=\r?$)))*)(.*)$/.exec(source) ?? [];
  const [, name, value = ""] = /^([\w.-]+):(?:[ \t]+(.*))?\r?$/.exec(rest) ?? [];
  if (name === undefined && dashes === "") return undefined;
  return {
    start: spaces.length,
    isItem: dashes !== "",
    indent: spaces.length + dashes.length,
    name,
    opensText: /^[|>]/.test(name === undefined ? rest : value),
  };
}
