/** A file with lines that were looked for. */
export interface FoundFile {
  /** Relative to the root, or the name of the root when that is a file. */
  path: string;
  lines: FoundLine[];
}

export interface FoundLine {
  number: number;
  match: boolean;
  text: string;
}
