/** Words as a shell would part them: quotes group, a backslash takes the next sign as it is. */
export function argumentsIn(text: string): { words: string[]; open?: "open quote" } {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] ?? "";
    if (sign === "\\" && quote !== "'" && at + 1 < text.length) word = `${word ?? ""}${text[++at]}`;
    else if (quote !== "") {
      if (sign === quote) quote = "";
      else word = `${word ?? ""}${sign}`;
    } else if (sign === '"' || sign === "'") {
      quote = sign;
      word ??= "";
    } else if (/\s/.test(sign)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = `${word ?? ""}${sign}`;
  }
  if (word !== undefined) words.push(word);
  return { words, ...(quote !== "" && { open: "open quote" as const }) };
}

const hole =
  /\$\{@:(\d+)(?::(\d+))?\}|\$@\[(\d+)(?::(\d+))?\]|\$ARGUMENTS\b|\$@|\$\{(\d+):-([^}]*)\}|\$(\d+)|\{\{\s*(?:args|ARGUMENTS|arguments)\s*\}\}/g;

/**
 * A text with its holes filled: `$1`, `$@`, `$ARGUMENTS`, `$@[2]`, `$@[2:3]`, `${1:-else}`, `{{args}}`. In one pass, so
 * that what an argument holds stays as it is. Where there is no hole, what was typed comes behind the text.
 */
export function fillTemplate(body: string, typed: string): string {
  const { words } = argumentsIn(typed);
  let used = false;
  const text = body.replace(hole, (whole, from, count, from2, count2, place, otherwise, number) => {
    used = true;
    const start = from ?? from2;
    if (start !== undefined) {
      const first = Math.max(Number(start), 1) - 1;
      const many = count ?? count2;
      return words.slice(first, many === undefined ? undefined : first + Number(many)).join(" ");
    }
    if (place !== undefined) return words[Number(place) - 1] ?? otherwise;
    if (number !== undefined) return words[Number(number) - 1] ?? "";
    return whole === "$@" ? words.join(" ") : typed;
  });
  return used || typed === "" ? text : `${text}\n\n${typed}`;
}

/** Commands that stand in a text: `` !`…` `` as Claude writes them, `!{…}` as Gemini does. */
export const embedded = (body: string): string[] =>
  [...body.matchAll(/!`([^`\n]+)`|!\{([^}\n]+)\}/g)].map(([, ticked, braced]) => ticked ?? braced ?? "");

/** The same text with what they printed in their places, in order. */
export function withOutputs(body: string, outputs: readonly string[]): string {
  let at = 0;
  return body.replace(/!`([^`\n]+)`|!\{([^}\n]+)\}/g, () => outputs[at++] ?? "");
}
