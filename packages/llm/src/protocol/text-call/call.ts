/** A call in text. Arguments are JSON if they were complete, else the text as written. */
export interface WrittenCall {
  name: string;
  args: string;
}

export interface ParsedCalls {
  calls: WrittenCall[];
  length: number;
}
