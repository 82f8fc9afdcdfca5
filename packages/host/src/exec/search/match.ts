/** A file with lines that were looked for. */
export interface MatchedFile {
  /** Relative to the root, or the name of the root when that is a file. */
  path: string;
  lines: MatchedLine[];
}

export interface MatchedLine {
  number: number;
  match: boolean;
  /** Of a line that is too long to hold, what stands around the first match, with a mark where it is cut. */
  text: string;
  /** Where in a long text the first match begins. */
  at?: number;
}
