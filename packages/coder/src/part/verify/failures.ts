/** The number of failures in an output: the program's own count, else the different lines that look like one. */
export function failures(text: string): number {
  const counted = [...text.matchAll(/\b(\d{1,9}) (?:errors?|fail(?:ed|ing|ures?|s)?|problems?)\b/gi)];
  const most = Math.max(0, ...counted.map(([, count]) => Number(count)));
  if (most > 0) return most;
  return Math.max(1, new Set(text.split("\n").filter((line) => failure.test(line))).size);
}

const failure = /\b(?:error|fail(?:ed|ure|s)?)\b|[✗✖]|^not ok\b|^[^\s:]+:\d+(?::\d+)?:\s/i;
