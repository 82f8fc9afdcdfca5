/** Below a list, in line with its words. */
export const indented = (columns: number, draw: (columns: number) => readonly string[]): string[] =>
  draw(Math.max(1, columns - 2)).map((row) => (columns > 2 ? `  ${row}` : row));
