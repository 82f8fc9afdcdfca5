/** The line that says a program wrote this file and will write it again; only the head of the file is looked at. */
export function generatedMark(text: string): string | undefined {
  const head = text.slice(0, 1024).split("\n", 40);
  return head.find((line) => marks.some((mark) => mark.test(line)))?.trim();
}

const marks: readonly RegExp[] = [
  /@generated\b/,
  /\bdo not (?:edit|modify)\b/i,
  /\b(?:this file|code|file|source)\b.{0,40}\b(?:is|was|has been)?\s*(?:auto(?:matically)?[- ]?)?generated (?:by|from|with|automatically)\b/i,
  /\bauto-?generated (?:file|code|by|from)\b/i,
];
