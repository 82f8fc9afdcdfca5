/** What may help when a text was not found: the likely mistake, or the line of the file that is most like its first. */
export function missingHint(content: string, wanted: string): string {
  const lines = wanted.split(/\r?\n/);
  if (lines.every((line) => line === "" || /^\s*\d+[:|]/.test(line))) return "Leave out the line numbers: they are not part of the file.";
  const first = lines.find((line) => line.trim() !== "")?.trim();
  if (first === undefined) return "It is only white space; take a line with text along.";
  const near = nearest(content.split(/\r?\n/), first);
  if (!near) return "Read the file again and copy the text as it stands there.";
  const quoted = JSON.stringify(near.text.length > 200 ? `${near.text.slice(0, 200)}…` : near.text);
  return near.alike === 1
    ? `Line ${near.line} has the same text: ${quoted}. Spaces, or the lines after it, differ.`
    : `The nearest line is ${near.line}: ${quoted}. Read the file again and copy the text as it stands there.`;
}

interface Near {
  line: number;
  text: string;
  alike: number;
}

function nearest(lines: readonly string[], wanted: string): Near | undefined {
  let best: Near | undefined;
  for (const [i, text] of lines.entries()) {
    const alike = likeness(text.trim(), wanted);
    if (alike > (best?.alike ?? 0.4)) best = { line: i + 1, text, alike };
    if (alike === 1) break;
  }
  return best;
}

/** The share of a common beginning and end: cheap, and right for the usual slips. */
function likeness(a: string, b: string): number {
  const short = Math.min(a.length, b.length);
  let head = 0;
  while (head < short && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < short - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  return (head + tail) / Math.max(a.length, b.length, 1);
}
