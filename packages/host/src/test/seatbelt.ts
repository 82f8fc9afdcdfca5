/**
 * Reads a profile of macOS' sandbox and answers what it says, for tests on machines that have none. Of the language it
 * knows what our profiles use, and fails at anything else.
 */
export function readSeatbelt(text: string): (operation: string, at?: { path?: string; address?: string }) => boolean {
  const rules = parse(text).map((list) => {
    if (!Array.isArray(list)) throw new Error(`no rule: ${String(list)}`);
    const [verb, ...rest] = list;
    if (verb === "version") return undefined;
    if (verb !== "allow" && verb !== "deny") throw new Error(`no rule begins with ${String(verb)}`);
    const operations = rest.filter((part): part is string => typeof part === "string");
    const filters = rest.filter((part): part is Expression[] => Array.isArray(part));
    return { allows: verb === "allow", operations, filters };
  });
  return (operation, { path, address } = {}) => {
    let allowed = false;
    for (const rule of rules) {
      if (!rule?.operations.some((pattern) => fits(pattern, operation))) continue;
      if (rule.filters.length === 0 || rule.filters.some((filter) => holds(filter, path, address)))
        allowed = rule.allows;
    }
    return allowed;
  };
}

type Expression = string | { text: string } | Expression[];

function parse(text: string): Expression[] {
  const stack: Expression[][] = [[]];
  for (const [token] of text.matchAll(/\(|\)|"(?:\\[\s\S]|[^"\\])*"|[^\s()"]+/g)) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const list = stack.pop();
      const above = stack.at(-1);
      if (!list || !above) throw new Error("a bracket is closed that was not opened");
      above.push(list);
    } else
      stack.at(-1)?.push(token.startsWith('"') ? { text: token.slice(1, -1).replace(/\\([\s\S])/g, "$1") } : token);
  }
  if (stack.length !== 1) throw new Error("a bracket is not closed");
  return stack[0] ?? [];
}

const fits = (pattern: string, operation: string): boolean =>
  pattern === "default" || (pattern.endsWith("*") ? operation.startsWith(pattern.slice(0, -1)) : pattern === operation);

function holds(filter: Expression[], path: string | undefined, address: string | undefined): boolean {
  const [kind, first, second] = filter;
  const text = typeof first === "object" && !Array.isArray(first) ? first.text : undefined;
  if (kind === "literal") return path === text;
  if (kind === "subpath")
    return path !== undefined && text !== undefined && (path === text || path.startsWith(`${text}/`));
  const host = typeof second === "object" && !Array.isArray(second) ? second.text : undefined;
  if (kind === "local" && first === "ip") return host === "localhost:*" && /^(?:127\.|::1)/.test(address ?? "");
  if (kind === "target" || kind === "global-name") return false;
  throw new Error(`no filter begins with ${String(kind)}`);
}
