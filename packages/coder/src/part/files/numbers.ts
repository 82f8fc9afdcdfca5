/**
 * Rows without the numbers that they begin with (`12:text`), where each such number is that of the line that the row
 * takes the place of; undefined where none is. A line that itself begins with its number may go on doing so.
 */
export function withoutNumbers(
  rows: readonly string[],
  from: number,
  lineAt: (line: number) => string,
): string[] | undefined {
  const plain = rows.map((row, i) => {
    const mark = new RegExp(`^${from + i}[:|]`);
    return mark.test(lineAt(from + i)) ? row : row.replace(mark, "");
  });
  return plain.some((row, i) => row !== rows[i]) ? plain : undefined;
}
