/** How bad it is: as many as a program counts itself; else lines that speak of a failure or a place, each once. */
export function failures(text: string): number {
  const counted = [...text.matchAll(/\b(\d{1,9}) (?:errors?|fail(?:ed|ing|ures?|s)?|problems?)\b/gi)];
  const most = Math.max(0, ...counted.map(([, count]) => Number(count)));
  if (most > 0) return most;
  return Math.max(1, new Set(text.split("\n").filter((line) => speaks.test(line))).size);
}

const speaks = /\b(?:error|fail(?:ed|ure|s)?)\b|[✗✖]|^not ok\b|^[^\s:]+:\d+(?::\d+)?:\s/i;
