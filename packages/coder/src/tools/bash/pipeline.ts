/**
 * The last pipeline of a command of one line: what stands behind its last `;`, `&&`, `||` or `&`. Undefined where
 * quotes or brackets do not close, or where it is not plain.
 */
export function lastPipeline(command: string): { text: string; stages: number } | undefined {
  let start = 0;
  let stages = 1;
  let depth = 0;
  let at = 0;
  for (token.lastIndex = 0; at < command.length; at = token.lastIndex) {
    const sign = token.exec(command)?.[0];
    if (sign === undefined) return undefined;
    if (sign === "(" || sign === "$(") depth++;
    else if (sign === ")") depth--;
    else if (depth === 0 && sign === "|") stages++;
    else if (depth === 0 && /^(?:[;&]|\|\||&&)$/.test(sign)) {
      start = token.lastIndex;
      stages = 1;
    }
    if (depth < 0) return undefined;
  }
  return depth === 0 ? { text: command.slice(start).trim(), stages } : undefined;
}

/**
 * What a line is made of, as far as it matters here. A comment, a here-document and a quote that does not close are
 * none of it.
 */
const token =
  /\\.|'[^']*'|"(?:\\.|[^"\\`$]|\$(?![({]))*"|\$\{[^{}'"`\\]*\}|\$\(|&&|\|\||[0-9]*>&[0-9-]*|&>>?|[;&|()]|(?<=\S)#|[^\\'"`;&|()<#$]|\$(?![({])|<(?!<)/y;
